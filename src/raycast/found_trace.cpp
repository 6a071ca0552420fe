#include <bit>
#include <cmath>

#include "base/clones.h"
#include "raycast/beam_caster.h"
#include "raycast/exact_hits.h"
#include "raycast/trace.h"

namespace protobeam {
namespace {

using namespace exact_hits;

/// Lets Embree look for shapes of `scene` that are nearer than the hits that are found.
template <typename Rays>
[[gnu::noinline]] void trace_nearer(const TraceJob& job, RTCScene scene, std::size_t ray,
                                    const Rays& rays, CastContext& context, RTCRayHit16& found) {
  constexpr int W = BeamTiles::kTile;
  RTCRayHit16 r;
  rays.start(job, r.ray);
  const float* near = job.batch->near;
  alignas(64) int valid[W];
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    rays.to_scene(job, l, r.ray);
    r.ray.tnear[l] = near ? near[ray + static_cast<std::size_t>(l)] : job.batch->t_near;
    // Rounded twice: Embree's range of the same hit may be a little greater.
    const float hit = found.ray.tfar[l] * (1 + 1e-5f);
    r.ray.tfar[l] = hit < job.batch->t_far ? hit : job.batch->t_far;
    r.ray.mask[l] = ~0u;
    r.ray.flags[l] = 0;
    r.ray.id[l] = static_cast<unsigned>(ray) + static_cast<unsigned>(l);
    r.hit.geomID[l] = r.hit.instID[0][l] = RTC_INVALID_GEOMETRY_ID;
    valid[l] = -1;
  }
  intersect(valid, context, scene, r);
  for (int l = 0; l < W; ++l) {
    if (r.hit.geomID[l] == RTC_INVALID_GEOMETRY_ID) continue;
    found.ray.tfar[l] = r.ray.tfar[l];
    found.hit.geomID[l] = r.hit.geomID[l];
    found.hit.primID[l] = r.hit.primID[l];
    found.hit.instID[0][l] = r.hit.instID[0][l];
    found.hit.Ng_x[l] = r.hit.Ng_x[l];
    found.hit.Ng_y[l] = r.hit.Ng_y[l];
    found.hit.Ng_z[l] = r.hit.Ng_z[l];
  }
}

/// The rays of a tile in the coordinates of a group that rests; by the arithmetic of to_plane().
template <typename Rays>
struct TileInGroup {
  static constexpr int W = BeamTiles::kTile;
  alignas(64) double gx[W];
  alignas(64) double gy[W];
  alignas(64) double gz[W];
  // Where they begin, of rays with origins of their own.
  alignas(64) double px[W];
  alignas(64) double py[W];
  alignas(64) double pz[W];

  PROTOBEAM_INLINE void load(const RaysInGroup& frame, const Rays& rays) {
    const double r0 = frame.R[0], r1 = frame.R[1], r2 = frame.R[2];
    const double r3 = frame.R[3], r4 = frame.R[4], r5 = frame.R[5];
    const double r6 = frame.R[6], r7 = frame.R[7], r8 = frame.R[8];
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      const double x = rays.x[l], y = rays.y[l], z = rays.z[l];
      gx[l] = r0 * x + r1 * y + r2 * z;
      gy[l] = r3 * x + r4 * y + r5 * z;
      gz[l] = r6 * x + r7 * y + r8 * z;
    }
    if constexpr (Rays::kMoving) {
      const double ox = frame.o[0], oy = frame.o[1], oz = frame.o[2];
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) {
        px[l] = r0 * rays.ox[l] + r1 * rays.oy[l] + r2 * rays.oz[l] + ox;
        py[l] = r3 * rays.ox[l] + r4 * rays.oy[l] + r5 * rays.oz[l] + oy;
        pz[l] = r6 * rays.ox[l] + r7 * rays.oy[l] + r8 * rays.oz[l] + oz;
      }
    }
  }
};

