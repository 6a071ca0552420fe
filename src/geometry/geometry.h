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

/// A terrain: heights on a regular grid, each cell cut into two triangles from its lowest corner to
/// the opposite one, seen from above counter-clockwise. A mesh of the same triangles takes sixty
/// times the memory.
struct HeightField {
  int columns = 2, rows = 2;      ///< points along x and y, at least 2
  Vec2 origin{0, 0};              ///< x and y of point (0, 0), m
  Vec2 spacing{1, 1};             ///< m, > 0
  std::vector<double> heights;    ///< [rows][columns] z, m
  /// From (x, y, 1) to texture coordinates, as those of Mesh.
  Eigen::Matrix<double, 2, 3> uv = Eigen::Matrix<double, 2, 3>::Zero();

  double height(int column, int row) const {
    return heights[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                   static_cast<std::size_t>(column)];
  }
  Vec3 point(int column, int row) const {
    return {origin.x() + column * spacing.x(), origin.y() + row * spacing.y(), height(column, row)};
  }
  std::uint32_t triangle_count() const {
    return 2 * static_cast<std::uint32_t>(columns - 1) * static_cast<std::uint32_t>(rows - 1);
  }
  /// Triangles are counted along x, then along y, in each cell the one at its right border first.
  std::array<Vec3, 3> corners(std::uint32_t triangle) const {
    const auto cell = static_cast<int>(triangle / 2), i = cell % (columns - 1),
               j = cell / (columns - 1);
    if (triangle % 2 == 0) return {point(i, j), point(i + 1, j), point(i + 1, j + 1)};
    return {point(i, j), point(i + 1, j + 1), point(i, j + 1)};
  }
  Eigen::Vector2f uv_at(const Vec3& p) const {
    return {static_cast<float>(uv(0, 0) * p.x() + uv(0, 1) * p.y() + uv(0, 2)),
            static_cast<float>(uv(1, 0) * p.x() + uv(1, 1) * p.y() + uv(1, 2))};
  }
};

using Geometry = std::variant<Box, Sphere, Cylinder, Capsule, Cone, Plane, Mesh, HeightField>;

/// Whether a shape's triangles carry texture coordinates (see corner_uvs).
inline bool has_uvs(const Geometry& geometry) {
  if (const auto* mesh = std::get_if<Mesh>(&geometry)) return !mesh->uvs.empty();
  return std::holds_alternative<HeightField>(geometry);
}
/// Texture coordinates at the corners of a triangle; zeros where there are none.
inline std::array<Eigen::Vector2f, 3> corner_uvs(const Geometry& geometry, std::uint32_t triangle) {
  const Eigen::Vector2f none = Eigen::Vector2f::Zero();
  if (const auto* mesh = std::get_if<Mesh>(&geometry)) {
    if (triangle < mesh->uvs.size()) return mesh->uvs[triangle];
  } else if (const auto* field = std::get_if<HeightField>(&geometry)) {
    if (triangle < field->triangle_count()) {
      const auto corners = field->corners(triangle);
      return {field->uv_at(corners[0]), field->uv_at(corners[1]), field->uv_at(corners[2])};
    }
  }
  return {none, none, none};
}

struct Bounds {
  Vec3 min = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 max = Vec3::Constant(-std::numeric_limits<double>::infinity());
  bool empty() const { return !(min.x() <= max.x() && min.y() <= max.y() && min.z() <= max.z()); }
};
Bounds bounds(const Geometry& geometry);
/// The point of the shape that lies farthest in a direction (unit). Of meshes, terrains and convex
/// shapes with corners, a corner of their bounds.
Vec3 support(const Geometry& geometry, const Vec3& direction);

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

/// The terrain with every n-th point of both axes, n as small as leaves at most so many points. What
/// remains at the far borders is cut off.
HeightField coarse(const HeightField& field, double points);

/// The shape scaled along its axes (old Webots' Transform.scale). Primitives stay exact where the
/// scale allows it (uniform, or along the axis of a cylinder); everything else becomes a mesh.
Geometry scaled(const Geometry& geometry, const Vec3& scale);

}  // namespace protobeam
