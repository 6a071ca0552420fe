// Where a ray meets a shape, in its frame, without the ray scene.
#pragma once

#include <algorithm>
#include <cmath>

#include "random_rays.h"

namespace protobeam::test {

/// Slabs; nearest face from outside or inside.
inline double box_range(const Box& box, const Vec3& o, const Vec3& d) {
  double enter = -INFINITY, leave = INFINITY;
  for (int axis = 0; axis < 3; ++axis) {
    const double a = (-box.size[axis] / 2 - o[axis]) / d[axis];
    const double b = (box.size[axis] / 2 - o[axis]) / d[axis];
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  if (enter > leave || leave < 0) return INFINITY;
  return enter >= 0 ? enter : leave;
}

inline double plane_range(const Plane& plane, const Vec3& o, const Vec3& d) {
  const double t = -o.z() / d.z();
  const Vec3 p = o + t * d;
  const bool on_it = std::abs(p.x()) <= plane.size.x() / 2 && std::abs(p.y()) <= plane.size.y() / 2;
  return t >= 0 && on_it ? t : INFINITY;
}

inline double closed_form(const Geometry& geometry, const Vec3& o, const Vec3& d) {
  if (const auto* box = std::get_if<Box>(&geometry)) return box_range(*box, o, d);
  if (const auto* plane = std::get_if<Plane>(&geometry)) return plane_range(*plane, o, d);
  return intersect_quadric(geometry, o, d, 0, INFINITY).t;
}

}  // namespace protobeam::test
