// Where a line crosses a convex shape, in closed form. Bullet's convex cast passes through
// capsules, meets boxes up to 4 cm beside their edges and hulls 1 mm off.
#pragma once

#include <optional>
#include <span>

#include "geometry/geometry.h"

namespace protobeam::physics {

/// The piece of a line that lies in a convex shape: m along its unit direction, from where the line
/// begins (negative: behind), and unit normals that point out of the shape.
struct LineCrossing {
  double enter = 0, leave = 0;
  Vec3 normal_at_enter = Vec3::Zero(), normal_at_leave = Vec3::Zero();
};

/// Box, Sphere, and, all closed, Cylinder, Capsule and Cone.
bool is_primitive(const Geometry& geometry);
/// Of a primitive and a line in its frame; nothing: it passes the shape.
std::optional<LineCrossing> line_crossing(const Geometry& primitive, const Vec3& o_S,
                                          const Vec3& d_S);

/// What lies behind it is in the hull: normal . p <= offset, unit normal.
struct HullFace {
  Vec3 normal;
  double offset;
};
/// Of what lies behind all faces.
std::optional<LineCrossing> line_crossing(std::span<const HullFace> hull, const Vec3& o_S,
                                          const Vec3& d_S);

}  // namespace protobeam::physics
