// The action SimulateSteps of simulation_interfaces: N steps of a simulation that is paused.
//
// One goal at a time; another one meanwhile is rejected. As the definition of the action says, a
// goal that comes while the simulation is not paused ends at once, as aborted with OPERATION_FAILED
// and the reason.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "message/simulation_actions.h"
#include "publish/action_server.h"

namespace protobeam {

class SimulateSteps final : GoalWorker<message::simulation::SimulateSteps> {
 public:
  using Action = message::simulation::SimulateSteps;
  static constexpr std::uint64_t kMostSteps = 1'000'000'000;  ///< that can be asked for at once

  /// What prevents steps: "" nothing.
  struct Obstacle {
    std::string busy;    ///< rejects the goal: somebody else's steps
    std::string failed;  ///< ends it at once: the simulation is not paused
  };
  /// What the simulation says of itself.
  struct Host {
    std::function<Obstacle()> obstacle;
    std::function<void()> begin;  ///< steps are wanted
    std::function<message::Time()> now;
  };

  SimulateSteps(ServiceTable& services, Host host);

  /// Steps are to be made.
  bool active() const { return server_.active(); }
  /// One was made.
  void after_step();
  /// There are no more steps for the goal, if there is one.
  void abort(const std::string& why);

 private:
  bool begin_goal(const Action::Goal& goal) override;
  Action::Outcome cancel_goal() override;
  Action::Outcome no_goal() const override;
  message::Time now() const override { return host_.now(); }
  void finish(std::int8_t status, message::simulation::Result result);
  void publish_feedback();
  std::string how_far() const;

  Host host_;
  ActionServer<Action> server_;
  std::uint64_t steps_ = 0, completed_ = 0;  ///< of the goal
  std::chrono::steady_clock::time_point next_feedback_{};
};

}  // namespace protobeam
