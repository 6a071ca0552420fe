// A static mesh for Bullet whose inner edges do not catch what slides over them.
#pragma once

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleInfoMap.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

#include <vector>

namespace protobeam::physics {

class MeshShape final : public btBvhTriangleMeshShape {
 public:
  /// Reads `triangles`, which must outlive it, and do not share corners.
  explicit MeshShape(btTriangleMesh& triangles);

  /// Before btAdjustInternalEdgeContacts for a contact with this triangle. Bullet finds the angles
  /// between all triangles at once, which takes 200 bytes and 20 us each, more where they overlap;
  /// here they are found for the triangles that something touches.
  void find_edges_of(int triangle);

 private:
  btVector3 corner(int i) const;  ///< three of each triangle

  btTriangleMesh& triangles_;
  btTriangleInfoMap edges_;
  std::vector<bool> known_;  ///< whose edges have been looked for
};

}  // namespace protobeam::physics
