// Shapes of things: exact primitives and triangle meshes, and what follows from a shape alone.
// Frames and axes as in Webots since R2022a: centred at the origin, axis z; a Plane lies in z = 0
// and faces +z.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <variant>
#include <vector>

#include "base/math.h"

namespace protobeam {

struct Box { Vec3 size{2, 2, 2}; };  ///< full extents
struct Sphere { double radius = 1; };
struct Cylinder { double radius = 1, height = 2; bool bottom = true, side = true, top = true; };
/// `height` is that of the cylinder between the two half spheres.
struct Capsule { double radius = 1, height = 2; bool bottom = true, side = true, top = true; };
/// Apex at +height/2, base disc of `radius` at -height/2.
struct Cone { double radius = 1, height = 2; bool bottom = true, side = true; };
/// A visible rectangle of `size`; an infinite half space below it for collisions.
struct Plane { Vec2 size{1, 1}; };
/// Triangles, counter-clockwise seen from outside. Both sides are solid to rays.
struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  /// Three texture coordinates a triangle (corner by corner), or empty. (0, 0) is the lower left
  /// corner of the picture.
  std::vector<std::array<Eigen::Vector2f, 3>> uvs;
  /// Three unit normals a triangle (corner by corner) for smooth shading, or empty.
  std::vector<std::array<Eigen::Vector3f, 3>> normals;
  /// The shape is known to be its own convex hull (a hint for collisions).
  bool convex = false;
};

using Geometry = std::variant<Box, Sphere, Cylinder, Capsule, Cone, Plane, Mesh>;

struct Bounds {
  Vec3 min = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 max = Vec3::Constant(-std::numeric_limits<double>::infinity());
  bool empty() const { return !(min.array() <= max.array()).all(); }
};
Bounds bounds(const Geometry& geometry);

/// Mass, centre and inertia of a solid of uniform density.
struct MassProperties {
  double mass = 0;                 ///< kg
  Vec3 com = Vec3::Zero();         ///< m, in the shape's frame
  Mat3 inertia = Mat3::Zero();     ///< kg m^2, about com, in the axes of the shape's frame
};
/// Closed forms for primitives, signed tetrahedra for meshes (closed ones; an open mesh gets its
/// bounding box). A Plane has none: mass 0.
MassProperties mass_properties(const Geometry& geometry, double density);
/// The same seen from frame A, where the shape's frame is X_AB.
MassProperties transformed(const MassProperties& m, const Pose& X_AB);
/// One rigid body out of two (parallel axis theorem); both in the same frame.
MassProperties combined(const MassProperties& a, const MassProperties& b);

/// Triangles for engines and pictures that want them. `segments` around a full circle.
Mesh triangulated(const Geometry& geometry, int segments = 36);

/// The shape scaled along its axes (old Webots' Transform.scale). Primitives stay exact where the
/// scale allows it (uniform, or along the axis of a cylinder); everything else becomes a mesh.
Geometry scaled(const Geometry& geometry, const Vec3& scale);

}  // namespace protobeam
