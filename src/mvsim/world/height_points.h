// Points of a terrain in a text file: x, y, z and a colour each, in no order.
#pragma once

#include <filesystem>

#include "mvsim/values.h"

namespace protobeam::mvsim {

struct HeightPoints {
  std::vector<Vec3> points;  ///< m
  std::vector<Vec3> colors;  ///< 0..1, of each point
};

/// Lines of six numbers, x y z r g b, the colours 0 to 255; blanks or commas between, lines that
/// begin with # or % left out. Throws std::runtime_error that names file and line.
HeightPoints load_height_points(const std::filesystem::path& file);

struct SampledHeights {
  std::size_t rows = 0, columns = 0;  ///< along x and y
  std::vector<double> heights;        ///< row by row
  Vec2 corner = Vec2::Zero();         ///< the lowest x and y of the points
  Vec3 color = Vec3::Zero();          ///< mean of the heights' points
};

/// Heights of the nearest points at the middles of squares of `resolution`, as MVSim samples them
/// (ElevationMap.cpp, loadConfigFrom). Throws std::runtime_error when there are too few or too many
/// squares.
SampledHeights sampled(const HeightPoints& points, double resolution);

}  // namespace protobeam::mvsim
