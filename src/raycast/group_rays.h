// Rays transformed into the coordinates of a group.
#pragma once

#include "base/clones.h"
#include "raycast/trace.h"

namespace protobeam {

template <int W>
PROTOBEAM_INLINE void transform(const Mat3& R, double* x, double* y, double* z) {
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    const double a = x[l], b = y[l], c = z[l];
    x[l] = R(0, 0) * a + R(0, 1) * b + R(0, 2) * c;
    y[l] = R(1, 0) * a + R(1, 1) * b + R(1, 2) * c;
    z[l] = R(2, 0) * a + R(2, 1) * b + R(2, 2) * c;
  }
}

template <int W>
PROTOBEAM_INLINE void add(const Vec3& o, double* x, double* y, double* z) {
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) x[l] += o.x();
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) y[l] += o.y();
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) z[l] += o.z();
}

/// W rays, as structure of arrays.
template <int W>
struct RaysInDouble {
  alignas(64) double ox[W];
  alignas(64) double oy[W];
  alignas(64) double oz[W];
  alignas(64) double dx[W];
  alignas(64) double dy[W];
  alignas(64) double dz[W];
};

/// From frame A to the coordinates of a moving group at the time of each ray.
template <int W, typename Rays>
PROTOBEAM_INLINE void to_moving_group(const RaysInGroup& frame, const double* step_fraction,
                                      Rays& r) {
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R_GA(frame.R);
  const Eigen::Map<const Vec3> o_G(frame.o);
  const GroupMotion& m = *frame.motion;
  const Mat3 R = R_GA;
  transform<W>(R, r.dx, r.dy, r.dz);
  transform<W>(R, r.ox, r.oy, r.oz);
  add<W>(o_G + m.p_BG, r.ox, r.oy, r.oz);  // from B's origin, about which it rotates
  alignas(64) double back[W];
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    back[l] = -step_fraction[l];
    r.ox[l] += back[l] * m.translation_B.x();
    r.oy[l] += back[l] * m.translation_B.y();
    r.oz[l] += back[l] * m.translation_B.z();
  }
  if (m.rotation.angle != 0) {
    rotate<W>(m.rotation, back, r.dx, r.dy, r.dz);
    rotate<W>(m.rotation, back, r.ox, r.oy, r.oz);
  }
  add<W>(-m.p_BG, r.ox, r.oy, r.oz);
}

}  // namespace protobeam
