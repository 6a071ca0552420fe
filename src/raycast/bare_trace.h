// The yardstick of the benchmarks: nothing but Embree.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "raycast/trace.h"

namespace protobeam {

/// The bare trace of a batch: origins and directions already in scene axes, packets, ROBUST, only
/// Embree's float range kept. The scene must be one of make_embree_scene and stay as it is.
class BareTrace {
 public:
  BareTrace(RayScene& scene, const RayBatch& batch);
  /// Writes the batch.count ranges; a miss is +inf.
  void run(std::span<float> range, int threads = 1) const;

 private:
  void run_block(std::size_t first, std::size_t count, float* range) const;

  RayBatch batch_;
  TraceJob job_;
  std::vector<float> dx_, dy_, dz_;
  // Of rays that have them for their own: origins, times, and all of it again for the quadrics.
  std::vector<float> ox_, oy_, oz_, time_;
  std::array<std::vector<double>, 7> lanes_;
};

}  // namespace protobeam
