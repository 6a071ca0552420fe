// Height fields as user geometries of Embree, whose primitives are tiles: exact, in double.
#include "raycast/height_field.h"
#include "raycast/user_rays.h"

namespace protobeam {
namespace {

struct OneRay {
  double ox[1], oy[1], oz[1], dx[1], dy[1], dz[1], near[1], far[1];
};

/// A ray meets many tiles of a field: it is transformed once.
const CellRay& cell_ray(const RTCIntersectFunctionNArguments* a, const FieldPart& part,
                        unsigned lane) {
  auto& context = *reinterpret_cast<CastContext*>(a->context);
  const unsigned number = RTCRayN_id(RTCRayHitN_RayN(a->rayhit, a->N), a->N, lane);
  const unsigned instance = a->context->instID[0];
  FieldRays::Ray& ray = context.field_rays.of[number % FieldRays::kSlots];
  if (ray.number == number && ray.instance == instance && ray.part == &part) return ray.cells;
  RaysOfLanes<1, OneRay> loader;
  OneRay r;
  loader.load(a, lane, r);
  loader.to_shape(part.frame, context.frames->get(instance), r);
  ray = {number, instance, &part,
         part.tiles.in_cells({*r.ox, *r.oy, *r.oz}, {*r.dx, *r.dy, *r.dz})};
  return ray.cells;
}

/// `any`: only whether there is a hit.
void intersect_fields(const RTCIntersectFunctionNArguments* a, bool any) {
  const auto& part = *static_cast<const FieldPart*>(a->geometryUserPtr);
  const auto& context = *reinterpret_cast<const CastContext*>(a->context);
  RTCRayN* rays = RTCRayHitN_RayN(a->rayhit, a->N);
  for (unsigned lane = 0; lane < a->N; ++lane) {
    if (a->valid[lane] == 0) continue;
    FieldHit hit;
    if (!part.tiles.intersect(a->primID, cell_ray(a, part, lane), RTCRayN_tnear(rays, a->N, lane),
                              RTCRayN_tfar(rays, a->N, lane), hit)) {
      continue;
    }
    if (any) {
      report_blocked(a, lane);
      continue;
    }
    const Vec3 n_Q = context.batch->hits ? part.tiles.normal(hit.triangle) : Vec3::Zero();
    report_hit(a, lane, hit.t, hit.triangle, part.frame, n_Q);
  }
}

}  // namespace

void intersect_field_packet(const RTCIntersectFunctionNArguments* arguments) {
  intersect_fields(arguments, false);
}

void occlude_field_packet(const RTCOccludedFunctionNArguments* arguments) {
  const auto as_if = as_intersection(arguments);
  intersect_fields(&as_if, true);
}

}  // namespace protobeam
