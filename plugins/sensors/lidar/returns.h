// From true ranges to what the lidar reports.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/device_data.h"
#include "base/rng.h"
#include "beam_grid.h"
#include "raycast/ray_scene.h"

namespace protobeam {

/// What happens to each range, in this order: noise, resolution, limits.
struct RangeModel {
  double sigma = 0;         ///< m
  double resolution = -1;   ///< m, -1: none
  double min = 0, max = 1;  ///< m
};

/// One cast: takes its blocks and writes range image and points. Blocks may come from any thread.
struct Returns {
  const BeamGrid* grid = nullptr;
  const RangeModel* model = nullptr;
  NoiseKey noise;
  float time = 0;
  std::size_t first_beam = 0;            ///< of the cast, in casting order
  std::uint32_t first_column = 0;        ///< only columns [first_column, first_column + columns)
  std::uint32_t columns = 0;             ///< are written
  float* range = nullptr;                ///< [layer][column]
  LidarPoint* points = nullptr;          ///< [layer][column], or null
  std::atomic<std::size_t> returned{0};  ///< finite ranges of the cast, unwritten ones too

  void take(const RayBlock& block);

 private:
  void keep_sector(const std::uint32_t* cell, const std::int32_t* layer, std::size_t n,
                   std::uint32_t* out) const;
};

}  // namespace protobeam