template <typename T>
PROTOBEAM_INLINE void copy_tile(const T* from, double* to) {
  PROTOBEAM_LANES
  for (int l = 0; l < BeamTiles::kTile; ++l) to[l] = from[l];
}

/// Replaces hits that are farther than a quadric, by the arithmetic of Embree's callback
/// (quadric_trace.cpp). Gives back a bit for each lane that it has hit.
template <typename Rays>
PROTOBEAM_INLINE unsigned meet_curve(const TraceJob& job, const BeamCaster::Curve& curve,
                                     std::size_t ray, const Rays& rays, float* range, float* cosine,
                                     RTCRayHit16& r) {
  constexpr int W = BeamTiles::kTile;
  const RayBatch& batch = *job.batch;
  QuadricRays<W> q;
  copy_tile(rays.x, q.dx), copy_tile(rays.y, q.dy), copy_tile(rays.z, q.dz);
  const float t_far = batch.t_far, t_near = batch.t_near;
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) q.far[l] = range[l] < t_far ? range[l] : t_far;
  if (const float* near = batch.near) {
    copy_tile(near + ray, q.near);
  } else {
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) q.near[l] = t_near;
  }
  transform<W>(curve.R_QA, q.dx, q.dy, q.dz);
  if constexpr (Rays::kMoving) {
    copy_tile(rays.ox, q.ox), copy_tile(rays.oy, q.oy), copy_tile(rays.oz, q.oz);
    transform<W>(curve.R_QA, q.ox, q.oy, q.oz);
  } else {
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) q.ox[l] = q.oy[l] = q.oz[l] = 0;
  }
  add<W>(curve.p_QA, q.ox, q.oy, q.oz);
  intersect(curve.part->quadric, q);
  unsigned met = 0;
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) met |= (q.t[l] < kInfinity ? 1u : 0u) << l;
  if (met == 0) return 0;
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) cosine[l] = q.t[l] < kInfinity ? 0 : cosine[l];
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) range[l] = q.t[l] < kInfinity ? static_cast<float>(q.t[l]) : range[l];
  if (!batch.hits) return met;
  for (unsigned left = met; left != 0; left &= left - 1) {
    const int l = std::countr_zero(left);
    const Vec3 point = Vec3(q.ox[l], q.oy[l], q.oz[l]) + q.t[l] * Vec3(q.dx[l], q.dy[l], q.dz[l]);
    const Vec3 n = curve.part->frame.R_QG.transpose() *
                   normal(curve.part->quadric, static_cast<int>(q.part[l]), point);
    r.hit.geomID[l] = curve.shape;
    r.hit.primID[l] = 0;
    r.hit.instID[0][l] = curve.instance;
    r.hit.Ng_x[l] = static_cast<float>(n.x());
    r.hit.Ng_y[l] = static_cast<float>(n.y());
    r.hit.Ng_z[l] = static_cast<float>(n.z());
  }
  return met;
}

/// Distance of the origin from the plane of what each lane has hit, and speed towards it.
struct TileHits {
  static constexpr int W = BeamTiles::kTile;
  alignas(64) double distance[W];
  alignas(64) double speed[W];

