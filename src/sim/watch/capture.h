// From a running simulation to what a viewer gets of it.
#pragma once

#include <memory>
#include <vector>

#include "sim/simulation.h"
#include "sim/watch/world_frame.h"
#include "sim/watch/world_look.h"

namespace protobeam {

/// Constant facts of a world that was just loaded (before its first step).
std::shared_ptr<const WorldLook> look_at(const Simulation& simulation, int load = 1);

/// Takes moments of one world. Sweeps must be taken in the step that finishes them, since the
/// sensor goes on writing over its data: call note_sweeps() after each step.
class Capture {
 public:
  Capture(const Simulation& simulation, const WorldLook& look);
  /// Copies the sweeps that were finished by the last step.
  void note_sweeps(const Simulation& simulation);
  std::shared_ptr<const WorldFrame> frame(const Simulation& simulation) const;

 private:
  struct Lidar {
    const Device* device;
    int index;  ///< in WorldLook::devices
    std::uint64_t seen;
    std::shared_ptr<const Sweep> newest;
    std::vector<std::shared_ptr<Sweep>> pool;  ///< memory of those that nobody looks at any more
  };
  int load_;
  std::vector<Lidar> lidars_;
};

}  // namespace protobeam
