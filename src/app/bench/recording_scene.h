// Records the rays that a sensor casts.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "raycast/ray_scene.h"

namespace protobeam::bench {

/// Rays of one cast, kept.
struct RecordedRays {
  RayBatch batch;  ///< points into the vectors
  std::vector<float> dx, dy, dz, ox, oy, oz, time;

  Vec3 direction_W(std::size_t i) const { return batch.X_WS.R * Vec3(dx[i], dy[i], dz[i]); }
};

/// Forwards everything to another scene and keeps a copy of each batch.
class RecordingScene final : public RayScene {
 public:
  explicit RecordingScene(RayScene& scene) : scene_(scene) {}

  Instance add(const std::vector<VisibleShape>& shapes, const Pose& X_WB) override {
    return scene_.add(shapes, X_WB);
  }
  void set_motion(Instance instance, const Pose& X_WB_before, const Pose& X_WB) override {
    scene_.set_motion(instance, X_WB_before, X_WB);
  }
  void set_visible(Instance instance, bool visible) override {
    scene_.set_visible(instance, visible);
  }
  std::shared_ptr<const BeamTiles> arrange(const RayBatch& rays, int rows) override {
    return scene_.arrange(rays, rows);
  }
  void cast(const RayBatch& batch, const BlockSink& sink) override;
  /// Not recorded.
  void find_blocked(const SightLines& lines, std::uint8_t* blocked) override {
    scene_.find_blocked(lines, blocked);
  }
  void share(std::size_t count, const std::function<void(std::size_t)>& work) override {
    scene_.share(count, work);
  }
  std::size_t triangle_count() const override { return scene_.triangle_count(); }

  /// All casts so far.
  std::vector<std::unique_ptr<RecordedRays>> take() { return std::move(casts_); }

 private:
  RayScene& scene_;
  std::vector<std::unique_ptr<RecordedRays>> casts_;
};

}  // namespace protobeam::bench
