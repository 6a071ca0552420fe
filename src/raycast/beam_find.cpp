#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/clones.h"
#include "raycast/beam_caster.h"

namespace protobeam {
namespace {

/// Has a cluster in the caches when it is wanted. To look at it for how much there is to fetch
/// would be to wait.
void fetch(const TriangleCluster& cluster, int count) {
  const auto lines = [](const float* begin, const float* end) {
    for (; begin < end; begin += 16) fetch_ahead(begin);
  };
  lines(cluster.longest, cluster.ball_radius + TriangleCluster::kGroups);
  lines(cluster.ax, cluster.cz + count);
}

GroupLook look_of(const Sight& sight) {
  const float nearest = sight.nearest, steepest = sight.steepest;
  if (!(nearest > 0) || !(steepest < 0.9f)) return {nearest, 0, 0};
  // An arc of a great circle rises above the parallel through its ends by an eighth of its square
  // times the tangent of their elevation, and by little more as long as the product is small; a
  // climb grows by less than an angle. Of 0.1 times square and 1 + tangent, random arcs up to
  // 1 / (1 + tangent) took 0.83 at most.
  const float tangent = steepest / (1 - steepest);
  return {nearest, 0.5f * nearest / (1 + tangent), 0.1f * (1 + tangent) / (nearest * nearest)};
}

/// What rays of the batch may have hit at the nearest, rounding considered: doubts remain.
PROTOBEAM_CLONES void find_most(const TraceJob& job, std::size_t first, std::size_t count,
                                bool lines, BeamFinds& finds, RasterRays& rays) {
  constexpr float kNone = 1e30f;
  const float* near = job.batch->near;
  rays.own_most = near != nullptr;
  rays.begin = job.least_near / (1 + kNearDoubt);
  finds.most.assign(near ? count : BeamTiles::kTile, kNone);
  if (!near) {
    const float least = job.batch->t_near;
    if (least > 0) std::ranges::fill(finds.most, (1 + kNearDoubt) / least);
    rays.most = rays.most_of_exact = finds.most.data();
    return;
  }
  near += first;
  float* most = finds.most.data();
  for (std::size_t i = 0; i < count; ++i) {
    most[i] = near[i] > 0 ? (1 + kNearDoubt) / near[i] : kNone;
  }
  rays.most = rays.most_of_exact = most;
  if (lines) return;
  finds.most_of_exact.resize(count);
  float* exact = finds.most_of_exact.data();
  for (std::size_t i = 0; i < count; ++i) {
    const float closer = near[i] > 2 * kExactDoubt ? 1 / (near[i] - kExactDoubt) : kNone;
    exact[i] = closer < most[i] ? closer : most[i];
  }
  rays.most_of_exact = exact;
}

/// Whether all rays of the tiles have hit something that is nearer. What is behind something else
/// mostly looks over it: the highest are looked at first.
bool hidden(const RasterRays& rays, const TileWindow& window, float nearest) {
  if (!(nearest > 0)) return false;
  const float inverse = 1 / nearest;
  const bool down = rays.tiles->climb_sense() < 0;
  const int rows = window.end_row - window.first_row, step = down ? 1 : -1;
  const float* highest = rays.tile_inverse + (down ? window.first_row : window.end_row - 1);
  for (int row = 0; row < rows; ++row, highest += step) {
    for (int band = window.first_band; band < window.end_band; ++band) {
      if (highest[band * rays.rows] < inverse) return false;
    }
  }
  return true;
}

/// Whether a ray of a tile that has hit nothing nearer than 1 / `nearest` passes a point within
/// `wide`; it begins farther from it.
PROTOBEAM_CLONES bool passes(const RasterRays& rays, std::size_t tile, const float* point,
                             float wide, float nearest) {
  const float *dx = rays.dx + tile * BeamTiles::kTile, *dy = rays.dy + tile * BeamTiles::kTile,
              *dz = rays.dz + tile * BeamTiles::kTile,
              *inverse = rays.inverse + tile * BeamTiles::kTile;
  const float x = point[0], y = point[1], z = point[2], square = wide * wide;
  std::uint32_t any = 0;
  PROTOBEAM_LANES
  for (int l = 0; l < BeamTiles::kTile; ++l) {
    const float cx = y * dz[l] - z * dy[l], cy = z * dx[l] - x * dz[l], cz = x * dy[l] - y * dx[l];
    const float aside = cx * cx + cy * cy + cz * cz;
    const float most = square * (dx[l] * dx[l] + dy[l] * dy[l] + dz[l] * dz[l]);
    const float along = x * dx[l] + y * dy[l] + z * dz[l];
    const std::uint32_t near = aside <= most ? 1 : 0, ahead = along >= 0 ? 1 : 0;
    any |= near & ahead & (inverse[l] < nearest ? 1u : 0u);
  }
  return any != 0;
}

/// Whether a ray of a tile passes a box after `begin` m of its way.
PROTOBEAM_CLONES bool passes_box(const RasterRays& rays, std::size_t tile, const BoxAround& box,
                                 float begin) {
  const float *dx = rays.dx + tile * BeamTiles::kTile, *dy = rays.dy + tile * BeamTiles::kTile,
              *dz = rays.dz + tile * BeamTiles::kTile;
  alignas(64) float enter[BeamTiles::kTile];
  alignas(64) float leave[BeamTiles::kTile];
  PROTOBEAM_LANES
  for (int l = 0; l < BeamTiles::kTile; ++l) {
    enter[l] = begin;
    leave[l] = std::numeric_limits<float>::infinity();
  }
  for (int k = 0; k < 3; ++k) {
    const float x = box.R_GS[3 * k], y = box.R_GS[3 * k + 1], z = box.R_GS[3 * k + 2];
    const float half = 1.0001f * box.half[k] + rays.deviation.parallax + 1e-4f,
                origin = box.p_GS[k];
    PROTOBEAM_LANES
    for (int l = 0; l < BeamTiles::kTile; ++l) {
      // Along a face both are infinite, or not a number on the face, which is beside the shape.
      const float speed = x * dx[l] + y * dy[l] + z * dz[l];
      const float low = (-half - origin) / speed, high = (half - origin) / speed;
      const float first = low < high ? low : high, last = low < high ? high : low;
      enter[l] = first > enter[l] ? first : enter[l];
      leave[l] = last < leave[l] ? last : leave[l];
    }
  }
  std::uint32_t any = 0;
  PROTOBEAM_LANES
  for (int l = 0; l < BeamTiles::kTile; ++l) any |= enter[l] <= leave[l] ? 1u : 0u;
  return any != 0;
}

}  // namespace

/// The tiles whose rays may hit it.
void BeamCaster::meet_ball(const Seen& seen, const RasterRays& rays, const TileWindow& window,
                           BeamFinds& finds) const {
  const Ball& ball = balls_[seen.pose];
  const auto& middles = rays.tiles->middles();
  const auto [bx, by, bz] = ball.center;
  const float away = std::sqrt(bx * bx + by * by + bz * bz);
  const float wide = ball.radius + rays.deviation.parallax + 1e-5f * away;
  // A sensor's own housing, which its rays leave before they count.
  const float begin = rays.begin - rays.deviation.reach - 1e-5f * away;
  if (begin > away + ball.radius) return;
  const float nearest =
      seen.sight.nearest > 0 ? 1 / seen.sight.nearest : std::numeric_limits<float>::infinity();
  // A sensor on a flat body, or beside a wheel, is in the ball around it and sees it in few tiles.
  const bool boxed =
      ball.box != Ball::kNoBox && (away <= wide || ball.curve == BeamFinds::kNoCurve);
  const auto rows = static_cast<std::size_t>(rays.rows);
  for (int band = window.first_band; band < window.end_band; ++band) {
    for (int row = window.first_row; row < window.end_row; ++row) {
      const std::size_t tile =
          static_cast<std::size_t>(band) * rows + static_cast<std::size_t>(row);
      if (!(rays.tile_inverse[tile] < nearest)) continue;
      const std::size_t at = rays.first_tile + tile;
      const float x = middles.x[at], y = middles.y[at], z = middles.z[at];
      const float cx = by * z - bz * y, cy = bz * x - bx * z, cz = bx * y - by * x;
      // A ray's distance from the center is that of the middle one, or little more.
      const float most = wide + away * (middles.radius[at] + rays.deviation.turn);
      if (cx * cx + cy * cy + cz * cz > most * most) continue;
      if (bx * x + by * y + bz * z < -most) continue;
      if (away > wide && !passes(rays, tile, ball.center, wide, nearest)) continue;
      if (boxed && !passes_box(rays, tile, boxes_[ball.box], begin)) continue;
      if (ball.curve == BeamFinds::kNoCurve) {
        finds.traced[tile] |= ball.traced;
        continue;
      }
      std::uint32_t& last = finds.last_curve[tile];
      if (last != BeamFinds::kNoCurve && finds.curves[last].curve == ball.curve) continue;
      finds.curves.push_back({ball.curve, last});
      last = static_cast<std::uint32_t>(finds.curves.size() - 1);
    }
  }
}

/// Draws the groups that may be seen.
void BeamCaster::draw_cluster(std::uint32_t number, const BeamTiles::Part& part,
                              const RasterRays& rays) const {
  const Seen& seen = seen_[number];
  const TriangleCluster& cluster = *seen.cluster;
  const RasterPose& pose = poses_[seen.pose];
  GroupSights sights;
  look_at_groups(pose, cluster, *rays.tiles, rays.deviation, sights);
  for (int first = 0; first < cluster.count; first += TriangleCluster::kGroup) {
    Sight sight;
    const int group = first / TriangleCluster::kGroup;
    if (!sights.get(*rays.tiles, group, sight)) continue;
    const TileWindow window = window_of(*rays.tiles, part, sight);
    if (window.empty() || hidden(rays, window, sight.nearest)) continue;
    raster_group(cluster, first, pose, look_of(sight), number << kClusterBits, rays);
  }
}

void BeamCaster::find(const TraceJob& job, const BeamRays& beams, const BeamTiles::Part& part,
                      BeamFinds& finds) const {
  const BeamTiles& tiles = *beams.tiles;
  const BeamTiles::Sector& sector = tiles.sectors()[part.sector];
  const int bands = part.end_band - part.first_band;
  const std::size_t first_ray = tiles.first_ray(part);
  const std::size_t at = first_ray - beams.first;
  const std::size_t tile_count =
      static_cast<std::size_t>(bands) * static_cast<std::size_t>(tiles.rows());
  const std::size_t rays = tile_count * BeamTiles::kTile;
  const float infinity = std::numeric_limits<float>::infinity();
  const float t_far = job.batch->t_far, least = t_far > 0 ? 1 / t_far : infinity;
  finds.inverse.assign(rays, least);
  finds.facet.assign(rays, kNoFacet);
  finds.traced.assign(tile_count, 0);
  finds.last_curve.assign(tile_count, BeamFinds::kNoCurve);
  finds.curves.clear();
  finds.tile_inverse.assign(tile_count + BeamTiles::kTile, least);

  RasterRays raster{};
  raster.dx = beams.dx + at, raster.dy = beams.dy + at, raster.dz = beams.dz + at;
  raster.inverse = finds.inverse.data();
  raster.facet = finds.facet.data();
  raster.tile_inverse = finds.tile_inverse.data();
  if (beams.ox) {
    raster.ox = beams.ox + at, raster.oy = beams.oy + at, raster.oz = beams.oz + at;
    raster.mx = beams.mx + at, raster.my = beams.my + at, raster.mz = beams.mz + at;
  }
  find_most(job, first_ray - job.batch->tiles_first, rays, beams.ox != nullptr, finds, raster);
  raster.deviation = beams.deviation;
  raster.rows = tiles.rows();
  raster.tiles = &tiles;
  raster.sector = &sector;
  raster.first_band = part.first_band;
  raster.end_band = part.end_band;
  raster.first_tile = first_ray / BeamTiles::kTile;

  finds.entries.clear();
  const BearingSpan span = span_of(tiles, part);
  for (std::size_t first = 0; first < order_.bearing.size(); first += BeamTiles::kTile) {
    std::uint32_t within = meets(span, &order_.bearing[first], &order_.bearing_half[first]);
    for (; within != 0; within &= within - 1) {
      const std::size_t i = first + static_cast<std::size_t>(std::countr_zero(within));
      const auto number = static_cast<std::uint32_t>(order_.keys[i]);
      const Sight& sight = seen_[number].sight;
      const TileWindow window = window_of(tiles, part, sight);
      if (window.empty()) continue;
      const Seen& seen = seen_[number];
      finds.entries.push_back({sight.nearest, number, seen.cluster, seen.count, window});
    }
  }

  const std::vector<BeamFinds::Entry>& entries = finds.entries;
  // Once hidden is hidden for good.
  const auto seen_from = [&](std::size_t i) {
    while (i < entries.size() && hidden(raster, entries[i].window, entries[i].nearest)) ++i;
    return i;
  };
  for (std::size_t i = seen_from(0), next; i < entries.size(); i = next) {
    next = seen_from(i + 1);
    if (next < entries.size() && entries[next].cluster) {
      fetch(*entries[next].cluster, entries[next].count);
    }
    if (entries[i].cluster) {
      draw_cluster(entries[i].seen, part, raster);
    } else {
      meet_ball(seen_[entries[i].seen], raster, entries[i].window, finds);
    }
  }
}

}  // namespace protobeam
