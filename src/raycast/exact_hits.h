// From hits as they are found, triangle by triangle, to what a RayBlock says of them: exact ranges,
// cosines, normals and places, with the same bits whoever has found the hit.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/clones.h"
#include "raycast/beam_tiles.h"
#include "raycast/cast_context.h"
#include "raycast/group_rays.h"
#include "raycast/ray_packet.h"

namespace protobeam::exact_hits {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Embree's point and the triangle's plane are this close unless the triangle is degenerate.
inline constexpr double kSamePlane = 5e-3;

template <int W>
PROTOBEAM_INLINE void to_plane(const RaysInGroup& frame, const std::int32_t* plane,
                               const StaticRays<W>& rays, float* range, float* cosine) {
  const TrianglePlane* planes = frame.group->planes();
  const double r0 = frame.R[0], r1 = frame.R[1], r2 = frame.R[2];
  const double r3 = frame.R[3], r4 = frame.R[4], r5 = frame.R[5];
  const double r6 = frame.R[6], r7 = frame.R[7], r8 = frame.R[8];
  const double ox = frame.o[0], oy = frame.o[1], oz = frame.o[2];
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    const TrianglePlane& p = planes[plane[l]];
    const double x = rays.x[l], y = rays.y[l], z = rays.z[l];
    const double gx = r0 * x + r1 * y + r2 * z;
    const double gy = r3 * x + r4 * y + r5 * z;
    const double gz = r6 * x + r7 * y + r8 * z;
    const double distance = p.offset - (p.nx * ox + p.ny * oy + p.nz * oz);
    const double speed = p.nx * gx + p.ny * gy + p.nz * gz;
    const float exact = static_cast<float>(distance / speed);
    const bool same =
        std::abs(distance - speed * range[l]) <= kSamePlane && exact >= 0 && exact < kInfinity;
    range[l] = same ? exact : range[l];
    const float along = static_cast<float>(std::abs(speed));
    cosine[l] = plane[l] != 0 ? (along < 1 ? along : 1.0f) : cosine[l];
  }
}

template <int W>
PROTOBEAM_INLINE void to_plane(const RaysInGroup& frame, const std::int32_t* plane,
                               const MovingRays<W>& rays, float* range, float* cosine) {
  const TrianglePlane* planes = frame.group->planes();
  const double r0 = frame.R[0], r1 = frame.R[1], r2 = frame.R[2];
  const double r3 = frame.R[3], r4 = frame.R[4], r5 = frame.R[5];
  const double r6 = frame.R[6], r7 = frame.R[7], r8 = frame.R[8];
  const double ox = frame.o[0], oy = frame.o[1], oz = frame.o[2];
  // Normals with the axes of B at the end of the step, offsets counted from frame.o's origin.
  alignas(64) double nx[W];
  alignas(64) double ny[W];
  alignas(64) double nz[W];
  alignas(64) double offset[W];
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    const TrianglePlane& p = planes[plane[l]];
    nx[l] = p.nx, ny[l] = p.ny, nz[l] = p.nz, offset[l] = p.offset;
  }
  if (frame.motion) {
    const GroupMotion& m = *frame.motion;
    const double cx = m.p_BG.x(), cy = m.p_BG.y(), cz = m.p_BG.z();
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) offset[l] += nx[l] * cx + ny[l] * cy + nz[l] * cz;
    if (m.rotation.angle != 0) rotate<W>(m.rotation, rays.step_fraction, nx, ny, nz);
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      offset[l] += nx[l] * (rays.step_fraction[l] * m.translation_B.x() - cx) +
                   ny[l] * (rays.step_fraction[l] * m.translation_B.y() - cy) +
                   nz[l] * (rays.step_fraction[l] * m.translation_B.z() - cz);
    }
  }
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    const double x = rays.x[l], y = rays.y[l], z = rays.z[l];
    const double gx = r0 * x + r1 * y + r2 * z;
    const double gy = r3 * x + r4 * y + r5 * z;
    const double gz = r6 * x + r7 * y + r8 * z;
    const double px = r0 * rays.ox[l] + r1 * rays.oy[l] + r2 * rays.oz[l] + ox;
    const double py = r3 * rays.ox[l] + r4 * rays.oy[l] + r5 * rays.oz[l] + oy;
    const double pz = r6 * rays.ox[l] + r7 * rays.oy[l] + r8 * rays.oz[l] + oz;
    const double distance = offset[l] - (nx[l] * px + ny[l] * py + nz[l] * pz);
    const double speed = nx[l] * gx + ny[l] * gy + nz[l] * gz;
    const float exact = static_cast<float>(distance / speed);
    const bool same =
        std::abs(distance - speed * range[l]) <= kSamePlane && exact >= 0 && exact < kInfinity;
    range[l] = same ? exact : range[l];
    const float along = static_cast<float>(std::abs(speed));
    cosine[l] = plane[l] != 0 ? (along < 1 ? along : 1.0f) : cosine[l];
  }
}

