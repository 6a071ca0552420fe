// What parallel light certainly reaches: a conservative shadow map.
//
// After Hertel, Hormann, Westermann, "A Hybrid GPU Rendering Pipeline for Alias-Free Hard Shadows"
// (Eurographics 2009, areas papers): a map answers where it is certain, rays where it is not.
#pragma once

#include <cstdint>
#include <vector>

#include "raycast/trace.h"

namespace protobeam {

/// A ball as a map sees it, in cells.
struct LightBall {
  double u, v, top;  ///< across the light, and the most of its height along it
  double radius;
};

struct LightPoints;

/// Square cells across the light, each with a plane that no caster in it rises above. What lies on
/// or over that plane is lit; of what lies below, nothing is known.
class ShadowMap {
 public:
  /// `to_light`: unit, W. The map reaches kReach from `around_W`, to where casters are. Holds on to
  /// none of them.
  ShadowMap(const Vec3& to_light, const Vec3& around_W,
            const std::vector<const InstanceRecord*>& casters);

  static constexpr double kReach = 200;  ///< m

  /// 0 in `blocked` for lines towards the light on which certainly nothing lies, kUnknown for the
  /// others. How many begin beside the map.
  std::size_t find_free(const SightLines& lines, const std::vector<LightBall>& movers,
                        std::uint8_t* blocked) const;
  LightBall ball_around(const Vec3& p_W, double radius) const;

 private:
  /// The plane, in cells: height at the middle of the cell, and how it grows across the light.
  struct Cell {
    float height, along_u, along_v;
  };

  /// Across the light and along it, in cells from the corner of the map.
  Vec3 in_cells(const Vec3& p_W) const { return scale_ * (R_LW_ * (p_W - corner_W_)); }
  template <typename Take>
  void each_triangle(const std::vector<const InstanceRecord*>& casters, const Take& take) const;
  void set_bounds(const Vec3& around_W, const std::vector<const InstanceRecord*>& casters);
  void find_slopes(const std::vector<const InstanceRecord*>& casters);
  void raise(const Vec3 (&corners)[3], double blur);
  void raise(const LightBall& ball);
  static void look_for(const std::vector<LightBall>& movers, LightPoints& points, int count,
                       std::uint8_t* blocked);
  Cell& cell(int column, int row) {
    return cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                  static_cast<std::size_t>(column)];
  }

  Mat3 R_LW_;  ///< rows: across the light twice, and towards it
  Vec3 corner_W_ = Vec3::Zero();
  double scale_ = 1;  ///< cells in a metre
  int columns_ = 0, rows_ = 0;
  std::vector<Cell> cells_;
};

}  // namespace protobeam
