// State of a tracer while it works on a block of rays.
#pragma once

#include <embree3/rtcore.h>

#include <algorithm>
#include <cstdint>

#include "raycast/ray_packet.h"
#include "raycast/trace.h"

namespace protobeam {

/// The rays' frame seen from the instances that were hit recently.
class FrameCache {
 public:
  explicit FrameCache(const TraceJob& job) : job_(job) { std::fill_n(tags_, kSlots, kNoHit); }

  const RaysInGroup& get(std::uint32_t instance) {
    const std::uint32_t slot = instance % kSlots;
    if (tags_[slot] != instance) fill(slot, instance);
    return frames_[slot];
  }

 private:
  static constexpr std::uint32_t kSlots = 64;

  [[gnu::noinline]] void fill(std::uint32_t slot, std::uint32_t instance) {
    const InstanceRecord& record = job_.instances[instance];
    const auto [R, o] = frame_in_group(job_, record);
    RaysInGroup& frame = frames_[slot];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) frame.R[3 * i + j] = R(i, j);
      frame.o[i] = o[i];
    }
    frame.group = record.group;
    frame.motion = job_.moving_instances && record.moves ? &record.motion : nullptr;
    tags_[slot] = instance;
  }

  const TraceJob& job_;
  std::uint32_t tags_[kSlots];
  RaysInGroup frames_[kSlots];
};

/// The rays of a packet as the height field that they crossed last sees them.
struct FieldRays {
  static constexpr unsigned kSlots = 16;
  struct Ray {
    unsigned number = ~0u, instance = 0;
    const FieldPart* part = nullptr;
    CellRay cells;
  };
  Ray of[kSlots];
};

/// What Embree passes on to its intersection callbacks.
struct CastContext {
  CastContext(const RayBatch& rays, FrameCache& cache) : batch(&rays), frames(&cache) {
    rtcInitIntersectContext(&embree);
    if (rays.packet > 1) embree.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  }

  RTCIntersectContext embree;  ///< first: Embree gives back its address
  const RayBatch* batch;
  FrameCache* frames;
  FieldRays field_rays;
  MovingLanes moving{};  ///< of a moving job; otherwise null pointers
};

inline void intersect(const int* valid, CastContext& c, RTCScene scene, RTCRayHit16& r) {
  rtcIntersect16(valid, scene, &c.embree, &r);
}
inline void intersect(const int* valid, CastContext& c, RTCScene scene, RTCRayHit8& r) {
  rtcIntersect8(valid, scene, &c.embree, &r);
}
inline void intersect(const int* valid, CastContext& c, RTCScene scene, RTCRayHit4& r) {
  rtcIntersect4(valid, scene, &c.embree, &r);
}
inline void intersect(const int*, CastContext& c, RTCScene scene, RTCRayHit& r) {
  rtcIntersect1(scene, &c.embree, &r);
}

inline void occluded(const int* valid, CastContext& c, RTCScene scene, RTCRay16& r) {
  rtcOccluded16(valid, scene, &c.embree, &r);
}
inline void occluded(const int* valid, CastContext& c, RTCScene scene, RTCRay8& r) {
  rtcOccluded8(valid, scene, &c.embree, &r);
}
inline void occluded(const int* valid, CastContext& c, RTCScene scene, RTCRay4& r) {
  rtcOccluded4(valid, scene, &c.embree, &r);
}
inline void occluded(const int*, CastContext& c, RTCScene scene, RTCRay& r) {
  rtcOccluded1(scene, &c.embree, &r);
}

}  // namespace protobeam
