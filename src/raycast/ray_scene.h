// The visible world as sensors see it: shapes in, ranges out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/math.h"
#include "base/turn.h"
#include "geometry/geometry.h"

namespace protobeam {

/// One shape of an instance, in the instance's body frame B.
struct VisibleShape {
  std::shared_ptr<const Geometry> geometry;  ///< shared pointers to the same shape share its BVH
  Pose X_BS;
};

inline constexpr std::uint32_t kNoHit = 0xffffffffu;

/// Where a frame is at a time of the step that brings it from `before` (time 0) to `after` (time
/// 1): its origin on the straight line between them, its axes rotating at a constant rate by the
/// smaller angle (slerp). On a circle with speed v and yaw rate w the line is a chord: at most
/// v w dt^2 / 8 from the arc of a step dt (0.5 mm for 20 m/s, 3 rad/s and 8 ms). The pose is wrong
/// when the frame rotates by more than pi within the step.
inline Pose pose_at(const Pose& before, const Pose& after, double time) {
  return {slerp(before.R, after.R, time), (1 - time) * before.p + time * after.p};
}

class BeamTiles;

/// Rays of one sensor, structure of arrays, in casting order: neighbours in the arrays should be
/// neighbours in space (tiles), since 16 consecutive rays are one packet. All of them fall
/// within one step of the simulation. A ray that is cast at `time` starts where S is then (pose_at)
/// and meets the instances where they are then. Near, far and ranges count from the ray's own
/// origin along its direction.
struct RayBatch {
  Pose X_WS;  ///< sensor frame S in world W at the end of the step, double: worlds may be far away
  /// At the start of the step; none: the sensor rests. Of no effect without `time`.
  std::optional<Pose> X_WS_before;
  const float* time = nullptr;  ///< when each ray is cast, 0..1 in the step; null: at the end
  const float* ox = nullptr;    ///< origins in S, m, all three or none; null: S's origin
  const float* oy = nullptr;
  const float* oz = nullptr;
  const float* dx = nullptr;  ///< unit directions in S
  const float* dy = nullptr;
  const float* dz = nullptr;
  std::size_t count = 0;
  float t_near = 0;             ///< m; what is nearer does not exist for this sensor
  const float* near = nullptr;  ///< [count] m, t_near of each ray; null: the same for all
  std::optional<float> least_near;  ///< of `near`, of who knows it and casts often
  float t_far = 1e30f;          ///< m; what is farther is not looked for
  /// What arrange() found out about these very rays, or about more of them, of which these begin at
  /// ray `tiles_first`, with a band; null: nothing.
  const BeamTiles* tiles = nullptr;
  std::size_t tiles_first = 0;
  int packet = 16;              ///< rays per packet: 16, 8 or 1 (sparse scanners)
  bool hits = false;            ///< also fill instance, shape, primitive, u, v and cosine
  bool normals = false;         ///< and nx, ny, nz; of no effect without hits
};

/// A run of consecutive rays, delivered when it is done. Starts at a multiple of 16 in the batch.
struct RayBlock {
  std::size_t first = 0, count = 0;
  const float* range = nullptr;              ///< [count] m, +inf: no return within t_far
  const std::uint32_t* instance = nullptr;   ///< [count] or null; kNoHit for misses
  const std::uint32_t* shape = nullptr;      ///< index into the instance's shapes
  const std::uint32_t* primitive = nullptr;  ///< triangle of a mesh; elsewhere of no meaning
  /// Barycentric u, v in that triangle. 0 where nobody needs them: on other shapes, and on meshes
  /// that have neither texture coordinates nor, with `normals`, normals at their corners.
  const float* u = nullptr;
  const float* v = nullptr;
  const float* nx = nullptr;  ///< or null; unit normal in W at the ray's time, facing its origin
  const float* ny = nullptr;
  const float* nz = nullptr;
  const float* cosine = nullptr;  ///< of the angle between ray and normal, 0..1
};
/// Called from worker threads, blocks in any order, each exactly once; must not throw.
using BlockSink = std::function<void(const RayBlock&)>;

/// Lines of which only matters whether something lies on them, as from a surface to a light: any
/// number, each with its own origin. Axes are those of W.
struct SightLines {
  Vec3 origin_W = Vec3::Zero();  ///< from which ox, oy, oz count
  const float* ox = nullptr;     ///< [count] m
  const float* oy = nullptr;
  const float* oz = nullptr;
  const float* dx = nullptr;  ///< [count] unit directions
  const float* dy = nullptr;
  const float* dz = nullptr;
  const float* far = nullptr;   ///< [count] m, where each ends
  const float* time = nullptr;  ///< as RayBatch::time, when the last cast had times
  std::size_t count = 0;
};

/// Instances of shapes and rays through them. One thread at a time may call it, but for the work of
/// together(); cast() itself spreads over its threads, and what it delivers does not depend on
/// their number.
class RayScene {
 public:
  using Instance = std::uint32_t;
  virtual ~RayScene() = default;

