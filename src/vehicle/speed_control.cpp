#include "vehicle/speed_control.h"

#include <algorithm>
#include <cmath>

#include "vehicle/require.h"

namespace protobeam {

std::vector<FieldSpec> speed_control_fields(const char* kp) {
  using enum FieldType;
  return {
      {"kp", kFloat, kp, "N s", Range::any(), "torque per speed error"},
      {"ki", kFloat, "0", "N", Range::any(), "torque per integrated speed error"},
      {"kd", kFloat, "0", "N s^2", Range::any(), "torque per rate of the speed error"},
      {"derivativeFilter", kFloat, "0", "1/s", Range::at_least(0),
       "corner of the low-pass in the derivative part; 0: none"},
      {"derivativeOf", kString, "\"rate\"", "", Range::any(),
       "what that low-pass gets: \"rate\": kd times the rate of the error; \"error\": kd times the "
       "error itself, as MVSim's does",
       "rate|error"},
      {"iMax", kFloat, "-1", "N m", Range::positive().or_special(-1),
       "the integral part stays within +-iMax; -1: no limit"},
      {"maxTorque", kFloat, "100", "N m", Range::positive().or_special(-1),
       "of each torque that the drive takes; -1: no limit"},
      {"antiWindup", kBool, "FALSE", "", Range::any(),
       "what exceeds maxTorque is taken back from the integral part"},
      {"feedForward", kBool, "FALSE", "", Range::any(),
       "adds the torque that holds the vehicle on the slope that it stands on"},
      {"feedForwardGain", kFloat, "1", "", Range::any(), "factor of that torque"},
      {"referenceFilter", kBool, "FALSE", "", Range::any(), "low-pass on the set-points of speed"},
      {"referenceFilterTau", kFloat, "0.1", "s", Range::positive(), "its time constant"},
      {"referenceFilterOrder", kInt32, "1", "", Range::between(1, 2), "its order"},
      {"zeroSpeed", kFloat, "0.001", "m/s", Range::at_least(0),
       "a set-point below asks the vehicle to stand"},
      {"stopSpeed", kFloat, "0.05", "m/s", Range::at_least(0),
       "wheels slower than this stand when they are asked to: no torque"},
  };
}

SpeedControlSettings speed_control_from(const Fields& fields) {
  const auto limit = [&](const char* name) {
    const double value = fields.number(name);
    return value == -1 ? PidSettings::kUnlimited : value;
  };
  SpeedControlSettings out;
  out.pid = {fields.number("kp"),
             fields.number("ki"),
             fields.number("kd"),
             fields.number("derivativeFilter"),
             limit("iMax"),
             limit("maxTorque"),
             fields.boolean("antiWindup"),
             fields.string("derivativeOf") == "error"};
  check_pid(out.pid);
  if (fields.boolean("feedForward")) out.feed_forward_gain = fields.number("feedForwardGain");
  require(std::isfinite(out.feed_forward_gain), "feedForwardGain must be a finite number");
  if (fields.boolean("referenceFilter")) out.filter_order = fields.integer("referenceFilterOrder");
  out.filter_tau = fields.number("referenceFilterTau");
  out.zero_speed = fields.number("zeroSpeed");
  out.stop_speed = fields.number("stopSpeed");
  require(out.zero_speed >= 0, "zeroSpeed must be at least 0, got ", out.zero_speed, " m/s");
  require(out.stop_speed >= 0, "stopSpeed must be at least 0, got ", out.stop_speed, " m/s");
  return out;
}

SpeedControl::SpeedControl(const Drive& drive, const SpeedControlSettings& settings)
    : drive_(drive), settings_(settings) {
  const VehicleLayout& layout = drive.layout();
  double radius = 0;
  for (const Wheel& wheel : layout.wheels) radius += wheel.radius();
  radius /= static_cast<double>(layout.wheels.size());
  weight_to_torque_ = layout.chassis_mass * radius / drive.torque_gain();
  const Loop loop{Pid(settings.pid), ReferenceFilter(settings.filter_order, settings.filter_tau)};
  loops_.assign(drive.inputs().size(), loop);
  last_yaw_.resize(layout.wheels.size());
  drive.steer(0, last_yaw_);
}

double SpeedControl::speed_of(const TorqueInput& input, const Twist& twist,
                              std::span<const double> yaw) const {
  if (input.wheel < 0) return twist.vx;
  const auto i = static_cast<std::size_t>(input.wheel);
  return roll_speed(twist, drive_.layout().wheels[i].planar(), yaw[i]);
}

double SpeedControl::feed_forward(const Vec3& gravity_V) const {
  return -settings_.feed_forward_gain * gravity_V.x() * weight_to_torque_;
}

void SpeedControl::step(const Twist& wanted, std::span<const double> yaw, const DriveState& state,
                        std::span<double> torque) {
  const auto inputs = drive_.inputs();
  const Twist measured = drive_.odometry(state.spin);
  bool stand = true, slow = true;
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    Loop& loop = loops_[i];
    const double asked = speed_of(inputs[i], wanted, yaw);
    loop.set_point = loop.filter.step(asked, state.dt);
    loop.actual = speed_of(inputs[i], measured, last_yaw_);
    // Both: a low-pass that has only begun to follow asks for next to nothing, but not to stand.
    stand = stand && std::abs(asked) < settings_.zero_speed &&
            std::abs(loop.set_point) < settings_.zero_speed;
    slow = slow && std::abs(loop.actual) < settings_.stop_speed;
  }
  last_yaw_.assign(yaw.begin(), yaw.end());
  if (stand && slow) {
    forget_loops();
    std::fill(torque.begin(), torque.end(), 0.0);
    return;
  }
  const double ahead = feed_forward(state.gravity_V);
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    Loop& loop = loops_[i];
    double u = loop.pid.step(loop.set_point - loop.actual, state.dt, ahead);
    if (stand && loop.actual > 0) u = std::min(u, 0.0);
    if (stand && loop.actual < 0) u = std::max(u, 0.0);
    torque[i] = u;
  }
}

void SpeedControl::reset() {
  forget_loops();
  drive_.steer(0, last_yaw_);
}

void SpeedControl::forget_loops() {
  for (Loop& loop : loops_) {
    loop.pid.reset();
    loop.filter.reset();
  }
}

}  // namespace protobeam
