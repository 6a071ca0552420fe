// Motors, position sensors and brakes.
#include <webots/brake.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>

#include <cmath>
#include <limits>

#include "client.h"

using namespace protobeam;
using controller::Access;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargest = std::numeric_limits<double>::max();

struct JointDevice : Access {
  using Access::Access;
  WbJointType type() const {
    return *this && (*this)->choice("type", {"rotational", "linear"}) == 1 ? WB_LINEAR
                                                                           : WB_ROTATIONAL;
  }
  WbDeviceTag sibling(const char* property) const {
    return *this ? static_cast<WbDeviceTag>((*this)->number(property, 0)) : 0;
  }
};

struct MotorAccess : JointDevice {
  MotorAccess(const char* function, WbDeviceTag tag)
      : JointDevice(function, tag, {DeviceKind::kRotationalMotor, DeviceKind::kLinearMotor}) {}

  WbJointType type() const {
    return *this && (*this)->record.kind == DeviceKind::kLinearMotor ? WB_LINEAR : WB_ROTATIONAL;
  }
  double fact(const char* name, double otherwise) const {
    return *this ? (*this)->number(name, otherwise) : kNaN;
  }
  void set_effort(const char* name, double effort) const {
    if (!*this || !valid(name, effort, -kLargest) || !valid(name, -effort, -kLargest)) return;
    command(DeviceOp::kMotorEffort, {effort});
  }
  void set_available_effort(const char* name, double effort) const {
    if (!*this || !valid(name, effort, 0)) return;
    const double most = fact("maxEffort", kInfinity);
    if (effort > most) {
      complain("called with " + std::to_string(effort) + " for '" + (*this)->record.name +
               "', which has no more than " + std::to_string(most));
      effort = most;
    }
    (*this)->motor.available_effort = effort;
    command(DeviceOp::kMotorAvailableEffort, {effort});
  }
  double available_effort() const { return *this ? (*this)->motor.available_effort : kNaN; }
  void set_feedback(int period_ms) const {
    if (!*this || !valid("sampling_period", period_ms, 0)) return;
    (*this)->period = period_ms;
    command(DeviceOp::kMotorFeedback, {static_cast<double>(period_ms)});
  }
};

struct PositionSensorAccess : JointDevice {
  PositionSensorAccess(const char* function, WbDeviceTag tag)
      : JointDevice(function, tag, {DeviceKind::kPositionSensor}) {}
};

struct BrakeAccess : JointDevice {
  BrakeAccess(const char* function, WbDeviceTag tag)
      : JointDevice(function, tag, {DeviceKind::kBrake}) {}
};

}  // namespace

extern "C" {

void wb_motor_set_position(WbDeviceTag tag, double position) {
  const MotorAccess motor(__func__, tag);
  if (!motor || !motor.valid("position", position, -kInfinity)) return;
  motor->motor.target = position;
  motor.command(DeviceOp::kMotorPosition, {position});
}
void wb_motor_set_velocity(WbDeviceTag tag, double velocity) {
  const MotorAccess motor(__func__, tag);
  if (!motor || !motor.valid("velocity", velocity, -kInfinity)) return;
  motor->motor.velocity = velocity;
  motor.command(DeviceOp::kMotorVelocity, {velocity});
}
void wb_motor_set_acceleration(WbDeviceTag tag, double acceleration) {
  const MotorAccess motor(__func__, tag);
  if (!motor || !motor.valid("acceleration", acceleration, -1)) return;
  motor->motor.acceleration = acceleration;
  motor.command(DeviceOp::kMotorAcceleration, {acceleration});
}
void wb_motor_set_force(WbDeviceTag tag, double force) {
  MotorAccess(__func__, tag).set_effort("force", force);
}
void wb_motor_set_torque(WbDeviceTag tag, double torque) {
  MotorAccess(__func__, tag).set_effort("torque", torque);
}
void wb_motor_set_available_force(WbDeviceTag tag, double available_force) {
  MotorAccess(__func__, tag).set_available_effort("available_force", available_force);
}
void wb_motor_set_available_torque(WbDeviceTag tag, double available_torque) {
  MotorAccess(__func__, tag).set_available_effort("available_torque", available_torque);
}
void wb_motor_set_control_pid(WbDeviceTag tag, double p, double i, double d) {
  const MotorAccess motor(__func__, tag);
  if (!motor) return;
  for (const auto& [name, value] : {std::pair{"p", p}, {"i", i}, {"d", d}}) {
    if (!motor.valid(name, value, 0) || !motor.valid(name, -value, -kLargest)) return;
  }
  motor.command(DeviceOp::kMotorPid, {p, i, d});
}

double wb_motor_get_target_position(WbDeviceTag tag) {
  const MotorAccess motor(__func__, tag);
  return motor ? motor->motor.target : kNaN;
}
double wb_motor_get_velocity(WbDeviceTag tag) {
  const MotorAccess motor(__func__, tag);
  return motor ? motor->motor.velocity : kNaN;
}
double wb_motor_get_acceleration(WbDeviceTag tag) {
  const MotorAccess motor(__func__, tag);
  return motor ? motor->motor.acceleration : kNaN;
}
double wb_motor_get_available_force(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).available_effort();
}
double wb_motor_get_available_torque(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).available_effort();
}
double wb_motor_get_min_position(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).fact("minPosition", 0);
}
double wb_motor_get_max_position(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).fact("maxPosition", 0);
}
double wb_motor_get_max_velocity(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).fact("maxVelocity", 10);
}
double wb_motor_get_max_force(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).fact("maxEffort", 10);
}
double wb_motor_get_max_torque(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).fact("maxEffort", 10);
}
double wb_motor_get_multiplier(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).fact("multiplier", 1);
}

