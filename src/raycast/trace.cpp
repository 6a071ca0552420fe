#include "raycast/trace.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "raycast/exact_hits.h"

namespace protobeam {
namespace {

using namespace exact_hits;

template <int W, typename RayHit, typename Rays>
PROTOBEAM_INLINE void trace_packets(const TraceJob& job, std::size_t first, std::size_t count,
                                    CastContext& context, FrameCache& frames, TraceScratch& out) {
  const RayBatch& batch = *job.batch;
  const bool hits = batch.hits;
  Rays rays;
  if constexpr (Rays::kMoving) context.moving = rays.lanes();
  RayHit r;
  Rays::start(job, r.ray);
  float *near = lanes_of(r.ray.tnear), *far = lanes_of(r.ray.tfar);
  unsigned *mask = lanes_of(r.ray.mask), *flags = lanes_of(r.ray.flags), *id = lanes_of(r.ray.id);
  unsigned *geom = lanes_of(r.hit.geomID), *inst = lanes_of(r.hit.instID[0]);
  const unsigned* prim = lanes_of(r.hit.primID);
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    near[l] = batch.t_near;
    mask[l] = ~0u;
    flags[l] = 0;
  }
  alignas(64) int valid[W];
  for (std::size_t done = 0; done < count; done += W) {
    const std::size_t ray = first + done;
    const std::size_t lanes = std::min<std::size_t>(W, count - done);
    context.moving.first = ray;
    rays.load(job, ray, lanes);
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      rays.to_scene(job, l, r.ray);
      far[l] = batch.t_far;
      // Embree may ask for the rays of empty lanes, too (its code for SSE does).
      id[l] = static_cast<unsigned>(ray + std::min<std::size_t>(l, lanes - 1));
      geom[l] = RTC_INVALID_GEOMETRY_ID;
      inst[l] = RTC_INVALID_GEOMETRY_ID;
      valid[l] = l < static_cast<int>(lanes) ? -1 : 0;
    }
    if (batch.near) {
      for (std::size_t l = 0; l < lanes; ++l) near[l] = batch.near[ray + l];
    }
    intersect(valid, context, job.scene, r);
    if (Rays::kMoving && job.moving_instances) {
      const float* const direction[] = {batch.dx + ray, batch.dy + ray, batch.dz + ray};
      if (job.moving_boxes && done % NearBoxes::kRays == 0) {
        const std::size_t some = std::min(NearBoxes::kRays, count - done);
        job.moving_boxes->find_near(batch, ray, some, out.near_boxes);
      }
      const bool known = job.moving_boxes && lanes == W;
      if (!known || may_pass<W>(out.near_boxes, direction, near, far)) {
        intersect(valid, context, job.moving_instances, r);
      }
    }
    alignas(64) float range[W];
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) range[l] = geom[l] == RTC_INVALID_GEOMETRY_ID ? kInfinity : far[l];
    alignas(64) float cosine[W] = {};
    refine<W>(geom, prim, inst, rays, frames, range, cosine);
    for (std::size_t l = 0; l < lanes; ++l) out.range[done + l] = range[l];
    if (hits) describe<W>(job, r, rays, cosine, range, frames, done, lanes, out);
  }
}

template <template <int> typename Rays>
PROTOBEAM_INLINE void trace_any(const TraceJob& job, std::size_t first, std::size_t count,
                                CastContext& context, FrameCache& frames, TraceScratch& out) {
  switch (job.batch->packet) {
    case 16:
      return trace_packets<16, RTCRayHit16, Rays<16>>(job, first, count, context, frames, out);
    case 8:
      return trace_packets<8, RTCRayHit8, Rays<8>>(job, first, count, context, frames, out);
    default:
      return trace_packets<1, RTCRayHit, Rays<1>>(job, first, count, context, frames, out);
  }
}

PROTOBEAM_CLONES void trace_still(const TraceJob& job, std::size_t first, std::size_t count,
                                  CastContext& context, FrameCache& frames, TraceScratch& out) {
  trace_any<StaticRays>(job, first, count, context, frames, out);
}
PROTOBEAM_CLONES void trace_moving(const TraceJob& job, std::size_t first, std::size_t count,
                                   CastContext& context, FrameCache& frames, TraceScratch& out) {
  trace_any<MovingRays>(job, first, count, context, frames, out);
}

}  // namespace

void TraceScratch::resize(const RayBatch& batch) {
  range.resize(kBlock);
  if (!batch.hits) return;
  for (auto* floats : {&u, &v, &cosine}) floats->resize(kBlock);
  for (auto* numbers : {&instance, &shape, &primitive}) numbers->resize(kBlock);
  if (!batch.normals) return;
  for (auto* floats : {&nx, &ny, &nz}) floats->resize(kBlock);
}

RayBlock block_of(const TraceJob& job, std::size_t first, std::size_t count,
                  const TraceScratch& scratch) {
  RayBlock block;
  block.first = first;
  block.count = count;
  block.range = scratch.range.data();
  if (job.batch->hits) {
    block.instance = scratch.instance.data();
    block.shape = scratch.shape.data();
    block.primitive = scratch.primitive.data();
    block.u = scratch.u.data();
    block.v = scratch.v.data();
    block.cosine = scratch.cosine.data();
  }
  if (job.batch->hits && job.batch->normals) {
    block.nx = scratch.nx.data();
    block.ny = scratch.ny.data();
    block.nz = scratch.nz.data();
  }
  return block;
}

RayBlock trace_block(const TraceJob& job, std::size_t first, std::size_t count,
                     TraceScratch& scratch) {
  scratch.resize(*job.batch);
  FrameCache frames(job);
  CastContext context(*job.batch, frames);
  {
    const FlushDenormals flush;
    (job.moving ? trace_moving : trace_still)(job, first, count, context, frames, scratch);
  }
  return block_of(job, first, count, scratch);
}


FlushDenormals::FlushDenormals() {
#if defined(__SSE__)
  saved_ = _mm_getcsr();
  _mm_setcsr(saved_ | 0x8040);
#endif
}

FlushDenormals::~FlushDenormals() {
#if defined(__SSE__)
  _mm_setcsr(saved_);
#endif
}

}  // namespace protobeam
