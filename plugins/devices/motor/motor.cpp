#include "motor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "device/values.h"

namespace protobeam {
namespace {

enum Command { kPosition, kVelocity, kAcceleration, kEffort, kAvailableEffort, kPid };
enum Channel : std::size_t { kEffortChannel, kFeedbackChannel };

std::string limited(const char* what, double asked, const std::string& problem, double limit,
                    double used) {
  std::ostringstream message;
  message << "the requested " << what << " " << asked << " " << problem << " " << limit << ": "
          << used << " is used (said once)";
  return message.str();
}

CommandSpec one_number(const char* name, const char* unit, Range range, bool infinite,
                       const char* meaning) {
  return {name, {{name, unit, range, infinite}}, meaning};
}

}  // namespace

DeviceType motor_type(const MotorKind& kind) {
  using enum FieldType;
  FieldSpec sound{"sound", kString, "\"\"", "", {}, "Sound"};
  FieldSpec muscles{"muscles", kMFNode, "[ ]", "", {}, "Muscles that show the motion"};
  sound.not_simulated = muscles.not_simulated = true;
  const Range at_least_0 = Range::at_least(0);
  return {
      .node = {kind.node,
               kind.base,
               kind.meaning,
               {{"name", kString, kind.name, "", {}, "Name for the controller"},
                {"acceleration", kFloat, "-1", "rad/s^2 or m/s^2", at_least_0.or_special(-1),
                 "Limit; -1: none"},
                {"consumptionFactor",
                 kFloat,
                 "10",
                 "W/(N m) or W/N",
                 {},
                 "Power that it draws from the robot's battery per torque or force"},
                {"controlPID", kVec3f, "10 0 0", "", {}, "Gains of position control"},
                {"maxVelocity", kFloat, "10", "rad/s or m/s", at_least_0, "Limit"},
                {"minPosition", kFloat, "0", "rad or m", {}, "Lowest target; both 0: no limit"},
                {"maxPosition", kFloat, "0", "rad or m", {}, "Highest target"},
                {kind.effort_field, kFloat, "10", kind.effort_unit, at_least_0, "Limit"},
                {"multiplier", kFloat, "1", "", {}, "Factor on commands of coupled motors"},
                sound,
                muscles}},
      .channels = {{"effort",
                    ElementType::kFloat64,
                    {},
                    "N m or N",
                    "",
                    "",
                    "torque or force of the motor in the last step"},
                   {"feedback",
                    ElementType::kFloat64,
                    {},
                    "N m or N",
                    "",
                    "",
                    "the same without one that it was told directly; of a propeller's motor the "
                    "sizes of thrust and torque together"}},
      .commands = {one_number("position", "rad or m", {}, true, "target; inf: velocity control"),
                   one_number("velocity", "rad/s or m/s", {}, true, "wanted, or its limit"),
                   one_number("acceleration", "rad/s^2 or m/s^2", at_least_0.or_special(-1), true,
                              "limit; -1: none"),
                   one_number("effort", "N m or N", {}, false, "direct torque or force"),
                   one_number("available effort", "N m or N", at_least_0, true, "limit"),
                   {"control PID",
                    {{"p", "", Range::positive()}, {"i", "", at_least_0}, {"d", "", at_least_0}},
                    "gains of position control"}},
      .properties = {{"maxVelocity", "rad/s or m/s", "limit"},
                     {"acceleration", "rad/s^2 or m/s^2", "limit; -1: none"},
                     {"maxEffort", "N m or N", "limit"},
                     {"minPosition", "rad or m", "lowest target; both 0: no limit"},
                     {"maxPosition", "rad or m", "highest target"},
                     {"multiplier", "", "factor on commands of coupled motors"},
                     {"p", "", "gain of position control"},
                     {"i", "", "gain of position control"},
                     {"d", "", "gain of position control"},
                     {"targetPosition", "rad or m", "at the start"}},
      .coupled_by_name = true,
      .api = "Motor",
      .webots_node = kind.webots_node,
  };
}

Motor::Motor(const Fields& fields, const char* effort_field)
    : effort_field_(effort_field),
      multiplier_(fields.number("multiplier")),
      consumption_(fields.number("consumptionFactor")),
      coupled_(fields.string("name").find("::") != std::string::npos) {
  spec_.max_velocity = fields.number("maxVelocity");
  spec_.max_effort = fields.number(effort_field);
  spec_.acceleration = fields.number("acceleration");
  spec_.min_position = fields.number("minPosition");
  spec_.max_position = fields.number("maxPosition");
  velocity_ = spec_.max_velocity;
  available_effort_ = spec_.max_effort;
  const Vec3 pid = fields.vec3("controlPID");
  spec_.p = pid.x();
  spec_.i = pid.y();
  spec_.d = pid.z();
  if (spec_.min_position > spec_.max_position) {
    std::ostringstream message;
    if (fields.is_set("minPosition")) {
      message << "field 'minPosition' of " << fields.node_type()
              << " must be at most 'maxPosition' (" << spec_.max_position << "), got "
              << spec_.min_position;
    } else {
      message << "field 'maxPosition' of " << fields.node_type()
              << " must be at least 'minPosition' (0), got " << spec_.max_position;
    }
    throw std::invalid_argument(message.str());
  }
}

void Motor::attach(const DeviceContext& context) {
  joint_ = context.joint;
  if (joint_) start_ = joint_->position();
  include(start_);
  if (context.leader) follow(*context.leader);
  if (joint_) joint_->add_motor(spec_);
}

void Motor::include(double position) {
  if (spec_.min_position == 0 && spec_.max_position == 0) return;
  spec_.min_position = std::min(spec_.min_position, position);
  spec_.max_position = std::max(spec_.max_position, position);
}

/// Coupled motors get the same commands, so that all can reach what the first one can (Webots,
/// src/webots/nodes/WbMotor.cpp).
void Motor::follow(const DeviceModel& leader) {
  const Properties its = leader.properties();
  const auto number = [&](const char* name) { return std::get<double>(its.at(name)); };
  const double ratio = multiplier_ / number("multiplier");
  velocity_ = spec_.max_velocity = number("maxVelocity") * std::abs(ratio);
  spec_.min_position = number("minPosition") * ratio;
  spec_.max_position = number("maxPosition") * ratio;
  if (ratio < 0) std::swap(spec_.min_position, spec_.max_position);
}

Properties Motor::properties() const {
  return {{"maxVelocity", spec_.max_velocity},
          {"acceleration", spec_.acceleration},
          {"maxEffort", spec_.max_effort},
          {"minPosition", spec_.min_position},
          {"maxPosition", spec_.max_position},
          {"multiplier", multiplier_},
          {"p", spec_.p},
          {"i", spec_.i},
          {"d", spec_.d},
          {"targetPosition", start_}};
}

std::string Motor::command(std::size_t index, std::span<const double> numbers, std::string_view) {
  if (!joint_) return "";
  const double value = numbers[0], scaled = value * multiplier_;
  switch (index) {
    case kPosition:
      joint_->set_motor_position(std::isinf(value) ? value : scaled);
      told_effort_ = false;
      return std::isinf(value) ? "" : outside_limits(scaled);
    case kVelocity:
      return set_velocity(scaled);
    case kAcceleration:
      joint_->set_motor_acceleration(value);
      break;
    case kEffort:
      effort_ = scaled;
      told_effort_ = true;
      joint_->set_motor_effort(powered_ ? effort_ : 0);
      return beyond_effort(scaled);
    case kAvailableEffort:
      available_effort_ = std::min(value, spec_.max_effort);
      joint_->set_motor_available_effort(value);
      break;
    case kPid:
      joint_->set_motor_pid(numbers[0], numbers[1], numbers[2]);
      break;
  }
  return "";
}

// As Webots: what is beyond a limit is the limit. It warns each time; here a program that asks so
// in each step is told once.

std::string Motor::set_velocity(double velocity) {
  velocity_ = velocity;
  if (powered_) joint_->set_motor_velocity(velocity);  // which limits it
  const double most = spec_.max_velocity;
  if (!(std::abs(velocity) > most) || std::exchange(said_too_fast_, true)) return "";
  return limited("velocity", velocity, "exceeds maxVelocity", most, std::copysign(most, velocity));
}

std::string Motor::outside_limits(double target) {
  const double low = spec_.min_position, high = spec_.max_position;
  if (low == high || (low <= target && target <= high) || std::exchange(said_outside_, true)) {
    return "";
  }
  const bool above = target > high;
  const double limit = above ? high : low;
  return limited("position", target, above ? "exceeds maxPosition" : "is below minPosition", limit,
                 limit);
}

/// Not of coupled motors, where the others may have the strength that one has not.
std::string Motor::beyond_effort(double effort) {
  const double most = available_effort_;
  if (!(std::abs(effort) > most) || coupled_ || std::exchange(said_too_strong_, true)) return "";
  const bool linear = joint_->linear();
  const char* what = linear ? "force" : "torque";
  const std::string limit = most < spec_.max_effort ? std::string("the available ") + what
                            : linear                ? "maxForce"
                                                    : "maxTorque";
  return limited(what, effort, "exceeds " + limit, most, std::copysign(most, effort));
}

/// As Webots (WbMotor::postFinalize): set-points that were given before stay, limits count for the
/// next ones. Those that coupled motors share stay as they are.
bool Motor::change(const Fields& fields, std::string_view name) {
  if (name == "acceleration") {
    spec_.acceleration = fields.number(name);
    if (joint_) joint_->set_motor_acceleration(spec_.acceleration);
    return true;
  }
  if (name == "controlPID") {
    const Vec3 pid = fields.vec3(name);
    spec_.p = pid.x();
    spec_.i = pid.y();
    spec_.d = pid.z();
    if (joint_) joint_->set_motor_pid(spec_.p, spec_.i, spec_.d);
    return true;
  }
  if (name == "consumptionFactor") {
    consumption_ = fields.number(name);
    return true;
  }
  if (name == effort_field_) {
    spec_.max_effort = fields.number(name);
  } else if (coupled_) {
    return false;
  } else if (name == "multiplier") {
    multiplier_ = fields.number(name);
    return true;
  } else if (name == "maxVelocity") {
    spec_.max_velocity = fields.number(name);
  } else if (name == "minPosition" || name == "maxPosition") {
    const double low = fields.number("minPosition"), high = fields.number("maxPosition");
    if (low > high) return true;  // the other one is still to come
    spec_.min_position = low;
    spec_.max_position = high;
    include(joint_ ? joint_->position() : start_);
  } else {
    return false;
  }
  said_too_fast_ = said_outside_ = said_too_strong_ = false;
  if (joint_) joint_->set_motor_limits(spec_);
  return true;
}

void Motor::release() {
  velocity_ = effort_ = 0;
  apply();
}

/// As Webots (WbMotor::powerOn): targets stay, and it goes on with them.
void Motor::set_power(bool on) {
  powered_ = on;
  apply();
}

void Motor::apply() {
  if (!joint_) return;
  joint_->set_motor_velocity(powered_ ? velocity_ : 0);
  if (told_effort_) joint_->set_motor_effort(powered_ ? effort_ : 0);
}

// Webots counts what a propeller's motor drives as thrust and torque together, in its feedback and
// for the battery (WbRotationalMotor::computeFeedback).

double Motor::power() const {
  if (!joint_) return 0;
  return consumption_ * (std::abs(joint_->motor_effort()) + std::abs(joint_->thrust().value_or(0)));
}

double Motor::feedback() const {
  if (!joint_) return 0;
  const double effort = joint_->motor_effort();
  if (const auto thrust = joint_->thrust()) return std::abs(effort) + std::abs(*thrust);
  return told_effort_ ? 0 : effort;
}

void Motor::sample(const SampleInput&, Sample& out) {
  write_values<1>(out.channel<double>(kEffortChannel), {joint_ ? joint_->motor_effort() : 0});
  write_values<1>(out.channel<double>(kFeedbackChannel), {feedback()});
}

}  // namespace protobeam
