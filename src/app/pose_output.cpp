#include "app/pose_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/robot_calibration.h"
#include "base/whole_file.h"
#include "output/topic_folder.h"
#include "output/trajectory.h"

namespace protobeam {
namespace {

std::filesystem::path made_folder(std::filesystem::path folder) {
  make_folder(folder);
  return folder;
}

bool measures(const Device& device) {
  return device.joint < 0 && !device.free_axis && device.model->type().has_sample() &&
         !device.model->type().moves_robot;
}

}  // namespace

PoseOutput::PoseOutput(const Simulation& simulation, std::filesystem::path folder)
    : simulation_(simulation), folder_(made_folder(folder / "poses")), times_(folder_ / "times.txt") {
  for (const RobotInfo& robot : simulation.model().robots) {
    if (robot.removed) continue;
    ++robots_;
    add_track(robot.index, "");
    for (const Device& device : robot.devices) {
      if (measures(device)) add_track(robot.index, device.name);
    }
    std::vector<std::string> remarks;
    const auto sensors = calibrated_sensors(simulation.model(), robot, "", remarks);
    if (sensors.empty()) continue;
    write_whole_file(folder_ / (names_.of(robot.name + ".calib") + ".yaml"),
                     calibration_text(sensors, remarks));
  }
  add_lines();
}

void PoseOutput::add_track(int robot, const std::string& device) {
  const std::string& name = simulation_.model().robots[static_cast<std::size_t>(robot)].name;
  const std::string file = (folder_ / names_.of(device.empty() ? name : name + "/" + device)).string();
  tracks_.push_back({robot, name, device, RecordFile(file + ".tum"), RecordFile(file + ".txt"), {}});
}

std::optional<Pose> PoseOutput::pose_of(const Track& track) const {
  const WorldModel& model = simulation_.model();
  const RobotInfo& robot = model.robots[static_cast<std::size_t>(track.robot)];
  if (robot.removed || robot.name != track.name) return {};
  if (track.device.empty()) {
    const SolidInfo& solid = model.solids[static_cast<std::size_t>(robot.solid)];
    return solid.body == physics::kWorldBody ? solid.X_BS : model.physics->pose(solid.body) * solid.X_BS;
  }
  const auto device = std::ranges::find(robot.devices, track.device, &Device::name);
  if (device == robot.devices.end()) return {};
  return simulation_.pose_of(*device) * device->model->data_frame();
}

void PoseOutput::add_lines() {
  line_.clear();
  append_number(line_, simulation_.time());
  line_ += '\n';
  times_.add(line_);
  for (Track& track : tracks_) {
    const std::optional<Pose> X = pose_of(track);
    if (!X) continue;
    if (!track.first) track.first = X;
    line_.clear();
    append_tum(line_, simulation_.time(), *X);
    track.tum.add(line_);
    line_.clear();
    append_kitti(line_, track.first->inverse() * *X);
    track.kitti.add(line_);
  }
}

void PoseOutput::after_step() { add_lines(); }

void PoseOutput::finish() {
  times_.finish();
  for (Track& track : tracks_) {
    track.tum.finish();
    track.kitti.finish();
  }
}

std::string PoseOutput::text() const {
  return fmt::format("wrote the poses of {} robot{} and {} sensors into {}", robots_,
                     robots_ == 1 ? "" : "s", tracks_.size() - robots_, folder_.string());
}

}  // namespace protobeam