  /// Adds a rigid group of shapes. Planes are finite rectangles here.
  virtual Instance add(const std::vector<VisibleShape>& shapes, const Pose& X_WB) = 0;
  /// Takes an instance out; its number may be given to one that is added later.
  virtual void remove(Instance instance) { set_visible(instance, false); }
  /// The instance moves from X_WB_before (time 0) to X_WB (time 1) during the step, as pose_at
  /// computes. Rays without a time meet it at X_WB. Valid until the next call for this instance:
  /// one that has stopped needs another call.
  virtual void set_motion(Instance instance, const Pose& X_WB_before, const Pose& X_WB) = 0;
  /// The instance rests.
  void set_pose(Instance instance, const Pose& X_WB) { set_motion(instance, X_WB, X_WB); }
  virtual void set_visible(Instance instance, bool visible) = 0;
  /// For rays that are cast many times: what helps this engine to cast them, for RayBatch::tiles of
  /// it or of another scene. Each 16 consecutive rays are neighbours; `rows` such tiles, each above
  /// or below the one before, make an upright band, and bands are neighbours. Looks at directions,
  /// origins and count. Null: of no use.
  virtual std::shared_ptr<const BeamTiles> arrange(const RayBatch& /*rays*/, int /*rows*/) {
    return nullptr;
  }
  /// Casts all rays; returns when every block was delivered. Brings moved instances up to date
  /// first.
  virtual void cast(const RayBatch& batch, const BlockSink& sink) = 0;
  /// 1 in `blocked` for each line with something on it, 0 for the others; on the calling thread.
  /// Only for a sink to call: it looks at the scene as the cast under way has brought it up to
  /// date, and several threads may do so.
  virtual void find_blocked(const SightLines& lines, std::uint8_t* blocked) {
    RayBatch batch;
    batch.X_WS = Pose::translation(lines.origin_W);
    batch.time = lines.time;
    batch.ox = lines.ox, batch.oy = lines.oy, batch.oz = lines.oz;
    batch.dx = lines.dx, batch.dy = lines.dy, batch.dz = lines.dz;
    batch.count = lines.count;
    cast(batch, [&](const RayBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i) {
        const std::size_t line = block.first + i;
        blocked[line] = block.range[i] < lines.far[line] ? 1 : 0;
      }
    });
  }
  /// work(0) to work(count - 1), in any order, on the threads of cast(); not for a sink to call. For
  /// what follows a cast, as the noise of an image; must not throw.
  virtual void share(std::size_t count, const std::function<void(std::size_t)>& work) {
    for (std::size_t i = 0; i < count; ++i) work(i);
  }
  /// work(0) to work(places.size() - 1), each of which may cast and share as if it were alone: on
  /// the threads of cast(), several at a time and in any order where the engine can. Work i casts
  /// from about places[i] (m, in W). Nothing else of the scene may change meanwhile; must not
  /// throw.
  virtual void together(std::span<const Vec3> places,
                        const std::function<void(std::size_t)>& work) {
    for (std::size_t i = 0; i < places.size(); ++i) work(i);
  }
  virtual std::size_t triangle_count() const = 0;
};

struct RaySceneOptions {
  int threads = 0;  ///< 0: one a core
  /// Height fields with at most so many points become triangles: twice as fast for rays, with
  /// twenty times the memory (80 MB). Ranges have the same bits.
  std::size_t points_as_triangles = 250'000;
  /// Rays of which the arrangement is known (RayBatch::tiles) find triangles by drawing these over
  /// them; Embree traces what is left. Off: Embree traces all.
  bool beam_caster = true;
  /// Parallel lines on which certainly nothing lies are found in a map, which is made when so many
  /// have been traced, and again when twice as many have, if it would know more then. 0: Embree
  /// traces all.
  std::size_t lines_before_map = 1 << 20;
};

/// The production engine: Embree, ROBUST, instances only on the top level, packets.
std::unique_ptr<RayScene> make_embree_scene(const RaySceneOptions& options = {});

}  // namespace protobeam
