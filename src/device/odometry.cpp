#include "device/odometry.h"

#include <cmath>

#include "base/libm.h"

namespace protobeam {

Vec2 OdometryPose::move(double dx, double dy, double turn) {
  const double c = libm::cos(yaw + turn / 2), s = libm::sin(yaw + turn / 2);
  x += c * dx - s * dy;
  y += s * dx + c * dy;
  yaw += turn;
  if (!(std::abs(yaw) < kPi)) yaw = std::remainder(yaw, 2 * kPi);
  return {c, s};
}

}  // namespace protobeam
