#include "settings.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <limits>
#include <map>

#include "base/diagnostics.h"
#include "base/named_files.h"
#include "base/text.h"
#include "read_text.h"

namespace protobeam {
namespace {

constexpr std::size_t kLargestSettings = 1u << 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The parameters of FEB's simulator of cone perception, SimulatorPerceptionSettings, by their own
/// names and with their defaults.
std::vector<FieldSpec> perception_fields() {
  using enum FieldType;
  Range rate = Range::positive();
  rate.max = 10000;
  const Range delay = Range::between(0, 60), noise = Range::between(0, 1000);
  return {
      {"camera_hz", kFloat, "25", "Hz", rate, "rate of camera messages"},
      {"lidar_hz", kFloat, "10", "Hz", rate, "rate of lidar messages"},
      {"camera_noise_std", kFloat, "0.25", "m", noise, "standard deviation on x and on y"},
      {"lidar_noise_std", kFloat, "0.15", "m", noise, "standard deviation on x and on y"},
      {"camera_delay_mean", kFloat, "0.01", "s", delay, "from measurement to delivery, mean"},
      {"camera_delay_std", kFloat, "1e-5", "s", delay,
       "its standard deviation; a negative delay becomes 0"},
      {"lidar_delay_mean", kFloat, "0.01", "s", delay, "from measurement to delivery, mean"},
      {"lidar_delay_std", kFloat, "1e-5", "s", delay,
       "its standard deviation; a negative delay becomes 0"},
  };
}

/// The values of a settings file by name.
class SettingsFile {
 public:
  explicit SettingsFile(const std::filesystem::path& file) : name_(file.string()) {
    YAML::Node root;
    try {
      root = YAML::Load(read_named_file(file, kLargestSettings));
    } catch (const YAML::Exception& problem) {
      throw_invalid(name_, ":", problem.mark.line + 1, ": ", problem.msg);
    } catch (const std::runtime_error& problem) {
      throw_invalid(problem.what());
    }
    // Either the settings themselves, or the class with them.
    if (root.IsMap() && root.size() == 1 && root["SimulatorPerceptionSettings"]) {
      root = YAML::Node(root["SimulatorPerceptionSettings"]);
    }
    if (!root.IsMap()) throw_invalid(name_, ": no settings; write camera_hz: 25, ...");
    for (const auto& item : root) read(item.first, item.second);
  }

  const double* find(const std::string& name) const {
    const auto it = values_.find(name);
    return it == values_.end() ? nullptr : &it->second;
  }

 private:
  void read(const YAML::Node& key, const YAML::Node& value) {
    const auto fields = perception_fields();
    std::vector<std::string> names;
    for (const FieldSpec& field : fields) names.emplace_back(field.name);
    const std::string name = key.IsScalar() ? key.Scalar() : "";
    const std::string place = name_ + ":" + std::to_string(key.Mark().line + 1) + ": ";
    const auto known = std::find(names.begin(), names.end(), name);
    if (known == names.end()) {
      std::string hint = did_you_mean(name, names);
      if (hint.empty()) hint = "there are camera_hz, lidar_hz, camera_noise_std, ...";
      throw_invalid(place, "unknown setting '", printable(name), "'; ", hint);
    }
    if (values_.contains(name)) throw_invalid(place, "'", name, "' is there twice");
    const auto number = value.IsScalar() ? finite_number(value.Scalar()) : std::nullopt;
    if (!number) throw_invalid(place, name, " must be a finite number");
    const Range& range = fields[static_cast<std::size_t>(known - names.begin())].range;
    if (!range.contains(*number)) {
      throw_invalid(place, name, " must be ", range.to_string(), ", got ", *number);
    }
    values_[name] = *number;
  }

