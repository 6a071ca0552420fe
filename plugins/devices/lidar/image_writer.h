// Writes what beams report into an image.
#pragma once

#include "scanner.h"
#include "sweep_pattern.h"

namespace protobeam {

constexpr std::uint32_t kNoCell = 0xffffffffu;  ///< cell of a beam that is not wanted

/// Beams [first, first + n) of a pattern, n <= Returns::kMost, with the ranges that they report.
struct Written {
  const SweepPattern* pattern = nullptr;
  std::size_t first = 0, n = 0;
  const float* range = nullptr;         ///< [n]
  const std::uint32_t* cell = nullptr;  ///< [n] where to, kNoCell: nowhere
  double start = 0;                     ///< s, of the sweep; the time of all if it has no times
};
void write(const Written& beams, const RangeImage& image);

/// The points of beams that did not return, before the first sweep.
void write_no_points(std::size_t cells, int width, LidarPoint* points);

}  // namespace protobeam