/// Numbers of the planes that lanes of one instance have hit; 0: none. Gives back a bit for each
/// lane that is `pending` and of that instance.
template <int W>
PROTOBEAM_INLINE unsigned find_planes(const std::uint32_t* first_plane, unsigned pending,
                                      unsigned instance, const unsigned* geom, const unsigned* prim,
                                      const unsigned* inst, std::int32_t* plane) {
  unsigned lanes = 0;
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    // All is loaded, whether it is wanted or not: the vectoriser gives up before conditions.
    const std::uint32_t mine = ((pending >> l) & 1u) & (inst[l] == instance ? 1u : 0u);
    const std::uint32_t all = 0u - mine;
    const std::uint32_t base = first_plane[static_cast<std::int32_t>(geom[l] & all)];
    plane[l] = static_cast<std::int32_t>((base + prim[l]) & all & (base == 0 ? 0u : ~0u));
    lanes |= mine << l;
  }
  return lanes;
}

/// Replaces the ranges of hits on triangles by the exact intersection with the triangle's plane,
/// and computes the cosine between ray and normal; it stays 0 without a triangle or with a
/// degenerate one.
template <int W, typename Rays>
PROTOBEAM_INLINE void refine(const unsigned* geom, const unsigned* prim, const unsigned* inst,
                             const Rays& rays, FrameCache& frames, float* range, float* cosine) {
  unsigned pending = 0;
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) pending |= (geom[l] != RTC_INVALID_GEOMETRY_ID ? 1u : 0u) << l;
  while (pending != 0) {
    const unsigned instance = inst[std::countr_zero(pending)];
    const RaysInGroup& frame = frames.get(instance);
    alignas(64) std::int32_t plane[W];
    pending &=
        ~find_planes<W>(frame.group->first_plane(), pending, instance, geom, prim, inst, plane);
    to_plane<W>(frame, plane, rays, range, cosine);
  }
}

/// A hit as Embree reports it, and its ray.
struct Hit {
  unsigned geom, prim, inst;
  Vec3 Ng;
  Vec3 direction_A;
  double step_fraction;
};

/// Where in its triangle, which moves, a hit lies.
template <typename Rays>
[[gnu::noinline]] void place_of(const RaysInGroup& frame, const TrianglePlaces& places,
                                const Rays& rays, int lane, double range, float& u, float& v) {
  RaysInDouble<1> ray;
  const Vec3 d = rays.direction(lane), o = rays.origin(lane);
  *ray.dx = d.x(), *ray.dy = d.y(), *ray.dz = d.z();
  *ray.ox = o.x(), *ray.oy = o.y(), *ray.oz = o.z();
  const double step_fraction = rays.step_fraction_at(lane);
  to_moving_group<1>(frame, &step_fraction, ray);
  const Vec3 p_G = Vec3(*ray.ox, *ray.oy, *ray.oz) + range * Vec3(*ray.dx, *ray.dy, *ray.dz);
  set_place(places.along_u.dot(p_G) + places.u0, places.along_v.dot(p_G) + places.v0, u, v);
}

/// A bit for each lane whose value is another one than that of the lane before it.
template <int W>
PROTOBEAM_INLINE unsigned lanes_that_differ(const std::uint32_t* values) {
  std::uint32_t lanes = 0;
  PROTOBEAM_LANES
  for (int l = 0; l < W - 1; ++l) lanes |= values[l] != values[l + 1] ? kLaneBit[l] : 0;
  return lanes << 1 | 1;
}

