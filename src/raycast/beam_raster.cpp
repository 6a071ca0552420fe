#include "raycast/beam_raster.h"

#include <bit>
#include <cmath>

#include "base/clones.h"
#include "raycast/raster_facets.h"

namespace protobeam {
namespace {

using namespace raster_facets;

constexpr float kMostInverse = 1e30f;
/// A window of so many tiles is looked through before it is drawn.
constexpr int kLarge = 8;
/// m; the places of a triangle with no longer side are rounded by less than 2e-6 m where it is
/// near.
constexpr float kExact = 4;

// The loops over lanes below are for the vectoriser: no branches, and all of a loop in one body.

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
