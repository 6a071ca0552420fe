// Between angles and rotations.
#pragma once

#include "base/libm.h"
#include "base/math.h"

namespace protobeam {

// Eigen's own conversions between angles and rotations ask <cmath> (base/libm.h says why not to).

/// Rotation by `angle` radians about the unit vector `axis`.
inline Quat turn_about(const Vec3& axis, double angle) {
  const double half = angle / 2, s = libm::sin(half);
  return {libm::cos(half), s * axis.x(), s * axis.y(), s * axis.z()};
}

/// Unit axis and angle 0..pi of a rotation; the x axis where the angle is 0.
Eigen::AngleAxisd axis_and_angle(const Quat& R);

/// The rotation at `share` (0..1) of the even turn from a to b, the shorter way round.
Quat slerp(const Quat& a, const Quat& b, double share);

}  // namespace protobeam
