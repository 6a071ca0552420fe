// A track of cones, and the CSV files that hold one.
//
//   tag,x,y,direction,x_variance,y_variance,xy_covariance
//   blue,6.49,-8.16,0,0.01,0.01,0
//   car_start,-13,10.3,0,0,0,0
//
// is the format of EUFS' simulator (eufs_sim, tracks/*.csv); Formula Student Driverless Simulator
// has it without a header row. The columns may be in any order; only the tag (or a column `color`
// with the numbers below in its place), x and y are needed. Tags: blue, yellow, orange, big_orange,
// unknown, and car_start, whose direction is the heading (rad). Empty rows and rows that begin with
// # do not count.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/math.h"

namespace protobeam {

/// As FEB's cone messages number them: camera cones are 2 (blue) or 1 (yellow), lidar cones -1.
enum class ConeColor : std::int32_t { kUnknown = -1, kOrange, kYellow, kBlue, kBigOrange };

struct TrackCone {
  Vec2 p;  ///< m, of the middle of its foot
  ConeColor color;
  double xx, xy, yy;  ///< m^2, how well its place is known
};

struct Track {
  std::vector<TrackCone> cones;
  std::optional<std::array<double, 3>> start;  ///< x, y (m) and heading (rad) of the car
};

/// Throws std::invalid_argument: "oval.csv:7: ...".
Track read_track(const std::filesystem::path& file);

}  // namespace protobeam
