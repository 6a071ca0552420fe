// Webots' functions of motors.
#include <webots/motor.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "controller/device_access.h"

using protobeam::controller::Client;
using protobeam::controller::Device;
using protobeam::controller::kNaN;

namespace {

/// What the program has asked for last.
struct MotorCommands {
  double target = 0, velocity = 0, acceleration = 0, available_effort = 0;
};

struct MotorAccess : protobeam::controller::Access {
  MotorAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Motor"}) {}

  static MotorCommands& commands_of(Device& motor) {
    if (!motor.state.has_value()) {
      motor.state =
          MotorCommands{motor.number("targetPosition", 0), motor.number("maxVelocity", 10),
                        motor.number("acceleration", -1), motor.number("maxEffort", 10)};
    }
    return std::any_cast<MotorCommands&>(motor.state);
  }
  MotorCommands& last() const { return commands_of(*operator->()); }
  /// The motors "NAME::..." that are coupled to this one by their names say afterwards what they
  /// do: `value` times their multipliers.
  void remember(double MotorCommands::*which, double value) const {
    last().*which = value;
    const std::string& name = (*this)->record.name;
    const auto colons = name.find("::");
    if (colons == std::string::npos) return;
    for (Device& other : Client::get().devices()) {
      if (&other == operator->() || !other.serves("Motor") ||
          other.record.name.compare(0, colons + 2, name, 0, colons + 2) != 0) {
        continue;
      }
      commands_of(other).*which = std::isinf(value) ? value : value * other.number("multiplier", 1);
    }
  }
  double remembered(double MotorCommands::*which) const { return *this ? last().*which : kNaN; }
  double property(const char* name, double otherwise) const {
    return *this ? number(name, otherwise) : kNaN;
  }
  /// `name`: force or torque.
  void set_effort(const char* name, double effort) const {
    constexpr double kLargest = std::numeric_limits<double>::max();
    if (!*this || !valid(name, effort, -kLargest) || !valid(name, -effort, -kLargest)) return;
    command("effort", {effort});
  }
  void set_available_effort(double effort) const {
    if (!*this) return;
    const double most = number("maxEffort", std::numeric_limits<double>::infinity());
    if (effort > most) {
      complain("called with " + std::to_string(effort) + " for '" + (*this)->record.name +
               "', which has no more than " + std::to_string(most));
      effort = most;
    }
    if (command("available effort", {effort})) last().available_effort = effort;
  }
  WbJointType type() const {
    return *this && (*this)->record.type == "LinearMotor" ? WB_LINEAR : WB_ROTATIONAL;
  }
};

}  // namespace

extern "C" {

void wb_motor_set_position(WbDeviceTag tag, double position) {
  const MotorAccess motor(__func__, tag);
  // Programs write the largest double for "on and on": a target that no wheel reaches.
  double sent = position;
  if (std::isfinite(position)) {
    sent = std::clamp(position, -protobeam::kLargestNumber, protobeam::kLargestNumber);
  }
  if (!motor.command("position", {sent})) return;
  motor.remember(&MotorCommands::target, position);
  // As Webots (WbMotor::setTargetPosition), which tells the target that counts with the next step.
  motor->before_step = [device = motor.operator->()](int) {
    const double low = device->number("minPosition", 0), high = device->number("maxPosition", 0);
    double& target = MotorAccess::commands_of(*device).target;
    if (low < high && std::isfinite(target)) target = std::clamp(target, low, high);
  };
}
void wb_motor_set_velocity(WbDeviceTag tag, double velocity) {
  const MotorAccess motor(__func__, tag);
  if (!motor) return;
  // As Webots (src/controller/c/motor.c): towards a target there is a limit of speed only.
  if (velocity < 0 && !std::isinf(motor.last().target)) {
    return motor.complain("called with a negative 'velocity' (" + std::to_string(velocity) +
                          ") for '" + motor->record.name +
                          "', which is told a position: set that to INFINITY before");
  }
  if (motor.command("velocity", {velocity})) motor.remember(&MotorCommands::velocity, velocity);
}
void wb_motor_set_acceleration(WbDeviceTag tag, double acceleration) {
  const MotorAccess motor(__func__, tag);
  if (motor.command("acceleration", {acceleration})) motor.last().acceleration = acceleration;
}
void wb_motor_set_force(WbDeviceTag tag, double force) {
  MotorAccess(__func__, tag).set_effort("force", force);
}
void wb_motor_set_torque(WbDeviceTag tag, double torque) {
  MotorAccess(__func__, tag).set_effort("torque", torque);
}
void wb_motor_set_available_force(WbDeviceTag tag, double available_force) {
  MotorAccess(__func__, tag).set_available_effort(available_force);
}
void wb_motor_set_available_torque(WbDeviceTag tag, double available_torque) {
  MotorAccess(__func__, tag).set_available_effort(available_torque);
}
void wb_motor_set_control_pid(WbDeviceTag tag, double p, double i, double d) {
  MotorAccess(__func__, tag).command("control PID", {p, i, d});
}

double wb_motor_get_target_position(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).remembered(&MotorCommands::target);
}
double wb_motor_get_velocity(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).remembered(&MotorCommands::velocity);
}
double wb_motor_get_acceleration(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).remembered(&MotorCommands::acceleration);
}
double wb_motor_get_available_force(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).remembered(&MotorCommands::available_effort);
}
double wb_motor_get_available_torque(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).remembered(&MotorCommands::available_effort);
}
double wb_motor_get_min_position(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).property("minPosition", 0);
}
double wb_motor_get_max_position(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).property("maxPosition", 0);
}
double wb_motor_get_max_velocity(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).property("maxVelocity", 10);
}
double wb_motor_get_max_force(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).property("maxEffort", 10);
}
double wb_motor_get_max_torque(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).property("maxEffort", 10);
}
double wb_motor_get_multiplier(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).property("multiplier", 1);
}
void wb_motor_enable_force_feedback(WbDeviceTag tag, int sampling_period) {
  MotorAccess(__func__, tag).enable(sampling_period);
}
void wb_motor_enable_torque_feedback(WbDeviceTag tag, int sampling_period) {
  MotorAccess(__func__, tag).enable(sampling_period);
}
void wb_motor_disable_force_feedback(WbDeviceTag tag) { MotorAccess(__func__, tag).disable(); }
void wb_motor_disable_torque_feedback(WbDeviceTag tag) { MotorAccess(__func__, tag).disable(); }
int wb_motor_get_force_feedback_sampling_period(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).period();
}
int wb_motor_get_torque_feedback_sampling_period(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).period();
}
double wb_motor_get_force_feedback(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).value("feedback");
}
double wb_motor_get_torque_feedback(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).value("feedback");
}
WbJointType wb_motor_get_type(WbDeviceTag tag) { return MotorAccess(__func__, tag).type(); }
WbDeviceTag wb_motor_get_brake(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).sibling("Brake");
}
WbDeviceTag wb_motor_get_position_sensor(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).sibling("PositionSensor");
}

}  // extern "C"
