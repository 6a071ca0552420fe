// Where a sensor sees what moves within the step: boxes, so that Embree looks for it only along
// rays that may meet it.
//
// Most of a driving robot's rays pass none of its own body, the wheels and the traffic, but the
// bounds of these in the world, swept over the step, lie in the way of many: the sensor itself is
// often between them. Seen from the sensor, what moves with it rests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/clones.h"

namespace protobeam {

struct RayBatch;
struct TraceJob;

/// Some of an instance, with its axes.
struct MovingBox {
  float low[3], high[3];  ///< m, from G's origin
};
/// The sensor's frame S as an instance sees it in the middle of the step.
struct SensorInGroup {
  float R_GS[9];           ///< row by row
  float p_GS[3];           ///< m
  std::size_t first, end;  ///< its boxes
};

/// What some rays may meet; memory of one thread.
struct NearBoxes {
  static constexpr std::size_t kRays = 128;  ///< that follow each other, mostly neighbours

  std::vector<SensorInGroup> groups;
  std::vector<MovingBox> boxes;
  float aside = 0;  ///< m, from S's origin at most to where a ray begins
  std::vector<std::uint8_t> meets;
};

class MovingBoxes {
 public:
  /// Whether the sensor comes into the swept bounds of a body, or nearly: others Embree passes over
  /// as fast. Of a job with moving_instances.
  static bool pay(const TraceJob& job);
  /// Those of such a job.
  void look(const TraceJob& job);
  /// Those that rays [first, first + count) of the batch may pass.
  void find_near(const RayBatch& batch, std::size_t first, std::size_t count,
                 NearBoxes& near) const;

 private:
  std::vector<SensorInGroup> groups_;
  std::vector<MovingBox> boxes_;
  std::vector<float> x_, y_, z_, radius_;  ///< m, of a ball around each, in S
};

/// Whether one of W rays may pass one of the boxes between `begin` and `end`, in lengths of its
/// direction. Arrays of W, in S.
template <int W>
PROTOBEAM_INLINE bool may_pass(const NearBoxes& near, const float* const direction[3],
                               const float* begin, const float* end) {
  const float *dx = direction[0], *dy = direction[1], *dz = direction[2], aside = near.aside;
  for (const SensorInGroup& group : near.groups) {
    alignas(64) float inverse[3][W];
    bool falls[3], rises[3];  // a ray does, along an axis
    for (int k = 0; k < 3; ++k) {
      const float x = group.R_GS[3 * k], y = group.R_GS[3 * k + 1], z = group.R_GS[3 * k + 2];
      std::uint32_t down = 0, up = 0;
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) {
        const float along = x * dx[l] + y * dy[l] + z * dz[l];
        down |= along < 0 ? 1u : 0u;
        up |= along > 0 ? 1u : 0u;
        inverse[k][l] = 1 / along;
      }
      falls[k] = down != 0, rises[k] = up != 0;
    }
    for (std::size_t i = group.first; i < group.end; ++i) {
      const MovingBox& box = near.boxes[i];
      float low[3], high[3];  // from S
      bool apart = false;
      for (int k = 0; k < 3; ++k) {
        low[k] = box.low[k] - aside - group.p_GS[k];
        high[k] = box.high[k] + aside - group.p_GS[k];
        apart |= (low[k] > 0 && !rises[k]) || (high[k] < 0 && !falls[k]);
      }
      if (apart) continue;
      alignas(64) float enter[W];
      alignas(64) float leave[W];
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) enter[l] = begin[l], leave[l] = end[l];
      for (int k = 0; k < 3; ++k) {
        const float near_side = low[k], far_side = high[k];
        PROTOBEAM_LANES
        for (int l = 0; l < W; ++l) {
          // Along a face both are infinite, or not a number on the face, which is beside all.
          const float a = near_side * inverse[k][l], b = far_side * inverse[k][l];
          const float first = a < b ? a : b, last = a < b ? b : a;
          enter[l] = first > enter[l] ? first : enter[l];
          leave[l] = last < leave[l] ? last : leave[l];
        }
      }
      std::uint32_t any = 0;
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) any |= enter[l] <= leave[l] ? 1u : 0u;
      if (any != 0) return true;
    }
  }
  return false;
}

}  // namespace protobeam
