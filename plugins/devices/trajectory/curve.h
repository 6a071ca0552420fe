// Smooth curves of poses over time, with their exact derivatives. M is the map in which they were
// recorded, B the body that was recorded.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/math.h"

namespace protobeam {

struct CurvePoint {
  Pose X_MB;
  Vec3 v_MB = Vec3::Zero(), a_MB = Vec3::Zero();   ///< m/s, m/s^2 of B's origin, in M
  Vec3 w_MB = Vec3::Zero(), dw_MB = Vec3::Zero();  ///< rad/s, rad/s^2, in M
};

class Curve {
 public:
  virtual ~Curve() = default;
  virtual double duration() const = 0;  ///< s; it starts at 0
  /// 0 <= time <= duration().
  virtual CurvePoint at(double time) const = 0;
};

/// Through all poses at rising times, with continuous acceleration and angular acceleration.
///
/// Each coordinate of the position is a cubic spline whose third derivative is continuous at the
/// second and the last but one row ("not a knot": C. de Boor, "A Practical Guide to Splines", 2001,
/// chapter IV). Orientations are one too, of the four numbers of the quaternion s, scaled to
/// length 1. That is smooth, goes through all rows and does not depend on the frames in which they
/// are written, since rotating either side is a linear map of s. From q = s / |s| and dq/dt = w q /
/// 2 follows
///
///   w = 2 Im(s' s^-1),   dw/dt = 2 Im(s'' s^-1 - (s' s^-1)^2).
class PoseSpline final : public Curve {
 public:
  /// Two or more; times in s, rising, the first is 0.
  PoseSpline(std::vector<double> times, const std::vector<Pose>& poses);
  double duration() const override { return times_.back(); }
  CurvePoint at(double time) const override;

 private:
  using Row = Eigen::Matrix<double, 7, 1>;  // position, quaternion x y z w
  std::vector<double> times_;
  std::vector<Row> values_, bends_;  // bends: second derivatives
};

/// A uniform cumulative B-spline over control poses: positions, and orientations as the product
///
///   R(u) = R_0 Exp(l_1(u) Log(R_0^-1 R_1)) ... Exp(l_k-1(u) Log(R_k-2^-1 R_k-1))
///
/// with the cumulative basis l of order k (C. Sommer et al., "Efficient Derivative Computation for
/// Cumulative B-Splines on Lie Groups", CVPR 2020, which is what basalt computes). The basis is the
/// matrix of K. Qin, "General matrix representations for B-splines", The Visual Computer 16, 2000.
class ControlSpline final : public Curve {
 public:
  static constexpr int kMostOrder = 10;

  /// `order` (2 ... kMostOrder) or more control poses, `interval` s apart. The first segment, which
  /// starts at 0, looks at the first `order` of them.
  ControlSpline(double interval, int order, std::vector<Pose> controls);
  double duration() const override;
  CurvePoint at(double time) const override;

 private:
  double interval_;
  int order_;
  std::vector<Pose> controls_;
  std::vector<Vec3> turns_;  ///< from each control pose to the next, in the frame of the first
  /// l_j(u) = sum over n of cumulative_[j][n] u^n.
  std::array<std::array<double, kMostOrder>, kMostOrder> cumulative_{};
};

}  // namespace protobeam
