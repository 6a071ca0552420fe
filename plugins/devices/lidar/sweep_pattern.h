// All beams of one sweep, in the order in which they are cast.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/math.h"
#include "raycast/ray_scene.h"

namespace protobeam {

/// 16 neighbours in the arrays travel as one packet, which is fast when they are neighbours in
/// space: they form a tile of layers by columns that is about square in angle.
struct TileShape {
  int rows = 1, columns = 16;
  int packet = 16;  ///< rays that travel together: fewer where beams are far apart
};

/// For beams that are `across` and `down` rad apart.
TileShape tile_shape(int layers, double across, double down);

/// Mean distance between neighbours of a set of angles.
double mean_step(const std::vector<double>& angles);

/// Structure of arrays over all beams. A beam's index is its place in the sweep: what its noise is
/// keyed by.
struct SweepPattern {
  int columns = 1;
  int packet = 16;
  int tile_rows =
      0;  ///< tiles of 16 in a band, one above or below the other; 0: beams lie otherwise
  double firing_period = 0;      ///< s between firing sequences
  std::int64_t first_pulse = 0;  ///< since the device was switched on, where pulses are counted

  std::vector<float> dx, dy, dz;          ///< unit directions in the sensor's frame S
  std::vector<float> ox, oy, oz;          ///< m, origins in S; empty: all at S's origin
  std::vector<float> time;                ///< s after the start of the sweep; empty: one instant
  std::vector<float> azimuth, elevation;  ///< rad; empty: not known in advance
  std::vector<std::uint32_t> cell;        ///< in the image, layer * width + column
  std::vector<std::int32_t> layer;

  /// Beams [first, first + count) of neighbouring columns, fired from `begin` to `end`.
  struct Band {
    std::size_t first, count;
    float begin, end;
  };
  std::vector<Band> bands;

  /// Once it is laid out as `layers` layers of columns in such tiles.
  void set_tiles(int layers, const TileShape& of);

  /// What helps to cast them, if the scene can make use of it.
  std::shared_ptr<const BeamTiles> arrange(RayScene& scene) const;

  std::size_t size() const { return cell.size(); }
  void resize(std::size_t beams, bool origins, bool angles);
};

/// Calls place(layer, column) for every beam, tile by tile, in bands of tile.columns columns.
template <typename Place>
void visit_in_tiles(int layers, int columns, const TileShape& tile, Place place) {
  for (int band = 0; band < columns; band += tile.columns) {
    const int band_end = std::min(band + tile.columns, columns);
    for (int first = 0; first < layers; first += tile.rows) {
      const int last = std::min(first + tile.rows, layers);
      for (int layer = first; layer < last; ++layer) {
        for (int column = band; column < band_end; ++column) place(layer, column);
      }
    }
  }
}

}  // namespace protobeam
