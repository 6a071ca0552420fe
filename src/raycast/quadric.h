// Curved shapes without tessellation: exact intersections with spheres, cylinders, capsules, cones.
#pragma once

#include <limits>

#include "base/math.h"
#include "geometry/geometry.h"

namespace protobeam {

/// The nearest crossing of a ray with a surface.
struct QuadricHit {
  double t = std::numeric_limits<double>::infinity();  ///< in lengths of the direction
  Vec3 normal = Vec3::Zero();                          ///< of the surface, outwards, any length
};

/// Sphere, Cylinder, Capsule and Cone are quadrics; the other shapes are triangles.
bool is_quadric(const Geometry& geometry);

/// Nearest crossing of origin + t * direction with the surface of a quadric, t_near <= t <= t_far,
/// from inside or outside; t is infinite when there is none. In the shape's own frame; the
/// direction need not be a unit vector.
QuadricHit intersect_quadric(const Geometry& shape, const Vec3& origin, const Vec3& direction,
                             double t_near, double t_far);

}  // namespace protobeam
