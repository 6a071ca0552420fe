// What was drawn on the surface of one shape.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/math.h"
#include "geometry/geometry.h"

namespace protobeam {

class StateArchive;

/// Colour and how much of it: 0 nothing, 1 opaque.
struct Ink {
  Eigen::Vector3f color{0, 0, 0};
  float density = 0;
};

/// A disc of ink on the surface of a shape S.
struct PaintMark {
  Vec3 p_S, normal_S;  ///< its centre, and the surface's normal there (unit)
  double radius = 0;   ///< m
  Ink ink;
};

/// Pixels on the six sides of the box around a shape. A point of the surface shows those of the
/// side that its triangle faces, so that what a Box, a Plane, a terrain or any convex shape shows
/// is its own; of a Mesh, what lies one behind the other and faces the same side has the same
/// paint. Memory is taken where there is ink.
class PaintLayer {
 public:
  /// Pixels of that size (m) within a box that is finite.
  PaintLayer(const Bounds& box_S, double pixel);
  /// For lines of that width: eight pixels, but 1024 to 4096 pixels along the longest edge.
  static double pixel_for(const Bounds& box_S, double width);

  /// Pixels with their centres in the disc, and the one in its middle; in round shapes also those
  /// of neighbouring sides. Colours mix in the ratio of the densities, and densities add up to 1
  /// (as Webots, src/webots/nodes/utils/WbPaintTexture.cpp).
  void add(const PaintMark& mark);
  /// At a point of the surface whose normal (unit) points to who looks.
  Ink at(const Vec3& p_S, const Vec3& normal_S) const;
  /// All densities become smaller by that factor, 0 to 1.
  void fade(double factor);
  /// Counts changes.
  std::uint64_t version() const { return version_; }

  void visit_state(StateArchive& archive);

  // For pictures of it.

  static constexpr int kSides = 6;  ///< towards +x, -x, +y, -y, +z, -z
  static int axis_of(int side) { return side / 2; }
  /// The axes along which columns and rows of a side count.
  static int column_axis(int side) { return (axis_of(side) + 1) % 3; }
  static int row_axis(int side) { return (axis_of(side) + 2) % 3; }
  static int side_of(const Vec3& normal_S);
  double pixel_size() const { return pixel_; }   ///< m
  const Vec3& origin_S() const { return min_; }  ///< corner of pixels 0, 0
  /// Pixels of a side, of which the last ones are not.
  struct Area {
    int first_column = 0, first_row = 0, end_column = 0, end_row = 0;
    bool empty() const { return first_column >= end_column; }
  };
  Area painted_area(int side) const;
  Ink pixel(int side, int column, int row) const;

 private:
  static constexpr int kTileSide = 32;
  using Tile = std::array<Ink, std::size_t{kTileSide} * kTileSide>;
  struct Side {
    int columns = 0, rows = 0;  ///< pixels
    int tile_columns = 0, tile_rows = 0;
    std::vector<std::unique_ptr<Tile>> tiles;  ///< empty: nothing is drawn on it
  };

  int pixel_along(int axis, double at, int count) const;
  Ink& pixel_for_ink(Side& side, int column, int row);
  void settle();

  Vec3 min_;
  double pixel_;
  std::array<Side, kSides> sides_;
  double fading_ = 1;  ///< by which the densities in the tiles are too large
  std::uint64_t version_ = 0;
};

}  // namespace protobeam
