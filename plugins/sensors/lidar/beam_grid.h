// The beams of a grid lidar: where each points, and in which order they are cast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/math.h"

namespace protobeam {

struct BeamPattern {
  int layers = 1, columns = 1;
  double field_of_view = kPi / 2;  ///< rad, fixed heads
  std::vector<double> elevations;  ///< rad, one a layer, tilt not included
  double tilt = 0;                 ///< rad, positive: up
  bool planar = false;             ///< columns and rows at equal steps of the tangent
  bool rotating = false;           ///< columns span a full turn, column 0 to the rear

  /// Unit direction in the sensor frame.
  Vec3 direction(int layer, int column) const;
};

/// Beams in casting order. 16 neighbours in the arrays travel as one packet, which is fast when
/// they are neighbours in space: they form a tile of the grid that is about square in angle. Tiles
/// are stacked into bands of columns, so that any sector is a run of beams.
class BeamGrid {
 public:
  explicit BeamGrid(const BeamPattern& pattern);

  std::size_t size() const { return cell_.size(); }
  int layers() const { return layers_; }
  int columns() const { return columns_; }
  int packet() const { return packet_; }

  const float* dx() const { return dx_.data(); }
  const float* dy() const { return dy_.data(); }
  const float* dz() const { return dz_.data(); }
  /// layer * columns + column.
  const std::uint32_t* cell() const { return cell_.data(); }
  const std::int32_t* layer() const { return layer_.data(); }

  struct Run {
    std::size_t first, count;
  };
  /// The beams of the bands that hold columns [first, last), 0 <= first < last <= columns().
  Run bands(int first, int last) const;

 private:
  int layers_, columns_, packet_ = 16;
  int tile_rows_ = 1, tile_columns_ = 16;
  std::vector<float> dx_, dy_, dz_;
  std::vector<std::uint32_t> cell_;
  std::vector<std::int32_t> layer_;
};

}  // namespace protobeam
