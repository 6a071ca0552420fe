// Directions of the world as geography has them.
#pragma once

#include "base/math.h"

namespace protobeam {

/// From the world to east, north and up. `north_W`: DeviceContext; `up_W`: SampleInput.
inline Quat to_east_north_up(const Vec3& north_W, const Vec3& up_W) {
  Mat3 rows;
  rows.row(0) = north_W.cross(up_W);
  rows.row(1) = north_W;
  rows.row(2) = up_W;
  return Quat(rows);
}

}  // namespace protobeam
