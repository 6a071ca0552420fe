// Directions of the world as geography has them.
#pragma once

#include "base/math.h"

namespace protobeam {

/// From the world to east, north and up. `north_W`: DeviceContext; gravity points down.
inline Quat to_east_north_up(const Vec3& north_W, const Vec3& gravity_W) {
  const double g = gravity_W.norm();
  const Vec3 up = g > 0 ? Vec3(-gravity_W / g) : Vec3::UnitZ();
  const Vec3 level = north_W - up * up.dot(north_W);
  // Gravity along north: there is no such thing as east.
  if (!(level.norm() > 1e-6)) return Quat::Identity();
  const Vec3 north = level.normalized();
  Mat3 rows;
  rows.row(0) = north.cross(up);
  rows.row(1) = north;
  rows.row(2) = up;
  return Quat(rows);
}

}  // namespace protobeam
