// Quadrics as user geometries of Embree: exact from the start, in double.
#include <limits>

#include "raycast/quadric.h"
#include "raycast/user_rays.h"

namespace protobeam {
namespace {

/// `any`: only whether there is a hit.
template <int W>
void intersect_lanes(const RTCIntersectFunctionNArguments* a, unsigned first, bool any) {
  const auto& part = *static_cast<const QuadricPart*>(a->geometryUserPtr);
  const auto& context = *reinterpret_cast<const CastContext*>(a->context);
  RaysOfLanes<W, QuadricRays<W>> lanes;
  QuadricRays<W> q;
  lanes.load(a, first, q);
  lanes.to_shape(part.frame, context.frames->get(a->context->instID[0]), q);
  intersect(part.quadric, q);
  for (int l = 0; l < W; ++l) {
    if (!(q.t[l] < std::numeric_limits<double>::infinity())) continue;
    if (any) {
      report_blocked(a, first + l);
      continue;
    }
    Vec3 n_Q = Vec3::Zero();
    if (context.batch->hits) {
      const Vec3 point = Vec3(q.ox[l], q.oy[l], q.oz[l]) + q.t[l] * Vec3(q.dx[l], q.dy[l], q.dz[l]);
      n_Q = normal(part.quadric, static_cast<int>(q.part[l]), point);
    }
    report_hit(a, first + l, q.t[l], a->primID, part.frame, n_Q);
  }
}

void intersect_quadrics(const RTCIntersectFunctionNArguments* a, bool any) {
  if (a->N == 1) return intersect_lanes<1>(a, 0, any);
  for (unsigned first = 0; first < a->N; first += 8) intersect_lanes<8>(a, first, any);
}

}  // namespace

void intersect_quadric_packet(const RTCIntersectFunctionNArguments* arguments) {
  intersect_quadrics(arguments, false);
}

void occlude_quadric_packet(const RTCOccludedFunctionNArguments* arguments) {
  const auto as_if = as_intersection(arguments);
  intersect_quadrics(&as_if, true);
}

}  // namespace protobeam
