// Rays through the two-level Embree scene, in packets, with exact ranges.
//
// Embree finds which triangle a ray hits; its float range is off by up to a millimetre where a ray
// grazes the ground 100 m away. The range is therefore computed again, in double, from the plane
// of the triangle that was hit, and quadrics are intersected in double from the start.
#pragma once

#include <embree3/rtcore.h>

#include <cstdint>
#include <vector>

#include "raycast/moving_boxes.h"
#include "raycast/shape_group.h"
#include "raycast/step_motion.h"

namespace protobeam {

/// An instance that moves, as the tracer needs it.
struct GroupMotion {
  StepRotation rotation;
  Vec3 translation_B = Vec3::Zero();  ///< of B's origin in the step, axes of B at its end
  Vec3 p_BG = Vec3::Zero();           ///< B rotates about its origin, not about that of the group
};

/// An instance; its pose is that at the end of the step.
struct InstanceRecord {
  const ShapeGroup* group = nullptr;
  Pose X_WB_before, X_WB;
  Mat3 R_WB = Mat3::Identity();
  Vec3 p_WG = Vec3::Zero();  ///< origin of the group's coordinates
  GroupMotion motion;
  bool visible = true;
  bool moves = false;  ///< within the step
};

/// The rays' frame A seen from an instance at the end of the step: p_G = R_GA p_A + o_G.
struct RaysInGroup {
  double R[9];  ///< row by row
  double o[3];
  const ShapeGroup* group;
  const GroupMotion* motion;  ///< null when it rests, or rays have no times
};

class InstanceBalls;
class MovingInstances;
/// A committed scene and a batch, ready to be traced.
struct TraceJob {
  RTCScene scene = nullptr;
  RTCScene fields = nullptr;            ///< those of `scene` that have height fields
  RTCScene moving_instances = nullptr;  ///< what is not in `scene` because it moves; null: none
  const MovingInstances* moving_bodies = nullptr;  ///< the same
  const MovingBoxes* moving_boxes = nullptr;       ///< around them; null: not known
  const InstanceRecord* instances = nullptr;
  const InstanceBalls* balls = nullptr;
  std::size_t mesh_triangles = 0;  ///< of all instances
  const RayBatch* batch = nullptr;
  Mat3 R_WS = Mat3::Identity();
  Vec3 p_WS = Vec3::Zero();
  float R_LS[9] = {};  ///< sensor to scene axes, row by row
  float o_L[3] = {};   ///< sensor in scene coordinates
  float least_near = 0;  ///< m, of the batch's rays

  /// Rays have origins or times of their own that matter. Exact ranges are computed in a frame A at
  /// the sensor's position at the end of the step: with the axes of S, or, when rays differ, of W.
  bool moving = false;
  Mat3 R_WA = Mat3::Identity();
  StepMotion sensor;
  Vec3 p_LS = Vec3::Zero();  ///< o_L before rounding
};

/// The rays' frame A as a group sees it: p_G = R_GA p_A + o_G.
struct FrameInGroup {
  Mat3 R_GA;
  Vec3 o_G;
};
inline FrameInGroup frame_in_group(const TraceJob& job, const InstanceRecord& record) {
  return {record.R_WB.transpose() * job.R_WA,
          record.R_WB.transpose() * (job.p_WS - record.p_WG)};
}

/// Memory of one thread, reused for each block.
struct TraceScratch {
  static constexpr std::size_t kBlock = 2048;  ///< rays in a block; a multiple of all packet widths

  void resize(const RayBatch& batch);

  std::vector<float> range, u, v, nx, ny, nz, cosine;
  std::vector<std::uint32_t> instance, shape, primitive;
  NearBoxes near_boxes;
  std::size_t doubtful = 0;  ///< rays that complete_block() has traced
};

class BeamCaster;
struct BeamFinds;
/// What the beam caster has found for the rays of a block.
struct FoundHits {
  const BeamCaster& caster;
  const BeamFinds& finds;
  std::size_t first;  ///< ray of the finds
};

/// Traces rays [first, first + count) of the job's batch, count <= kBlock. The block that it
/// returns points into `scratch`.
RayBlock trace_block(const TraceJob& job, std::size_t first, std::size_t count,
                     TraceScratch& scratch);
/// The block of what a tracer has written.
RayBlock block_of(const TraceJob& job, std::size_t first, std::size_t count,
                  const TraceScratch& scratch);
/// The same as trace_block() for rays whose hits are found but for what is marked for Embree.
RayBlock complete_block(const TraceJob& job, std::size_t first, std::size_t count,
                        const FoundHits& found, TraceScratch& scratch);

/// Intersects quadrics exactly; Embree calls it for user geometries.
void intersect_quadric_packet(const RTCIntersectFunctionNArguments* arguments);

/// The same for height fields; a tile is a primitive to Embree, a triangle to who asks for hits.
void intersect_field_packet(const RTCIntersectFunctionNArguments* arguments);

/// For a line of which nobody knows yet whether something lies on it.
inline constexpr std::uint8_t kUnknown = 2;
/// Whether something lies on each line; `job` is that of the cast whose scene is looked at. Packets
/// without a line that is marked as unknown are left as they are. The others are traced whole: for a
/// line along an outline, Embree's answer depends on the lines beside it.
void trace_blocked(const TraceJob& job, const Vec3& p_WL, const SightLines& lines,
                   std::uint8_t* blocked);

/// Tell an occlusion query whether something is on its rays.
void occlude_quadric_packet(const RTCOccludedFunctionNArguments* arguments);
void occlude_field_packet(const RTCOccludedFunctionNArguments* arguments);

/// Sets flush-to-zero and denormals-are-zero in its scope, as Embree asks for.
class FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned saved_ = 0;
};

}  // namespace protobeam
