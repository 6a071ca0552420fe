// A motor on an axis of a joint.
#pragma once

namespace protobeam {

/// Webots' motor: a P(ID) law turns a target into a velocity, which the motor reaches with at
/// most its available effort (force or torque).
struct MotorSpec {
  double max_velocity = 10, max_effort = 10;
  double acceleration = -1;                   ///< -1: unlimited
  double min_position = 0, max_position = 0;  ///< soft limits; equal: none
  double p = 10, i = 0, d = 0;
};

}  // namespace protobeam
