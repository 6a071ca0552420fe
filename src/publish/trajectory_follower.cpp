#include "publish/trajectory_follower.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "message/control_msgs.h"
#include "publish/publisher.h"

namespace protobeam {
namespace {

using message::GoalStatus;
using Kind = MotorCommands::Kind;

constexpr double kFeedbackRate = 20;  // Hz: action_monitor_rate

/// "/arm/follow_joint_trajectory" beside "/arm/joint_trajectory"; below any other name.
std::string action_name(const std::string& topic) {
  const std::string usual = "/joint_trajectory";
  const bool is_usual = topic.ends_with(usual);
  return (is_usual ? topic.substr(0, topic.size() - usual.size()) : topic) +
         "/follow_joint_trajectory";
}

/// Motors of a URDF that are coupled are called `master::joint`.
std::string joint_of(const Device& motor) {
  const auto colons = motor.name.rfind("::");
  return colons == std::string::npos ? motor.name : motor.name.substr(colons + 2);
}
bool moves_joint(const Device& motor, const std::string& joint) {
  return motor.name == joint || joint_of(motor) == joint;
}

/// As JointTolerance has it: 0 leaves `before`, -1 stands for no limit, which is 0 here.
std::optional<double> tolerance_of(double wanted, double before) {
  if (wanted > 0) return wanted;
  if (wanted == 0) return before;
  if (wanted == -1) return 0;
  return std::nullopt;
}

bool beyond(double difference, double tolerance) {
  return tolerance > 0 && std::abs(difference) > tolerance;
}

double of_motor(const std::vector<double>& values, std::size_t motor) {
  if (values.empty()) return 0;
  return values[std::min(motor, values.size() - 1)];
}

}  // namespace

TrajectoryFollower::TrajectoryFollower(MotorCommands& commands, ServiceTable& services, Topic topic,
                                       std::vector<Device*> motors,
                                       const TrajectoryTolerances& tolerances)
    : commands_(commands),
      topic_(std::move(topic)),
      motors_(std::move(motors)),
      tolerances_(tolerances),
      server_(services, action_name(topic_.name), *this),
      feedback_rate_(kFeedbackRate) {
  for (const Device* motor : motors_) wanted_.push_back({commands_.state_of(*motor).position, 0});
}

void TrajectoryFollower::receive(const message::Bytes& cdr) {
  try {
    Work work = work_of(message::from_cdr<message::JointTrajectory>(cdr));
    if (server_.active())
      server_.finish(GoalStatus::kAborted,
                     {Outcome::kInvalidGoal, "a trajectory on the topic took its place"});
    begin(std::move(work));
  } catch (const std::runtime_error&) {
    commands_.complain(topic_, "a message is no " + topic_.type->ros2_name);
  } catch (const std::invalid_argument& problem) {
    commands_.complain(topic_, problem.what());
  }
}

bool TrajectoryFollower::begin_goal(const Action::Goal& goal) {
  try {
    if (!alive_) throw std::invalid_argument(kNotActive);
    if (!goal.multi_dof_trajectory.points.empty())
      throw std::invalid_argument("trajectories of joints with several axes are not taken");
    Work work = work_of(goal.trajectory);
    take_tolerances(goal, work);
    if (server_.active())
      server_.finish(GoalStatus::kAborted, {Outcome::kInvalidGoal, "another goal took its place"});
    begin(std::move(work));
    return true;
  } catch (const std::invalid_argument& problem) {
    commands_.complain(topic_, fmt::format("a goal was rejected: {}", problem.what()));
    return false;
  }
}

TrajectoryFollower::Work TrajectoryFollower::work_of(const message::JointTrajectory& wanted) const {
  if (wanted.joint_names.empty()) throw std::invalid_argument("a trajectory names no joints");
  std::vector<Joint> joints;
  std::vector<State> from;
  for (const std::string& name : wanted.joint_names) {
    const auto motor =
        std::ranges::find_if(motors_, [&](const Device* one) { return moves_joint(*one, name); });
    const auto index = static_cast<std::size_t>(motor - motors_.begin());
    if (motor == motors_.end() || std::ranges::find(joints, index, &Joint::motor) != joints.end())
      throw std::invalid_argument(fmt::format("'{}' is none of its joints, or there twice", name));
    joints.push_back({name,
                      index,
                      {of_motor(tolerances_.path, index), 0},
                      {of_motor(tolerances_.goal, index), tolerances_.stopped_velocity}});
    from.push_back(commands_.state_of(**motor));
  }
  return {TrajectoryOfJoints(wanted, commands_.simulation().time(), from), std::move(joints),
          tolerances_.goal_time};
}

void TrajectoryFollower::take_tolerances(const Action::Goal& goal, Work& work) {
  const message::Duration& wanted = goal.goal_time_tolerance;
  const auto time = tolerance_of(wanted.sec + 1e-9 * wanted.nanosec, work.goal_time);
  if (!time) throw std::invalid_argument("its goal_time_tolerance is negative");
  work.goal_time = *time;
  take(goal.path_tolerance, &Joint::path, work);
  take(goal.goal_tolerance, &Joint::goal, work);
}

void TrajectoryFollower::take(const std::vector<message::JointTolerance>& wanted,
                              Tolerance Joint::*which, Work& work) {
  for (const message::JointTolerance& one : wanted) {
    const auto joint = std::ranges::find(work.joints, one.name, &Joint::name);
    if (joint == work.joints.end())
      throw std::invalid_argument(
          fmt::format("a tolerance is of '{}', which it does not move", one.name));
    Tolerance& tolerance = (*joint).*which;
    const auto position = tolerance_of(one.position, tolerance.position);
    const auto velocity = tolerance_of(one.velocity, tolerance.velocity);
    if (!position || !velocity)
      throw std::invalid_argument(fmt::format("a tolerance of '{}' is negative", one.name));
    tolerance = {*position, *velocity};
  }
}

void TrajectoryFollower::begin(Work work) {
  // Those under way that the next trajectory does not name.
  if (work_) {
    for (const Joint& joint : work_->joints) {
      if (std::ranges::find(work.joints, joint.motor, &Joint::motor) != work.joints.end()) continue;
      hold(joint.motor);
    }
  }
  work_ = std::move(work);
  feedback_rate_ = Rate(kFeedbackRate);
  follow();
}

void TrajectoryFollower::after_step() {
  if (work_ && server_.active()) judge();
  if (work_) follow();
  if (state_stream_ && state_stream_->wanted() && state_rate_.due(commands_.simulation().time()))
    publish_state();
}

void TrajectoryFollower::set_alive(bool alive) {
  alive_ = alive;
  if (alive || !work_) return;
  const bool goal = server_.active();
  stop();
  if (goal)
    server_.finish(GoalStatus::kCanceled,
                   {Outcome::kInvalidGoal, "its controller was deactivated"});
}

void TrajectoryFollower::publish_state_on(Stream& stream, double rate) {
  state_stream_ = &stream;
  state_rate_ = Rate(rate);
}

/// Tells motors what brings them to where they ought to be after the coming step. A target alone
/// would leave them behind.
void TrajectoryFollower::follow() {
  constexpr double kGain = 10;  // 1/s, as controlPID of motors
  if (work_->arrived) return;
  const TrajectoryOfJoints& trajectory = work_->trajectory;
  const Simulation& simulation = commands_.simulation();
  const double step = simulation.model().basic_time_step, now = simulation.time();
  const bool over = now >= trajectory.end();
  for (std::size_t i = 0; i < work_->joints.size(); ++i) {
    const Joint& joint = work_->joints[i];
    Device& motor = *motors_[joint.motor];
    const State wanted = wanted_[joint.motor] = trajectory.at(now, i);
    if (over) {
      commands_.send(topic_, motor, Kind::kPosition, wanted.position);
      continue;
    }
    const double way = trajectory.at(now + step, i).position - wanted.position;
    commands_.send(topic_, motor, Kind::kVelocity,
                   way / step + kGain * (wanted.position - state_of(joint).position));
  }
  work_->arrived = over;
  if (over && !server_.active()) work_.reset();
}

/// Whether the goal is reached or missed.
void TrajectoryFollower::judge() {
  const double now = commands_.simulation().time(), late = now - work_->trajectory.end();
  if (feedback_rate_.due(now)) publish_feedback();
  std::string missed;
  for (std::size_t i = 0; i < work_->joints.size() && missed.empty(); ++i) {
    const Joint& joint = work_->joints[i];
    const auto wanted = work_->trajectory.at(now, i);
    const State is = state_of(joint);
    const Tolerance& tolerance = late < 0 ? joint.path : joint.goal;
    const double position = is.position - wanted.position, speed = is.velocity - wanted.velocity;
    if (beyond(position, tolerance.position))
      missed = fmt::format("'{}' is off by {:.4g}, more than {:.4g}", joint.name,
                           std::abs(position), tolerance.position);
    else if (beyond(speed, tolerance.velocity))
      missed = fmt::format("the speed of '{}' is off by {:.4g}, more than {:.4g}", joint.name,
                           std::abs(speed), tolerance.velocity);
  }
  if (late < 0) {
    if (missed.empty()) return;
    stop();
    server_.finish(GoalStatus::kAborted, {Outcome::kPathViolated, missed});
  } else if (missed.empty()) {
    server_.finish(GoalStatus::kSucceeded, {Outcome::kSuccessful, "reached"});
    if (work_->arrived) work_.reset();
  } else if (work_->goal_time > 0 && late > work_->goal_time) {
    stop();
    server_.finish(GoalStatus::kAborted, {Outcome::kGoalViolated,
                                          fmt::format("{}, {:.3g} s after the end", missed, late)});
  }
}

/// It stays where it is.
void TrajectoryFollower::hold(std::size_t motor) {
  commands_.hold(topic_, *motors_[motor]);
  wanted_[motor] = {commands_.state_of(*motors_[motor]).position, 0};
}

/// All of them.
void TrajectoryFollower::stop() {
  for (const Joint& joint : work_->joints) hold(joint.motor);
  work_.reset();
}

TrajectoryFollower::Outcome TrajectoryFollower::cancel_goal() {
  stop();
  return {Outcome::kSuccessful, "canceled"};
}

TrajectoryFollower::Outcome TrajectoryFollower::no_goal() const {
  return {Outcome::kInvalidGoal, "there is no goal with this id, or none any more"};
}

message::Time TrajectoryFollower::now() const {
  return message::time_of(message::nanoseconds(commands_.simulation().time()));
}

void TrajectoryFollower::end(const std::string& why) {
  if (server_.active()) server_.finish(GoalStatus::kAborted, {Outcome::kInvalidGoal, why});
}

void TrajectoryFollower::take_over(MotorTask& before) {
  auto* other = dynamic_cast<TrajectoryFollower*>(&before);
  if (!other || other->motors_.size() != motors_.size()) return before.end("the robot has changed");
  work_ = other->work_;
  wanted_ = other->wanted_;
  state_rate_ = other->state_rate_;
  feedback_rate_ = other->feedback_rate_;
  server_.take_over(other->server_);
}

void TrajectoryFollower::publish_feedback() {
  const double now = commands_.simulation().time();
  message::FollowJointTrajectoryFeedback out;
  auto& [header, names, desired, actual, error, more_names, m1, m2, m3] = out.feedback;
  header.stamp = this->now();
  for (std::size_t i = 0; i < work_->joints.size(); ++i) {
    const Joint& joint = work_->joints[i];
    const auto wanted = work_->trajectory.at(now, i);
    const State is = state_of(joint);
    names.push_back(joint.name);
    desired.positions.push_back(wanted.position);
    desired.velocities.push_back(wanted.velocity);
    actual.positions.push_back(is.position);
    actual.velocities.push_back(is.velocity);
    error.positions.push_back(wanted.position - is.position);
    error.velocities.push_back(wanted.velocity - is.velocity);
  }
  const auto since_start =
      message::duration_of(message::nanoseconds(std::max(0.0, now - work_->trajectory.start())));
  desired.time_from_start = actual.time_from_start = error.time_from_start = since_start;
  server_.publish_feedback(std::move(out));
}

void TrajectoryFollower::publish_state() {
  message::JointTrajectoryControllerState out;
  out.header.stamp = now();
  for (std::size_t i = 0; i < motors_.size(); ++i) {
    const State is = commands_.state_of(*motors_[i]), wanted = wanted_[i];
    out.joint_names.push_back(joint_of(*motors_[i]));
    out.reference.positions.push_back(wanted.position);
    out.reference.velocities.push_back(wanted.velocity);
    out.feedback.positions.push_back(is.position);
    out.feedback.velocities.push_back(is.velocity);
    out.error.positions.push_back(wanted.position - is.position);
    out.error.velocities.push_back(wanted.velocity - is.velocity);
    out.output.positions.push_back(wanted.position);
  }
  state_stream_->send(message::nanoseconds(commands_.simulation().time()), std::move(out));
}

}  // namespace protobeam
