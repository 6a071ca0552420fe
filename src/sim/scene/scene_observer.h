// Takes snapshots of a running simulation for viewers.
#pragma once

#include <memory>
#include <vector>

#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"
#include "sim/simulation.h"

namespace protobeam {

/// The constant part of a world that was just loaded (before its first step).
std::shared_ptr<const SceneDescription> describe_scene(const Simulation& simulation, int load = 1);

/// Takes snapshots of one world. Sweeps must be copied in the step that finishes them, since the
/// sensor goes on writing over its data: call record_sweeps() after each step.
class SceneObserver {
 public:
  SceneObserver(const Simulation& simulation, const SceneDescription& description);
  /// Copies the sweeps that were finished by the last step.
  void record_sweeps(const Simulation& simulation);
  /// Copies the pictures of devices that are others than those it has.
  void record_pictures();
  std::shared_ptr<const SceneState> state(const Simulation& simulation) const;

 private:
  struct Lidar {
    const Device* device;
    int index;  ///< in SceneDescription::devices
    std::uint64_t frames_seen;
    std::shared_ptr<const Sweep> newest;
    std::vector<std::shared_ptr<Sweep>> pool;  ///< reused once no reader holds them
  };
  struct Imager {
    const Device* device;
    int index;  ///< in SceneDescription::devices
    std::uint64_t samples_seen;
    std::shared_ptr<const DevicePicture> newest;
  };
  int load_;
  std::vector<Lidar> lidars_;
  std::vector<Imager> imagers_;
  mutable PaintedSides painted_sides_;  ///< remembers pictures from one state to the next
};

}  // namespace protobeam
