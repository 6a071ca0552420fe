#include "publish/simulate_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace protobeam {
namespace {

using message::GoalStatus;
using message::simulation::Result;

const std::string kActionTopics = "/simulate_steps/_action/";

/// Of goals that have ended; the oldest go. ROS 2's own servers keep results for some seconds.
constexpr std::size_t kKeptGoals = 100;
constexpr std::size_t kWaitingAskers = 1000;  // of one goal; the oldest go
/// Of wall time: a simulation makes thousands of steps a second, and nobody reads as many messages.
constexpr std::chrono::milliseconds kFeedbackPeriod(50);

Topic action_topic(const std::string& name, const message::MessageType& type, bool latched) {
  return {kActionTopics + name, &type, latched, 0};
}

bool is_zero(const message::Time& time) { return time == message::Time{}; }

}  // namespace

SimulateSteps::SimulateSteps(const std::vector<std::unique_ptr<OutputQueue>>& queues)
    : queues_(queues),
      feedback_(action_topic("feedback", message::type_of<Action::Feedback>(), false)),
      status_(action_topic("status", message::type_of<message::GoalStatusArray>(), true)) {
  for (const auto& queue : queues_) {
    queue->sink().serve_topic(feedback_);
    queue->sink().serve_topic(status_);
  }
  publish_status();
}

SimulateSteps::Action::SendGoal::Response SimulateSteps::send_goal(
    const Action::SendGoal::Request& request, const Obstacle& obstacle, message::Time now) {
  if (active_ || !obstacle.busy.empty() || find(request.goal_id)) return {false, now};
  Goal& goal = goals_.emplace_back();
  goal.info = {request.goal_id, now};
  goal.steps = request.goal.steps;
  if (goals_.size() > kKeptGoals) goals_.pop_front();
  changed_ = true;
  std::string why = obstacle.failed;
  if (why.empty() && goal.steps > kMostSteps) why = fmt::format("{} steps at most", kMostSteps);
  if (!why.empty()) {
    finish(GoalStatus::kAborted, {Result::kFailed, why});
  } else if (goal.steps == 0) {
    finish(GoalStatus::kSucceeded, {Result::kOk, ""});
  } else {
    active_ = true;
    next_feedback_ = {};
  }
  return {true, now};
}

/// The rules of rcl_action_process_cancel_request() (ros2/rcl, action_server.c).
SimulateSteps::CancelGoal::Response SimulateSteps::cancel(const CancelGoal::Request& request) {
  CancelGoal::Response response;
  const message::GoalInfo& asked = request.goal_info;
  const bool by_id = asked.goal_id != message::Uuid{}, by_time = !is_zero(asked.stamp);
  const auto accepted_until = [&] {
    return message::nanoseconds(newest().info.stamp) <= message::nanoseconds(asked.stamp);
  };
  if (by_id && !by_time && !find(asked.goal_id)) {
    response.return_code = CancelGoal::Response::kUnknownGoal;
  } else if (by_id && !by_time && !(active_ && newest().info.goal_id == asked.goal_id)) {
    response.return_code = CancelGoal::Response::kTerminated;
  } else if (active_ && ((by_id && newest().info.goal_id == asked.goal_id) ||
                         (by_time && accepted_until()) || (!by_id && !by_time))) {
    newest().status = GoalStatus::kCanceling;
    response.goals_canceling.push_back(newest().info);
    changed_ = true;
  }
  return response;
}

void SimulateSteps::get_result(const Action::GetResult::Request& request, Asker asker) {
  Goal* goal = find(request.goal_id);
  if (goal && active_ && goal == &newest()) {
    if (goal->askers.size() >= kWaitingAskers) goal->askers.erase(goal->askers.begin());
    goal->askers.push_back(std::move(asker));
    return;
  }
  Action::GetResult::Response response;
  if (goal) {
    response = {goal->status, {goal->result}};
  } else {
    response.result.result = {Result::kNotFound, "there is no goal with this id, or none any more"};
  }
  asker.sink->answer(asker.request, message::AnyMessage(std::move(response)));
}

void SimulateSteps::publish_changes() {
  if (!std::exchange(changed_, false)) return;
  publish_status();
  if (!active_ || newest().status != GoalStatus::kCanceling) return;
  const Goal& goal = newest();
  finish(GoalStatus::kCanceled, {Result::kFailed, fmt::format("canceled after {} of {} steps",
                                                              goal.completed, goal.steps)});
  publish_status();
}

void SimulateSteps::after_step() {
  if (!active_) return;
  Goal& goal = newest();
  if (++goal.completed == goal.steps) {
    finish(GoalStatus::kSucceeded, {Result::kOk, ""});
    publish_status();
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now < next_feedback_) return;
  next_feedback_ = now + kFeedbackPeriod;
  publish_feedback();
}

void SimulateSteps::abort(const std::string& why) {
  if (!active_) return;
  const Goal& goal = newest();
  finish(GoalStatus::kAborted, {Result::kFailed, fmt::format("{} after {} of {} steps", why,
                                                             goal.completed, goal.steps)});
  publish_status();
}

SimulateSteps::Goal* SimulateSteps::find(const message::Uuid& id) {
  const auto found =
      std::ranges::find_if(goals_, [&](const Goal& goal) { return goal.info.goal_id == id; });
  return found == goals_.end() ? nullptr : &*found;
}

/// The newest goal; the last feedback goes before the result.
void SimulateSteps::finish(std::int8_t status, Result result) {
  if (std::exchange(active_, false)) publish_feedback();
  Goal& goal = newest();
  goal.status = status;
  goal.result = std::move(result);
  const Action::GetResult::Response response{goal.status, {goal.result}};
  for (const Asker& asker : goal.askers)
    asker.sink->answer(asker.request, message::AnyMessage(response));
  goal.askers = {};
}

void SimulateSteps::publish_status() {
  message::GoalStatusArray all;
  for (const Goal& goal : goals_) all.status_list.push_back({goal.info, goal.status});
  publish(status_, message::AnyMessage(std::move(all)));
}

void SimulateSteps::publish_feedback() {
  const Goal& goal = newest();
  publish(feedback_, message::AnyMessage(Action::Feedback{
                         goal.info.goal_id, {goal.completed, goal.steps - goal.completed}}));
}

void SimulateSteps::publish(const Topic& topic, const message::AnyMessage& message) {
  for (const auto& queue : queues_) queue->sink().publish(topic, message);
}

}  // namespace protobeam
