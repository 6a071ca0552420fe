#include "app/bench/bare_trace.h"

#include <embree3/rtcore.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <limits>

#include "base/clones.h"
#include "base/hand_over.h"
#include "raycast/cast_context.h"
#include "raycast/embree_scene.h"

namespace protobeam::bench {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct BareRays {
  RTCScene scene, moving_instances;
  const float *dx, *dy, *dz;
  const float *ox, *oy, *oz, *time;  ///< one a ray when moving, otherwise one
  float t_near, t_far;
};

template <int W, typename RayHit, bool kMoving>
PROTOBEAM_INLINE void trace_packets(const BareRays& rays, CastContext& context,
                                    std::span<float> range) {
  alignas(64) int valid[W];
  for (std::size_t first = 0; first < range.size(); first += W) {
    const std::size_t lanes = std::min<std::size_t>(W, range.size() - first);
    RayHit r;
    for (int l = 0; l < W; ++l) {
      const std::size_t own = kMoving ? first + l : 0;
      r.ray.org_x[l] = rays.ox[own];
      r.ray.org_y[l] = rays.oy[own];
      r.ray.org_z[l] = rays.oz[own];
      r.ray.dir_x[l] = rays.dx[first + l];
      r.ray.dir_y[l] = rays.dy[first + l];
      r.ray.dir_z[l] = rays.dz[first + l];
      r.ray.tnear[l] = rays.t_near;
      r.ray.tfar[l] = rays.t_far;
      r.ray.time[l] = rays.time[own];
      r.ray.mask[l] = ~0u;
      r.ray.flags[l] = 0;
      r.ray.id[l] = static_cast<unsigned>(first) + l;
      r.hit.geomID[l] = RTC_INVALID_GEOMETRY_ID;
      valid[l] = l < static_cast<int>(lanes) ? -1 : 0;
    }
    intersect(valid, context, rays.scene, r);
    if (kMoving && rays.moving_instances) intersect(valid, context, rays.moving_instances, r);
    for (std::size_t l = 0; l < lanes; ++l) {
      range[first + l] = r.hit.geomID[l] == RTC_INVALID_GEOMETRY_ID ? kInfinity : r.ray.tfar[l];
    }
  }
}

PROTOBEAM_CLONES void trace_16(const BareRays& rays, CastContext& context, std::span<float> range) {
  trace_packets<16, RTCRayHit16, false>(rays, context, range);
}
PROTOBEAM_CLONES void trace_8(const BareRays& rays, CastContext& context, std::span<float> range) {
  trace_packets<8, RTCRayHit8, false>(rays, context, range);
}
PROTOBEAM_CLONES void trace_moving_16(const BareRays& rays, CastContext& context,
                                      std::span<float> range) {
  trace_packets<16, RTCRayHit16, true>(rays, context, range);
}
PROTOBEAM_CLONES void trace_moving_8(const BareRays& rays, CastContext& context,
                                     std::span<float> range) {
  trace_packets<8, RTCRayHit8, true>(rays, context, range);
}

void trace_1(const BareRays& rays, CastContext& context, std::span<float> range) {
  for (std::size_t i = 0; i < range.size(); ++i) {
    const std::size_t own = context.moving.x ? i : 0;
    RTCRayHit r;
    r.ray = {rays.ox[own],
             rays.oy[own],
             rays.oz[own],
             rays.t_near,
             rays.dx[i],
             rays.dy[i],
             rays.dz[i],
             rays.time[own],
             rays.t_far,
             ~0u,
             static_cast<unsigned>(i),
             0};
    r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(rays.scene, &context.embree, &r);
    if (rays.moving_instances) rtcIntersect1(rays.moving_instances, &context.embree, &r);
    range[i] = r.hit.geomID == RTC_INVALID_GEOMETRY_ID ? kInfinity : r.ray.tfar;
  }
}

}  // namespace

BareTrace::BareTrace(RayScene& scene, const RayBatch& batch)
    : batch_(batch), job_(dynamic_cast<EmbreeScene&>(scene).prepare(batch_)) {
  const std::size_t rays = job_.moving ? batch.count : 1;
  for (auto* axis : {&dx_, &dy_, &dz_}) axis->resize(batch.count + 16);  // whole packets are read
  for (auto* one : {&ox_, &oy_, &oz_, &time_}) one->resize(rays + 16);
  if (job_.moving) {
    for (auto& values : lanes_) values.resize(batch.count + 16);
    for (std::size_t i = 0; i < batch.count; ++i) {
      MovingRays<1> ray;
      ray.load(job_, i, 1);
      RTCRay scene{};
      ray.to_scene(job_, 0, scene);
      dx_[i] = scene.dir_x, dy_[i] = scene.dir_y, dz_[i] = scene.dir_z;
      ox_[i] = scene.org_x, oy_[i] = scene.org_y, oz_[i] = scene.org_z;
      time_[i] = scene.time;
      const double* const values[] = {
          ray.x, ray.y, ray.z, ray.ox, ray.oy, ray.oz, ray.step_fraction};
      for (std::size_t k = 0; k < lanes_.size(); ++k) lanes_[k][i] = *values[k];
    }
    return;
  }
  ox_[0] = job_.o_L[0], oy_[0] = job_.o_L[1], oz_[0] = job_.o_L[2];
  const Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>> R_LS(job_.R_LS);
  for (std::size_t i = 0; i < batch.count; ++i) {
    const Eigen::Vector3f d = R_LS * Eigen::Vector3f(batch.dx[i], batch.dy[i], batch.dz[i]);
    dx_[i] = d.x(), dy_[i] = d.y(), dz_[i] = d.z();
  }
}

void BareTrace::run_block(std::size_t first, std::size_t count, float* range) const {
  const FlushDenormals flush;
  RayBatch batch = batch_;  // quadrics find their rays by number in the block
  batch.dx += first, batch.dy += first, batch.dz += first;
  FrameCache frames(job_);
  CastContext context(batch, frames);
  const auto from = [first](const auto& values) { return values.data() + first; };
  const auto own = [this, first](const auto& values) {
    return values.data() + (job_.moving ? first : 0);
  };
  const BareRays rays{job_.scene, job_.moving_instances,
                      from(dx_),  from(dy_),
                      from(dz_),  own(ox_),
                      own(oy_),   own(oz_),
                      own(time_), batch.t_near,
                      batch.t_far};
  if (job_.moving) {
    const auto& l = lanes_;
    context.moving = {from(l[0]), from(l[1]), from(l[2]), from(l[3]),
                      from(l[4]), from(l[5]), from(l[6]), 0};
  }
  const std::span<float> out(range + first, count);
  switch (batch.packet) {
    case 16:
      return (job_.moving ? trace_moving_16 : trace_16)(rays, context, out);
    case 8:
      return (job_.moving ? trace_moving_8 : trace_8)(rays, context, out);
    default:
      return trace_1(rays, context, out);
  }
}

void BareTrace::run(std::span<float> range, int threads) const {
  if (threads == 1) return run_block(0, batch_.count, range.data());
  const auto piece = [&](const tbb::blocked_range<std::size_t>& block) {
    HandOver::enter();
    run_block(block.begin(), block.size(), range.data());
    HandOver::leave();
  };
  const tbb::blocked_range<std::size_t> blocks(0, batch_.count, TraceScratch::kBlock);
  tbb::task_arena arena(threads);
  HandOver::start();
  arena.execute([&] { tbb::parallel_for(blocks, piece); });
  HandOver::finish();
}

}  // namespace protobeam::bench
