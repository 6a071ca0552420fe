// Small helpers that most sensors of plain values need.
#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstring>
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

/// Writes a sample of N doubles.
template <std::size_t N>
void write_values(std::span<std::byte> out, const std::array<double, N>& values) {
  assert(out.size() == sizeof(values));
  std::memcpy(out.data(), values.data(), sizeof(values));
}

}  // namespace protobeam
