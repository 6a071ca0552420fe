// Curved shapes without tessellation: exact intersections with spheres, cylinders, capsules, cones.
#pragma once

#include <limits>

#include "base/math.h"
#include "geometry/geometry.h"

namespace protobeam {

/// A curved shape as sheets and discs, centred at the origin, axis z. No parts: another shape.
struct Quadric {
  /// x^2 + y^2 + k (z - z0)^2 = r2 where low <= z <= high. k is 1 for spheres, 0 for cylinders,
  /// negative for cones with the apex at z0.
  struct Sheet {
    double k, z0, r2, low, high;
  };
  /// x^2 + y^2 <= r2 at z.
  struct Disc {
    double z, r2;
  };
  Sheet sheets[3];
  Disc discs[2];
  int sheet_count = 0, disc_count = 0;
};

/// Sphere, Cylinder, Capsule and Cone are quadrics; the other shapes are triangles.
bool is_quadric(const Geometry& geometry);
Quadric make_quadric(const Geometry& geometry);

/// Rays in the shape's frame, and where they meet it first.
template <int W>
struct alignas(W > 1 ? 64 : 8) QuadricRays {
  double ox[W], oy[W], oz[W];
  double dx[W], dy[W], dz[W];  ///< any length
  double near[W], far[W];      ///< in lengths of the direction
  double t[W];                 ///< out: nearest crossing within them, +inf: none
  double part[W];              ///< out: sheet 0.., or disc 3..
};
/// From inside or outside. Vectorised; a direction of zeros or NaN meets nothing.
void intersect(const Quadric& quadric, QuadricRays<1>& rays);
void intersect(const Quadric& quadric, QuadricRays<8>& rays);
void intersect(const Quadric& quadric, QuadricRays<16>& rays);

/// Normal of a part at a point on it, outwards, any length.
Vec3 normal(const Quadric& quadric, int part, const Vec3& point);

}  // namespace protobeam