  std::string name_;
  std::map<std::string, double> values_;
};

/// The fields of one sensor that FEB's simulator does not have.
std::vector<FieldSpec> sensor_fields(bool camera) {
  using enum FieldType;
  const auto name = [camera](const char* of_camera, const char* of_lidar) {
    return camera ? of_camera : of_lidar;
  };
  const Range unlimited = Range::positive().or_special(-1);
  Range view = Range::positive();
  view.max = 2 * kPi + 1e-9;
  std::vector<FieldSpec> fields = {
      {name("cameraPosition", "lidarPosition"), kVec3f, "0 0 0", "m", Range::between(-1000, 1000),
       "of the sensor, in the device's frame: where range, bearing and rays start"},
      {name("cameraNoise", "lidarNoise"), kString, "\"constant\"", "", Range::any(),
       "how noise depends on range: not at all, or as in EUFS' simulator or PacSim",
       "constant|eufs|pacsim"},
      {name("cameraMinRange", "lidarMinRange"), kFloat, "0", "m", Range::at_least(0),
       "nearer cones are not seen"},
      {name("cameraMaxRange", "lidarMaxRange"), kFloat, "-1", "m", unlimited,
       "farther cones are not seen; -1: unlimited"},
      {name("cameraFieldOfView", "lidarFieldOfView"), kFloat, "6.283185307179586", "rad", view,
       "horizontal opening about the device's x axis"},
      {name("cameraForwardOnly", "lidarForwardOnly"), kBool, "FALSE", "", Range::any(),
       "drops detections whose noisy x is 0.1 m or less, as FEB's camera does"},
      {name("cameraDetection", "lidarDetection"), kMFFloat, "[ 1, 0, 0, 0 ]", "",
       Range::at_least(0),
       "probability of detection: at cameraMinRange, loss a metre, loss a square metre, least"},
      {name("cameraFalsePositives", "lidarFalsePositives"), kFloat, "0", "", Range::between(0, 100),
       "mean number in a message; they lie anywhere in range and field of view"},
      {name("cameraOcclusion", "lidarOcclusion"), kBool, "FALSE", "", Range::any(),
       "cones behind boundingObjects of other things are not seen"},
  };
  if (!camera) {
    for (FieldSpec& field : fields) {
      if (field.type == kMFFloat) {
        field.meaning =
            "probability of detection: at lidarMinRange, loss a metre, loss a square metre, least";
      }
    }
  }
  return fields;
}

FallingProbability falling(const Fields& fields, const char* name) {
  const auto n = fields.numbers(name);
  if (n.size() != 4)
    throw_invalid("field '", name, "' of ConeDetector needs 4 numbers, got ", n.size());
  if (n[0] > 1 || n[3] > 1) {
    throw_invalid("field '", name, "' of ConeDetector: a probability must not exceed 1");
  }
  return {n[0], n[1], n[2], n[3]};
}

ConeSensorSettings sensor_settings(const Fields& fields, const SettingsFile* file, bool camera) {
  const std::string prefix = camera ? "camera" : "lidar";
  const auto perception = [&](const char* name) {
    const std::string full = prefix + "_" + name;
    const double* from_file = file ? file->find(full) : nullptr;
    return from_file && !fields.is_set(full) ? *from_file : fields.number(full);
  };
  const auto length = [&](const std::string& name) {
    const double value = fields.number(name);
    return value < 0 ? kInfinity : value;
  };
  ConeSensorSettings out;
  out.tells_colors = camera;
  out.hz = perception("hz");
  out.noise_std = perception("noise_std");
  out.delay_mean = perception("delay_mean");
  out.delay_std = perception("delay_std");
  out.position = fields.vec3(prefix + "Position");
  const std::string noise = fields.string(prefix + "Noise");
  if (noise == "eufs") out.noise = ConeNoise::kEufs;
  if (noise == "pacsim") out.noise = ConeNoise::kPacSim;
  out.min_range = fields.number(prefix + "MinRange");
  out.max_range = length(prefix + "MaxRange");
  if (out.max_range <= out.min_range) {
    throw_invalid("field '", prefix, "MaxRange' of ConeDetector must be greater than ", prefix,
                  "MinRange");
  }
  out.field_of_view = fields.number(prefix + "FieldOfView");
  out.forward_only = fields.boolean(prefix + "ForwardOnly");
  out.detection = falling(fields, camera ? "cameraDetection" : "lidarDetection");
  out.false_positives = fields.number(prefix + "FalsePositives");
  if (out.false_positives > 0 && out.max_range == kInfinity) {
    throw_invalid("field '", prefix, "FalsePositives' of ConeDetector needs ", prefix,
                  "MaxRange: they lie within it");
  }
  out.occlusion = fields.boolean(prefix + "Occlusion");
  if (camera) {
    out.classification = falling(fields, "cameraClassification");
    out.color_range = length("cameraColorRange");
  }
  return out;
}

}  // namespace

double FallingProbability::at(double d) const {
  return std::max(floor, p - linear * d - quadratic * d * d);
}

std::vector<FieldSpec> cone_detector_fields() {
  using enum FieldType;
  std::vector<FieldSpec> fields = {
      {"name", kString, "\"cone detector\"", "", Range::any(), "name for the controller"},
      {"track", kString, "\"\"", "", Range::any(),
       "a CSV file with the cones; \"\": there are none"},
      {"trackTranslation", kVec3f, "0 0 0", "m", Range::between(-1e6, 1e6),
       "of the track's origin in the world"},
      {"trackAngle", kFloat, "0", "rad", Range::any(),
       "of the track's x axis, about the world's z"},
      {"settings", kString, "\"\"", "", Range::any(),
       "a YAML file with camera_hz ... lidar_delay_std; what is written here counts more"},
  };
  const auto add = [&fields](std::vector<FieldSpec> more) {
    fields.insert(fields.end(), more.begin(), more.end());
  };
  add(perception_fields());
  add({{"maxCones", kInt32, "-1", "", Range::between(1, 100000).or_special(-1),
        "most cones in a message, the nearest ones; -1: as many as there can be"},
       {"history", kInt32, "8", "", Range::between(1, 1024), "latest messages in the sample"},
       {"reordering", kBool, "FALSE", "", Range::any(),
        "a message may overtake an earlier one whose delay is longer; else it waits for it"},
       {"covariances", kBool, "FALSE", "", Range::any(),
        "detections come with the covariance of their noise; else with NaN"}});
  add(sensor_fields(true));
  add({{"cameraClassification", kMFFloat, "[ 1, 0, 0, 0 ]", "", Range::at_least(0),
        "probability of the right colour: at cameraMinRange, loss a metre, loss a square metre, "
        "least"},
       {"cameraColorRange", kFloat, "-1", "m", Range::positive().or_special(-1),
        "colours of farther cones are unknown; -1: unlimited"}});
  add(sensor_fields(false));
  // As eufs_sim and PacSim ship them.
  const Range share = Range::between(0, 1), deviation = Range::between(0, 1000);
  add({{"eufsScale", kFloat, "0.0184", "m", deviation,
        "standard deviation of EUFS' camera at range 0"},
       {"eufsGrowth", kFloat, "0.2106", "1/m", deviation, "its logarithm's growth with range"},
       {"eufsLidarNoise", kFloat, "0.03", "m", deviation, "standard deviation of EUFS' lidar"},
       {"eufsCameraShare", kFloat, "0.4", "", share, "of the camera in EUFS' mean of both"},
       {"pacsimRangeNoise", kFloat, "0.02", "m", deviation, "standard deviation of range"},
       {"pacsimRelativeRangeNoise", kFloat, "0.0001", "", deviation,
        "another, as a share of range"},
       {"pacsimAngleNoise", kFloat, "0.001", "rad", deviation, "standard deviation of bearing"},
       {"pacsimCartesianNoise", kFloat, "0.01", "m", deviation,
        "standard deviation on x and on y"}});
  return fields;
}

std::filesystem::path named_file(const Fields& fields, const char* field) {
  return file_beside(fields.string(field), fields.place(field));
}

ConeDetectorSettings cone_detector_settings(const Fields& fields) {
  std::optional<SettingsFile> file;
  if (!fields.string("settings").empty()) {
    try {
      file.emplace(named_file(fields, "settings"));
    } catch (const std::invalid_argument& problem) {
      throw_invalid("field 'settings' of ConeDetector: ", problem.what());
    }
  }
  const SettingsFile* const from = file ? &*file : nullptr;
  ConeDetectorSettings out;
  out.camera = sensor_settings(fields, from, true);
  out.lidar = sensor_settings(fields, from, false);
  out.figures = {fields.number("eufsScale"),        fields.number("eufsGrowth"),
                 fields.number("eufsLidarNoise"),   fields.number("eufsCameraShare"),
                 fields.number("pacsimRangeNoise"), fields.number("pacsimRelativeRangeNoise"),
                 fields.number("pacsimAngleNoise"), fields.number("pacsimCartesianNoise")};
  out.covariances = fields.boolean("covariances");
  out.reordering = fields.boolean("reordering");
  return out;
}

}  // namespace protobeam
