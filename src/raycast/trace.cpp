#include "raycast/trace.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "base/clones.h"
#include "raycast/cast_context.h"
#include "raycast/quadric.h"

namespace protobeam {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Directions of one packet in the sensor's frame; the last one again where there are no more.
template <int W>
struct Directions {
  alignas(64) float x[W];
  alignas(64) float y[W];
  alignas(64) float z[W];

  PROTOBEAM_INLINE void load(const RayBatch& batch, std::size_t first, std::size_t count) {
    if (count == W) {
      for (int l = 0; l < W; ++l) x[l] = batch.dx[first + l];
      for (int l = 0; l < W; ++l) y[l] = batch.dy[first + l];
      for (int l = 0; l < W; ++l) z[l] = batch.dz[first + l];
    } else {
      for (int l = 0; l < W; ++l) {
        const std::size_t i = first + std::min<std::size_t>(l, count - 1);
        x[l] = batch.dx[i], y[l] = batch.dy[i], z[l] = batch.dz[i];
      }
    }
  }
};

/// Replaces the ranges of hits on triangles by the exact crossing with the triangle's plane.
template <int W>
PROTOBEAM_INLINE void refine(const unsigned* geom, const unsigned* prim, const unsigned* inst,
                             const Directions<W>& d, FrameCache& frames, float* range) {
  // Embree's point and the plane are this close unless the triangle is hardly one.
  constexpr double kSamePlane = 5e-3;
  unsigned pending = 0;
  for (int l = 0; l < W; ++l) pending |= (geom[l] != RTC_INVALID_GEOMETRY_ID ? 1u : 0u) << l;
  while (pending != 0) {
    const unsigned instance = inst[std::countr_zero(pending)];
    const SensorInGroup& frame = frames.get(instance);
    const std::uint32_t* first_plane = frame.group->first_plane();
    alignas(64) std::int32_t plane[W];
    for (int l = 0; l < W; ++l) {
      const bool mine = ((pending >> l) & 1u) != 0 && inst[l] == instance;
      const std::uint32_t base = mine ? first_plane[geom[l]] : 0;
      plane[l] = static_cast<std::int32_t>(base == 0 ? 0 : base + prim[l]);
      pending &= ~(static_cast<unsigned>(mine) << l);
    }
    const TrianglePlane* planes = frame.group->planes();
    const double r0 = frame.R[0], r1 = frame.R[1], r2 = frame.R[2];
    const double r3 = frame.R[3], r4 = frame.R[4], r5 = frame.R[5];
    const double r6 = frame.R[6], r7 = frame.R[7], r8 = frame.R[8];
    const double ox = frame.o[0], oy = frame.o[1], oz = frame.o[2];
    for (int l = 0; l < W; ++l) {
      const TrianglePlane& p = planes[plane[l]];
      const double x = d.x[l], y = d.y[l], z = d.z[l];
      const double gx = r0 * x + r1 * y + r2 * z;
      const double gy = r3 * x + r4 * y + r5 * z;
      const double gz = r6 * x + r7 * y + r8 * z;
      const double distance = p.offset - (p.nx * ox + p.ny * oy + p.nz * oz);
      const double speed = p.nx * gx + p.ny * gy + p.nz * gz;
      const float exact = static_cast<float>(distance / speed);
      const bool same =
          std::abs(distance - speed * range[l]) <= kSamePlane && exact >= 0 && exact < kInfinity;
      range[l] = same ? exact : range[l];
    }
  }
}

Vec3 direction_S(const RayBatch& batch, std::size_t i) {
  return {batch.dx[i], batch.dy[i], batch.dz[i]};
}

/// Everything about one hit but its range.
[[gnu::noinline]] void describe_hit(const TraceJob& job, std::size_t ray, unsigned geom,
                                    unsigned prim, unsigned inst, float u, float v, const Vec3& Ng,
                                    std::size_t slot, TraceScratch& out) {
  out.instance[slot] = inst;
  out.shape[slot] = geom;
  if (geom == RTC_INVALID_GEOMETRY_ID) {
    out.instance[slot] = out.shape[slot] = out.primitive[slot] = kNoHit;
    out.u[slot] = out.v[slot] = out.nx[slot] = out.ny[slot] = out.nz[slot] = 0;
    out.cosine[slot] = 0;
    return;
  }
  const InstanceRecord& record = job.instances[inst];
  const bool mesh = record.group->is_mesh(geom);
  out.primitive[slot] = mesh ? prim : 0;
  out.u[slot] = mesh ? u : 0;
  out.v[slot] = mesh ? v : 0;
  const std::uint32_t base = record.group->first_plane()[geom];
  const TrianglePlane& p = record.group->planes()[base == 0 ? 0 : base + prim];
  const bool unit = p.nx != 0 || p.ny != 0 || p.nz != 0;
  Vec3 n = record.R_WB * (unit ? Vec3(p.nx, p.ny, p.nz) : Ng.normalized());
  const double along = n.dot(job.R_WS * direction_S(*job.batch, ray));
  if (along > 0) n = -n;
  out.nx[slot] = static_cast<float>(n.x());
  out.ny[slot] = static_cast<float>(n.y());
  out.nz[slot] = static_cast<float>(n.z());
  out.cosine[slot] = std::min(static_cast<float>(std::abs(along)), 1.0f);
}

template <int W, typename RayHit>
PROTOBEAM_INLINE void trace_packets(const TraceJob& job, std::size_t first, std::size_t count,
                                    CastContext& context, FrameCache& frames, TraceScratch& out) {
  const RayBatch& batch = *job.batch;
  const bool hits = batch.hits;
  RayHit r;
  for (int l = 0; l < W; ++l) {
    r.ray.org_x[l] = job.o_L[0];
    r.ray.org_y[l] = job.o_L[1];
    r.ray.org_z[l] = job.o_L[2];
    r.ray.tnear[l] = batch.t_near;
    r.ray.time[l] = 0;
    r.ray.mask[l] = ~0u;
    r.ray.flags[l] = 0;
  }
  alignas(64) int valid[W];
  Directions<W> d;
  for (std::size_t done = 0; done < count; done += W) {
    const std::size_t ray = first + done;
    const std::size_t lanes = std::min<std::size_t>(W, count - done);
    d.load(batch, ray, lanes);
    const float* R = job.R_LS;
    for (int l = 0; l < W; ++l) {
      r.ray.dir_x[l] = R[0] * d.x[l] + R[1] * d.y[l] + R[2] * d.z[l];
      r.ray.dir_y[l] = R[3] * d.x[l] + R[4] * d.y[l] + R[5] * d.z[l];
      r.ray.dir_z[l] = R[6] * d.x[l] + R[7] * d.y[l] + R[8] * d.z[l];
      r.ray.tfar[l] = batch.t_far;
      r.ray.id[l] = static_cast<unsigned>(ray) + l;
      r.hit.geomID[l] = RTC_INVALID_GEOMETRY_ID;
      r.hit.instID[0][l] = RTC_INVALID_GEOMETRY_ID;
      valid[l] = l < static_cast<int>(lanes) ? -1 : 0;
    }
    if (batch.near) {
      for (std::size_t l = 0; l < lanes; ++l) r.ray.tnear[l] = batch.near[ray + l];
    }
    intersect(valid, context, job.scene, r);
    alignas(64) float range[W];
    for (int l = 0; l < W; ++l) {
      range[l] = r.hit.geomID[l] == RTC_INVALID_GEOMETRY_ID ? kInfinity : r.ray.tfar[l];
    }
    refine<W>(r.hit.geomID, r.hit.primID, r.hit.instID[0], d, frames, range);
    for (std::size_t l = 0; l < lanes; ++l) out.range[done + l] = range[l];
    if (hits) {
      for (std::size_t l = 0; l < lanes; ++l) {
        describe_hit(job, ray + l, r.hit.geomID[l], r.hit.primID[l], r.hit.instID[0][l], r.hit.u[l],
                     r.hit.v[l], {r.hit.Ng_x[l], r.hit.Ng_y[l], r.hit.Ng_z[l]}, done + l, out);
      }
    }
  }
}

PROTOBEAM_INLINE void trace_single(const TraceJob& job, std::size_t first, std::size_t count,
                                   CastContext& context, FrameCache& frames, TraceScratch& out) {
  const RayBatch& batch = *job.batch;
  const float* R = job.R_LS;
  Directions<1> d;
  for (std::size_t i = 0; i < count; ++i) {
    d.load(batch, first + i, 1);
    RTCRayHit r;
    r.ray = {job.o_L[0],
             job.o_L[1],
             job.o_L[2],
             batch.near ? batch.near[first + i] : batch.t_near,
             R[0] * d.x[0] + R[1] * d.y[0] + R[2] * d.z[0],
             R[3] * d.x[0] + R[4] * d.y[0] + R[5] * d.z[0],
             R[6] * d.x[0] + R[7] * d.y[0] + R[8] * d.z[0],
             0,
             batch.t_far,
             ~0u,
             static_cast<unsigned>(first + i),
             0};
    r.hit.geomID = r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(job.scene, &context.embree, &r);
    out.range[i] = r.hit.geomID == RTC_INVALID_GEOMETRY_ID ? kInfinity : r.ray.tfar;
    refine<1>(&r.hit.geomID, &r.hit.primID, r.hit.instID, d, frames, &out.range[i]);
    if (batch.hits) {
      describe_hit(job, first + i, r.hit.geomID, r.hit.primID, r.hit.instID[0], r.hit.u, r.hit.v,
                   {r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z}, i, out);
    }
  }
}

PROTOBEAM_CLONES void trace_any(const TraceJob& job, std::size_t first, std::size_t count,
                                CastContext& context, FrameCache& frames, TraceScratch& out) {
  switch (job.batch->packet) {
    case 16:
      return trace_packets<16, RTCRayHit16>(job, first, count, context, frames, out);
    case 8:
      return trace_packets<8, RTCRayHit8>(job, first, count, context, frames, out);
    default:
      return trace_single(job, first, count, context, frames, out);
  }
}

}  // namespace