/// Where in their triangles hits lie. Embree knows, but not with the same bits on every machine.
/// Neighbouring rays mostly meet the same triangle, of which what is needed is found once.
template <int W, typename Rays>
PROTOBEAM_INLINE void find_places(const TraceJob& job, const unsigned* geom, const unsigned* prim,
                                  const unsigned* inst, const Rays& rays, const float* range,
                                  FrameCache& frames, std::size_t lanes, float* __restrict u,
                                  float* __restrict v) {
  const bool normals = job.batch->normals;
  // Neighbours of the same shape at once.
  unsigned pending = 0;
  const unsigned shape_starts = lanes_that_differ<W>(geom) | lanes_that_differ<W>(inst);
  unsigned starts = shape_starts;
  while (starts != 0) {
    const int l = std::countr_zero(starts);
    starts &= starts - 1;
    if (geom[l] == RTC_INVALID_GEOMETRY_ID) continue;
    if (!job.instances[inst[l]].group->has_places(geom[l], normals)) continue;
    pending |= (starts & (0u - starts)) - (1u << l);
  }
  pending &= (1u << lanes) - 1;
  if (pending == 0) return;
  // Corners lie far apart in memory: all are on the way before the first one is waited for.
  unsigned left = pending & (lanes_that_differ<W>(prim) | shape_starts);
  for (; left != 0; left &= left - 1) {
    const int l = std::countr_zero(left);
    job.instances[inst[l]].group->fetch_corners(geom[l], prim[l]);
  }
  while (pending != 0) {
    const int first = std::countr_zero(pending);
    const unsigned shape = geom[first], triangle = prim[first], instance = inst[first];
    unsigned mine = 0;
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      const unsigned other = (geom[l] ^ shape) | (prim[l] ^ triangle) | (inst[l] ^ instance);
      mine |= (other == 0 ? 1u : 0u) << l;
    }
    mine &= pending;
    pending &= ~mine;
    const RaysInGroup& frame = frames.get(instance);
    const TrianglePlaces places = frame.group->places(shape, triangle);
    if (Rays::kMoving && frame.motion) {
      for (; mine != 0; mine &= mine - 1) {
        const int l = std::countr_zero(mine);
        place_of(frame, places, rays, l, range[l], u[l], v[l]);
      }
      continue;
    }
    // Seen from frame A.
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(frame.R);
    const Eigen::Map<const Vec3> o(frame.o);
    const Vec3 a = R.transpose() * places.along_u, b = R.transpose() * places.along_v;
    const double u0 = places.along_u.dot(o) + places.u0, v0 = places.along_v.dot(o) + places.v0;
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      const double x = rays.x[l], y = rays.y[l], z = rays.z[l], t = range[l];
      double at_u = t * (a.x() * x + a.y() * y + a.z() * z) + u0;
      double at_v = t * (b.x() * x + b.y() * y + b.z() * z) + v0;
      if constexpr (Rays::kMoving) {
        at_u += a.x() * rays.ox[l] + a.y() * rays.oy[l] + a.z() * rays.oz[l];
        at_v += b.x() * rays.ox[l] + b.y() * rays.oy[l] + b.z() * rays.oz[l];
      }
      float here_u, here_v;
      set_place(at_u, at_v, here_u, here_v);
      const bool is = ((mine >> l) & 1u) != 0;
      u[l] = is ? here_u : u[l];
      v[l] = is ? here_v : v[l];
    }
  }
}

/// Normal and cosine of one hit.
[[gnu::noinline]] inline void describe_face(const TraceJob& job, const Hit& hit, std::size_t slot,
                                            TraceScratch& out) {
  const InstanceRecord& record = job.instances[hit.inst];
  const std::uint32_t base = record.group->first_plane()[hit.geom];
  const TrianglePlane& p = record.group->planes()[base == 0 ? 0 : base + hit.prim];
  const bool unit = p.nx != 0 || p.ny != 0 || p.nz != 0;
  Vec3 n_G = unit ? Vec3(p.nx, p.ny, p.nz) : hit.Ng.normalized();
  if (record.moves && hit.step_fraction != 0)
    n_G = rotated(record.motion.rotation, hit.step_fraction, n_G);
  Vec3 n = record.R_WB * n_G;
  const double along = n.dot(job.R_WA * hit.direction_A);
  if (!unit) out.cosine[slot] = std::min(static_cast<float>(std::abs(along)), 1.0f);
  if (!job.batch->normals) return;
  if (along > 0) n = -n;
  out.nx[slot] = static_cast<float>(n.x());
  out.ny[slot] = static_cast<float>(n.y());
  out.nz[slot] = static_cast<float>(n.z());
}

