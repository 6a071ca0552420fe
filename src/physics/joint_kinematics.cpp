#include "physics/joint_kinematics.h"

#include <cmath>
#include <stdexcept>

#include "base/libm.h"
#include "base/turn.h"

namespace protobeam::physics {
namespace {

int count_axes(JointKind kind) {
  switch (kind) {
    case JointKind::kFixed:
      return 0;
    case JointKind::kHinge:
    case JointKind::kSlider:
    case JointKind::kDistance:
      return 1;
    case JointKind::kHinge2:
      return 2;
    case JointKind::kBall:
      return 3;
  }
  return 0;
}

double nearest_turn(double angle, double near) {
  return angle + 2 * kPi * std::round((near - angle) / (2 * kPi));
}

/// Angle of the part of q that rotates about `axis`.
double twist(const Quat& q, const Vec3& axis) { return 2 * libm::atan2(q.vec().dot(axis), q.w()); }

/// Angle about `axis` that rotates u closest to v.
double angle_about(const Vec3& axis, const Vec3& u, const Vec3& v) {
  return libm::atan2(axis.dot(u.cross(v)), u.dot(v) - axis.dot(u) * axis.dot(v));
}

}  // namespace

JointKinematics::JointKinematics(const JointSpec& spec)
    : kind_(spec.kind),
      axis_count_(count_axes(spec.kind)),
      pitch_(spec.kind == JointKind::kHinge ? spec.pitch : 0),
      anchor_P_(spec.anchor_P),
      anchor_C_(spec.X_PC0.inverse() * spec.anchor_P),
      X_PC0_(spec.X_PC0) {
  if (kind_ == JointKind::kFixed || kind_ == JointKind::kSlider) {
    // Any point will do as the place where they lock; the child's origin is near its mass.
    anchor_P_ = X_PC0_.p;
    anchor_C_.setZero();
  }
  if (kind_ == JointKind::kDistance) anchor_C_ = spec.anchor_C;
  const auto fail = [&](const std::string& what) {
    throw std::invalid_argument("joint \"" + spec.name + "\": " + what);
  };
  if (!anchor_P_.allFinite() || !anchor_C_.allFinite() || !X_PC0_.p.allFinite() || !X_PC0_.R.coeffs().allFinite())
    fail("anchor or pose is not finite");
  if (!std::isfinite(pitch_)) fail("pitch is not finite");
  for (int i = 0; i < axis_count_; ++i) {
    const double length = spec.axes[i].axis_P.norm();
    if (!(length > 1e-12) || !std::isfinite(length)) fail("axis must not be zero");
    axes_P_[i] = spec.axes[i].axis_P / length;
  }
  if (axis_count_ >= 2 && axes_P_[0].cross(axes_P_[1]).norm() < 1e-3)
    fail("its first two axes must not be parallel");
  if (axis_count_ == 3) {
    // The angles are Euler angles about perpendicular axes.
    axes_P_[1] = (axes_P_[1] - axes_P_[0] * axes_P_[0].dot(axes_P_[1])).normalized();
    const Vec3 third = axes_P_[0].cross(axes_P_[1]);
    axes_P_[2] = third.dot(axes_P_[2]) < 0 ? Vec3(-third) : third;
  }
}

Quat JointKinematics::rotation(const JointPositions& q) const {
  Quat R = Quat::Identity();
  if (kind_ == JointKind::kSlider) return R;
  for (int i = 0; i < axis_count_; ++i) R = R * turn_about(axes_P_[i], q[i]);
  return R;
}

Pose JointKinematics::child_in_parent(const JointPositions& q) const {
  if (kind_ == JointKind::kSlider) return {X_PC0_.R, X_PC0_.p + axes_P_[0] * q[0]};
  const Quat R = rotation(q);
  Pose moved{R, anchor_P_ - R * anchor_P_};
  if (pitch_ != 0) moved.p += pitch_ * q[0] * axes_P_[0];
  return moved * X_PC0_;
}

JointPositions JointKinematics::positions(const Pose& X_PC, const JointPositions& near) const {
  if (kind_ == JointKind::kFixed) return {};
  if (kind_ == JointKind::kSlider) return {axes_P_[0].dot(X_PC.p - X_PC0_.p), 0, 0};
  if (kind_ == JointKind::kDistance) return {(X_PC * anchor_C_ - anchor_P_).norm(), 0, 0};
  const Quat R = X_PC.R * X_PC0_.R.conjugate();
  const auto& a = axes_P_;
  if (kind_ == JointKind::kHinge) return {nearest_turn(twist(R, a[0]), near[0]), 0, 0};
  if (kind_ == JointKind::kHinge2) {
    const double first = angle_about(a[0], a[1], R * a[1]);
    const Quat rest = turn_about(a[0], -first) * R;
    return {nearest_turn(first, near[0]), nearest_turn(twist(rest, a[1]), near[1]), 0};
  }
  const Vec3 third = a[0].cross(a[1]);
  const double sign = third.dot(a[2]) < 0 ? -1 : 1;
  Mat3 B;
  B << a[0], a[1], third;
  const Mat3 M = B.transpose() * R.toRotationMatrix() * B;
  return {nearest_turn(libm::atan2(-M(1, 2), M(2, 2)), near[0]),
          libm::asin(std::clamp(M(0, 2), -1.0, 1.0)),
          nearest_turn(sign * libm::atan2(-M(0, 1), M(0, 0)), near[2])};
}

Mat3 JointKinematics::basis_P(const JointPositions& q) const {
  Mat3 basis = Mat3::Identity();
  switch (kind_) {
    case JointKind::kFixed:
    case JointKind::kDistance:
      break;
    case JointKind::kHinge:
    case JointKind::kSlider:
      basis.col(0) = axes_P_[0];
      basis.col(1) = axes_P_[0].unitOrthogonal();
      basis.col(2) = basis.col(0).cross(basis.col(1));
      break;
    case JointKind::kHinge2:
      basis.col(0) = axes_P_[0];
      basis.col(1) = turn_about(axes_P_[0], q[0]) * axes_P_[1];
      basis.col(2) = basis.col(0).cross(basis.col(1)).normalized();
      break;
    case JointKind::kBall: {
      // Away from the pole of the Euler angles, where the first and the third axis meet.
      const double second = std::clamp(q[1], -1.5, 1.5);
      const Quat R1 = turn_about(axes_P_[0], q[0]);
      basis.col(0) = axes_P_[0];
      basis.col(1) = R1 * axes_P_[1];
      basis.col(2) = R1 * (turn_about(axes_P_[1], second) * axes_P_[2]);
      break;
    }
  }
  return basis;
}

Vec3 JointKinematics::rotation_error_P(const Pose& X_PC, const JointPositions& q) const {
  Quat error = X_PC.R * (rotation(q) * X_PC0_.R).conjugate();
  if (error.w() < 0) error.coeffs() *= -1;
  return 2 * error.vec();
}

}  // namespace protobeam::physics
