#include "app/bench/recording_scene.h"

namespace protobeam::bench {

void RecordingScene::cast(const RayBatch& batch, const BlockSink& sink) {
  auto rays = std::make_unique<RecordedRays>();
  rays->dx.assign(batch.dx, batch.dx + batch.count);
  rays->dy.assign(batch.dy, batch.dy + batch.count);
  rays->dz.assign(batch.dz, batch.dz + batch.count);
  rays->batch = batch;
  rays->batch.dx = rays->dx.data();
  rays->batch.dy = rays->dy.data();
  rays->batch.dz = rays->dz.data();
  casts_.push_back(std::move(rays));
  scene_.cast(batch, sink);
}

}  // namespace protobeam::bench