/// World normals of hits on triangles of instances that rest, facing the rays' origins; `done` has
/// a bit for each lane that has one now.
template <int W, typename Rays>
PROTOBEAM_INLINE unsigned triangle_normals(const TraceJob& job, const unsigned* geom,
                                           const unsigned* prim, const unsigned* inst,
                                           const Rays& rays, const float* cosine, float* nx,
                                           float* ny, float* nz) {
  unsigned pending = 0, done = 0;
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    pending |= (geom[l] != RTC_INVALID_GEOMETRY_ID && cosine[l] != 0 ? 1u : 0u) << l;
  }
  const Mat3& A = job.R_WA;
  while (pending != 0) {
    const unsigned instance = inst[std::countr_zero(pending)];
    const InstanceRecord& record = job.instances[instance];
    const TrianglePlane* planes = record.group->planes();
    alignas(64) std::int32_t plane[W];
    const unsigned mine =
        find_planes<W>(record.group->first_plane(), pending, instance, geom, prim, inst, plane);
    pending &= ~mine;
    if (Rays::kMoving && record.moves) continue;
    const Mat3& R = record.R_WB;
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      const TrianglePlane& p = planes[plane[l]];
      const double x = R(0, 0) * p.nx + R(0, 1) * p.ny + R(0, 2) * p.nz;
      const double y = R(1, 0) * p.nx + R(1, 1) * p.ny + R(1, 2) * p.nz;
      const double z = R(2, 0) * p.nx + R(2, 1) * p.ny + R(2, 2) * p.nz;
      const double rx = rays.x[l], ry = rays.y[l], rz = rays.z[l];
      const double along = x * (A(0, 0) * rx + A(0, 1) * ry + A(0, 2) * rz) +
                           y * (A(1, 0) * rx + A(1, 1) * ry + A(1, 2) * rz) +
                           z * (A(2, 0) * rx + A(2, 1) * ry + A(2, 2) * rz);
      const double sign = along > 0 ? -1 : 1;
      const bool is = ((mine >> l) & 1u) != 0;
      nx[l] = is ? static_cast<float>(sign * x) : nx[l];
      ny[l] = is ? static_cast<float>(sign * y) : ny[l];
      nz[l] = is ? static_cast<float>(sign * z) : nz[l];
    }
    done |= mine;
  }
  return done;
}

/// Normals and cosines of hits on curved shapes of instances that rest, by the arithmetic of
/// describe_face(); `pending` has a bit for each lane that may be one. Gives back those that were.
template <int W, typename Rays>
PROTOBEAM_INLINE unsigned curved_normals(const TraceJob& job, unsigned pending,
                                         const unsigned* geom, const unsigned* inst,
                                         const float* const Ng[3], const Rays& rays,
                                         float* __restrict cosine, float* const to[3]) {
  unsigned done = 0;
  const Mat3& A = job.R_WA;
  float* __restrict to_x = to[0], * __restrict to_y = to[1], * __restrict to_z = to[2];
  const float *gx = Ng[0], *gy = Ng[1], *gz = Ng[2];
  while (pending != 0) {
    const unsigned instance = inst[std::countr_zero(pending)];
    const InstanceRecord& record = job.instances[instance];
    const std::uint32_t* first_plane = record.group->first_plane();
    unsigned mine = 0, curved = 0;
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      const std::uint32_t is = ((pending >> l) & 1u) & (inst[l] == instance ? 1u : 0u);
      const std::uint32_t base = first_plane[static_cast<std::int32_t>(geom[l] & (0u - is))];
      mine |= is << l;
      curved |= (is & (base == 0 ? 1u : 0u)) << l;
    }
    pending &= ~mine;
    if (curved == 0 || (Rays::kMoving && record.moves)) continue;
    done |= curved;
    const Mat3& R = record.R_WB;
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      // Added in Eigen's order.
      const double x = gx[l], y = gy[l], z = gz[l], square = x * x + (y * y + z * z);
      const double length = square > 0 ? std::sqrt(square) : 1.0;
      const double ux = x / length, uy = y / length, uz = z / length;
      const double nx = R(0, 0) * ux + (R(0, 1) * uy + R(0, 2) * uz);
      const double ny = R(1, 0) * ux + (R(1, 1) * uy + R(1, 2) * uz);
      const double nz = R(2, 0) * ux + (R(2, 1) * uy + R(2, 2) * uz);
      const double rx = rays.x[l], ry = rays.y[l], rz = rays.z[l];
      const double dx = A(0, 0) * rx + (A(0, 1) * ry + A(0, 2) * rz);
      const double dy = A(1, 0) * rx + (A(1, 1) * ry + A(1, 2) * rz);
      const double dz = A(2, 0) * rx + (A(2, 1) * ry + A(2, 2) * rz);
      const double along = nx * dx + (ny * dy + nz * dz);
      const auto most = static_cast<float>(std::abs(along));
      const double sign = along > 0 ? -1 : 1;
      const bool is = ((curved >> l) & 1u) != 0;
      cosine[l] = is ? (most > 1 ? 1.0f : most) : cosine[l];
      to_x[l] = is ? static_cast<float>(sign * nx) : to_x[l];
      to_y[l] = is ? static_cast<float>(sign * ny) : to_y[l];
      to_z[l] = is ? static_cast<float>(sign * nz) : to_z[l];
    }
  }
  return done;
}

