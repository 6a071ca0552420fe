// Sensors in tiles, as the beam caster wants them, and meshes for them to see.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "random_rays.h"

namespace protobeam::test {

/// A spinning sensor in tiles of `tile_rows` layers.
struct Sensor {
  Scan scan;
  int rows = 0;  ///< tiles in a band
};

inline Sensor sensor(RandomRays& random, int layers, int columns, int tile_rows, double low,
                     double high, bool clockwise, bool downwards) {
  std::vector<double> elevation, offset;
  for (int i = 0; i < layers; ++i) elevation.push_back(random.uniform(low, high));
  std::sort(elevation.begin(), elevation.end());
  if (downwards) std::reverse(elevation.begin(), elevation.end());
  const double step = 2 * kPi / columns * (clockwise ? -1 : 1), start = random.uniform(-4, 4);
  for (int i = 0; i < layers; ++i) offset.push_back(random.uniform(-0.4, 0.4) * step);
  const int tile_columns = 16 / tile_rows;
  Sensor made;
  made.rows = layers / tile_rows;
  for (int band = 0; band < columns; band += tile_columns) {
    for (int first = 0; first < layers; first += tile_rows) {
      for (int i = first; i < first + tile_rows; ++i) {
        for (int c = band; c < std::min(band + tile_columns, columns); ++c) {
          const auto layer = static_cast<std::size_t>(i);
          const double azimuth = start + c * step + offset[layer], up = elevation[layer];
          made.scan.add(
              {std::cos(up) * std::cos(azimuth), std::cos(up) * std::sin(azimuth), std::sin(up)});
        }
      }
    }
  }
  return made;
}

/// A camera that looks along x, in columns of squares of 4 x 4 pixels. `barrel`: of its distortion.
inline Sensor camera(int width, int height, double half_width, double barrel) {
  Sensor made;
  made.rows = height / 4;
  for (int left = 0; left < width; left += 4) {
    for (int top = 0; top < height; top += 4) {
      for (int i = 0; i < 16; ++i) {
        const double y = half_width * (1 - 2 * (left + i % 4 + 0.5) / width);
        const double z = half_width * (height - 2 * (top + i / 4 + 0.5)) / width;
        const double out = 1 + barrel * (y * y + z * z);
        made.scan.add(Vec3(1, out * y, out * z).normalized());
      }
    }
  }
  return made;
}

/// Hills of triangles, from fine to coarse.
inline Mesh hills(RandomRays& random, int side, double size) {
  Mesh mesh;
  for (int i = 0; i <= side; ++i) {
    for (int k = 0; k <= side; ++k) {
      mesh.vertices.push_back({(static_cast<double>(i) / side - 0.5) * size,
                               (static_cast<double>(k) / side - 0.5) * size,
                               random.uniform(0, 0.1 * size / side)});
    }
  }
  const auto n = static_cast<std::uint32_t>(side) + 1;
  for (std::uint32_t i = 0; i + 1 < n; ++i) {
    for (std::uint32_t k = 0; k + 1 < n; ++k) {
      mesh.triangles.push_back({i * n + k, i * n + n + k, i * n + k + 1});
      mesh.triangles.push_back({i * n + k + 1, i * n + n + k, i * n + n + k + 1});
    }
  }
  return mesh;
}

}  // namespace protobeam::test
