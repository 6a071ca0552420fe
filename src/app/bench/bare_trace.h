// The baseline of the benchmarks: nothing but Embree.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "raycast/trace.h"

namespace protobeam::bench {

/// The bare trace of a batch: origins, directions and times already in scene axes, packets, ROBUST,
/// only Embree's float range kept. Curved and moving shapes go through the same callbacks as in a
/// cast. The scene must be one of make_embree_scene and stay unchanged. Uses the internals of
/// src/raycast (the one exception that docs/architecture.md names).
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
  // Of moving rays: origins and times, and the same in double for quadrics and moving instances.
  std::vector<float> ox_, oy_, oz_, time_;
  std::array<std::vector<double>, 7> lanes_;
};

}  // namespace protobeam::bench