/// Values of hits; `miss` in lanes without one.
template <int W, typename T>
PROTOBEAM_INLINE void copy_lanes(const unsigned* geom, const T* from, T miss, T* __restrict to) {
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) to[l] = geom[l] != RTC_INVALID_GEOMETRY_ID ? from[l] : miss;
}

/// Normals as triangle_normals() finds them, by who knows the triangles already.
template <int W>
struct KnownNormals {
  unsigned lanes = 0;  ///< a bit for each that has one
  alignas(64) float x[W];
  alignas(64) float y[W];
  alignas(64) float z[W];
};

/// What a packet hit, lane by lane. `cosine` is that of refine().
template <int W, typename RayHit, typename Rays>
PROTOBEAM_INLINE void describe(const TraceJob& job, RayHit& r, const Rays& rays,
                               const float* cosine, const float* range, FrameCache& frames,
                               std::size_t slot, std::size_t lanes, TraceScratch& out,
                               const KnownNormals<W>* known_normals = nullptr) {
  const unsigned *geom = lanes_of(r.hit.geomID), *inst = lanes_of(r.hit.instID[0]);
  const unsigned* prim = lanes_of(r.hit.primID);
  // All lanes, since blocks have room for whole packets.
  copy_lanes<W>(geom, inst, kNoHit, &out.instance[slot]);
  copy_lanes<W>(geom, geom, kNoHit, &out.shape[slot]);
  copy_lanes<W>(geom, prim, kNoHit, &out.primitive[slot]);
  std::fill_n(&out.u[slot], W, 0.0f);
  std::fill_n(&out.v[slot], W, 0.0f);
  std::copy_n(cosine, W, &out.cosine[slot]);
  const bool normals = job.batch->normals;
  find_places<W>(job, geom, prim, inst, rays, range, frames, lanes, &out.u[slot], &out.v[slot]);
  unsigned scalar = 0;
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    const bool known = geom[l] == RTC_INVALID_GEOMETRY_ID || (!normals && cosine[l] != 0);
    scalar |= (known ? 0u : 1u) << l;
  }
  if (normals && known_normals) {
    std::copy_n(known_normals->x, W, &out.nx[slot]);
    std::copy_n(known_normals->y, W, &out.ny[slot]);
    std::copy_n(known_normals->z, W, &out.nz[slot]);
    scalar &= ~known_normals->lanes;
  } else if (normals) {
    for (auto* n : {&out.nx, &out.ny, &out.nz}) std::fill_n(n->data() + slot, W, 0.0f);
    scalar &= ~triangle_normals<W>(job, geom, prim, inst, rays, cosine, &out.nx[slot],
                                   &out.ny[slot], &out.nz[slot]);
  }
  if (scalar != 0) {
    const float* const Ng[] = {lanes_of(r.hit.Ng_x), lanes_of(r.hit.Ng_y), lanes_of(r.hit.Ng_z)};
    alignas(64) float unwanted[3][W] = {};
    float* const to[] = {normals ? &out.nx[slot] : unwanted[0],
                         normals ? &out.ny[slot] : unwanted[1],
                         normals ? &out.nz[slot] : unwanted[2]};
    scalar &= ~curved_normals<W>(job, scalar, geom, inst, Ng, rays, &out.cosine[slot], to);
  }
  for (; scalar != 0; scalar &= scalar - 1) {
    const int l = std::countr_zero(scalar);
    if (l >= static_cast<int>(lanes)) break;
    const Vec3 Ng(lanes_of(r.hit.Ng_x)[l], lanes_of(r.hit.Ng_y)[l], lanes_of(r.hit.Ng_z)[l]);
    describe_face(job, {geom[l], prim[l], inst[l], Ng, rays.direction(l), rays.step_fraction_at(l)},
                  slot + static_cast<std::size_t>(l), out);
  }
}

}  // namespace protobeam::exact_hits
