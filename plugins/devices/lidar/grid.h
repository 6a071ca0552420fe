// The beams of a grid lidar: layers by columns from one point, all at one instant.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/fields.h"
#include "sweep_pattern.h"

namespace protobeam {

/// What the fields of a grid say, and the direction of each of its beams.
class Grid {
 public:
  /// Throws std::invalid_argument when fields contradict each other.
  explicit Grid(const Fields& fields);
  /// One that all lidars with the same fields have in common. Throws as the constructor does.
  static std::shared_ptr<const Grid> shared(const Fields& fields);

  int layers() const { return layers_; }
  int columns() const { return columns_; }
  bool rotating() const { return rotating_; }
  bool planar() const { return planar_; }
  double tilt() const { return tilt_; }
  double field_of_view() const { return field_of_view_; }
  /// rad, of the layers, tilt not included.
  const std::vector<double>& elevations() const { return elevations_; }

  /// Unit direction in the sensor frame.
  Vec3 direction(int layer, int column) const;

  const SweepPattern& pattern() const { return pattern_; }
  /// See SweepPattern::arrange; made for the first scene that asks. Null where that has no use.
  std::shared_ptr<const BeamTiles> tiles(RayScene& scene) const;
  struct Run {
    std::size_t first, count;
  };
  /// The beams of the bands that hold columns [first, last), 0 <= first < last <= columns().
  Run bands(int first, int last) const;

 private:
  void tabulate();
  void arrange();

  int layers_ = 1, columns_ = 1;
  double field_of_view_ = kPi / 2;  ///< rad, fixed heads
  double tilt_ = 0;                 ///< rad, positive: up
  bool planar_ = false;             ///< columns and rows at equal steps of the tangent
  bool rotating_ = false;           ///< columns span a full turn, column 0 to the rear
  std::vector<double> elevations_;

  /// Of each column and of each layer: cosine and sine of azimuth and elevation; y and z at x = 1
  /// of a planar one before it is tilted.
  struct Turn {
    double c, s;
  };
  std::vector<Turn> across_, up_;
  Quat R_tilt_ = Quat::Identity();

  SweepPattern pattern_;
  TileShape tile_;
  mutable std::mutex tiles_mutex_;
  mutable std::shared_ptr<const BeamTiles> tiles_;
};

}  // namespace protobeam
