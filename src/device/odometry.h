// Where a robot says that it is, by what it measures of its own wheels.
#pragma once

#include <optional>
#include <vector>

#include "base/math.h"

namespace protobeam {

/// In the plane in which it started; there 0, 0, 0.
struct OdometryPose {
  double x = 0, y = 0;  ///< m
  double yaw = 0;       ///< rad, in [-pi, pi]
  /// Of x, y and yaw, as noise has let them stray: m^2, m rad, rad^2.
  Mat3 covariance = Mat3::Zero();

  /// Adds a small motion `dx`, `dy` (m) and `turn` (rad), seen from where it begins: along the
  /// chord of its arc, to second order. Returns cosine and sine of the chord's direction. The
  /// covariance stays as it is.
  Vec2 move(double dx, double dy, double turn);
  Pose pose() const { return {axis_angle(Vec3::UnitZ(), yaw), Vec3(x, y, 0)}; }
};

/// Of the frame of the device that tells it.
struct WheelOdometry {
  OdometryPose pose;
  double vx = 0, vy = 0;  ///< m/s, in the frame itself
  double yaw_rate = 0;    ///< rad/s
};

/// What a drive has the motors of its robot do.
struct DriveOrders {
  struct Motor {
    int tag = 0;
    std::optional<double> order;  ///< rad/s or m/s, of one that steers rad; none so far
  };
  std::optional<Vec3> twist;  ///< that it is told, m/s and rad/s; none: nothing, or too long ago
  std::vector<Motor> motors;
};

}  // namespace protobeam