  template <typename Rays>
  PROTOBEAM_INLINE void add(const TrianglePlane& p, const RaysInGroup& frame,
                            const TileInGroup<Rays>& rays, std::uint32_t facet,
                            const std::uint32_t* facets) {
    const double of_frame = p.offset - (p.nx * frame.o[0] + p.ny * frame.o[1] + p.nz * frame.o[2]);
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      double away = of_frame;
      if constexpr (Rays::kMoving) {
        away = p.offset - (p.nx * rays.px[l] + p.ny * rays.py[l] + p.nz * rays.pz[l]);
      }
      const double along = p.nx * rays.gx[l] + p.ny * rays.gy[l] + p.nz * rays.gz[l];
      const bool is = facets[l] == facet;
      distance[l] = is ? away : distance[l];
      speed[l] = is ? along : speed[l];
    }
  }
  /// Normals of what was added with that facet, in W and facing the rays.
  PROTOBEAM_INLINE void add_normals(const TrianglePlane& p, const Mat3& R_WG, std::uint32_t facet,
                                    const std::uint32_t* facets, KnownNormals<W>& to) const {
    const auto x = static_cast<float>(R_WG(0, 0) * p.nx + R_WG(0, 1) * p.ny + R_WG(0, 2) * p.nz);
    const auto y = static_cast<float>(R_WG(1, 0) * p.nx + R_WG(1, 1) * p.ny + R_WG(1, 2) * p.nz);
    const auto z = static_cast<float>(R_WG(2, 0) * p.nx + R_WG(2, 1) * p.ny + R_WG(2, 2) * p.nz);
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      const float side = speed[l] > 0 ? -1.0f : 1.0f;
      const bool is = facets[l] == facet;
      to.x[l] = is ? side * x : to.x[l];
      to.y[l] = is ? side * y : to.y[l];
      to.z[l] = is ? side * z : to.z[l];
    }
  }
  /// As to_plane() does; where nothing was hit, `speed` is 0.
  PROTOBEAM_INLINE void refine(float* range, float* cosine) const {
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      const float exact = static_cast<float>(distance[l] / speed[l]);
      const bool same = std::abs(distance[l] - speed[l] * range[l]) <= kSamePlane && exact >= 0 &&
                        exact < kInfinity;
      range[l] = same ? exact : range[l];
      const float along = static_cast<float>(std::abs(speed[l]));
      cosine[l] = along < 1 ? along : 1.0f;
    }
  }
};

/// What the caster has found for a tile, as ranges.
PROTOBEAM_INLINE void load_hits(const BeamFinds& finds, std::size_t first, std::uint32_t* facet,
                                float* range) {
  constexpr int W = BeamTiles::kTile;
  const std::uint32_t* facets = &finds.facet[first];
  const float* inverses = &finds.inverse[first];
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    facet[l] = facets[l];
    range[l] = facet[l] == kNoFacet ? kInfinity : 1 / inverses[l];
  }
}

/// A tile that looks at nothing.
PROTOBEAM_INLINE void write_nothing(std::size_t slot, bool hits, bool normals, TraceScratch& out) {
  constexpr std::size_t W = BeamTiles::kTile;
  const auto fill = [slot](auto& of, auto value) { std::fill_n(of.data() + slot, W, value); };
  fill(out.range, kInfinity);
  if (!hits) return;
  for (auto* of : {&out.instance, &out.shape, &out.primitive}) fill(*of, kNoHit);
  for (auto* of : {&out.u, &out.v, &out.cosine}) fill(*of, 0.0f);
  if (!normals) return;
  for (auto* of : {&out.nx, &out.ny, &out.nz}) fill(*of, 0.0f);
}

/// A bit for each lane whose value is that one.
PROTOBEAM_INLINE unsigned lanes_with(std::uint32_t one, const std::uint32_t* values) {
  std::uint32_t lanes = 0;
  PROTOBEAM_LANES
  for (int l = 0; l < BeamTiles::kTile; ++l) lanes |= values[l] == one ? kLaneBit[l] : 0;
  return lanes;
}

/// The value of lanes that have hit that facet.
PROTOBEAM_INLINE void set_lanes(std::uint32_t facet, const std::uint32_t* facets, unsigned value,
                                unsigned* values) {
  PROTOBEAM_LANES
  for (int l = 0; l < BeamTiles::kTile; ++l) {
    const unsigned before = values[l];
    values[l] = facets[l] == facet ? value : before;
  }
}

/// Has the planes of what a tile's rays hit in the caches when they are wanted: they lie far apart.
PROTOBEAM_INLINE void fetch_planes(const TraceJob& job, const FoundHits& found, std::size_t first) {
  const std::uint32_t* facets = &found.finds.facet[first];
  unsigned lanes = lanes_that_differ<BeamTiles::kTile>(facets) & ~lanes_with(kNoFacet, facets);
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t facet = facets[std::countr_zero(lanes)];
    const BeamCaster::Seen& seen = found.caster.seen(facet);
    const unsigned triangle = BeamCaster::triangle(facet);
    const ShapeGroup& group = *job.instances[seen.instance].group;
    const std::uint32_t plane =
        group.first_plane()[seen.cluster->shape[triangle]] + seen.cluster->primitive[triangle];
    fetch_ahead(group.planes() + plane);
  }
}