void TraceScratch::resize(bool hits) {
  range.resize(kBlock);
  if (!hits) return;
  for (auto* floats : {&u, &v, &nx, &ny, &nz, &cosine}) floats->resize(kBlock);
  for (auto* numbers : {&instance, &shape, &primitive}) numbers->resize(kBlock);
}

RayBlock trace_block(const TraceJob& job, std::size_t first, std::size_t count,
                     TraceScratch& scratch) {
  scratch.resize(job.batch->hits);
  FrameCache frames(job);
  CastContext context(*job.batch, frames);
  {
    const FlushDenormals flush;
    trace_any(job, first, count, context, frames, scratch);
  }
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
    block.nx = scratch.nx.data();
    block.ny = scratch.ny.data();
    block.nz = scratch.nz.data();
    block.cosine = scratch.cosine.data();
  }
  return block;
}

namespace {

/// Lanes [first, first + W) of Embree's packet.
template <int W>
void intersect_lanes(const RTCIntersectFunctionNArguments* a, unsigned first) {
  const auto& part = *static_cast<const QuadricPart*>(a->geometryUserPtr);
  const auto& context = *reinterpret_cast<const CastContext*>(a->context);
  const RayBatch& batch = *context.batch;
  const unsigned instance = a->context->instID[0], n = a->N;
  const SensorInGroup& frame = context.frames->get(instance);
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R_GS(frame.R);
  const Mat3 R = part.R_QG * R_GS;
  RTCRayN* rays = RTCRayHitN_RayN(a->rayhit, n);
  RTCHitN* hits = RTCRayHitN_HitN(a->rayhit, n);
  QuadricRays<W> q;
  q.origin = part.R_QG * (Eigen::Map<const Vec3>(frame.o) - part.p_GQ);
  for (int l = 0; l < W; ++l) {
    const unsigned i = first + l;
    q.dx[l] = q.dy[l] = q.dz[l] = q.near[l] = q.far[l] = 0;
    if (a->valid[i] == 0) continue;
    const unsigned ray = RTCRayN_id(rays, n, i);
    q.dx[l] = batch.dx[ray], q.dy[l] = batch.dy[ray], q.dz[l] = batch.dz[ray];
    q.near[l] = RTCRayN_tnear(rays, n, i);
    q.far[l] = RTCRayN_tfar(rays, n, i);
  }
  for (int l = 0; l < W; ++l) {
    const double x = q.dx[l], y = q.dy[l], z = q.dz[l];
    q.dx[l] = R(0, 0) * x + R(0, 1) * y + R(0, 2) * z;
    q.dy[l] = R(1, 0) * x + R(1, 1) * y + R(1, 2) * z;
    q.dz[l] = R(2, 0) * x + R(2, 1) * y + R(2, 2) * z;
  }
  intersect(part.quadric, q);
  for (int l = 0; l < W; ++l) {
    if (!(q.t[l] < std::numeric_limits<double>::infinity())) continue;
    const unsigned i = first + l;
    RTCRayN_tfar(rays, n, i) = static_cast<float>(q.t[l]);
    RTCHitN_u(hits, n, i) = RTCHitN_v(hits, n, i) = 0;
    RTCHitN_primID(hits, n, i) = a->primID;
    RTCHitN_geomID(hits, n, i) = a->geomID;
    RTCHitN_instID(hits, n, i, 0) = instance;
    if (!batch.hits) continue;
    const Vec3 point = q.origin + q.t[l] * Vec3(q.dx[l], q.dy[l], q.dz[l]);
    const Vec3 n_G =
        part.R_QG.transpose() * normal(part.quadric, static_cast<int>(q.part[l]), point);
    RTCHitN_Ng_x(hits, n, i) = static_cast<float>(n_G.x());
    RTCHitN_Ng_y(hits, n, i) = static_cast<float>(n_G.y());
    RTCHitN_Ng_z(hits, n, i) = static_cast<float>(n_G.z());
  }
}

}  // namespace

void intersect_quadric_packet(const RTCIntersectFunctionNArguments* arguments) {
  if (arguments->N == 1) return intersect_lanes<1>(arguments, 0);
  for (unsigned first = 0; first < arguments->N; first += 8) intersect_lanes<8>(arguments, first);
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
