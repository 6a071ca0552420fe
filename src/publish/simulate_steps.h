// The action SimulateSteps of simulation_interfaces: a client sends a goal, N steps of a simulation that
// is paused, follows it by its feedback, may cancel it, and asks for its result, before or after the end.
// The protocol is that of ROS 2's actions (design.ros2.org/articles/actions.html): three services and two
// topics below the action's name.
//
// One goal at a time; another one meanwhile is rejected. As the definition of the action says, a goal
// that comes while the simulation is not paused ends at once, as aborted with OPERATION_FAILED and
// the reason. Times of goals are simulated time.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "message/simulation_actions.h"
#include "output/message_sink.h"
#include "output/output_queue.h"

namespace protobeam {

class SimulateSteps {
 public:
  using Action = message::simulation::SimulateSteps;
  using CancelGoal = message::CancelGoal;
  static constexpr std::uint64_t kMostSteps = 1'000'000'000;  ///< that can be asked for at once

  /// Makes the topics at `queues`, which must outlive this.
  explicit SimulateSteps(const std::vector<std::unique_ptr<OutputQueue>>& queues);

  /// A client that waits for an answer.
  struct Asker {
    MessageSink* sink = nullptr;
    ServiceRequest request;
  };
  /// What prevents steps: "" nothing.
  struct Obstacle {
    std::string busy;    ///< rejects the goal: somebody else's steps
    std::string failed;  ///< ends it at once: the simulation is not paused
  };

  // --- What clients ask.

  Action::SendGoal::Response send_goal(const Action::SendGoal::Request& request,
                                       const Obstacle& obstacle, message::Time now);
  /// Takes effect at once: between two steps.
  CancelGoal::Response cancel(const CancelGoal::Request& request);
  /// Answers `asker` now or when the goal ends.
  void get_result(const Action::GetResult::Request& request, Asker asker);
  /// What the answers have changed, to those who follow the topics: after them, so that a client knows its
  /// goal before it reads of it.
  void publish_changes();

  // --- What the simulation does.

  /// Steps are to be made.
  bool active() const { return active_; }
  /// One was made.
  void after_step();
  /// There are no more steps for the goal, if there is one.
  void abort(const std::string& why);

 private:
  struct Goal {
    message::GoalInfo info;
    std::int8_t status = message::GoalStatus::kExecuting;
    std::uint64_t steps = 0, completed = 0;
    message::simulation::Result result;
    std::vector<Asker> askers;
  };
  Goal& newest() { return goals_.back(); }
  Goal* find(const message::Uuid& id);
  void finish(std::int8_t status, message::simulation::Result result);
  void publish_status();
  void publish_feedback();
  void publish(const Topic& topic, const message::AnyMessage& message);

  const std::vector<std::unique_ptr<OutputQueue>>& queues_;
  const Topic feedback_, status_;
  std::deque<Goal> goals_;  ///< the oldest first; only the newest may be active
  bool active_ = false;
  bool changed_ = false;  ///< publish_changes() has something to do
  std::chrono::steady_clock::time_point next_feedback_{};
};

}  // namespace protobeam
