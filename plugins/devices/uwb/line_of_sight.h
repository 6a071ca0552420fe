// How many walls stand between one point and others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "raycast/ray_scene.h"

namespace protobeam {

class LineOfSight {
 public:
  /// Surfaces that are less than `clearance` (m) from either end are not counted: they are what the
  /// antennas are mounted on.
  explicit LineOfSight(double clearance) : clearance_(clearance) {}

  /// The number of walls on each straight line from `from_W` to `to_W[i]`, into `walls`. A shape
  /// counts once for each two of its surfaces on the line, which is where the line enters and
  /// leaves it, and once for a single one, as a rectangle has. At most kMostSurfaces are counted.
  void count_walls(RayScene& visible, const Vec3& from_W, std::span<const Vec3> to_W,
                   std::span<int> walls);

  static constexpr int kMostSurfaces = 64;

 private:
  double clearance_;
  // By line that still has a surface to find; kept between calls for their memory.
  std::vector<std::size_t> line_;
  std::vector<float> dx_, dy_, dz_, near_, end_, range_;
  std::vector<std::uint64_t> shape_;
  std::vector<std::vector<std::uint64_t>> crossed_;  ///< by line: the shapes of its surfaces
};

}  // namespace protobeam
