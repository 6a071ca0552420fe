// A ray scene with a closed form: the plane x = distance of the world.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "raycast/ray_scene.h"

namespace protobeam {

/// Shape 0 of instance 0. Delivers every ray in a block of its own: sensors must not care how rays are split.
class VisibleWall final : public RayScene {
 public:
  explicit VisibleWall(double distance) : distance_(distance) {}

  void cast(const RayBatch& batch, const BlockSink& sink) override {
    for (std::size_t i = 0; i < batch.count; ++i) {
      const Vec3 direction_W = batch.X_WS.R * Vec3(batch.dx[i], batch.dy[i], batch.dz[i]);
      const double t = (distance_ - batch.X_WS.p.x()) / direction_W.x();
      const bool hit = t >= (batch.near ? batch.near[i] : batch.t_near) && t <= batch.t_far;
      const float range = hit ? static_cast<float>(t) : std::numeric_limits<float>::infinity();
      RayBlock block;
      block.first = i;
      block.count = 1;
      block.range = &range;
      const std::uint32_t number = hit ? 0 : kNoHit;
      const float middle = 0, cosine = static_cast<float>(std::abs(direction_W.x()));
      if (batch.hits) {
        block.instance = block.shape = block.primitive = &number;
        block.u = block.v = &middle;
        block.cosine = &cosine;
      }
      const float back = -1;
      if (batch.hits && batch.normals) {
        block.nx = &back;
        block.ny = block.nz = &middle;
      }
      sink(block);
    }
  }

  Instance add(const std::vector<VisibleShape>&, const Pose&) override { return 0; }
  void set_motion(Instance, const Pose&, const Pose&) override {}
  void set_visible(Instance, bool) override {}
  std::size_t triangle_count() const override { return 0; }

 private:
  double distance_;
};

}  // namespace protobeam
