// The triangles of a group in clusters of neighbours, as the beam caster walks them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/math.h"

namespace protobeam {

/// Up to 64 triangles that lie close together, structure of arrays: corners a, b, c in the group's
/// coordinates G.
struct TriangleCluster {
  static constexpr int kMost = 64;
  static constexpr int kGroup = 16;

  alignas(64) float ax[kMost], ay[kMost], az[kMost];
  alignas(64) float bx[kMost], by[kMost], bz[kMost];
  alignas(64) float cx[kMost], cy[kMost], cz[kMost];
  alignas(64) std::uint32_t shape[kMost], primitive[kMost];  ///< as in RayBlock
  int count = 0;
  static constexpr int kGroups = kMost / kGroup;
  float longest[kGroups] = {};  ///< m; no side of the 16 triangles is longer
  /// A ball around the 16 triangles; radius -1: there are none.
  float ball_x[kGroups] = {}, ball_y[kGroups] = {}, ball_z[kGroups] = {}, ball_radius[kGroups] = {};
};

/// A ball around each cluster, or around several; structure of arrays, filled up to a multiple of 16
/// with balls of radius -1.
struct ClusterBalls {
  std::vector<float> x, y, z, radius;
  void fill_up();
};

struct TriangleClusters {
  static constexpr std::size_t kBlock = 16;
  std::vector<TriangleCluster> clusters;
  std::vector<std::uint8_t> counts;  ///< of their triangles, side by side
  ClusterBalls balls;
  ClusterBalls blocks;  ///< around 16 clusters each, which are neighbours
};

/// A triangle to be put into a cluster.
struct ClusterInput {
  float corner[3][3];
  std::uint32_t shape, primitive;
};
/// The same clusters for the same triangles, on every machine.
TriangleClusters make_clusters(std::vector<ClusterInput> triangles);

}  // namespace protobeam