void wb_motor_enable_force_feedback(WbDeviceTag tag, int sampling_period) {
  MotorAccess(__func__, tag).set_feedback(sampling_period);
}
void wb_motor_enable_torque_feedback(WbDeviceTag tag, int sampling_period) {
  MotorAccess(__func__, tag).set_feedback(sampling_period);
}
void wb_motor_disable_force_feedback(WbDeviceTag tag) {
  MotorAccess(__func__, tag).set_feedback(0);
}
void wb_motor_disable_torque_feedback(WbDeviceTag tag) {
  MotorAccess(__func__, tag).set_feedback(0);
}
int wb_motor_get_force_feedback_sampling_period(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).period();
}
int wb_motor_get_torque_feedback_sampling_period(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).period();
}
double wb_motor_get_force_feedback(WbDeviceTag tag) { return MotorAccess(__func__, tag).value(); }
double wb_motor_get_torque_feedback(WbDeviceTag tag) { return MotorAccess(__func__, tag).value(); }

WbJointType wb_motor_get_type(WbDeviceTag tag) { return MotorAccess(__func__, tag).type(); }
WbDeviceTag wb_motor_get_brake(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).sibling("brake");
}
WbDeviceTag wb_motor_get_position_sensor(WbDeviceTag tag) {
  return MotorAccess(__func__, tag).sibling("positionSensor");
}

void wb_position_sensor_enable(WbDeviceTag tag, int sampling_period) {
  PositionSensorAccess(__func__, tag).enable(sampling_period);
}
void wb_position_sensor_disable(WbDeviceTag tag) { PositionSensorAccess(__func__, tag).disable(); }
int wb_position_sensor_get_sampling_period(WbDeviceTag tag) {
  return PositionSensorAccess(__func__, tag).period();
}
double wb_position_sensor_get_value(WbDeviceTag tag) {
  return PositionSensorAccess(__func__, tag).value();
}
WbJointType wb_position_sensor_get_type(WbDeviceTag tag) {
  return PositionSensorAccess(__func__, tag).type();
}
WbDeviceTag wb_position_sensor_get_motor(WbDeviceTag tag) {
  return PositionSensorAccess(__func__, tag).sibling("motor");
}
WbDeviceTag wb_position_sensor_get_brake(WbDeviceTag tag) {
  return PositionSensorAccess(__func__, tag).sibling("brake");
}

void wb_brake_set_damping_constant(WbDeviceTag tag, double damping_constant) {
  const BrakeAccess brake(__func__, tag);
  if (!brake || !brake.valid("damping_constant", damping_constant, 0) ||
      !brake.valid("damping_constant", -damping_constant, -kLargest)) {
    return;
  }
  brake.command(DeviceOp::kBrakeDamping, {damping_constant});
}
WbJointType wb_brake_get_type(WbDeviceTag tag) { return BrakeAccess(__func__, tag).type(); }
WbDeviceTag wb_brake_get_motor(WbDeviceTag tag) {
  return BrakeAccess(__func__, tag).sibling("motor");
}
WbDeviceTag wb_brake_get_position_sensor(WbDeviceTag tag) {
  return BrakeAccess(__func__, tag).sibling("positionSensor");
}

}  // extern "C"
