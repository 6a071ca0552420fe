// What of a shape is under the surface of a fluid.
#pragma once

#include "base/math.h"
#include "geometry/geometry.h"

namespace protobeam {

/// The half space normal . p <= offset; `normal` is unit.
struct HalfSpace {
  Vec3 normal = Vec3::UnitZ();
  double offset = 0;  ///< m
};

struct Immersion {
  double volume = 0;                   ///< m^3
  Vec3 centre = Vec3::Zero();          ///< of that volume, m
  double area = 0;                     ///< m^2 of the shape's own surface that is wet
  double full_area = 0;                ///< m^2 of all of it
  Vec3 projected_area = Vec3::Zero();  ///< m^2 of the wet part, seen along x, y and z
};

/// Of the shape at X_AS in the half space, both in the frame A. Closed forms for spheres and boxes;
/// cylinders, capsules and meshes are cut as triangles, whose volume and area are then scaled to
/// those of the whole shape. Exact wherever a shape is wholly in or out. What has no volume is
/// never immersed.
Immersion immersion(const Geometry& geometry, const Pose& X_AS, const HalfSpace& water);

}  // namespace protobeam
