#include "sweep_pattern.h"

namespace protobeam {
namespace {

/// Rays of a packet that are farther apart than this hardly share their way (measured in a city).
constexpr double kWidePacket = 8 * kPi / 180;
constexpr double kVeryWidePacket = 40 * kPi / 180;

/// Towns are built of upright things: a step up parts rays more than the same step aside
/// (measured).
constexpr double kUprightWorld = 1.75;

}  // namespace

double mean_step(const std::vector<double>& angles) {
  if (angles.size() < 2) return 0;
  const auto [low, high] = std::minmax_element(angles.begin(), angles.end());
  return (*high - *low) / static_cast<double>(angles.size() - 1);
}

TileShape tile_shape(int layers, double across, double down) {
  TileShape tile;
  double best = -1;
  for (const int rows : {1, 2, 4, 8}) {
    if (rows > layers) break;
    const double width = 16 / rows * across, height = kUprightWorld * rows * down;
    const double squareness = std::min(width, height) / std::max(width, height);
    if (squareness > best) {
      best = squareness;
      tile.rows = rows;
      tile.columns = 16 / rows;
    }
  }
  const double extent = std::max((tile.columns - 1) * across, (tile.rows - 1) * down);
  tile.packet = extent > kVeryWidePacket ? 1 : extent > kWidePacket ? 8 : 16;
  return tile;
}

void SweepPattern::set_tiles(int layers, const TileShape& of) {
  packet = of.packet;
  tile_rows = layers * of.columns % 16 == 0 ? layers * of.columns / 16 : 0;
}

std::shared_ptr<const BeamTiles> SweepPattern::arrange(RayScene& scene) const {
  if (tile_rows == 0) return nullptr;
  RayBatch all;
  all.dx = dx.data(), all.dy = dy.data(), all.dz = dz.data();
  if (!ox.empty()) all.ox = ox.data(), all.oy = oy.data(), all.oz = oz.data();
  all.count = size();
  return scene.arrange(all, tile_rows);
}

void SweepPattern::resize(std::size_t beams, bool origins, bool angles) {
  for (auto* axis : {&dx, &dy, &dz, &time}) axis->resize(beams);
  for (auto* axis : {&ox, &oy, &oz}) axis->resize(origins ? beams : 0);
  for (auto* angle : {&azimuth, &elevation}) angle->resize(angles ? beams : 0);
  cell.resize(beams);
  layer.resize(beams);
  bands.clear();
}

}  // namespace protobeam
