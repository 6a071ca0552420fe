// The simulation as a server of the ROS package simulation_interfaces 2.1
// (github.com/ros-simulation/simulation_interfaces): other programs pause it, step it, look at its
// entities and move them, and load other worlds. Stepping is exact: N steps asked for are N steps
// made, and the answer comes after the last one. The action for the same is in simulate_steps.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "publish/control_host.h"
#include "publish/entities.h"
#include "publish/publisher.h"
#include "publish/simulate_steps.h"
#include "publish/spawning.h"

namespace protobeam {

class SimulationControl {
 public:
  /// Serves on all outputs that can. `paused`: waits for the first request before the first step.
  SimulationControl(Simulation& simulation, StreamTable& table, bool paused, ControlHost host = {});

  /// What the run is to do now.
  enum class Next { kStep, kReset, kQuit };
  /// Before each step: answers what was asked. Comes back when a step is due, and while the simulation
  /// is paused not before; also when a stop was requested (base/stop.h).
  Next before_step();
  void after_step();
  /// When a reset is due: another world than the one that there is, or null.
  const WorldChoice* wanted_world() const { return wanted_ ? &*wanted_ : nullptr; }
  /// The same world, loaded again, or the wanted one: the reset is done. `warnings` go to who
  /// asked.
  void after_reset(Simulation& simulation, std::string warnings = {});
  /// Solids have come or gone.
  void follow(Simulation& simulation);
  /// The run ends: nobody waits for steps any more.
  void finish();
  /// It cannot be: the reason goes back, with a code of ResetSimulation or LoadWorld, and the
  /// simulation goes on.
  void reset_failed(const std::string& why,
                    std::uint8_t code = message::simulation::Result::kFailed);

 private:
  static constexpr const char* kIsReset = "somebody else has it loaded again";
  /// `handle` takes a Request and gives a Response, or nothing when that comes later.
  template <class S, class Handle>
  void offer(const char* name, Handle handle) {
    table_.services().offer<S>(
        std::string("/") + name, this,
        [this, handle](const typename S::Request& asked, const Asker& asker) {
          current_ = asker;
          std::optional<typename S::Response> response = handle(asked);
          return response;
        });
  }
  void offer_control();
  void offer_worlds();
  void offer_named_poses();
  void offer_entities();
  void offer_spawning();
  std::vector<std::uint16_t> features() const;
  message::simulation::WorldResource current_world() const;
  std::vector<NamedPoseSettings> named_poses() const;
  void wait();
  void use(Simulation& simulation);
  void reset_answer(const message::simulation::Result& result);

  Simulation* simulation_;
  StreamTable& table_;
  const ControlHost host_;
  std::optional<Entities> entities_;
  std::uint8_t state_;
  std::uint64_t steps_left_ = 0, steps_asked_ = 0;  ///< by StepSimulation
  Asker stepping_, resetting_;  ///< whose answers wait
  std::optional<WorldChoice> wanted_;
  Asker current_;               ///< being handled
  SimulateSteps action_;
};

}  // namespace protobeam
