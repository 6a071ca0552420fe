#include "app/device_sweep.h"

#include <algorithm>
#include <utility>

namespace protobeam {
namespace {

double number(const Properties& properties, const char* name) {
  const auto it = properties.find(name);
  const double* value = it == properties.end() ? nullptr : std::get_if<double>(&it->second);
  return value ? *value : 0;
}

}  // namespace

SweepSource source_of(const Simulation& simulation, const Device& device) {
  const auto& lidar = dynamic_cast<const BeamSensor&>(*device.model);
  SweepSource source;
  source.robot = simulation.model().robots[static_cast<std::size_t>(device.robot)].name;
  source.device = device.name;
  source.product = device.proto;
  source.layers = lidar.layers();
  source.columns = lidar.columns();
  source.properties = lidar.properties();
  source.min_range = number(source.properties, "minRange");
  source.max_range = lidar.max_range();
  source.resolution = std::max(0.0, number(source.properties, "resolution"));
  return source;
}

TimedSweep sweep_of(const Simulation& simulation, const Device& device,
                    std::vector<BeamReturn> memory) {
  dynamic_cast<const BeamSensor&>(*device.model).write_beams(device.data, memory);
  return timed_sweep(std::move(memory), simulation.pose_of(device));
}

void LidarTrack::follow(const Device& device) {
  if (&device != device_ || device.frames < frames_) frames_ = device.frames;
  device_ = &device;
}

bool LidarTrack::after_step(const Simulation& simulation) {
  if (device_->period == 0) return false;
  const double end = simulation.time();
  coming_.push_back({end - simulation.model().basic_time_step, end, device_->X_WD_before,
                     simulation.pose_of(*device_)});
  if (device_->frames == frames_) return false;
  frames_ = device_->frames;
  done_ = std::move(coming_);
  // The next sweep begins within the step in which this one ends.
  coming_ = {done_.back()};
  return true;
}

Pose LidarTrack::pose_at_time(double time) const {
  const auto after = std::ranges::lower_bound(done_, time, {}, &Step::end);
  const Step& step = after == done_.end() ? done_.back() : *after;
  const double fraction = (time - step.begin) / (step.end - step.begin);
  return pose_at(step.X_WS_begin, step.X_WS_end, std::clamp(fraction, 0.0, 1.0));
}

TimedSweep LidarTrack::sweep(const Simulation& simulation, std::vector<BeamReturn> memory) const {
  TimedSweep out = sweep_of(simulation, *device_, std::move(memory));
  if (done_.empty()) return out;
  const Properties& facts = device_->model->facts();
  const auto law = facts.find("scanLaw");
  const auto* name = law == facts.end() ? nullptr : std::get_if<std::string>(&law->second);
  const bool one_instant = name && *name != "grid" && number(facts, "motionDistortion") == 0;
  out.X_WS = pose_at_time(out.end_time);
  out.X_WS_start = one_instant ? out.X_WS : pose_at_time(out.start_time);
  return out;
}

void LidarTracks::find_lidars() {
  if (generation_ == simulation_.robot_generation()) return;
  generation_ = simulation_.robot_generation();
  std::vector<Lidar> before = std::move(lidars_);
  lidars_.clear();
  for (const RobotInfo& robot : simulation_.model().robots) {
    if (robot.removed) continue;
    for (const Device& device : robot.devices) {
      if (!dynamic_cast<const BeamSensor*>(device.model.get())) continue;
      const std::string path = robot.name + "/" + device.name;
      const auto known = std::ranges::find(before, path, &Lidar::path);
      if (known == before.end()) {
        lidars_.push_back({path, LidarTrack(device)});
        continue;
      }
      known->track.follow(device);
      lidars_.push_back(std::move(*known));
      before.erase(known);
    }
  }
}

void LidarTracks::after_step() {
  find_lidars();
  for (Lidar& lidar : lidars_) lidar.completed = lidar.track.after_step(simulation_);
}

const LidarTrack* LidarTracks::find(const Device& device) const {
  for (const Lidar& lidar : lidars_) {
    if (&lidar.track.device() == &device) return &lidar.track;
  }
  return nullptr;
}

}  // namespace protobeam
