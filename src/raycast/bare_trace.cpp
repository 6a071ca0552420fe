#include "raycast/bare_trace.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <limits>

#include "base/clones.h"
#include "raycast/cast_context.h"
#include "raycast/embree_scene.h"

namespace protobeam {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct BareRays {
  RTCScene scene;
  const float *dx, *dy, *dz, *origin;
  float t_near, t_far;
};

template <int W, typename RayHit>
PROTOBEAM_INLINE void trace_packets(const BareRays& rays, CastContext& context,
                                    std::span<float> range) {
  alignas(64) int valid[W];
  for (std::size_t first = 0; first < range.size(); first += W) {
    const std::size_t lanes = std::min<std::size_t>(W, range.size() - first);
    RayHit r;
    for (int l = 0; l < W; ++l) {
      r.ray.org_x[l] = rays.origin[0];
      r.ray.org_y[l] = rays.origin[1];
      r.ray.org_z[l] = rays.origin[2];
      r.ray.dir_x[l] = rays.dx[first + l];
      r.ray.dir_y[l] = rays.dy[first + l];
      r.ray.dir_z[l] = rays.dz[first + l];
      r.ray.tnear[l] = rays.t_near;
      r.ray.tfar[l] = rays.t_far;
      r.ray.time[l] = 0;
      r.ray.mask[l] = ~0u;
      r.ray.flags[l] = 0;
      r.ray.id[l] = static_cast<unsigned>(first) + l;
      r.hit.geomID[l] = RTC_INVALID_GEOMETRY_ID;
      valid[l] = l < static_cast<int>(lanes) ? -1 : 0;
    }
    intersect(valid, context, rays.scene, r);
    for (std::size_t l = 0; l < lanes; ++l) {
      range[first + l] = r.hit.geomID[l] == RTC_INVALID_GEOMETRY_ID ? kInfinity : r.ray.tfar[l];
    }
  }
}

PROTOBEAM_CLONES void trace_16(const BareRays& rays, CastContext& context, std::span<float> range) {
  trace_packets<16, RTCRayHit16>(rays, context, range);
}
PROTOBEAM_CLONES void trace_8(const BareRays& rays, CastContext& context, std::span<float> range) {
  trace_packets<8, RTCRayHit8>(rays, context, range);
}

void trace_1(const BareRays& rays, CastContext& context, std::span<float> range) {
  for (std::size_t i = 0; i < range.size(); ++i) {
    RTCRayHit r;
    r.ray = {rays.origin[0],
             rays.origin[1],
             rays.origin[2],
             rays.t_near,
             rays.dx[i],
             rays.dy[i],
             rays.dz[i],
             0,
             rays.t_far,
             ~0u,
             static_cast<unsigned>(i),
             0};
    r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(rays.scene, &context.embree, &r);
    range[i] = r.hit.geomID == RTC_INVALID_GEOMETRY_ID ? kInfinity : r.ray.tfar;
  }
}

}  // namespace

BareTrace::BareTrace(RayScene& scene, const RayBatch& batch)
    : batch_(batch), job_(dynamic_cast<EmbreeScene&>(scene).prepare(batch_)) {
  const Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>> R_LS(job_.R_LS);
  for (auto* axis : {&dx_, &dy_, &dz_}) axis->resize(batch.count + 16);  // whole packets are read
  for (std::size_t i = 0; i < batch.count; ++i) {
    const Eigen::Vector3f d = R_LS * Eigen::Vector3f(batch.dx[i], batch.dy[i], batch.dz[i]);
    dx_[i] = d.x(), dy_[i] = d.y(), dz_[i] = d.z();
  }
}

void BareTrace::run_block(std::size_t first, std::size_t count, float* range) const {
  const FlushDenormals flush;
  RayBatch batch = batch_;  // quadrics look up their rays from the first one of the block
  batch.dx += first, batch.dy += first, batch.dz += first;
  FrameCache frames(job_);
  CastContext context(batch, frames);
  const BareRays rays{job_.scene, dx_.data() + first, dy_.data() + first, dz_.data() + first,
                      job_.o_L,   batch.t_near,       batch.t_far};
  const std::span<float> out(range + first, count);
  switch (batch.packet) {
    case 16:
      return trace_16(rays, context, out);
    case 8:
      return trace_8(rays, context, out);
    default:
      return trace_1(rays, context, out);
  }
}

void BareTrace::run(std::span<float> range, int threads) const {
  if (threads == 1) return run_block(0, batch_.count, range.data());
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, batch_.count, TraceScratch::kBlock),
        [&](const auto& block) { run_block(block.begin(), block.size(), range.data()); });
  });
}

}  // namespace protobeam
