#include "raycast/moving_instances.h"

#include <algorithm>
#include <limits>

#include "base/clones.h"
#include "raycast/cast_context.h"
#include "raycast/group_rays.h"
#include "raycast/ray_packet.h"

namespace protobeam {
namespace {

/// The swept bounds of a body, in coordinates relative to p_WL.
RTCBounds swept_bounds(const InstanceRecord& record, const Vec3& p_WL) {
  const ShapeGroup& group = *record.group;
  const auto half = [&](const Mat3& R) -> Vec3 { return R.cwiseAbs() * group.half(); };
  const Vec3 after = record.p_WG - p_WL, before = record.X_WB_before * group.center() - p_WL;
  const Vec3 half_after = half(record.R_WB);
  const Vec3 half_before = half(record.X_WB_before.R.toRotationMatrix());
  const Vec3 low = (after - half_after).cwiseMin(before - half_before);
  const Vec3 high = (after + half_after).cwiseMax(before + half_before);
  // A point on an arc is this close to where it would be on the chord.
  const double angle = record.motion.rotation.angle;
  const double bulge = angle * angle / 8 * group.reach();
  // Embree tests these boxes without ROBUST, and its rays are rounded.
  const double margin = bulge + 1e-3 + 1e-6 * low.cwiseAbs().cwiseMax(high.cwiseAbs()).maxCoeff();
  const Eigen::Vector3f l = (low.array() - margin).cast<float>();
  const Eigen::Vector3f h = (high.array() + margin).cast<float>();
  return {l.x(), l.y(), l.z(), 0, h.x(), h.y(), h.z(), 0};
}

void bounds_of_instance(const RTCBoundsFunctionArguments* arguments) {
  const auto& instances = *static_cast<const MovingInstances*>(arguments->geometryUserPtr);
  *arguments->bounds_o = instances.bounds(arguments->primID);
}

/// The packet as the instance sees it; false when it has no valid lane.
template <int W, typename Ray>
PROTOBEAM_INLINE bool to_instance(const int* lanes_valid, const RTCRayN* in, CastContext& context,
                                  const RaysInGroup& frame, Ray& p, int* valid) {
  RTCRayN* rays = const_cast<RTCRayN*>(in);  // Embree's accessors know no const
  // Neighbours in the batch are neighbours in the packet. Lanes that are not valid need not have
  // their numbers: where Embree has no packets this wide it cuts them up.
  const int known = static_cast<int>(
      std::find_if(lanes_valid, lanes_valid + W, [](int v) { return v != 0; }) - lanes_valid);
  if (known == W) return false;
  const MovingLanes& m = context.moving;
  const std::size_t first = RTCRayN_id(rays, W, known) - static_cast<unsigned>(known) - m.first;
  RaysInDouble<W> r;
  for (int l = 0; l < W; ++l) r.ox[l] = m.ox[first + l], r.dx[l] = m.x[first + l];
  for (int l = 0; l < W; ++l) r.oy[l] = m.oy[first + l], r.dy[l] = m.y[first + l];
  for (int l = 0; l < W; ++l) r.oz[l] = m.oz[first + l], r.dz[l] = m.z[first + l];
  to_moving_group<W>(frame, m.step_fraction + first, r);

  for (int l = 0; l < W; ++l) {
    lanes_of(p.org_x)[l] = static_cast<float>(r.ox[l]);
    lanes_of(p.org_y)[l] = static_cast<float>(r.oy[l]);
    lanes_of(p.org_z)[l] = static_cast<float>(r.oz[l]);
    lanes_of(p.dir_x)[l] = without_traces(static_cast<float>(r.dx[l]));
    lanes_of(p.dir_y)[l] = without_traces(static_cast<float>(r.dy[l]));
    lanes_of(p.dir_z)[l] = without_traces(static_cast<float>(r.dz[l]));
    lanes_of(p.tnear)[l] = RTCRayN_tnear(rays, W, l);
    lanes_of(p.tfar)[l] = RTCRayN_tfar(rays, W, l);
    lanes_of(p.time)[l] = 0;
    lanes_of(p.mask)[l] = ~0u;
    lanes_of(p.flags)[l] = 0;
    lanes_of(p.id)[l] = RTCRayN_id(rays, W, l);
    valid[l] = lanes_valid[l];
  }
  return true;
}

template <int W, typename RayHit>
PROTOBEAM_INLINE void intersect_instance(const RTCIntersectFunctionNArguments* a) {
  const auto& instances = *static_cast<const MovingInstances*>(a->geometryUserPtr);
  auto& context = *reinterpret_cast<CastContext*>(a->context);
  const std::uint32_t instance = instances.instance(a->primID);
  const RaysInGroup& frame = context.frames->get(instance);
  RTCRayN* rays = RTCRayHitN_RayN(a->rayhit, W);
  RTCHitN* hits = RTCRayHitN_HitN(a->rayhit, W);
  RayHit p;
  alignas(64) int valid[W];
  if (!to_instance<W>(a->valid, rays, context, frame, p.ray, valid)) return;
  for (int l = 0; l < W; ++l) lanes_of(p.hit.geomID)[l] = RTC_INVALID_GEOMETRY_ID;
  context.embree.instID[0] = instance;
  intersect(valid, context, frame.group->scene(), p);
  context.embree.instID[0] = RTC_INVALID_GEOMETRY_ID;
  for (int l = 0; l < W; ++l) {
    if (valid[l] == 0 || lanes_of(p.hit.geomID)[l] == RTC_INVALID_GEOMETRY_ID) continue;
    RTCRayN_tfar(rays, W, l) = lanes_of(p.ray.tfar)[l];
    RTCHitN_Ng_x(hits, W, l) = lanes_of(p.hit.Ng_x)[l];
    RTCHitN_Ng_y(hits, W, l) = lanes_of(p.hit.Ng_y)[l];
    RTCHitN_Ng_z(hits, W, l) = lanes_of(p.hit.Ng_z)[l];
    RTCHitN_u(hits, W, l) = lanes_of(p.hit.u)[l];
    RTCHitN_v(hits, W, l) = lanes_of(p.hit.v)[l];
    RTCHitN_primID(hits, W, l) = lanes_of(p.hit.primID)[l];
    RTCHitN_geomID(hits, W, l) = lanes_of(p.hit.geomID)[l];
    RTCHitN_instID(hits, W, l, 0) = instance;
  }
}

template <int W, typename Ray>
PROTOBEAM_INLINE void occlude_instance(const RTCOccludedFunctionNArguments* a) {
  const auto& instances = *static_cast<const MovingInstances*>(a->geometryUserPtr);
  auto& context = *reinterpret_cast<CastContext*>(a->context);
  const std::uint32_t instance = instances.instance(a->primID);
  const RaysInGroup& frame = context.frames->get(instance);
  Ray p;
  alignas(64) int valid[W];
  if (!to_instance<W>(a->valid, a->ray, context, frame, p, valid)) return;
  context.embree.instID[0] = instance;
  occluded(valid, context, frame.group->scene(), p);
  context.embree.instID[0] = RTC_INVALID_GEOMETRY_ID;
  for (int l = 0; l < W; ++l) {
    if (valid[l] != 0 && lanes_of(p.tfar)[l] < 0) {
      RTCRayN_tfar(a->ray, W, l) = -std::numeric_limits<float>::infinity();
    }
  }
}

PROTOBEAM_CLONES void intersect_instance_16(const RTCIntersectFunctionNArguments* arguments) {
  intersect_instance<16, RTCRayHit16>(arguments);
}
PROTOBEAM_CLONES void intersect_instance_8(const RTCIntersectFunctionNArguments* arguments) {
  intersect_instance<8, RTCRayHit8>(arguments);
}

/// Embree passes whole packets of ours, parts of them that fit its instruction set, or single
/// rays.
void intersect_instance_packet(const RTCIntersectFunctionNArguments* arguments) {
  const auto& instances = *static_cast<const MovingInstances*>(arguments->geometryUserPtr);
  if (arguments->primID >= instances.count()) return;
  switch (arguments->N) {
    case 16:
      return intersect_instance_16(arguments);
    case 8:
      return intersect_instance_8(arguments);
    case 4:
      return intersect_instance<4, RTCRayHit4>(arguments);
    default:
      return intersect_instance<1, RTCRayHit>(arguments);
  }
}

void occlude_instance_packet(const RTCOccludedFunctionNArguments* arguments) {
  const auto& instances = *static_cast<const MovingInstances*>(arguments->geometryUserPtr);
  if (arguments->primID >= instances.count()) return;
  switch (arguments->N) {
    case 16:
      return occlude_instance<16, RTCRay16>(arguments);
    case 8:
      return occlude_instance<8, RTCRay8>(arguments);
    case 4:
      return occlude_instance<4, RTCRay4>(arguments);
    default:
      return occlude_instance<1, RTCRay>(arguments);
  }
}

}  // namespace

MovingInstances::MovingInstances(RTCDevice device)
    : scene_(rtcNewScene(device)), geometry_(rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER)) {
  rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_ROBUST);
  rtcSetGeometryUserData(geometry_, this);
  rtcSetGeometryBoundsFunction(geometry_, bounds_of_instance, nullptr);
  rtcSetGeometryIntersectFunction(geometry_, intersect_instance_packet);
  rtcSetGeometryOccludedFunction(geometry_, occlude_instance_packet);
  rtcAttachGeometryByID(scene_.get(), geometry_, 0);
}

MovingInstances::~MovingInstances() { rtcReleaseGeometry(geometry_); }

void MovingInstances::update(const std::vector<InstanceRecord>& records, const Vec3& p_WL) {
  p_WL_ = p_WL;
  instances_.clear();
  bounds_.clear();
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    if (!records[i].visible || !records[i].moves) continue;
    instances_.push_back(i);
    bounds_.push_back(swept_bounds(records[i], p_WL));
  }
  if (bounds_.size() == 1) {
    // Embree does not test the box of a single primitive: add a second one, a point in its corner.
    const RTCBounds box = bounds_.front();
    bounds_.push_back(
        {box.lower_x, box.lower_y, box.lower_z, 0, box.lower_x, box.lower_y, box.lower_z, 0});
  }
  rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(bounds_.size()));
  rtcCommitGeometry(geometry_);
  rtcCommitScene(scene_.get());
  dirty_ = false;
}

}  // namespace protobeam
