// What pens drew, as pictures for viewers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "geometry/material.h"
#include "geometry/paint_layer.h"
#include "sim/model.h"

namespace protobeam {

/// A rectangle of one side of a PaintLayer with all of the ink on it.
struct PaintedSide {
  std::size_t group = 0, shape = 0;  ///< as in SceneDescription::groups
  int side = 0;
  double first_column = 0, end_column = 0;  ///< m in the shape's frame, along the layer's axes
  double first_row = 0, end_row = 0;
  /// RGBA, at most 1024 pixels wide and high; the last rows of the side are on top. While nothing
  /// changes it is the same object.
  std::shared_ptr<const Image> picture;

  /// Where a point of the shape is in the picture: from 0 at its left and its lower edge to 1.
  std::array<float, 2> place_of(const Vec3& p_S) const;
};

/// What a picture of a side is shown on: the triangles of the shape that face it.
struct PaintedSheet {
  std::vector<Vec3> corners;  ///< three a triangle, in the shape's frame
  std::vector<Eigen::Vector3f> normals;
};
PaintedSheet painted_sheet(const Geometry& shape, int side);

/// Draws the pictures, those that have changed anew.
class PaintedSides {
 public:
  std::vector<PaintedSide> of(const WorldModel& model);

 private:
  struct Drawn {
    std::shared_ptr<const PaintLayer> layer;  ///< so that its address stays its own
    std::uint64_t version;
    PaintedSide side;
  };
  std::map<std::pair<const PaintLayer*, int>, Drawn> drawn_;
};

}  // namespace protobeam
