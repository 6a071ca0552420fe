#include "app/sweep_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/labels_file.h"
#include "app/robot_calibration.h"
#include "app/world_options.h"
#include "base/whole_file.h"
#include "output/point_file.h"
#include "output/publish_settings.h"
#include "output/topic_folder.h"
#include "output/trajectory.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

constexpr const char* kDescription = "lidar.json";
constexpr const char* kFolders[] = {"velodyne", "times", "labels"};

constexpr PointField kKittiFields[] = {
    {"x", 0, PointFieldType::kFloat32, PointValue::kX},
    {"y", 4, PointFieldType::kFloat32, PointValue::kY},
    {"z", 8, PointFieldType::kFloat32, PointValue::kZ},
    {"intensity", 12, PointFieldType::kFloat32, PointValue::kFraction},
};
constexpr PointField kTimeField[] = {{"time", 0, PointFieldType::kFloat32, PointValue::kSinceStart}};
/// As one number: the lower 16 bits are the class.
constexpr PointField kLabelField[] = {{"label", 0, PointFieldType::kUint16, PointValue::kClass},
                                      {"instance", 2, PointFieldType::kUint16, PointValue::kInstance}};

/// Other fields of the same points in the same order.
PointLayout beside(const PointLayout& layout, std::span<const PointField> fields) {
  PointLayout out = layout;
  out.fields = fields;
  out.point_step = fields.back().offset + size_of(fields.back().datatype);
  out.pcl_point = out.millimetres = false;
  return out;
}

bool has_field(const PointLayout& layout, PointValue value) {
  return std::ranges::any_of(layout.fields,
                             [value](const PointField& field) { return field.value == value; });
}

std::string_view bytes_of(const PointCloud& cloud) {
  return {reinterpret_cast<const char*>(cloud.data.data()), cloud.data.size()};
}

std::vector<std::string> split_at_commas(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (const std::string& text : texts) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      if (end > begin) out.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return out;
}

/// Files that an earlier run has numbered on from where this one may end. What is not ours stays.
void remove_old_sweeps(const fs::path& folder) {
  if (!fs::exists(folder)) return;
  const bool ours = fs::exists(folder / kDescription);
  for (const char* name : kFolders) {
    if (!fs::is_directory(folder / name)) continue;
    for (const auto& entry : fs::directory_iterator(folder / name)) {
      const std::string stem = entry.path().stem().string();
      const bool numbered = stem.size() >= 6 && std::ranges::all_of(stem, [](char c) {
                              return c >= '0' && c <= '9';
                            });
      if (!numbered) continue;
      if (!ours) {
        throw std::runtime_error(fmt::format("{} has sweeps that are not of a run (no {} beside them); "
                                             "choose another folder for --out",
                                             (folder / name).string(), kDescription));
      }
      fs::remove(entry.path());
    }
  }
}

}  // namespace

void add_sweep_arguments(CLI::App& command, SweepArguments& arguments, CLI::Option* out) {
  CLI::Option* sweeps =
      command
          .add_flag("--sweeps{*}", arguments.lidars,
                    "Record every sweep of all lidars into the folder of --out, or of those that "
                    "--sweeps=ROBOT/DEVICE,... names (* for any text); docs/datasets.md")
          ->needs(out);
  command
      .add_option("--sweep-format", arguments.format,
                  "bin (KITTI, the default), pcd, ply or npy")
      ->check(CLI::IsMember({"bin", "pcd", "ply", "npy"}))
      ->needs(sweeps);
}

