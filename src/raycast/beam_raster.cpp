#include "raycast/beam_raster.h"

#include <bit>
#include <cmath>

#include "base/clones.h"

namespace protobeam {
namespace {

constexpr int kLanes = BeamTiles::kTile;
static_assert(kLanes == TriangleCluster::kGroup);
/// Directions of corners and rays are rounded to float, and angles found from near roots; rad.
constexpr float kRounding = 4e-5f;
constexpr float kTiny = 1e-30f;
constexpr float kNearlyOpposite = 1.999f;  ///< bearings
/// No smaller than the greatest turn between corners that stand round something; bearings.
constexpr float kThirdOfATurn = 1.33f;
/// Rays that point farther beside what they hit may have any bearing; rad, by
/// BeamTiles::bearings_per_angle().
constexpr float kMostWide = 0.4f;
constexpr float kMostInverse = 1e30f;
/// A window of so many tiles is looked through before it is drawn.
constexpr int kLarge = 8;
/// m; the places of a triangle with no longer side are rounded by less than 2e-6 m where it is
/// near.
constexpr float kExact = 4;

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

PROTOBEAM_INLINE Vector vector_at(const float (*from)[kLanes], int l) {
  return {from[0][l], from[1][l], from[2][l]};
}

/// Keeps a hit if it is nearer. Without a condition about what is written: the compiler would jump.
PROTOBEAM_INLINE void keep(float seen, std::uint32_t number, float& inverse, std::uint32_t& facet,
                           std::int32_t& least) {
  // Of positive numbers the integers with the same bits have the same order.
  const auto mine = std::bit_cast<std::int32_t>(seen), held = std::bit_cast<std::int32_t>(inverse);
  const std::int32_t now = mine > held ? mine : held;
  const std::uint32_t nearer = mine > held ? ~0u : 0u;
  inverse = std::bit_cast<float>(now);
  facet ^= (facet ^ number) & nearer;
  least = now < least ? now : least;
}

/// A triangle before the rays of a tile. `kOwn`: limits are those of the rays.
template <bool kOwn>
PROTOBEAM_INLINE void draw(const Facets& facets, int lane, std::uint32_t number,
                           const RasterRays& rays, int tile) {
  const int ray = tile * kLanes;
  const float* __restrict dx = rays.dx + ray, * __restrict dy = rays.dy + ray, * __restrict dz = rays.dz + ray;
  float* __restrict inverse = rays.inverse + ray;
  std::uint32_t* __restrict found = rays.facet + ray;
  const Vector ab = vector_at(facets.normal, lane), bc = vector_at(facets.normal + 3, lane),
               ca = vector_at(facets.normal + 6, lane), depth = vector_at(facets.depth, lane);
  const float* __restrict most = facets.most + (kOwn ? ray : 0);
  const float most_of_all = *most;
  std::int32_t least = 0x7f800000;
#pragma GCC ivdep
  for (int l = 0; l < kLanes; ++l) {
    const Vector d{dx[l], dy[l], dz[l]};
    const float w = dot(d, depth);
    float seen = smaller(smaller(dot(d, ab), dot(d, bc)), dot(d, ca)) >= 0 ? w : 0;
    seen = w <= (kOwn ? most[l] : most_of_all) ? seen : 0;
    keep(seen, number, inverse[l], found[l], least);
  }
  rays.tile_inverse[tile] = std::bit_cast<float>(least);
}

/// The same for rays with lines of their own.
template <bool kOwn>
PROTOBEAM_INLINE void draw_lines(const Facets& facets, int lane, std::uint32_t number,
                                 const RasterRays& rays, int tile) {
  const int ray = tile * kLanes;
  const float* __restrict dx = rays.dx + ray, * __restrict dy = rays.dy + ray, * __restrict dz = rays.dz + ray;
  const float* __restrict ox = rays.ox + ray, * __restrict oy = rays.oy + ray, * __restrict oz = rays.oz + ray;
  const float* __restrict mx = rays.mx + ray, * __restrict my = rays.my + ray, * __restrict mz = rays.mz + ray;
  float* __restrict inverse = rays.inverse + ray;
  std::uint32_t* __restrict found = rays.facet + ray;
  const Vector ab = vector_at(facets.normal, lane), bc = vector_at(facets.normal + 3, lane),
               ca = vector_at(facets.normal + 6, lane), plane = vector_at(facets.plane, lane),
               along_ab = vector_at(facets.edge, lane), along_bc = vector_at(facets.edge + 3, lane),
               along_ca = vector_at(facets.edge + 6, lane);
  const float* __restrict most = facets.most + (kOwn ? ray : 0);
  const float most_of_all = *most;
  const float offset = facets.offset[lane];
  std::int32_t least = 0x7f800000;
#pragma GCC ivdep
  for (int l = 0; l < kLanes; ++l) {
    const Vector d{dx[l], dy[l], dz[l]}, o{ox[l], oy[l], oz[l]}, m{mx[l], my[l], mz[l]};
    const float away = offset - dot(plane, o);
    const float side = away < 0 ? -1.0f : 1.0f;
    const float within = smaller(
        smaller(side * (dot(d, ab) + dot(m, along_ab)), side * (dot(d, bc) + dot(m, along_bc))),
        side * (dot(d, ca) + dot(m, along_ca)));
    const float w = dot(d, plane) / away;
    float seen = within >= 0 ? w : 0;
    seen = w <= (kOwn ? most[l] : most_of_all) ? seen : 0;
    keep(seen, number, inverse[l], found[l], least);
  }
  rays.tile_inverse[tile] = std::bit_cast<float>(least);
}

template <bool kLines, bool kOwn>
PROTOBEAM_INLINE void draw_any(const Facets& facets, int lane, std::uint32_t number,
                               const RasterRays& rays, int tile) {
  if constexpr (kLines) {
    draw_lines<kOwn>(facets, lane, number, rays, tile);
  } else {
    draw<kOwn>(facets, lane, number, rays, tile);
  }
}

PROTOBEAM_INLINE float length(const Vector& v) { return std::sqrt(dot(v, v)); }

/// What a look at the middle of a tile tells about all of its rays.
struct Glance {
  Vector ab, bc, ca, depth;
  float wide_ab, wide_bc, wide_ca, wide_depth;  ///< a radius of the tile
  float slack_ab, slack_bc, slack_ca, slack_depth;
  float other_side;  ///< 0 if rays may see the triangle from there as well, else far below
};

template <bool kLines>
PROTOBEAM_INLINE Glance glance_of(const Facets& facets, int lane, const Deviation& deviation) {
  constexpr float kLonger = 1.0001f;
  const float rounding = kRounding + deviation.turn;
  Glance g{vector_at(facets.normal, lane), vector_at(facets.normal + 3, lane),
           vector_at(facets.normal + 6, lane), vector_at(facets.depth, lane)};
  if (kLines && facets.offset[lane] < 0) {
    g.ab = times(g.ab, -1), g.bc = times(g.bc, -1), g.ca = times(g.ca, -1);
  }
  g.wide_ab = length(g.ab) * kLonger;
  g.wide_bc = length(g.bc) * kLonger;
  g.wide_ca = length(g.ca) * kLonger;
  g.slack_ab = g.wide_ab * rounding;
  g.slack_bc = g.wide_bc * rounding;
  g.slack_ca = g.wide_ca * rounding;
  g.wide_depth = length(g.depth) * kLonger;
  g.slack_depth = g.wide_depth * rounding;
  g.other_side = -kMostInverse;
  if constexpr (kLines) {
    // A moment is no longer than the parallax.
    const float aside = deviation.parallax * kLonger;
    g.slack_ab += aside * length(vector_at(facets.edge, lane));
    g.slack_bc += aside * length(vector_at(facets.edge + 3, lane));
    g.slack_ca += aside * length(vector_at(facets.edge + 6, lane));
    if (facets.both_sides[lane] != 0) {
      g.depth = {0, 0, 0};
      g.wide_depth = 0;
      g.slack_depth = facets.nearest[lane];
      g.other_side = 0;
    }
  }
  return g;
}

/// A triangle before a window of many tiles, of which it touches but a part.
template <bool kLines, bool kOwn>
PROTOBEAM_INLINE void draw_large(const Facets& facets, int lane, std::uint32_t number,
                                 const RasterRays& rays, const TileWindow& window) {
  const Glance g = glance_of<kLines>(facets, lane, rays.deviation);
  const auto& middles = rays.tiles->middles();
  // Short columns are looked at one after the other without a gap.
  const bool gapless = rays.rows <= kLanes;
  const int columns = gapless ? 1 : window.end_band - window.first_band;
  for (int column = 0; column < columns; ++column) {
    const int band = (window.first_band + column) * rays.rows;
    const int first = band + window.first_row;
    const int end = (gapless ? (window.end_band - 1) * rays.rows : band) + window.end_row;
    for (int tile = first; tile < end; tile += kLanes) {
      const std::size_t at = rays.first_tile + static_cast<std::size_t>(tile);
      const float* __restrict x = middles.x.data() + at, * __restrict y = middles.y.data() + at;
      const float* __restrict z = middles.z.data() + at, * __restrict r =
                                                             middles.radius.data() + at;
      const float* __restrict behind = rays.tile_inverse + tile;
      std::uint32_t touched = 0;
      PROTOBEAM_LANES
      for (int l = 0; l < kLanes; ++l) {
        const Vector d{x[l], y[l], z[l]};
        const float radius = r[l];
        const float a = dot(d, g.ab), most_a = radius * g.wide_ab + g.slack_ab;
        const float b = dot(d, g.bc), most_b = radius * g.wide_bc + g.slack_bc;
        const float c = dot(d, g.ca), most_c = radius * g.wide_ca + g.slack_ca;
        const float w = dot(d, g.depth) + (radius * g.wide_depth + g.slack_depth);
        const std::uint32_t in_front = w > behind[l] ? kLaneBit[l] : 0;
        float within = smaller(smaller(a + most_a, b + most_b), c + most_c);
        if constexpr (kLines) {
          const float other = smaller(smaller(most_a - a, most_b - b), most_c - c);
          within = greater(within, other + g.other_side);
        }
        touched |= within >= 0 ? in_front : 0;
      }
      if (end - tile < kLanes) touched &= (1u << (end - tile)) - 1;
      for (; touched != 0; touched &= touched - 1) {
        draw_any<kLines, kOwn>(facets, lane, number, rays, tile + std::countr_zero(touched));
      }
    }
  }
}

template <bool kLines, bool kOwn>
PROTOBEAM_INLINE void raster(const TriangleCluster& cluster, int first, const RasterPose& pose,
                             const GroupLook& look, std::uint32_t first_facet,
                             const RasterRays& rays) {
  const std::uint16_t* first_band = rays.sector->table.first();
  const std::uint16_t* end_band = rays.sector->table.end();
  const std::uint16_t* first_row = rays.tiles->row_table().first();
  const std::uint16_t* end_row = rays.tiles->row_table().end();
  Facets facets;
  const float longest = cluster.longest[first / kLanes];
  facets.most = longest <= kExact ? rays.most_of_exact : rays.most;
  if (longest <= look.short_side) {
    set_up<kLines, true>(cluster, first, pose, look, rays, facets);
  } else {
    set_up<kLines, false>(cluster, first, pose, look, rays, facets);
  }
  const int count = cluster.count - first < kLanes ? cluster.count - first : kLanes;
  for (int l = 0; l < count; ++l) {
    const int begin = first_band[facets.low_step[l]], end = end_band[facets.high_step[l]];
    const TileWindow window{(begin > rays.first_band ? begin : rays.first_band) - rays.first_band,
                            (end < rays.end_band ? end : rays.end_band) - rays.first_band,
                            first_row[facets.low_row_step[l]], end_row[facets.high_row_step[l]]};
    // A plane through S's origin hides nothing from there.
    if (window.empty() || (!kLines && facets.offset[l] == 0)) continue;
    const std::uint32_t number = first_facet + static_cast<std::uint32_t>(first + l);
    if ((window.end_band - window.first_band) * (window.end_row - window.first_row) >= kLarge) {
      draw_large<kLines, kOwn>(facets, l, number, rays, window);
      continue;
    }
    const float nearest = facets.nearest[l];
    for (int band = window.first_band; band < window.end_band; ++band) {
      const int end = band * rays.rows + window.end_row;
      for (int tile = band * rays.rows + window.first_row; tile < end; ++tile) {
        if (rays.tile_inverse[tile] < nearest)
          draw_any<kLines, kOwn>(facets, l, number, rays, tile);
      }
    }
  }
}

PROTOBEAM_CLONES void raster_rays(const TriangleCluster& cluster, int first, const RasterPose& pose,
                                  const GroupLook& look, std::uint32_t first_facet,
                                  const RasterRays& rays) {
  raster<false, false>(cluster, first, pose, look, first_facet, rays);
}
PROTOBEAM_CLONES void raster_own_rays(const TriangleCluster& cluster, int first,
                                      const RasterPose& pose, const GroupLook& look,
                                      std::uint32_t first_facet, const RasterRays& rays) {
  raster<false, true>(cluster, first, pose, look, first_facet, rays);
}
PROTOBEAM_CLONES void raster_lines(const TriangleCluster& cluster, int first,
                                   const RasterPose& pose, const GroupLook& look,
                                   std::uint32_t first_facet, const RasterRays& rays) {
  raster<true, false>(cluster, first, pose, look, first_facet, rays);
}
PROTOBEAM_CLONES void raster_own_lines(const TriangleCluster& cluster, int first,
                                       const RasterPose& pose, const GroupLook& look,
                                       std::uint32_t first_facet, const RasterRays& rays) {
  raster<true, true>(cluster, first, pose, look, first_facet, rays);
}

}  // namespace

void raster_group(const TriangleCluster& cluster, int first, const RasterPose& pose,
                  const GroupLook& look, std::uint32_t first_facet, const RasterRays& rays) {
  const auto work = rays.ox ? (rays.own_most ? raster_own_lines : raster_lines)
                            : (rays.own_most ? raster_own_rays : raster_rays);
  work(cluster, first, pose, look, first_facet, rays);
}

}  // namespace protobeam
