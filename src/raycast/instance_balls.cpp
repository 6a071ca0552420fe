#include "raycast/instance_balls.h"

#include <cmath>

#include "base/clones.h"

namespace protobeam {
namespace {

PROTOBEAM_CLONES void place_balls(const double* x, const double* y, const double* z,
                                  const float* radius, const Vec3& from, const Mat3& R,
                                  InstanceBalls::Seen& __restrict to) {
  const double fx = from.x(), fy = from.y(), fz = from.z();
  const double r0 = R(0, 0), r1 = R(0, 1), r2 = R(0, 2), r3 = R(1, 0), r4 = R(1, 1), r5 = R(1, 2),
               r6 = R(2, 0), r7 = R(2, 1), r8 = R(2, 2);
  constexpr double kReach = InstanceBalls::kReach;
  PROTOBEAM_LANES
  for (std::size_t l = 0; l < InstanceBalls::kBlock; ++l) {
    double a = x[l] - fx, b = y[l] - fy, c = z[l] - fz;
    const bool within = std::abs(a) + std::abs(b) + std::abs(c) < kReach;
    const bool large = radius[l] >= kReach;
    if (large || !within) a = b = c = 0;
    to.x[l] = static_cast<float>(r0 * a + r1 * b + r2 * c);
    to.y[l] = static_cast<float>(r3 * a + r4 * b + r5 * c);
    to.z[l] = static_cast<float>(r6 * a + r7 * b + r8 * c);
    to.radius[l] = large || within ? radius[l] : -1;
  }
}

}  // namespace

void InstanceBalls::set(std::uint32_t instance, const InstanceRecord& record) {
  if (instance >= size()) {
    const std::size_t size = (instance / kBlock + 1) * kBlock;
    for (auto* values : {&x_, &y_, &z_}) values->resize(size, 0);
    radius_.resize(size, -1);
  }
  const bool seen =
      record.group && record.visible && record.R_WB.allFinite() && record.p_WG.allFinite();
  x_[instance] = seen ? record.p_WG.x() : 0;
  y_[instance] = seen ? record.p_WG.y() : 0;
  z_[instance] = seen ? record.p_WG.z() : 0;
  radius_[instance] = seen ? record.group->radius() : -1;
}

void InstanceBalls::look(std::size_t first, const Vec3& p_W, const Mat3& R_SW, Seen& to) const {
  place_balls(&x_[first], &y_[first], &z_[first], &radius_[first], p_W, R_SW, to);
}

}  // namespace protobeam
