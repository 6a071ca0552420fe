// Rays through the two-level Embree scene, in packets, with exact ranges.
//
// Embree finds which triangle a ray hits; its float range is off by up to a millimetre where a ray
// grazes the ground 100 m away. The range is therefore computed again, in double, from the plane
// of the triangle that was hit, and quadrics are intersected in double from the start.
#pragma once

#include <embree3/rtcore.h>

#include <cstdint>
#include <vector>

#include "raycast/shape_group.h"

namespace protobeam {

/// What the tracer knows about an instance.
struct InstanceRecord {
  const ShapeGroup* group = nullptr;
  Mat3 R_WB = Mat3::Identity();
  Vec3 p_WG = Vec3::Zero();  ///< origin of the group's coordinates
};

/// The sensor seen from an instance: p_G = R_GS p_S + o_G.
struct SensorInGroup {
  double R[9];  ///< row by row
  double o[3];
  const ShapeGroup* group;
};

/// A committed scene and a batch, ready to be traced.
struct TraceJob {
  RTCScene scene = nullptr;
  const InstanceRecord* instances = nullptr;
  const RayBatch* batch = nullptr;
  Mat3 R_WS = Mat3::Identity();
  Vec3 p_WS = Vec3::Zero();
  float R_LS[9] = {};  ///< sensor to scene axes, row by row
  float o_L[3] = {};   ///< sensor in scene coordinates
};

/// Memory of one thread, used again for each block.
struct TraceScratch {
  static constexpr std::size_t kBlock = 2048;  ///< rays in a block; a multiple of all packet widths

  void resize(bool hits);

  std::vector<float> range, u, v, nx, ny, nz, cosine;
  std::vector<std::uint32_t> instance, shape, primitive;
};

/// Traces rays [first, first + count) of the job's batch, count <= kBlock. The block that it
/// returns points into `scratch`.
RayBlock trace_block(const TraceJob& job, std::size_t first, std::size_t count,
                     TraceScratch& scratch);

/// Intersects quadrics exactly; Embree calls it for user geometries.
void intersect_quadric_packet(const RTCIntersectFunctionNArguments* arguments);

/// Flush-to-zero and denormals-are-zero while it lives, as Embree asks for.
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
