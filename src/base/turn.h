// Between angles and rotations.
#pragma once

#include <cmath>

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
inline Eigen::AngleAxisd axis_and_angle(const Quat& R) {
  const double length = R.vec().stableNorm();
  if (length == 0) return {0, Vec3::UnitX()};
  const Vec3 axis = R.vec() / (R.w() < 0 ? -length : length);
  return {2 * libm::atan2(length, std::abs(R.w())), axis};
}

/// The rotation at `share` (0..1) of the even turn from a to b, the shorter way round.
inline Quat slerp(const Quat& a, const Quat& b, double share) {
  const double along = a.dot(b), cosine = std::abs(along);
  double of_a = 1 - share, of_b = share;
  if (cosine < 1 - Eigen::NumTraits<double>::epsilon()) {
    const double angle = libm::acos(cosine), sine = libm::sin(angle);
    of_a = libm::sin((1 - share) * angle) / sine;
    of_b = libm::sin(share * angle) / sine;
  }
  if (along < 0) of_b = -of_b;
  return Quat(of_a * a.coeffs() + of_b * b.coeffs());
}

}  // namespace protobeam
