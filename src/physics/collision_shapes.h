// Geometry as Bullet collides with it, at its nominal size: margins lie inside.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "physics/bullet.h"
#include "physics/line_crossing.h"
#include "physics/world.h"

namespace protobeam::physics {

struct BulletShape {
  std::unique_ptr<btStridingMeshInterface> triangles;  ///< what a mesh shape reads; outlives it
  std::unique_ptr<btCollisionShape> shape;
  Vec3 center = Vec3::Zero();                ///< of Bullet's shape in the frame of ours
  std::shared_ptr<const Geometry> geometry;  ///< whose heights a terrain reads
  std::vector<HullFace> hull;                ///< of a mesh that collides as its convex hull
};

/// Meshes: a static or kinematic body keeps every triangle. A dynamic one gets the convex hull if
/// the mesh is convex (within a thousandth of its volume), else colliding triangles (GImpact).
/// A height field stays one unless its body is dynamic (TerrainShape).
/// Throws std::invalid_argument that starts with `who` for sizes that are not positive and finite.
BulletShape collision_shape(const std::shared_ptr<const Geometry>& geometry, Motion motion,
                            const std::string& who);

/// Corners of the shape are farther apart than this, m.
double nearest_corners(const btCollisionShape& shape);

}  // namespace protobeam::physics
