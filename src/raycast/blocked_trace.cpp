// Sight lines through the scene: whether something lies on them, not what.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clones.h"
#include "raycast/cast_context.h"
#include "raycast/trace.h"

namespace protobeam {
namespace {

constexpr int kWidth = 16;
constexpr float kBlocked = -std::numeric_limits<float>::infinity();  // as Embree writes it

PROTOBEAM_CLONES void trace_lines(const TraceJob& job, const Vec3& p_LO, const SightLines& lines,
                                  CastContext& context, std::uint8_t* blocked) {
  MovingRays<kWidth> rays;  // in double for shapes that are not triangles
  context.moving = rays.lanes();
  RTCRay16 r;
  alignas(64) int valid[kWidth];
  for (int l = 0; l < kWidth; ++l) {
    r.tnear[l] = 0;
    r.mask[l] = ~0u;
    r.flags[l] = 0;
  }
  const float* const directions[] = {lines.dx, lines.dy, lines.dz};
  const float* const origins[] = {lines.ox, lines.oy, lines.oz};
  for (std::size_t first = 0; first < lines.count; first += kWidth) {
    const std::size_t count = std::min<std::size_t>(kWidth, lines.count - first);
    if (std::find(blocked + first, blocked + first + count, kUnknown) == blocked + first + count) {
      continue;
    }
    load_vectors<kWidth>(directions, first, count, rays.x, rays.y, rays.z);
    load_vectors<kWidth>(origins, first, count, rays.ox, rays.oy, rays.oz);
    for (int l = 0; l < kWidth; ++l) rays.step_fraction[l] = 0;
    if (lines.time) {
      for (std::size_t l = 0; l < count; ++l) {
        rays.step_fraction[l] = std::clamp(double{lines.time[first + l]}, 0.0, 1.0) - 1;
      }
    }
    context.moving.first = first;
    for (int l = 0; l < kWidth; ++l) {
      r.dir_x[l] = without_traces(static_cast<float>(rays.x[l]));
      r.dir_y[l] = without_traces(static_cast<float>(rays.y[l]));
      r.dir_z[l] = without_traces(static_cast<float>(rays.z[l]));
      r.org_x[l] = static_cast<float>(p_LO.x() + rays.ox[l]);
      r.org_y[l] = static_cast<float>(p_LO.y() + rays.oy[l]);
      r.org_z[l] = static_cast<float>(p_LO.z() + rays.oz[l]);
      r.time[l] = 0;
    }
    for (int l = 0; l < kWidth; ++l) {
      const std::size_t line = first + std::min<std::size_t>(l, count - 1);
      r.tfar[l] = lines.far[line];
      r.id[l] = static_cast<unsigned>(line);
      valid[l] = l < static_cast<int>(count) && r.tfar[l] > 0 ? -1 : 0;
    }
    occluded(valid, context, job.scene, r);
    if (job.moving_instances) {
      // Embree never ends with a lane that is done already.
      for (int l = 0; l < kWidth; ++l) valid[l] = r.tfar[l] > 0 ? valid[l] : 0;
      occluded(valid, context, job.moving_instances, r);
    }
    for (std::size_t l = 0; l < count; ++l) blocked[first + l] = r.tfar[l] == kBlocked ? 1 : 0;
  }
}

}  // namespace

void trace_blocked(const TraceJob& cast, const Vec3& p_WL, const SightLines& lines,
                   std::uint8_t* blocked) {
  if (!lines.origin_W.allFinite()) std::fill_n(blocked, lines.count, std::uint8_t{0});
  // Lines have the axes of W and start near their own origin.
  TraceJob job;
  job.scene = cast.scene;
  job.moving_instances = cast.moving_instances;
  job.instances = cast.instances;
  job.p_WS = lines.origin_W;
  RayBatch batch;  // no hits are wanted
  job.batch = &batch;
  FrameCache frames(job);
  CastContext context(batch, frames);
  // Embree 3.13 does not return from occlusion queries of packets that it was told to be coherent
  // when their directions have opposite signs.
  context.embree.flags = RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
  const FlushDenormals flush;
  trace_lines(job, lines.origin_W - p_WL, lines, context, blocked);
}

}  // namespace protobeam
