#include "physics/terrain_shape.h"

#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace protobeam::physics {
namespace {

/// How Bullet (btInternalEdgeUtility.cpp, btGetHash) finds a triangle in its map.
int key_of(int part, int triangle) { return (part << (31 - MAX_NUM_PARTS_IN_BITS)) | triangle; }

}  // namespace

TerrainShape::TerrainShape(const HeightField& field, double lowest, double highest)
    : btHeightfieldTerrainShape(field.columns, field.rows, field.heights.data(), 1.0, lowest,
                                highest, 2, PHY_DOUBLE, true),
      field_(field) {
  setFlipTriangleWinding(true);  // normals up
  setLocalScaling(btVector3(field.spacing.x(), field.spacing.y(), 1));
  setMargin(0);
  setTriangleInfoMap(&edges_);
  center_.head<2>() =
      field.origin + 0.5 * field.spacing.cwiseProduct(Vec2(field.columns - 1, field.rows - 1));
  center_.z() = 0.5 * (lowest + highest);
}

std::pair<int, int> TerrainShape::cells(double low, double high, double spacing, int points) {
  const double last = points - 2, from = low / spacing, to = high / spacing;
  if (!(to >= 0) || !(from < last + 1)) return {0, -1};
  return {static_cast<int>(std::max(from, 0.0)), static_cast<int>(std::min(to, last))};
}

void TerrainShape::find_edges_of(int part, int triangle) {
  // Where a mesh meets the terrain, Bullet's numbers may be those of the mesh's triangles.
  const bool ours = part >= 0 && part < 2 * (field_.columns - 1) && triangle >= 0 &&
                    triangle < field_.rows - 1;
  if (!ours) return edges_.clear();
  const auto number = static_cast<std::uint64_t>(part) << 32 | static_cast<std::uint32_t>(triangle);
  const auto [info, added] = known_.try_emplace(number);
  if (added) info->second = edges_of(part, triangle);
  edges_.clear();
  edges_.insert(key_of(part, triangle), info->second);
}

btTriangleInfo TerrainShape::edges_of(int part, int triangle) const {
  // Bullet's own function, on the cell and those around it.
  const int i = part / 2, j = triangle;
  const int left = std::max(i - 1, 0), right = std::min(i + 2, field_.columns - 1);
  const int front = std::max(j - 1, 0), back = std::min(j + 2, field_.rows - 1);
  std::vector<double> heights;
  for (int row = front; row <= back; ++row) {
    for (int column = left; column <= right; ++column)
      heights.push_back(field_.height(column, row));
  }
  const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
  btHeightfieldTerrainShape around(right - left + 1, back - front + 1, heights.data(), 1.0, *low,
                                   *high, 2, PHY_DOUBLE, true);
  around.setFlipTriangleWinding(true);
  around.setLocalScaling(btVector3(field_.spacing.x(), field_.spacing.y(), 1));
  btTriangleInfoMap edges;
  btGenerateInternalEdgeInfo(&around, &edges);
  const btTriangleInfo* found = edges.find(key_of(2 * (i - left) + part % 2, j - front));
  return found ? *found : btTriangleInfo();
}

}  // namespace protobeam::physics
