// The rays of a packet as Embree's callbacks for user geometries need them: in double, in the frame
// of a shape.
#pragma once

#include <embree3/rtcore.h>

#include <limits>

#include "raycast/cast_context.h"
#include "raycast/group_rays.h"

namespace protobeam {

/// Rays of lanes [first, first + W) of Embree's packet, in a shape's frame; all zeros where there
/// is none.
template <int W, typename Rays>
struct RaysOfLanes {
  double step_fraction[W];

  void load(const RTCIntersectFunctionNArguments* a, unsigned first, Rays& q) {
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

  /// From frame A to the shape's own.
  void to_shape(const ShapeFrame& shape, const RaysInGroup& frame, Rays& q) const {
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R_GA(frame.R);
    const Eigen::Map<const Vec3> o_G(frame.o);
    if (!frame.motion) {
      const Mat3 R = shape.R_QG * R_GA;
      transform<W>(R, q.dx, q.dy, q.dz);
      transform<W>(R, q.ox, q.oy, q.oz);
      add<W>(shape.R_QG * (o_G - shape.p_GQ), q.ox, q.oy, q.oz);
      return;
    }
    to_moving_group<W>(frame, step_fraction, q);
    add<W>(-shape.p_GQ, q.ox, q.oy, q.oz);
    transform<W>(shape.R_QG, q.dx, q.dy, q.dz);
    transform<W>(shape.R_QG, q.ox, q.oy, q.oz);
  }
};

/// An occlusion query seen as an intersection: the same rays, but no hits to write.
inline RTCIntersectFunctionNArguments as_intersection(const RTCOccludedFunctionNArguments* a) {
  return {a->valid,  a->geometryUserPtr,
          a->primID, a->context,
          reinterpret_cast<RTCRayHitN*>(a->ray), a->N, a->geomID};
}

/// How an occlusion query is told that something lies on the ray of lane i.
inline void report_blocked(const RTCIntersectFunctionNArguments* a, unsigned i) {
  RTCRayN_tfar(RTCRayHitN_RayN(a->rayhit, a->N), a->N, i) =
      -std::numeric_limits<float>::infinity();
}

/// Writes a hit into lane i. `n_Q` is its normal in the shape's frame, any length.
inline void report_hit(const RTCIntersectFunctionNArguments* a, unsigned i, double t,
                       unsigned primitive, const ShapeFrame& shape, const Vec3& n_Q) {
  const unsigned n = a->N;
  RTCHitN* hits = RTCRayHitN_HitN(a->rayhit, n);
  RTCRayN_tfar(RTCRayHitN_RayN(a->rayhit, n), n, i) = static_cast<float>(t);
  RTCHitN_u(hits, n, i) = RTCHitN_v(hits, n, i) = 0;
  RTCHitN_primID(hits, n, i) = primitive;
  RTCHitN_geomID(hits, n, i) = a->geomID;
  RTCHitN_instID(hits, n, i, 0) = a->context->instID[0];
  const Vec3 n_G = shape.R_QG.transpose() * n_Q;
  RTCHitN_Ng_x(hits, n, i) = static_cast<float>(n_G.x());
  RTCHitN_Ng_y(hits, n, i) = static_cast<float>(n_G.y());
  RTCHitN_Ng_z(hits, n, i) = static_cast<float>(n_G.z());
}

}  // namespace protobeam
