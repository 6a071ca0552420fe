#include "app/bench/recording_scene.h"

namespace protobeam::bench {

void RecordingScene::cast(const RayBatch& batch, const BlockSink& sink) {
  auto rays = std::make_unique<RecordedRays>();
  rays->batch = batch;
  rays->batch.tiles = nullptr;  // the sensor's own
  const auto keep = [&](const float*& values, std::vector<float>& copy) {
    if (!values) return;
    copy.assign(values, values + batch.count);
    values = copy.data();
  };
  keep(rays->batch.dx, rays->dx), keep(rays->batch.dy, rays->dy), keep(rays->batch.dz, rays->dz);
  keep(rays->batch.ox, rays->ox), keep(rays->batch.oy, rays->oy), keep(rays->batch.oz, rays->oz);
  keep(rays->batch.time, rays->time);
  casts_.push_back(std::move(rays));
  scene_.cast(batch, sink);
}

}  // namespace protobeam::bench
