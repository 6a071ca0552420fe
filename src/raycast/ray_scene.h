// The visible world as sensors see it: shapes in, ranges out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/math.h"
#include "geometry/geometry.h"

namespace protobeam {

/// One shape of an instance, in the instance's body frame B.
struct VisibleShape {
  std::shared_ptr<const Geometry> geometry;  ///< shared pointers to the same shape share its BVH
  Pose X_BS;
};

inline constexpr std::uint32_t kNoHit = 0xffffffffu;

/// Rays of one sensor, structure of arrays, in casting order: neighbours in the
/// arrays should be neighbours in space (tiles), since 16 consecutive rays travel as one packet.
struct RayBatch {
  Pose X_WS;                   ///< sensor frame S in world W, double: worlds may be far away
  const float* dx = nullptr;   ///< unit directions in S
  const float* dy = nullptr;
  const float* dz = nullptr;
  /// Pose of the sensor at the start of the step; unset: it stands still.
  std::optional<Pose> X_WS_before;
  const float* time = nullptr;  ///< [count] 0..1 in the step; null: all at its end
  const float* ox = nullptr;    ///< [count] m, origins in S; null: all at its origin
  const float* oy = nullptr;
  const float* oz = nullptr;
  std::size_t count = 0;
  float t_near = 0;            ///< m; what is nearer does not exist for this sensor
  const float* near = nullptr; ///< [count] m, t_near of each ray; null: the same for all
  float t_far = 1e30f;         ///< m; what is farther is not looked for
  int packet = 16;             ///< rays a packet: 16, 8 or 1 (sparse scanners)
  bool hits = false;           ///< also fill instance, shape, primitive, normal and cosine
};

/// A run of consecutive rays, delivered when it is done. Starts at a multiple of 16 in the batch.
struct RayBlock {
  std::size_t first = 0, count = 0;
  const float* range = nullptr;             ///< [count] m, +inf: no return within t_far
  const std::uint32_t* instance = nullptr;  ///< [count] or null; kNoHit for misses
  const std::uint32_t* shape = nullptr;     ///< index into the instance's shapes
  const std::uint32_t* primitive = nullptr; ///< triangle number in a mesh, otherwise 0
  const float* u = nullptr;                 ///< barycentric u, v in the triangle (meshes)
  const float* v = nullptr;
  const float* nx = nullptr;                ///< unit surface normal in W, facing the ray's origin
  const float* ny = nullptr;
  const float* nz = nullptr;
  const float* cosine = nullptr;            ///< of the angle between ray and normal, 0..1
};
/// Called from worker threads, blocks in any order, each exactly once; must not throw.
using BlockSink = std::function<void(const RayBlock&)>;

/// Instances of shapes and rays through them. One thread at a time may call it; cast() itself
/// spreads over its threads, and what it delivers does not depend on their number.
class RayScene {
 public:
  using Instance = std::uint32_t;
  virtual ~RayScene() = default;

  /// Adds a rigid group of shapes. Planes are finite rectangles here.
  virtual Instance add(const std::vector<VisibleShape>& shapes, const Pose& X_WB) = 0;
  virtual void set_pose(Instance instance, const Pose& X_WB) = 0;
  virtual void set_visible(Instance instance, bool visible) = 0;
  /// Casts all rays; returns when every block was delivered. Brings moved instances up to date first.
  virtual void cast(const RayBatch& batch, const BlockSink& sink) = 0;
  virtual std::size_t triangle_count() const = 0;
};

struct RaySceneOptions {
  int threads = 0;  ///< 0: one a core
};

/// The production engine: Embree, ROBUST, instances only on the top level, packets.
std::unique_ptr<RayScene> make_embree_scene(const RaySceneOptions& options = {});

}  // namespace protobeam
