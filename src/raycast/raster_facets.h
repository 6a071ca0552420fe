// Sixteen triangles as the beam caster draws them: planes through their edges, depth, and the tiles
// that they may touch. Part of beam_raster.cpp, whose loops these are made for.
#pragma once

#include <bit>
#include <cstdint>

#include "base/clones.h"
#include "raycast/beam_raster.h"

namespace protobeam::raster_facets {

inline constexpr int kLanes = BeamTiles::kTile;
static_assert(kLanes == TriangleCluster::kGroup);
/// Directions of corners and rays are rounded to float, and angles found from near roots; rad.
inline constexpr float kRounding = 4e-5f;
inline constexpr float kTiny = 1e-30f;
inline constexpr float kNearlyOpposite = 1.999f;  ///< bearings
/// No smaller than the greatest turn between corners that stand round something; bearings.
inline constexpr float kThirdOfATurn = 1.33f;
/// Rays that point farther beside what they hit may have any bearing; rad, by
/// BeamTiles::bearings_per_angle().
inline constexpr float kMostWide = 0.4f;

// The loops over lanes below are for the vectoriser: no branches, and all of a loop in one body.

PROTOBEAM_INLINE float smaller(float a, float b) { return a < b ? a : b; }
PROTOBEAM_INLINE float greater(float a, float b) { return a > b ? a : b; }
PROTOBEAM_INLINE float absolute(float a) { return a < 0 ? -a : a; }

// Windows need not be exact, only large enough, and roots and divisions would take most of the
// time. These are good to 1e-5 of their value, with the same bits everywhere; of numbers from 1e-30
// on.

PROTOBEAM_INLINE float near_inverse(float x) {
  float y = std::bit_cast<float>(0x7ef311c7 - std::bit_cast<std::int32_t>(x));
  y *= 2 - x * y;
  y *= 2 - x * y;
  return y * (2 - x * y);
}
PROTOBEAM_INLINE float near_root(float x) {
  const float half = 0.5f * x;
  float y = std::bit_cast<float>(0x5f3759df - (std::bit_cast<std::int32_t>(x) >> 1));
  y *= 1.5f - half * y * y;
  y *= 1.5f - half * y * y;
  return x * y;
}

struct Vector {
  float x, y, z;
};
PROTOBEAM_INLINE Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
PROTOBEAM_INLINE Vector difference(const Vector& a, const Vector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
PROTOBEAM_INLINE float dot(const Vector& a, const Vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
PROTOBEAM_INLINE Vector times(const Vector& a, float f) { return {a.x * f, a.y * f, a.z * f}; }

PROTOBEAM_INLINE Vector placed(const RasterPose& pose, float x, float y, float z) {
  const float *R = pose.R, *p = pose.p;
  return {R[0] * x + R[1] * y + R[2] * z + p[0], R[3] * x + R[4] * y + R[5] * z + p[1],
          R[6] * x + R[7] * y + R[8] * z + p[2]};
}

/// Twice a x b, from sum and difference: the same bits but for the sign where a neighbour has the
/// edge the other way round, so that no ray slips through between the two.
PROTOBEAM_INLINE Vector edge_normal(const Vector& a, const Vector& b, const Vector& a_to_b) {
  return cross({a.x + b.x, a.y + b.y, a.z + b.z}, a_to_b);
}

struct Range {
  float low, high;
};

/// An arc between two corners may climb higher than both of them, or sink lower.
PROTOBEAM_INLINE Range with_apex(const Range& range, const Vector& normal, const Vector& a,
                                 const Vector& b) {
  const float at_a = normal.x * a.y - normal.y * a.x, at_b = normal.x * b.y - normal.y * b.x;
  const float across = near_root(normal.x * normal.x + normal.y * normal.y);
  const float top = across * near_inverse(greater(across + absolute(normal.z), kTiny));
  float high = at_a > 0 ? top : range.high, low = at_a < 0 ? -top : range.low;
  high = at_b < 0 ? high : range.high, low = at_b > 0 ? low : range.low;
  return {smaller(range.low, low), greater(range.high, high)};
}

PROTOBEAM_INLINE float climb_towards(const Vector& v) {
  const float across = near_root(v.x * v.x + v.y * v.y);
  return v.z * near_inverse(greater(across + absolute(v.z), kTiny));
}

PROTOBEAM_INLINE float bearing_towards(const Vector& v) {
  const float part = v.x * near_inverse(greater(absolute(v.x) + absolute(v.y), kTiny));
  return v.y >= 0 ? 1 - part : 3 + part;
}

PROTOBEAM_INLINE std::int32_t step_of(float angle, const AngleTable::Scale& scale) {
  const float at = (angle - scale.base) * scale.per_angle + 1;
  return static_cast<std::int32_t>(smaller(greater(at, 0), scale.last));
}

/// Sixteen triangles, ready for the rays.
struct Facets {
  alignas(64) float normal[9][kLanes];  ///< of the planes through the edges
  alignas(64) float depth[3][kLanes];   ///< direction . depth = 1 / range, or no less (kLines)
  alignas(64) float offset[kLanes];     ///< of that plane; 0: no triangle
  alignas(64) float nearest[kLanes];    ///< 1/m, of no point of the triangle greater
  // Of kLines: edges, times the two of their normals; normal of the plane whose `offset` it is; 1
  // if rays may see it from both sides.
  alignas(64) float edge[9][kLanes];
  alignas(64) float plane[3][kLanes];
  alignas(64) float both_sides[kLanes];
  alignas(64) std::int32_t low_step[kLanes], high_step[kLanes];
  alignas(64) std::int32_t low_row_step[kLanes], high_row_step[kLanes];
  const float* most;  ///< 1/m; RasterRays::most, or the closer one
};

PROTOBEAM_INLINE void store(const Vector& v, float (*to)[kLanes], int l) {
  to[0][l] = v.x, to[1][l] = v.y, to[2][l] = v.z;
}

/// The least square of the distance of a side's points from the frame's origin.
PROTOBEAM_INLINE float side_square(const Vector& a, const Vector& a_to_b) {
  const float along = -dot(a, a_to_b) * near_inverse(greater(dot(a_to_b, a_to_b), kTiny));
  const float share = smaller(greater(along, 0), 1);
  const Vector p{a.x + share * a_to_b.x, a.y + share * a_to_b.y, a.z + share * a_to_b.z};
  return dot(p, p);
}

/// Positive if the foot of the plane's perpendicular through the origin lies beyond a side,
/// clearly.
PROTOBEAM_INLINE float besideness(const Vector& side_normal, const Vector& plane) {
  const float to_inside = dot(side_normal, plane);
  const float most = 0.0025f * dot(side_normal, side_normal) * dot(plane, plane);
  return to_inside < 0 ? to_inside * to_inside - most : -1;
}

/// Positive where what is straight above or below may have any bearing.
PROTOBEAM_INLINE float uprightness(const Vector& v) {
  return 1e-3f * absolute(v.z) - (absolute(v.x) + absolute(v.y));
}

/// `kLines`: rays have lines of their own. `kSmall`: no side is longer than look.short_side.
template <bool kLines, bool kSmall>
PROTOBEAM_INLINE void set_up(const TriangleCluster& cluster, int first, const RasterPose& of,
                             const GroupLook& look, const RasterRays& rays,
                             Facets& __restrict to) {
  const RasterPose pose = of;
  const float *ax = cluster.ax + first, *ay = cluster.ay + first, *az = cluster.az + first;
  const float *bx = cluster.bx + first, *by = cluster.by + first, *bz = cluster.bz + first;
  const float *cx = cluster.cx + first, *cy = cluster.cy + first, *cz = cluster.cz + first;
  const AngleTable::Scale bands = rays.sector->table.scale(),
                          rows = rays.tiles->row_table().scale();
  const float sense = rays.tiles->bearing_sense(), upward = rays.tiles->climb_sense();
  const float bearing = rays.sector->bearing,
              bearing_pad = kRounding * rays.tiles->bearings_per_angle(),
              wide_bearing = 2 * rays.tiles->bearings_per_angle();  // enough for an arcsine
  const float reach = rays.deviation.reach, parallax = rays.deviation.parallax,
              turn_of_rays = rays.deviation.turn,
              most_wide = kMostWide / rays.tiles->bearings_per_angle();
  const float longest = cluster.longest[first / kLanes];
  const float bulge = look.bulge * longest * longest, within_longest = 0.5774f * longest,
              cluster_nearest = greater(look.nearest, kTiny);
  for (int l = 0; l < kLanes; ++l) {
    const Vector a = placed(pose, ax[l], ay[l], az[l]);
    const Vector b = placed(pose, bx[l], by[l], bz[l]);
    const Vector c = placed(pose, cx[l], cy[l], cz[l]);
    const Vector ab = difference(b, a), bc = difference(c, b), ca = difference(a, c);
    Vector nab = edge_normal(a, b, ab), nbc = edge_normal(b, c, bc), nca = edge_normal(c, a, ca);
    const Vector plane = cross(ab, bc);
    const float offset = dot(plane, a);

    const float climb_a = climb_towards(a), climb_b = climb_towards(b), climb_c = climb_towards(c);
    Range climb{smaller(smaller(climb_a, climb_b), climb_c),
                greater(greater(climb_a, climb_b), climb_c)};
    if constexpr (kSmall) {
      climb = {climb.low - bulge, climb.high + bulge};
    } else {
      climb = with_apex(climb, nab, a, b);
      climb = with_apex(climb, nbc, b, c);
      climb = with_apex(climb, nca, c, a);
    }

    // What is nearer than that to the frame's origin is none of the triangle.
    const float flat = near_root(greater(dot(plane, plane), kTiny));
    const float to_corner = near_root(smaller(smaller(dot(a, a), dot(b, b)), dot(c, c)));
    const float to_plane = absolute(offset) * near_inverse(flat);
    float away;
    if constexpr (kSmall) {
      // No point is farther from the nearest corner than the longest side by root 3.
      away = to_corner - within_longest;
    } else if constexpr (kLines) {
      // Straight before the plane, or on a side.
      float beside = greater(besideness(nab, plane), besideness(nbc, plane));
      beside = greater(beside, besideness(nca, plane));
      const float to_side =
          near_root(smaller(smaller(side_square(a, ab), side_square(b, bc)), side_square(c, ca)));
      away = greater(to_plane, beside > 0 ? to_side : 0);
    } else {
      const float side = near_root(greater(greater(dot(ab, ab), dot(bc, bc)), dot(ca, ca)));
      away = greater(to_plane, to_corner - 0.5774f * side);
    }
    away *= 0.9999f;
    const float free = greater(kLines ? away - reach : away, cluster_nearest);
    const float nearest = 1.0001f * near_inverse(free);
    to.nearest[l] = nearest;
    const float sign = offset < 0 ? -1.0f : 1.0f;
    float wide = 0;  // rad, between where a ray points and what it hits
    if constexpr (kLines) {
      const float past = absolute(offset) - reach * (flat * 1.0001f);
      wide = 1.6f * parallax * nearest + turn_of_rays;
      to.both_sides[l] = past > 0 ? 0.0f : 1.0f;
      store(times(plane, sign * (near_inverse(greater(past, kTiny)) * 1.0001f)), to.depth, l);
      store(plane, to.plane, l);
      store(times(ab, 2), to.edge, l), store(times(bc, 2), to.edge + 3, l);
      store(times(ca, 2), to.edge + 6, l);
      store(nab, to.normal, l), store(nbc, to.normal + 3, l), store(nca, to.normal + 6, l);
    } else {
      store(times(plane, 1 / (offset != 0 ? offset : 1)), to.depth, l);
    }
    nab = times(nab, sign), nbc = times(nbc, sign), nca = times(nca, sign);
    if constexpr (!kLines) {
      store(nab, to.normal, l), store(nbc, to.normal + 3, l), store(nca, to.normal + 6, l);
    }

    const float bearing_a = bearing_towards(a);
    const float at = shorter_turn(sense * (bearing_a - bearing));
    const float to_b = shorter_turn(sense * (bearing_towards(b) - bearing_a));
    const float to_c = shorter_turn(sense * (bearing_towards(c) - bearing_a));
    const float pad = bearing_pad + wide * wide_bearing;
    float begin = at + smaller(smaller(to_b, to_c), 0) - pad;
    float end = at + greater(greater(to_b, to_c), 0) + pad;
    end = begin < -2 ? end + 4 : end;
    begin = begin < -2 ? begin + 4 : begin;
    begin = end >= 4 ? -4 : begin;  // it comes round to where the sector begins
    if constexpr (!kSmall) {
      // Straight up or down lies within the triangle, or so near that bearings say nothing; never
      // where its corners do not stand round it.
      const float eab = 1e-4f * (absolute(nab.x) + absolute(nab.y));
      const float ebc = 1e-4f * (absolute(nbc.x) + absolute(nbc.y));
      const float eca = 1e-4f * (absolute(nca.x) + absolute(nca.y));
      float zenith = smaller(smaller(eab + nab.z, ebc + nbc.z), eca + nca.z);
      float nadir = smaller(smaller(eab - nab.z, ebc - nbc.z), eca - nca.z);
      const float turn =
          greater(greater(absolute(to_b), absolute(to_c)), absolute(shorter_turn(to_c - to_b)));
      const float upright = greater(greater(uprightness(a), uprightness(b)), uprightness(c));
      const float round = greater(turn - kThirdOfATurn, upright);
      zenith = round < 0 ? -1 : zenith, nadir = round < 0 ? -1 : nadir;
      climb.high = zenith >= 0 ? 1 : climb.high;
      climb.low = nadir >= 0 ? -1 : climb.low;
      // The shorter way round is no longer clear where an edge passes a pole closely.
      const float widest =
          greater(greater(absolute(to_b), absolute(to_c)), absolute(to_c - to_b)) - kNearlyOpposite;
      const float pole = greater(greater(zenith, nadir), greater(widest, wide - most_wide));
      begin = pole >= 0 ? -4 : begin;
      end = pole >= 0 ? 4 : end;
    }
    to.low_step[l] = step_of(begin, bands);
    to.high_step[l] = step_of(end, bands);

    const float low = upward < 0 ? -climb.high : climb.low;
    const float high = upward < 0 ? -climb.low : climb.high;
    const float row_pad = kRounding + (wide < 1.6f ? wide : 2.0f);
    to.low_row_step[l] = step_of(low - row_pad, rows);
    to.high_row_step[l] = step_of(high + row_pad, rows);

    to.offset[l] = offset;
  }
}

}  // namespace protobeam::raster_facets
