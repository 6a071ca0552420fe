// Quadrics as user geometries of Embree: exact from the start, in double.
#include <cmath>
#include <limits>

#include "base/clones.h"
#include "raycast/cast_context.h"
#include "raycast/group_rays.h"
#include "raycast/quadric.h"

namespace protobeam {
namespace {

/// Rays of lanes [first, first + W) of Embree's packet in frame A; all zeros where there is none.
template <int W>
struct RaysOfLanes {
  double step_fraction[W];

  void load(const RTCIntersectFunctionNArguments* a, unsigned first, QuadricRays<W>& q) {
    const auto& context = *reinterpret_cast<const CastContext*>(a->context);
    RTCRayN* rays = RTCRayHitN_RayN(a->rayhit, a->N);
    for (int l = 0; l < W; ++l) {
      const unsigned i = first + l;
      q.ox[l] = q.oy[l] = q.oz[l] = step_fraction[l] = 0;
      q.dx[l] = q.dy[l] = q.dz[l] = q.near[l] = q.far[l] = 0;
      if (i >= a->N || a->valid[i] == 0) continue;
      q.near[l] = RTCRayN_tnear(rays, a->N, i);
      q.far[l] = RTCRayN_tfar(rays, a->N, i);
      const unsigned ray = RTCRayN_id(rays, a->N, i);
      if (const MovingLanes& m = context.moving; m.x) {
        const std::size_t k = ray - m.first;
        q.dx[l] = m.x[k], q.dy[l] = m.y[k], q.dz[l] = m.z[k];
        q.ox[l] = m.ox[k], q.oy[l] = m.oy[k], q.oz[l] = m.oz[k];
        step_fraction[l] = m.step_fraction[k];
      } else {
        const RayBatch& batch = *context.batch;
        q.dx[l] = batch.dx[ray], q.dy[l] = batch.dy[ray], q.dz[l] = batch.dz[ray];
      }
    }
  }
};

/// From frame A to the quadric's own.
template <int W>
void to_quadric(const QuadricPart& part, const RaysInGroup& frame, const double* step_fraction,
                QuadricRays<W>& q) {
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R_GA(frame.R);
  const Eigen::Map<const Vec3> o_G(frame.o);
  if (!frame.motion) {
    const Mat3 R = part.R_QG * R_GA;
    transform<W>(R, q.dx, q.dy, q.dz);
    transform<W>(R, q.ox, q.oy, q.oz);
    add<W>(part.R_QG * (o_G - part.p_GQ), q.ox, q.oy, q.oz);
    return;
  }
  to_moving_group<W>(frame, step_fraction, q);
  add<W>(-part.p_GQ, q.ox, q.oy, q.oz);
  transform<W>(part.R_QG, q.dx, q.dy, q.dz);
  transform<W>(part.R_QG, q.ox, q.oy, q.oz);
}

template <int W>
void intersect_lanes(const RTCIntersectFunctionNArguments* a, unsigned first) {
  const auto& part = *static_cast<const QuadricPart*>(a->geometryUserPtr);
  const auto& context = *reinterpret_cast<const CastContext*>(a->context);
  const unsigned instance = a->context->instID[0], n = a->N;
  RTCRayN* rays = RTCRayHitN_RayN(a->rayhit, n);
  RTCHitN* hits = RTCRayHitN_HitN(a->rayhit, n);
  RaysOfLanes<W> lanes;
  QuadricRays<W> q;
  lanes.load(a, first, q);
  to_quadric(part, context.frames->get(instance), lanes.step_fraction, q);
  intersect(part.quadric, q);
  for (int l = 0; l < W; ++l) {
    if (!(q.t[l] < std::numeric_limits<double>::infinity())) continue;
    const unsigned i = first + l;
    RTCRayN_tfar(rays, n, i) = static_cast<float>(q.t[l]);
    RTCHitN_u(hits, n, i) = RTCHitN_v(hits, n, i) = 0;
    RTCHitN_primID(hits, n, i) = a->primID;
    RTCHitN_geomID(hits, n, i) = a->geomID;
    RTCHitN_instID(hits, n, i, 0) = instance;
    if (!context.batch->hits) continue;
    const Vec3 point = Vec3(q.ox[l], q.oy[l], q.oz[l]) + q.t[l] * Vec3(q.dx[l], q.dy[l], q.dz[l]);
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

}  // namespace protobeam
