// Terrains without a tree of triangles: boxes around tiles of cells for Embree, and the walk of a
// ray through a tile.
#pragma once

#include <cstdint>
#include <vector>

#include "base/math.h"
#include "geometry/geometry.h"

namespace protobeam {

/// A ray seen from a field: x and y in cells, counted from the field's origin, z in metres.
struct CellRay {
  Vec3 o, d;
  Vec3 inverse;             ///< 1 / d
  double inverse_diagonal;  ///< 1 / (dx - dy)
};

/// Where a ray meets a field.
struct FieldHit {
  double t = 0;                ///< in lengths of the ray's direction
  std::uint32_t triangle = 0;  ///< as HeightField counts them
};

/// A height field cut into tiles of kTile x kTile cells.
class TiledField {
 public:
  static constexpr int kTile = 4;

  explicit TiledField(const HeightField& field);

  std::uint32_t tile_count() const { return static_cast<std::uint32_t>(low_.size()); }
  /// Box of a tile, field's frame.
  Bounds tile_bounds(std::uint32_t tile) const;
  /// Of a ray in the field's frame; its direction may have any length.
  CellRay in_cells(const Vec3& origin, const Vec3& direction) const;
  /// The first crossing within a tile between near and far, in lengths of the direction, from above
  /// or below; false when there is none. A ray that meets the field on the border of two tiles
  /// meets one of them. A ray within the plane of a triangle does not meet it.
  bool intersect(std::uint32_t tile, const CellRay& ray, double near, double far,
                 FieldHit& hit) const;
  /// Of a triangle, upwards, unit length.
  Vec3 normal(std::uint32_t triangle) const;

  const HeightField& field() const { return *field_; }

 private:
  const HeightField* field_;
  int tiles_x_, tiles_y_;
  std::vector<float> low_, high_;  ///< of each tile, rounded outwards
};

}  // namespace protobeam
