// A terrain for Bullet whose inner edges do not catch what slides over them.
#pragma once

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btTriangleInfoMap.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "geometry/geometry.h"
#include "physics/bullet.h"

namespace protobeam::physics {

/// Reads the heights of `field`, which must outlive it. Its origin is the middle of the field's
/// bounding box: `center()` in the field's frame.
class TerrainShape final : public btHeightfieldTerrainShape {
 public:
  TerrainShape(const HeightField& field, double lowest, double highest);

  const Vec3& center() const { return center_; }

  /// Calls `take` with the corners of each triangle that may meet the box, in this shape's frame.
  template <typename Take>
  void triangles_in(const btVector3& low, const btVector3& high, const Take& take) const;

  /// Before btAdjustInternalEdgeContacts for a contact with this triangle, as Bullet numbers them.
  /// For a mesh Bullet finds the angles between all triangles when it is made, which takes 200
  /// bytes and 20 us each; here they are found for the triangles that something touches.
  void find_edges_of(int part, int triangle);

 private:
  btTriangleInfo edges_of(int part, int triangle) const;
  /// The cells from the one that holds `low` to that of `high`, both from the first point of a row
  /// of `points` on; the first is greater than the last when there are none.
  static std::pair<int, int> cells(double low, double high, double spacing, int points);

  const HeightField& field_;
  Vec3 center_;
  btTriangleInfoMap edges_;  ///< of one triangle: its keys are too short for a large field
  std::unordered_map<std::uint64_t, btTriangleInfo> known_;
};

template <typename Take>
void TerrainShape::triangles_in(const btVector3& low, const btVector3& high, const Take& take) const {
  const Vec3 first_F = from_bullet(low) + center_, last_F = from_bullet(high) + center_;
  const auto [left, right] = cells(first_F.x() - field_.origin.x(), last_F.x() - field_.origin.x(),
                                   field_.spacing.x(), field_.columns);
  const auto [front, back] = cells(first_F.y() - field_.origin.y(), last_F.y() - field_.origin.y(),
                                   field_.spacing.y(), field_.rows);
  const auto point = [&](int column, int row) { return to_bullet(field_.point(column, row) - center_); };
  const auto meets = [&](double a, double b, double c) {
    return std::max({a, b, c}) >= low.z() && std::min({a, b, c}) <= high.z();
  };
  for (int j = front; j <= back; ++j) {
    for (int i = left; i <= right; ++i) {
      const btVector3 a = point(i, j), b = point(i + 1, j), c = point(i + 1, j + 1),
                      d = point(i, j + 1);
      if (meets(a.z(), b.z(), c.z())) take(a, b, c);
      if (meets(a.z(), c.z(), d.z())) take(a, c, d);
    }
  }
}

}  // namespace protobeam::physics