/// The folder of one lidar.
class SweepOutput::Recording {
 public:
  Recording(const Simulation& simulation, const LidarTracks::Lidar& lidar, const SweepArguments& arguments,
            const PointOptions& points, fs::path folder)
      : path_(lidar.path),
        format_(arguments.format),
        points_(points),
        folder_(prepared(std::move(folder))),
        source_(source_of(simulation, lidar.track.device())),
        starts_(folder_ / "times.txt"),
        ends_(folder_ / "times_end.txt"),
        kitti_(folder_ / "poses.txt"),
        tum_(folder_ / "poses.tum"),
        trajectory_(folder_ / "trajectory.tum") {
    if (!arguments.points_given) points_.format = "labelled";
    layout_ = format_ == "bin" ? beside(point_layout("labelled"), kKittiFields) : points_.layout();
    shape_ = format_ == "bin" ? shape_of(layout_) : points_.shape();
    write_time_ = format_ == "bin" || !has_field(layout_, PointValue::kSinceStart);
    write_label_ = format_ == "bin" || !has_field(layout_, PointValue::kClass);
    make_folder(folder_ / "velodyne");
    if (write_time_) make_folder(folder_ / "times");
    if (write_label_) make_folder(folder_ / "labels");
    describe(lidar.track.device());
    write_calibration(simulation, lidar.track.device());
  }

  const std::string& path() const { return path_; }
  std::uint64_t sweeps() const { return count_; }

  void after_step(const Simulation& simulation, const LidarTracks::Lidar& lidar,
                  SweepQueue& queue) {
    const Device& device = lidar.track.device();
    if (device.period != 0) add_step(simulation, device);
    if (!lidar.completed) return;
    // Fewer than at the start when the head turns faster.
    const int columns = dynamic_cast<const BeamSensor&>(*device.model).columns();
    queue.push(lidar.track.sweep(simulation, queue.memory()),
               [this, columns](const TimedSweep& sweep) {
                 source_.columns = columns;
                 add_sweep(sweep);
               });
  }

  void finish() {
    for (RecordFile* file : {&starts_, &ends_, &kitti_, &tum_, &trajectory_}) file->finish();
  }

  nlohmann::json json() const {
    return {{"device", path_}, {"folder", folder_.string()}, {"sweeps", count_}, {"points", points_written_}};
  }

 private:
  static fs::path prepared(fs::path folder) {
    make_folder(folder);
    remove_old_sweeps(folder);
    return folder;
  }

  void add_step(const Simulation& simulation, const Device& device) {
    step_line_.clear();
    const double now = simulation.time(), before = now - simulation.model().basic_time_step;
    // Where it was when it was switched on, so that the first beams lie between two poses.
    if (before > last_step_ + 1e-9) append_tum(step_line_, before, device.X_WD_before);
    append_tum(step_line_, now, simulation.pose_of(device));
    last_step_ = now;
    trajectory_.add(step_line_);
  }

  void add_sweep(const TimedSweep& sweep) {
    if (count_ == 0) first_ = sweep.X_WS;
    const std::string number = fmt::format("{:06}", count_);
    const PointCloud cloud = fill_points(layout_, shape_, sweep, source_);
    const fs::path file = folder_ / "velodyne" / (number + "." + format_);
    const PointTable table = table_of(layout_, cloud);
    if (format_ == "bin") {
      write_whole_file(file, bytes_of(cloud));
    } else if (format_ == "npy") {
      write_whole_file(file, npy_file(table));
    } else {
      write_points(file, format_ == "ply" ? CloudFormat::kPly : CloudFormat::kPcdBinary, table,
                   origin_of(sweep, source_));
    }
    if (write_time_) {
      const PointCloud times = fill_points(beside(layout_, kTimeField), shape_, sweep, source_);
      write_whole_file(folder_ / "times" / (number + ".bin"), bytes_of(times));
    }
    if (write_label_) {
      const PointCloud labels = fill_points(beside(layout_, kLabelField), shape_, sweep, source_);
      write_whole_file(folder_ / "labels" / (number + ".label"), bytes_of(labels));
    }
    add_line(starts_, sweep.start_time);
    add_line(ends_, sweep.end_time);
    line_.clear();
    append_kitti(line_, first_.inverse() * sweep.X_WS);
    kitti_.add(line_);
    line_.clear();
    append_tum(line_, sweep.end_time, sweep.X_WS);
    tum_.add(line_);
    ++count_;
    points_written_ += std::uint64_t{cloud.width} * cloud.height;
  }

