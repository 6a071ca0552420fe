// A lidar of a simulation as the source of sweeps.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "output/sweep.h"
#include "sim/simulation.h"

namespace protobeam {

SweepSource source_of(const Simulation& simulation, const Device& device);
/// The device's last sweep, with the pose that it has now. `memory`: of a sweep that is not needed
/// any more, since new memory takes as long as what is written there.
TimedSweep sweep_of(const Simulation& simulation, const Device& device,
                    std::vector<BeamReturn> memory = {});

/// Where one lidar was while it measured, step by step, so that the first and the last beam of a sweep
/// get the poses that they were cast from.
class LidarTrack {
 public:
  explicit LidarTrack(const Device& device) : device_(&device), frames_(device.frames) {}

  /// After each step; true when it has completed a sweep.
  bool after_step(const Simulation& simulation);
  /// The same lidar, made anew while the world runs.
  void follow(const Device& device);
  const Device& device() const { return *device_; }
  /// The last sweep that was completed. The poses are those of the sensor at the times of the first
  /// and the last beam, between steps as the beams find it (pose_at() of raycast/ray_scene.h). For a
  /// lidar without motionDistortion, whose sweeps are cast at once, both are the pose of that cast.
  TimedSweep sweep(const Simulation& simulation, std::vector<BeamReturn> memory = {}) const;

 private:
  struct Step {
    double begin, end;  ///< s
    Pose X_WS_begin, X_WS_end;
  };
  Pose pose_at_time(double time) const;

  const Device* device_;
  std::uint64_t frames_;
  std::vector<Step> done_, coming_;  ///< of the last sweep, and of the one that is being measured
};

/// Those of all lidars, also of those that come while the world runs.
class LidarTracks {
 public:
  explicit LidarTracks(const Simulation& simulation) : simulation_(simulation) { find_lidars(); }

  void after_step();
  struct Lidar {
    std::string path;  ///< "ROBOT/DEVICE"
    LidarTrack track;
    bool completed = false;  ///< a sweep, in the last step
  };
  const std::vector<Lidar>& lidars() const { return lidars_; }
  /// Null for what is no lidar.
  const LidarTrack* find(const Device& device) const;

 private:
  void find_lidars();

  const Simulation& simulation_;
  int generation_ = -1;
  std::vector<Lidar> lidars_;
};

}  // namespace protobeam
