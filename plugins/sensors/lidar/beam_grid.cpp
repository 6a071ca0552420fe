#include "beam_grid.h"

#include <algorithm>
#include <cmath>

namespace protobeam {
namespace {

/// Rays of a packet that are farther apart than this hardly share their way (measured in a city).
constexpr double kWidePacket = 8 * kPi / 180;
constexpr double kVeryWidePacket = 40 * kPi / 180;

/// Towns are built of upright things: a step up parts rays more than the same step aside
/// (measured).
constexpr double kUprightWorld = 1.75;

double mean_step(const std::vector<double>& angles) {
  if (angles.size() < 2) return 0;
  const auto [low, high] = std::minmax_element(angles.begin(), angles.end());
  return (*high - *low) / static_cast<double>(angles.size() - 1);
}

}  // namespace

Vec3 BeamPattern::direction(int layer, int column) const {
  const double elevation = elevations[static_cast<std::size_t>(layer)];
  if (planar) {
    const double across = 1 - 2 * (column + 0.5) / columns;  // 1 at the left edge, -1 at the right
    const Vec3 d(1, std::tan(field_of_view / 2) * across, std::tan(elevation));
    return (axis_angle(Vec3::UnitY(), -tilt) * d).normalized();
  }
  const double azimuth = rotating ? kPi - 2 * kPi * column / columns
                                  : field_of_view / 2 - (column + 0.5) * field_of_view / columns;
  const double up = elevation + tilt;
  return {std::cos(azimuth) * std::cos(up), std::sin(azimuth) * std::cos(up), std::sin(up)};
}

BeamGrid::BeamGrid(const BeamPattern& pattern)
    : layers_(pattern.layers), columns_(pattern.columns) {
  const double across = (pattern.rotating ? 2 * kPi : pattern.field_of_view) / columns_;
  const double down = mean_step(pattern.elevations);
  double best = -1;
  for (const int rows : {1, 2, 4, 8}) {
    if (rows > layers_) break;
    const double width = 16 / rows * across, height = kUprightWorld * rows * down;
    const double squareness = std::min(width, height) / std::max(width, height);
    if (squareness > best) {
      best = squareness;
      tile_rows_ = rows;
      tile_columns_ = 16 / rows;
    }
  }
  const double extent = std::max((tile_columns_ - 1) * across, (tile_rows_ - 1) * down);
  packet_ = extent > kVeryWidePacket ? 1 : extent > kWidePacket ? 8 : 16;

  const std::size_t beams = static_cast<std::size_t>(layers_) * static_cast<std::size_t>(columns_);
  for (auto* axis : {&dx_, &dy_, &dz_}) axis->reserve(beams);
  cell_.reserve(beams);
  layer_.reserve(beams);
  for (int band = 0; band < columns_; band += tile_columns_) {
    const int band_end = std::min(band + tile_columns_, columns_);
    for (int tile = 0; tile < layers_; tile += tile_rows_) {
      for (int layer = tile; layer < std::min(tile + tile_rows_, layers_); ++layer) {
        for (int column = band; column < band_end; ++column) {
          const Vec3 d = pattern.direction(layer, column);
          dx_.push_back(static_cast<float>(d.x()));
          dy_.push_back(static_cast<float>(d.y()));
          dz_.push_back(static_cast<float>(d.z()));
          cell_.push_back(static_cast<std::uint32_t>(layer * columns_ + column));
          layer_.push_back(layer);
        }
      }
    }
  }
}

BeamGrid::Run BeamGrid::bands(int first, int last) const {
  const int begin = first / tile_columns_ * tile_columns_;
  const int end = std::min((last + tile_columns_ - 1) / tile_columns_ * tile_columns_, columns_);
  const auto layers = static_cast<std::size_t>(layers_);
  return {static_cast<std::size_t>(begin) * layers, static_cast<std::size_t>(end - begin) * layers};
}

}  // namespace protobeam
