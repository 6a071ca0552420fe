// A terrain for Bullet whose inner edges do not catch what slides over them.
#pragma once

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btTriangleInfoMap.h>

#include <cstdint>
#include <unordered_map>

#include "geometry/geometry.h"
#include "physics/bullet.h"

namespace protobeam::physics {

/// Reads the heights of `field`, which must outlive it. Its origin is the middle of the field's
/// bounding box: `center()` in the field's frame.
class TerrainShape final : public btHeightfieldTerrainShape {
 public:
  TerrainShape(const HeightField& field, double lowest, double highest);

  const Vec3& center() const { return center_; }

  /// Before btAdjustInternalEdgeContacts for a contact with this triangle, as Bullet numbers them.
  /// For a mesh Bullet finds the angles between all triangles when it is made, which takes 200
  /// bytes and 20 us each; here they are found for the triangles that something touches.
  void find_edges_of(int part, int triangle);

 private:
  btTriangleInfo edges_of(int part, int triangle) const;

  const HeightField& field_;
  Vec3 center_;
  btTriangleInfoMap edges_;  ///< of one triangle: its keys are too short for a large field
  std::unordered_map<std::uint64_t, btTriangleInfo> known_;
};

}  // namespace protobeam::physics