/// Whether a ray of a tile may meet one nearer than `range`.
PROTOBEAM_INLINE bool may_meet_moving_bodies(const TraceJob& job, std::size_t ray,
                                             const float* range, const NearBoxes& near) {
  constexpr int W = BeamTiles::kTile;
  const RayBatch& batch = *job.batch;
  alignas(64) float begin[W];
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) begin[l] = batch.t_near;
  if (batch.near) std::copy_n(batch.near + ray, W, begin);
  const float* const direction[] = {batch.dx + ray, batch.dy + ray, batch.dz + ray};
  return may_pass<W>(near, direction, begin, range);
}

template <typename Rays>
PROTOBEAM_INLINE void complete(const TraceJob& job, std::size_t first, std::size_t count,
                               const FoundHits& found, CastContext& context, FrameCache& frames,
                               TraceScratch& out) {
  constexpr int W = BeamTiles::kTile;
  const bool hits = job.batch->hits, normals = hits && job.batch->normals;
  // A ray may also begin within rounding of a surface, on one side of it or on the other.
  constexpr float kMore = 1 + 2 * kNearDoubt, kBeside = Rays::kMoving ? 1e-4f : 0.0f;
  const float doubt = job.batch->t_near * kMore + kBeside;
  const float* near = job.batch->near;
  std::size_t near_until = 0;  // ray before which out.near_boxes are known, of the block
  Rays rays;
  if constexpr (Rays::kMoving) context.moving = rays.lanes();
  RTCRayHit16 r;
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) r.hit.Ng_x[l] = r.hit.Ng_y[l] = r.hit.Ng_z[l] = 0;
  for (std::size_t done = 0; done < count; done += W) {
    const std::size_t ray = first + done;
    const std::size_t tile = (found.first + done) / W;
    if (done + W < count) fetch_planes(job, found, found.first + done + W);
    std::uint8_t marks = found.finds.traced[tile];
    context.moving.first = ray;
    rays.load(job, ray, W);
    alignas(64) std::uint32_t facet[W];
    alignas(64) float range[W];
    alignas(64) float cosine[W];
    load_hits(found.finds, found.first + done, facet, range);
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) cosine[l] = 0;
    std::uint32_t doubts = 0;
    if (near) {
      const float* nears = near + ray;
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) doubts |= range[l] < nears[l] * kMore + kBeside ? 1u : 0u;
    } else {
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) doubts |= range[l] < doubt ? 1u : 0u;
    }
    const bool doubtful = doubts != 0;
    if (doubtful) {
      out.doubtful += W;
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) facet[l] = kNoFacet, range[l] = kInfinity;
    } else if (job.moving_boxes && (marks & BeamFinds::kMovingBodies) != 0) {
      if (done >= near_until) {
        const std::size_t some = std::min(NearBoxes::kRays, count - done);
        job.moving_boxes->find_near(*job.batch, ray, some, out.near_boxes);
        near_until = done + some;
      }
      if (!may_meet_moving_bodies(job, ray, range, out.near_boxes)) {
        marks &= ~BeamFinds::kMovingBodies;
      }
    }
    const bool traced = doubtful || marks != 0;
    unsigned pending = ~lanes_with(kNoFacet, facet) & ((1u << W) - 1);
    if (pending == 0 && !traced && found.finds.last_curve[tile] == BeamFinds::kNoCurve) {
      write_nothing(done, hits, normals, out);
      continue;
    }
    TileInGroup<Rays> in_group;
    TileHits tile_hits;
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) tile_hits.distance[l] = tile_hits.speed[l] = 0;
    KnownNormals<W> facing;
    if (normals) {
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) facing.x[l] = facing.y[l] = facing.z[l] = 0;
    }
    std::uint32_t instance = kNoHit;
    const bool describes = hits || traced;
    if (describes) {
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) {
        r.hit.geomID[l] = r.hit.primID[l] = r.hit.instID[0][l] = RTC_INVALID_GEOMETRY_ID;
      }
    }
    while (pending != 0) {
      const std::uint32_t one = facet[std::countr_zero(pending)];
      const unsigned mine = lanes_with(one, facet);
      pending &= ~mine;
      const BeamCaster::Seen& seen = found.caster.seen(one);
      const unsigned triangle = BeamCaster::triangle(one);
      const unsigned shape = seen.cluster->shape[triangle];
      const unsigned primitive = seen.cluster->primitive[triangle];
      if (describes) {
        set_lanes(one, facet, shape, r.hit.geomID);
        set_lanes(one, facet, primitive, r.hit.primID);
        set_lanes(one, facet, seen.instance, r.hit.instID[0]);
      }
      if (traced) continue;
      const RaysInGroup& frame = frames.get(seen.instance);
      if (seen.instance != instance) {
        instance = seen.instance;
        in_group.load(frame, rays);
      }
      const std::uint32_t plane = frame.group->first_plane()[shape] + primitive;
      tile_hits.add(frame.group->planes()[plane], frame, in_group, one, facet);
      if (!normals) continue;
      tile_hits.add_normals(frame.group->planes()[plane], job.instances[instance].R_WB, one, facet,
                            facing);
      facing.lanes |= mine;
    }
    if (traced) {
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) r.ray.tfar[l] = range[l];
      if (doubtful || (marks & BeamFinds::kFields) != 0) {
        trace_nearer(job, doubtful ? job.scene : job.fields, ray, rays, context, r);
      }
      if (job.moving_instances && (doubtful || (marks & BeamFinds::kMovingBodies) != 0)) {
        trace_nearer(job, job.moving_instances, ray, rays, context, r);
      }
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) range[l] = r.ray.tfar[l];
      refine<W>(r.hit.geomID, r.hit.primID, r.hit.instID[0], rays, frames, range, cosine);
    } else {
      tile_hits.refine(range, cosine);
    }
    if (!doubtful) {
      std::uint32_t next = found.finds.last_curve[tile];
      while (next != BeamFinds::kNoCurve) {
        const BeamFinds::CurveBefore& one = found.finds.curves[next];
        facing.lanes &=
            ~meet_curve(job, found.caster.curve(one.curve), ray, rays, range, cosine, r);
        next = one.before;
      }
    }
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) out.range[done + static_cast<std::size_t>(l)] = range[l];
    if (!hits) continue;
    describe<W>(job, r, rays, cosine, range, frames, done, W, out, traced ? nullptr : &facing);
  }
}

PROTOBEAM_CLONES void complete_still(const TraceJob& job, std::size_t first, std::size_t count,
                                     const FoundHits& found, CastContext& context,
                                     FrameCache& frames, TraceScratch& out) {
  complete<StaticRays<BeamTiles::kTile>>(job, first, count, found, context, frames, out);
}
PROTOBEAM_CLONES void complete_lines(const TraceJob& job, std::size_t first, std::size_t count,
                                     const FoundHits& found, CastContext& context,
                                     FrameCache& frames, TraceScratch& out) {
  complete<MovingRays<BeamTiles::kTile>>(job, first, count, found, context, frames, out);
}

}  // namespace

RayBlock complete_block(const TraceJob& job, std::size_t first, std::size_t count,
                        const FoundHits& found, TraceScratch& scratch) {
  scratch.resize(*job.batch);
  FrameCache frames(job);
  CastContext context(*job.batch, frames);
  {
    const FlushDenormals flush;
    (job.moving ? complete_lines : complete_still)(job, first, count, found, context, frames,
                                                   scratch);
  }
  return block_of(job, first, count, scratch);
}

}  // namespace protobeam
