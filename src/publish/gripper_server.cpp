#include "publish/gripper_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "message/control_actions.h"
#include "publish/action_server.h"
#include "publish/rate.h"

namespace protobeam {
namespace {

using message::GoalStatus;

constexpr double kGripperFeedbackRate = 20;  // Hz: action_monitor_rate
// The defaults of both controllers.
constexpr double kReached = 0.01;      // rad or m: goal_tolerance
constexpr double kStallSpeed = 0.001;  // rad/s or m/s: stall_velocity_threshold
constexpr double kStallTime = 1;       // s: stall_timeout

struct Grip {
  double position = 0;
  double effort = 0, speed = 0;  ///< at most; 0: as the motor has it
};
/// What results and feedback tell.
struct GripState {
  double position = 0, velocity = 0, effort = 0;
  bool stalled = false, reached = false;
};

Grip grip_of(const message::GripperCommand::Goal& goal) {
  return {goal.command.position, std::max(0.0, goal.command.max_effort), 0};
}
Grip grip_of(const message::ParallelGripperCommand::Goal& goal) {
  const message::JointState& command = goal.command;
  if (command.position.size() != 1)
    throw std::invalid_argument(
        fmt::format("it has {} positions instead of one", command.position.size()));
  const auto most = [](const std::vector<double>& row) {
    return row.empty() || !std::isfinite(row[0]) ? 0 : std::max(0.0, row[0]);
  };
  return {command.position[0], most(command.effort), most(command.velocity)};
}

message::GripperCommandParts::State told(const GripState& state) {
  return {state.position, state.effort, state.stalled, state.reached};
}
message::JointState joint_state(const GripState& state, const std::string& joint,
                                message::Time now) {
  message::JointState out;
  out.header.stamp = now;
  out.name = {joint};
  out.position = {state.position};
  out.velocity = {state.velocity};
  out.effort = {state.effort};
  return out;
}

template <class Action>
class GripperServer final : public MotorTask, GoalWorker<Action> {
 public:
  GripperServer(MotorCommands& commands, ServiceTable& services, const std::string& action,
                std::vector<Device*> motors, const TopicSettings& settings)
      : commands_(commands),
        topic_{action, nullptr, false, 0},
        motors_(std::move(motors)),
        joint_(motors_.front()->name),
        reached_(settings.tolerances.goal.empty() ? kReached : settings.tolerances.goal[0]),
        allow_stalling_(settings.allow_stalling),
        server_(services, action, *this) {}

  const std::string& name() const override { return topic_.name; }
  void receive(const message::Bytes&) override {}
  void after_step() override {
    if (!server_.active()) return;
    const double now = commands_.simulation().time();
    state_ = state_now();
    if (std::abs(state_.velocity) > kStallSpeed) moved_at_ = now;
    state_.stalled = !state_.reached && now - moved_at_ > kStallTime;
    if (feedback_rate_.due(now)) publish_feedback();
    if (!state_.reached && !state_.stalled) return;
    const bool good = state_.reached || allow_stalling_;
    server_.finish(good ? GoalStatus::kSucceeded : GoalStatus::kAborted, outcome());
  }
  void set_alive(bool alive) override {
    alive_ = alive;
    if (alive || !std::exchange(told_, false)) return;
    const bool active = server_.active();
    Outcome last = cancel_goal();
    if (active) server_.finish(GoalStatus::kCanceled, std::move(last));
  }
  void take_over(MotorTask& before) override {
    auto* other = dynamic_cast<GripperServer*>(&before);
    if (!other) return before.end("the robot has changed");
    wanted_ = other->wanted_;
    told_ = other->told_;
    state_ = other->state_;
    moved_at_ = other->moved_at_;
    feedback_rate_ = other->feedback_rate_;
    server_.take_over(other->server_);
  }
  /// The motors may be there no longer.
  void end(const std::string&) override {
    if (server_.active()) server_.finish(GoalStatus::kAborted, outcome());
  }

 private:
  using Outcome = typename Action::Outcome;
  using Kind = MotorCommands::Kind;

  bool begin_goal(const typename Action::Goal& goal) override {
    try {
      if (!alive_) throw std::invalid_argument(kNotActive);
      const Grip grip = grip_of(goal);
      if (!std::isfinite(grip.position) || !std::isfinite(grip.effort))
        throw std::invalid_argument("its position or effort is no number");
      end("");
      told_ = true;
      wanted_ = grip;
    } catch (const std::invalid_argument& problem) {
      commands_.complain(topic_, fmt::format("a goal was rejected: {}", problem.what()));
      return false;
    }
    constexpr double kAny = std::numeric_limits<double>::infinity();
    for (Device* motor : motors_) {
      commands_.limit(topic_, *motor, wanted_.effort > 0 ? wanted_.effort : kAny, wanted_.speed);
      commands_.send(topic_, *motor, Kind::kPosition, wanted_.position);
    }
    state_ = state_now();
    moved_at_ = commands_.simulation().time();
    feedback_rate_ = Rate(kGripperFeedbackRate);
    return true;
  }
  Outcome cancel_goal() override {
    state_ = state_now();
    for (Device* motor : motors_) commands_.hold(topic_, *motor);
    return outcome();
  }
  Outcome no_goal() const override { return {}; }
  message::Time now() const override {
    return message::time_of(message::nanoseconds(commands_.simulation().time()));
  }

  /// Of the motor that is farthest from where it should be.
  GripState state_now() const {
    GripState out;
    double farthest = -1;
    for (const Device* motor : motors_) {
      const auto [position, velocity] = commands_.state_of(*motor);
      const double off = std::abs(position - wanted_.position);
      if (off <= farthest) continue;
      farthest = off;
      out = {position, velocity, wanted_.effort, false, off < reached_};
    }
    return out;
  }

  Outcome outcome() const {
    if constexpr (std::is_same_v<Action, message::GripperCommand>)
      return Outcome{told(state_)};
    else
      return Outcome{joint_state(state_, joint_, now()), state_.stalled, state_.reached};
  }
  void publish_feedback() {
    typename Action::Feedback out;
    if constexpr (std::is_same_v<Action, message::GripperCommand>)
      out.feedback = {told(state_)};
    else
      out.feedback = {joint_state(state_, joint_, now())};
    server_.publish_feedback(std::move(out));
  }

  MotorCommands& commands_;
  const Topic topic_;  ///< for complaints
  const std::vector<Device*> motors_;
  const std::string joint_;  ///< that results name
  const double reached_;
  const bool allow_stalling_;
  ActionServer<Action> server_;
  Grip wanted_;
  GripState state_;  ///< after the last step
  double moved_at_ = 0;
  bool alive_ = true;
  bool told_ = false;  ///< it has moved its motors since its controller is active
  Rate feedback_rate_{kGripperFeedbackRate};
};

}  // namespace

std::unique_ptr<MotorTask> make_gripper_server(MotorCommands& commands, ServiceTable& services,
                                               const std::string& action, const std::string& type,
                                               std::vector<Device*> motors,
                                               const TopicSettings& settings) {
  if (type == kParallelGripperType)
    return std::make_unique<GripperServer<message::ParallelGripperCommand>>(
        commands, services, action, std::move(motors), settings);
  return std::make_unique<GripperServer<message::GripperCommand>>(commands, services, action,
                                                                  std::move(motors), settings);
}

}  // namespace protobeam
