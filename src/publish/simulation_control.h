// The simulation as a server of the ROS package simulation_interfaces 2.1
// (github.com/ros-simulation/simulation_interfaces): other programs pause it, step it, look at its
// entities and move them. Stepping is exact: N steps asked for are N steps made, and the answer comes
// after the last one. The action for the same is in simulate_steps.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "publish/entities.h"
#include "publish/publisher.h"
#include "publish/simulate_steps.h"
#include "publish/spawning.h"

namespace protobeam {

class SimulationControl {
 public:
  /// Serves on all outputs that can. `paused`: waits for the first request before the first step.
  SimulationControl(Simulation& simulation, StreamTable& table, bool paused,
                    Spawning::Host host = {});

  /// What the run is to do now.
  enum class Next { kStep, kReset, kQuit };
  /// Before each step: answers what was asked. Comes back when a step is due, and while the simulation
  /// is paused not before; also when a stop was requested (base/stop.h).
  Next before_step();
  void after_step();
  /// The same world, loaded again: the reset is done.
  void after_reset(Simulation& simulation);
  /// Solids have come or gone.
  void follow(Simulation& simulation);
  /// The run ends: nobody waits for steps any more.
  void finish();
  /// It cannot be: the reason goes back, and the simulation goes on.
  void reset_failed(const std::string& why);

 private:
  template <class S, class Handle>
  void offer(const char* name, Handle handle);
  void offer_world();
  void offer_control();
  void offer_entities();
  void offer_spawning();
  void wait();
  void use(Simulation& simulation);
  void reset_answer(const message::simulation::Result& result);

  Simulation* simulation_;
  StreamTable& table_;
  const Spawning::Host host_;
  std::optional<Entities> entities_;
  std::uint8_t state_;
  std::uint64_t steps_left_ = 0;
  Asker stepping_, resetting_;  ///< whose answers wait
  Asker current_;               ///< being handled
  SimulateSteps action_;
};

}  // namespace protobeam
