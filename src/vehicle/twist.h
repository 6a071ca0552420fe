// Planar velocity of a vehicle and of points on it.
#pragma once

#include "base/libm.h"
#include "base/math.h"

namespace protobeam {

/// Velocity of the vehicle's origin V, in V (x forward, y left), and yaw rate. m/s, rad/s.
struct Twist {
  double vx = 0, vy = 0, omega = 0;
};

/// Velocity of the point p_V of the vehicle, in V.
inline Vec2 velocity_at(const Twist& twist, const Vec2& p_V) {
  return {twist.vx - twist.omega * p_V.y(), twist.vy + twist.omega * p_V.x()};
}

/// Where a wheel that is turned left by `yaw` rolls to: a unit vector, in V.
inline Vec2 heading_of(double yaw) {
  if (yaw == 0) return {1, 0};  // most wheels: spares two sines
  return {libm::cos(yaw), libm::sin(yaw)};
}

/// A vector of V in the frame of a wheel that rolls along the unit vector `heading_V`.
inline Vec2 to_wheel(const Vec2& v_V, const Vec2& heading_V) {
  return {heading_V.x() * v_V.x() + heading_V.y() * v_V.y(),
          heading_V.x() * v_V.y() - heading_V.y() * v_V.x()};
}

/// The inverse of to_wheel.
inline Vec2 from_wheel(const Vec2& v, const Vec2& heading_V) {
  return to_wheel(v, {heading_V.x(), -heading_V.y()});
}

/// Speed at which a wheel at p_V that is turned left by `yaw` rolls.
inline double roll_speed(const Twist& twist, const Vec2& p_V, double yaw) {
  return to_wheel(velocity_at(twist, p_V), heading_of(yaw)).x();
}

}  // namespace protobeam
