#include "publish/simulate_steps.h"

#include <fmt/format.h>

#include <utility>

namespace protobeam {
namespace {

using message::GoalStatus;
using message::simulation::Result;

/// Of wall time: a simulation makes thousands of steps a second, and nobody reads as many messages.
constexpr std::chrono::milliseconds kFeedbackPeriod(50);

}  // namespace

SimulateSteps::SimulateSteps(ServiceTable& services, Host host)
    : host_(std::move(host)), server_(services, "/simulate_steps", *this) {}

bool SimulateSteps::begin_goal(const Action::Goal& goal) {
  const Obstacle obstacle = host_.obstacle();
  if (active() || !obstacle.busy.empty()) return false;
  steps_ = goal.steps;
  completed_ = 0;
  std::string why = obstacle.failed;
  if (why.empty() && steps_ > kMostSteps) why = fmt::format("{} steps at most", kMostSteps);
  if (!why.empty()) {
    server_.finish(GoalStatus::kAborted, {{Result::kFailed, why}});
  } else if (steps_ == 0) {
    server_.finish(GoalStatus::kSucceeded, {{Result::kOk, ""}});
  } else {
    next_feedback_ = {};
    host_.begin();
  }
  return true;
}

SimulateSteps::Action::Outcome SimulateSteps::cancel_goal() {
  publish_feedback();
  return {{Result::kFailed, "canceled" + how_far()}};
}

SimulateSteps::Action::Outcome SimulateSteps::no_goal() const {
  return {{Result::kNotFound, "there is no goal with this id, or none any more"}};
}

void SimulateSteps::after_step() {
  if (!active()) return;
  if (++completed_ == steps_) return finish(GoalStatus::kSucceeded, {Result::kOk, ""});
  const auto now = std::chrono::steady_clock::now();
  if (now < next_feedback_) return;
  next_feedback_ = now + kFeedbackPeriod;
  publish_feedback();
}

void SimulateSteps::abort(const std::string& why) {
  if (active()) finish(GoalStatus::kAborted, {Result::kFailed, why + how_far()});
}

/// The last feedback goes before the result.
void SimulateSteps::finish(std::int8_t status, Result result) {
  publish_feedback();
  server_.finish(status, {std::move(result)});
}

std::string SimulateSteps::how_far() const {
  return fmt::format(" after {} of {} steps", completed_, steps_);
}

void SimulateSteps::publish_feedback() {
  server_.publish_feedback(Action::Feedback{{}, {completed_, steps_ - completed_}});
}

}  // namespace protobeam
