// Vectors, rotations and poses. SI units, radians, right-handed frames, z up, x forward (REP-103).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "base/libm.h"

namespace protobeam {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kTurn = 2 * kPi;
inline constexpr double kDegree = kPi / 180;

/// A rigid transform. `X_AB` maps coordinates in B to coordinates in A: p_A = X_AB * p_B.
struct Pose {
  Quat R = Quat::Identity();
  Vec3 p = Vec3::Zero();

  static Pose translation(const Vec3& p) { return {Quat::Identity(), p}; }
  static Pose rotation(const Quat& R) { return {R, Vec3::Zero()}; }

  Pose operator*(const Pose& other) const { return {(R * other.R).normalized(), R * other.p + p}; }
  Vec3 operator*(const Vec3& v) const { return R * v + p; }
  Pose inverse() const {
    const Quat inverse = R.conjugate();
    return {inverse, -(inverse * p)};
  }
};

/// Rotation by `angle` radians about `axis` (any length; a zero axis is the identity, as in Webots).
inline Quat axis_angle(const Vec3& axis, double angle) {
  const double length = axis.norm();
  if (!(length > 0)) return Quat::Identity();
  const Vec3 v = libm::sin(angle / 2) * (axis / length);
  return {libm::cos(angle / 2), v.x(), v.y(), v.z()};
}

}  // namespace protobeam
