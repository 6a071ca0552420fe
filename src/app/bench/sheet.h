// Sheets that the meshes of the benchmarks are made of.
#pragma once

#include <cstdint>

#include "geometry/geometry.h"

namespace protobeam::bench {

/// A sheet of n x m cells, two triangles each, over (u, v) in [0, 1]^2: surface(u, v) is a Vec3.
template <typename Surface>
void add_sheet(Mesh& mesh, int n, int m, const Surface& surface) {
  const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= m; ++j) mesh.vertices.push_back(surface(double(i) / n, double(j) / m));
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const auto a = base + static_cast<std::uint32_t>(i * (m + 1) + j);
      const auto b = a + static_cast<std::uint32_t>(m + 1);
      mesh.triangles.push_back({a, b, b + 1});
      mesh.triangles.push_back({a, b + 1, a + 1});
    }
  }
}

}  // namespace protobeam::bench