  void add_line(RecordFile& file, double value) {
    line_.clear();
    append_number(line_, value);
    line_ += '\n';
    file.add(line_);
  }

  void describe(const Device& device) const {
    using Json = nlohmann::ordered_json;
    const auto& facts = device.model->facts();
    const auto fact = [&facts](const char* name) -> Json {
      const auto found = facts.find(name);
      if (found == facts.end()) return nullptr;
      return std::visit([](const auto& value) { return Json(value); }, found->second);
    };
    Json fields = Json::array();
    for (const PointField& field : layout_.fields) fields.push_back(field.name);
    const Json out{
        {"robot", source_.robot},
        {"device", source_.device},
        {"product", source_.product},
        {"format", format_},
        {"fields", std::move(fields)},
        {"frame", "the sensor's: x forward, y left, z up, at the time of each point"},
        {"motion_distortion", fact("motionDistortion")},
        {"layers", source_.layers},
        {"columns", source_.columns},
        {"min_range_m", source_.min_range},
        {"max_range_m", source_.max_range},
        {"frequency_hz", fact("defaultFrequency")},
        {"files",
         {{"times.txt", "s of simulated time, first beam of each sweep"},
          {"times_end.txt", "s of simulated time, last beam of each sweep"},
          {"poses.txt", "KITTI, the sensor at the last beam of each sweep in its frame at that of the first"},
          {"poses.tum", "TUM, the sensor at the last beam of each sweep in the world"},
          {"trajectory.tum", "TUM, the sensor in the world after each step; between them positions on a "
                             "line, rotations by slerp"},
          {"time", write_time_ ? "times/NUMBER.bin: float32, s after times.txt" : "field time: s after times.txt"},
          {"label", write_label_ ? "labels/NUMBER.label: uint32, class in the lower 16 bits, instance in "
                                   "the upper ones"
                                 : "fields instance and label (the class)"}}}};
    write_whole_file(folder_ / kDescription,
                     out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }

  void write_calibration(const Simulation& simulation, const Device& device) const {
    const auto& robot = simulation.model().robots[static_cast<std::size_t>(device.robot)];
    std::vector<std::string> remarks;
    const auto sensors = calibrated_sensors(simulation.model(), robot, "", remarks);
    write_whole_file(folder_ / "calib.yaml", calibration_text(sensors, remarks));
    // Loaders of KITTI's odometry want the keys of its cameras, and take poses from the frame of camera
    // 0 to that of the lidar by Tr: here both are one.
    std::string text, identity;
    append_kitti(identity, Pose());
    for (const char* key : {"P0", "P1", "P2", "P3", "Tr"}) text += fmt::format("{}: {}", key, identity);
    for (const CalibratedSensor& sensor : sensors) {
      if (sensor.name != device.name) continue;
      text += "Tr_base_lidar: ";
      append_kitti(text, sensor.X_BS);
    }
    write_whole_file(folder_ / "calib.txt", text);
  }

  std::string path_, format_;
  PointOptions points_;
  fs::path folder_;
  SweepSource source_;  ///< once there are sweeps, of the queue's thread
  PointLayout layout_;
  CloudShape shape_;
  bool write_time_ = false, write_label_ = false;
  RecordFile starts_, ends_, kitti_, tum_, trajectory_;
  std::string line_, step_line_;  ///< of sweeps, on the queue's thread, and of steps
  Pose first_;  ///< of the sensor at the end of its first sweep
  double last_step_ = -1;  ///< s, of the last line of the trajectory
  std::uint64_t count_ = 0, points_written_ = 0;
};

SweepOutput::SweepOutput(Simulation& simulation, const SweepArguments& arguments,
                         const PointOptions& points, const LidarTracks& tracks, fs::path folder)
    : simulation_(simulation),
      patterns_(split_at_commas(arguments.lidars)),
      arguments_(arguments),
      points_(points),
      tracks_(tracks),
      folder_(std::move(folder)) {
  for (const std::string& pattern : patterns_) choose(pattern);
  simulation_.model().labels = std::make_unique<SceneLabels>(simulation_.model());
  const std::size_t without = simulation_.model().labels->without_number();
  if (without > 0) {
    log_note(fmt::format("{} objects have instance 0 in labels: 16 bits have no more numbers", without));
  }
  write_labels();
  for (const auto& lidar : tracks_.lidars()) {
    if (!wants(lidar.path)) continue;
    recordings_.emplace_back(simulation_, lidar, arguments_, points_, folder_ / names_.of(lidar.path));
    simulation_.find_device(lidar.path)->labelled = true;
  }
}

SweepOutput::~SweepOutput() = default;

bool SweepOutput::wants(const std::string& path) const {
  return std::ranges::any_of(patterns_, [&](const std::string& pattern) {
    return matches(pattern, path) || path.ends_with("/" + pattern);
  });
}

void SweepOutput::choose(const std::string& pattern) {
  const auto& lidars = tracks_.lidars();
  if (lidars.empty()) throw std::invalid_argument("--sweeps: this world has no lidar");
  if (pattern.find('*') != std::string::npos) {
    for (const auto& lidar : lidars) {
      if (matches(pattern, lidar.path)) return;
    }
    std::vector<std::string> paths;
    for (const auto& lidar : lidars) paths.push_back(lidar.path);
    throw std::invalid_argument(fmt::format("--sweeps: no lidar is called '{}'; there are {}", pattern,
                                            fmt::join(paths, ", ")));
  }
  const Device* device = simulation_.find_device(pattern);
  if (!device) throw std::invalid_argument("--sweeps: " + no_such_device(simulation_, pattern));
  if (tracks_.find(*device)) return;
  throw std::invalid_argument(
      fmt::format("--sweeps: '{}' is a {}: it has no beams", pattern, device->type));
}

void SweepOutput::write_labels() {
  const SceneLabels& labels = *simulation_.model().labels;
  labels_written_ = labels.instances().size();
  write_whole_file(folder_ / "labels.yaml", labels_text(labels));
}

void SweepOutput::after_step() {
  for (const auto& lidar : tracks_.lidars()) {
    if (!wants(lidar.path)) continue;
    auto recording = std::ranges::find(recordings_, lidar.path, &Recording::path);
    if (recording == recordings_.end()) {
      // It has come while the world runs.
      recordings_.emplace_back(simulation_, lidar, arguments_, points_, folder_ / names_.of(lidar.path));
      recording = std::prev(recordings_.end());
    }
    if (Device* device = simulation_.find_device(lidar.path)) device->labelled = true;
    recording->after_step(simulation_, lidar, to_write_);
  }
}

void SweepOutput::finish() {
  to_write_.finish();
  if (simulation_.model().labels->instances().size() != labels_written_) write_labels();
  std::vector<std::string> silent;
  for (Recording& recording : recordings_) {
    recording.finish();
    if (recording.sweeps() == 0) silent.push_back(recording.path());
  }
  if (silent.empty()) return;
  const std::string why =
      fmt::format("{} completed no sweep: a controller has to enable a lidar, and for long enough",
                  fmt::join(silent, ", "));
  if (silent.size() == recordings_.size()) throw std::runtime_error("no sweeps: " + why);
  log_note(why);
}

std::string SweepOutput::text() const {
  std::uint64_t sweeps = 0;
  for (const Recording& recording : recordings_) sweeps += recording.sweeps();
  return fmt::format("wrote {} sweeps of {} lidar{} into {}", sweeps, recordings_.size(),
                     recordings_.size() == 1 ? "" : "s", folder_.string());
}

nlohmann::json SweepOutput::json() const {
  nlohmann::json out = nlohmann::json::array();
  for (const Recording& recording : recordings_) out.push_back(recording.json());
  return out;
}

}  // namespace protobeam
