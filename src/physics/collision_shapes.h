// Geometry as Bullet collides with it, at its nominal size: margins lie inside.
#pragma once

#include <BulletCollision/CollisionShapes/btTriangleInfoMap.h>

#include <memory>
#include <string>

#include "physics/bullet.h"
#include "physics/world.h"

namespace protobeam::physics {

struct BulletShape {
  std::unique_ptr<btTriangleInfoMap> edges;            ///< angles between a static mesh's triangles
  std::unique_ptr<btStridingMeshInterface> triangles;  ///< what a mesh shape reads; outlives it
  std::unique_ptr<btCollisionShape> shape;
};

/// Meshes: a static or kinematic body keeps every triangle. A dynamic one gets the convex hull if
/// the mesh is convex (within a thousandth of its volume), else colliding triangles (GImpact).
/// Throws std::invalid_argument that starts with `who` for sizes that are not positive and finite.
BulletShape collision_shape(const Geometry& geometry, Motion motion, const std::string& who);

}  // namespace protobeam::physics
