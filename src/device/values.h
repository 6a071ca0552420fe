// Small helpers that most sensors of plain values need.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>

#include "base/math.h"

namespace protobeam {

/// The nearest multiple of `resolution`; the value itself when resolution is not positive (-1 in
/// Webots' fields: unlimited).
inline double quantised(double value, double resolution) {
  return resolution > 0 ? std::floor(value / resolution + 0.5) * resolution : value;
}

inline Vec3 quantised(const Vec3& value, double resolution) {
  return {quantised(value.x(), resolution), quantised(value.y(), resolution),
          quantised(value.z(), resolution)};
}

/// Fills a channel of N doubles.
template <std::size_t N>
void write_values(std::span<double> out, const std::array<double, N>& values) {
  assert(out.size() == N);
  std::copy(values.begin(), values.end(), out.begin());
}
inline void write_values(std::span<double> out, const Vec3& v) {
  write_values<3>(out, {v.x(), v.y(), v.z()});
}

}  // namespace protobeam
