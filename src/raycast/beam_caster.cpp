#include "raycast/beam_caster.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "raycast/ray_packet.h"

namespace protobeam {
namespace {

constexpr int kTile = BeamTiles::kTile;
constexpr float kAllRound = 4;
/// With more triangles in view than so many a hundred rays, tracing takes less time (measured in a
/// city with AVX-512: at 170 a scan takes 0.75 to 1.05 of the time that it takes when it is traced,
/// at 340 1.2). Rays with origins of their own cost twice as much (at 140 0.9 of the time of
/// tracing, at 170 1.0 to 1.2).
constexpr std::size_t kMostTriangles = 200, kMostTrianglesOfLines = 150;
/// Of more clusters than so many, every eighth sixteen are looked at first: to look at all of a
/// million triangles takes a tenth of a scan, for nothing where it is traced then.
constexpr std::size_t kManyClusters = 4096, kSampled = 8;

/// Directions to the points of N balls.
template <int N>
struct BallViews {
  alignas(64) float nearest[N];
  alignas(64) float farthest[N];
  alignas(64) float bearing[N];
  alignas(64) float bearing_half[N];
  alignas(64) float climb[N];
  alignas(64) float climb_half[N];
};

/// Upper bound of the angle asin(x).
PROTOBEAM_INLINE float angle_of_sine(float x) {
  const float cosine = std::sqrt(x < 0.99f ? 1 - x * x : 1);
  return x < 0.99f ? x / cosine : kAllRound;
}

/// Upper bound of the angle between where a ray points and what it hits, whose distance is 1 /
/// `share` of the parallax or more.
float wide_angle(float share) {
  return share < 0.25f ? 1.1f * share : share < 1 ? 1.6f * share : kAllRound;
}

template <int N>
PROTOBEAM_INLINE void look_at(const RasterPose& from, const float* x, const float* y,
                              const float* z, const float* radius, BallViews<N>& __restrict to) {
  const RasterPose pose = from;
  const float *R = pose.R, *p = pose.p;
  PROTOBEAM_LANES
  for (int l = 0; l < N; ++l) {
    const float sx = R[0] * x[l] + R[1] * y[l] + R[2] * z[l] + p[0];
    const float sy = R[3] * x[l] + R[4] * y[l] + R[5] * z[l] + p[1];
    const float sz = R[6] * x[l] + R[7] * y[l] + R[8] * z[l] + p[2];
    const float square = sx * sx + sy * sy, across = std::sqrt(square);
    const float distance = std::sqrt(square + sz * sz);
    const float wide = radius[l] + 1e-5f * distance;
    to.nearest[l] = distance - wide;
    to.farthest[l] = distance + wide;
    to.bearing[l] = bearing_of(sx, sy);
    to.bearing_half[l] = angle_of_sine(wide < across ? wide / across : 1);
    to.climb[l] = climb_of(across, sz);
    to.climb_half[l] = angle_of_sine(wide < distance ? wide / distance : 1);
  }
}

using ManyViews = BallViews<kTile>;
PROTOBEAM_CLONES void look_at_many(const RasterPose& pose, const ClusterBalls& balls,
                                   std::size_t first, ManyViews& to) {
  look_at(pose, &balls.x[first], &balls.y[first], &balls.z[first], &balls.radius[first], to);
}
using GroupViews = BallViews<TriangleCluster::kGroups>;
PROTOBEAM_CLONES void look_at_groups(const RasterPose& pose, const TriangleCluster& of,
                                     GroupViews& to) {
  look_at(pose, of.ball_x, of.ball_y, of.ball_z, of.ball_radius, to);
}

/// False: no ray points there.
template <int N>
bool find_sight(const BeamTiles& tiles, const BallViews<N>& views, int l, BeamCaster::Sight& to) {
  const BeamTiles::Lines* lines = tiles.lines();
  const float nearest = views.nearest[l] - (lines ? lines->reach : 0);
  const float share = !lines ? 0 : nearest > 0 ? lines->parallax / nearest : 1;
  const float wide = wide_angle(share);
  const bool aside = share * tiles.bearings_per_angle() >= 0.25f;
  to.nearest = nearest;
  to.steepest = aside ? 2 : std::abs(views.climb[l]) + views.climb_half[l];
  to.bearing = views.bearing[l];
  to.bearing_half =
      aside ? kAllRound : (views.bearing_half[l] + 2 * wide) * tiles.bearings_per_angle();
  const float climb = tiles.climb_sense() * views.climb[l];
  const float climb_half = views.climb_half[l] + wide;
  const AngleTable& rows = tiles.row_table();
  to.first_row = rows.first()[rows.step(climb - climb_half)];
  to.end_row = rows.end()[rows.step(climb + climb_half)];
  return to.first_row < to.end_row;
}

/// Has the corners of a cluster in the caches when they are wanted.
void fetch(const TriangleCluster* cluster) {
  if (!cluster) return;
  const auto* begin = reinterpret_cast<const char*>(cluster->ax);
  const auto* end = reinterpret_cast<const char*>(cluster->cz + cluster->count);
  for (const char* line = begin; line < end; line += 64) __builtin_prefetch(line);
}

GroupLook look_of(const BeamCaster::Sight& sight) {
  const float nearest = sight.nearest, steepest = sight.steepest;
  if (!(nearest > 0) || !(steepest < 0.9f)) return {nearest, 0, 0};
  // An arc of a great circle rises above the parallel through its ends by an eighth of its square
  // times the tangent of their elevation, and by little more as long as the product is small; a
  // climb grows by less than an angle. Of 0.1 times square and 1 + tangent, random arcs up to
  // 1 / (1 + tangent) took 0.83 at most.
  const float tangent = steepest / (1 - steepest);
  return {nearest, 0.5f * nearest / (1 + tangent), 0.1f * (1 + tangent) / (nearest * nearest)};
}

/// The tiles of a part that what is in sight may touch; bands are counted from its first.
TileWindow window_of(const BeamTiles& tiles, const BeamTiles::Part& part,
                     const BeamCaster::Sight& sight) {
  TileWindow window{0, part.end_band - part.first_band, sight.first_row, sight.end_row};
  const float bearing = sight.bearing, half = sight.bearing_half;
  if (half >= 2) return window;
  const BeamTiles::Sector& sector = tiles.sectors()[part.sector];
  float at = tiles.bearing_sense() * (bearing - sector.bearing);
  at = at > 2 ? at - 4 : at < -2 ? at + 4 : at;
  float low = at - half, high = at + half;
  if (low < -2) low += 4, high += 4;
  // Half a turn and more may come round from the other side.
  if (high >= 4) return window;
  const AngleTable& table = sector.table;
  const int first_band = table.first()[table.step(low)], end_band = table.end()[table.step(high)];
  window.first_band = std::max(first_band - part.first_band, 0);
  window.end_band = std::min(end_band, part.end_band) - part.first_band;
  return window;
}

/// Whether all rays of the tiles have hit something that is nearer.
bool hidden(const RasterRays& rays, const TileWindow& window, float nearest) {
  if (!(nearest > 0)) return false;
  const float inverse = 1 / nearest;
  for (int band = window.first_band; band < window.end_band; ++band) {
    const float* tile = rays.tile_inverse + band * rays.rows;
    for (int row = window.first_row; row < window.end_row; ++row) {
      if (tile[row] < inverse) return false;
    }
  }
  return true;
}

/// Whether a ray of a tile that has hit nothing nearer than 1 / `nearest` passes a point within
/// `wide`; it begins farther from it.
PROTOBEAM_CLONES bool passes(const RasterRays& rays, std::size_t tile, const float* point,
                             float wide, float nearest) {
  const float *dx = rays.dx + tile * kTile, *dy = rays.dy + tile * kTile,
              *dz = rays.dz + tile * kTile, *inverse = rays.inverse + tile * kTile;
  const float x = point[0], y = point[1], z = point[2], square = wide * wide;
  std::uint32_t any = 0;
  PROTOBEAM_LANES
  for (int l = 0; l < kTile; ++l) {
    const float cx = y * dz[l] - z * dy[l], cy = z * dx[l] - x * dz[l], cz = x * dy[l] - y * dx[l];
    const float aside = cx * cx + cy * cy + cz * cz;
    const float most = square * (dx[l] * dx[l] + dy[l] * dy[l] + dz[l] * dz[l]);
    const float along = x * dx[l] + y * dy[l] + z * dz[l];
    const std::uint32_t near = aside <= most ? 1 : 0, ahead = along >= 0 ? 1 : 0;
    any |= near & ahead & (inverse[l] < nearest ? 1u : 0u);
  }
  return any != 0;
}

bool drawable(const InstanceRecord& record) {
  return record.group && record.visible && record.R_WB.allFinite() && record.p_WG.allFinite();
}

/// Of an instance in the rays' frame.
RasterPose pose_of(const TraceJob& job, const InstanceRecord& record) {
  const Mat3 R_SG = job.R_WS.transpose() * record.R_WB;
  const Vec3 p_SG = job.R_WS.transpose() * (record.p_WG - job.p_WS);
  RasterPose pose;
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) pose.R[3 * k + j] = static_cast<float>(R_SG(k, j));
    pose.p[k] = static_cast<float>(p_SG[k]);
  }
  return pose;
}

/// Sixteen balls at a time: which of them may be in view of a cast.
class Lookout {
 public:
  Lookout(const TraceJob& job, const std::vector<BeamTiles::Part>& parts)
      : batch_(*job.batch),
        tiles_(*batch_.tiles),
        parts_(parts),
        all_parts_(batch_.count >= tiles_.covered()),
        reach_(tiles_.lines() ? tiles_.lines()->reach : 0),
        least_near_(job.least_near) {}

  void look_at(const RasterPose& pose, const ClusterBalls& balls, std::size_t first) {
    look_at_many(pose, balls, first, views_);
  }
  /// Whether ball l of them may be, and where it is then.
  bool in_view(std::size_t ball, BeamCaster::Sight& sight) const {
    const int l = static_cast<int>(ball);
    if (views_.nearest[l] - reach_ > batch_.t_far) return false;
    if (views_.farthest[l] + reach_ < least_near_) return false;
    if (!find_sight(tiles_, views_, l, sight)) return false;
    const auto touches = [&](const BeamTiles::Part& part) {
      return !window_of(tiles_, part, sight).empty();
    };
    return all_parts_ || std::any_of(parts_.begin(), parts_.end(), touches);
  }

 private:
  const RayBatch& batch_;
  const BeamTiles& tiles_;
  const std::vector<BeamTiles::Part>& parts_;
  const bool all_parts_;
  const float reach_, least_near_;
  ManyViews views_;
};

/// About how many triangles are in view, by every eighth sixteen clusters; 0 where these are not
/// many.
std::size_t estimated_triangles(const TraceJob& job, std::size_t instances, Lookout& lookout) {
  std::size_t clusters = 0;
  for (std::size_t i = 0; i < instances; ++i) {
    if (drawable(job.instances[i])) clusters += job.instances[i].group->clusters().clusters.size();
  }
  if (clusters <= kManyClusters) return 0;
  std::size_t triangles = 0;
  BeamCaster::Sight ignored;
  for (std::size_t i = 0; i < instances; ++i) {
    const InstanceRecord& record = job.instances[i];
    if (!drawable(record)) continue;
    const RasterPose pose = pose_of(job, record);
    const TriangleClusters& all = record.group->clusters();
    for (std::size_t first = 0; first < all.clusters.size(); first += kSampled * kTile) {
      lookout.look_at(pose, all.balls, first);
      const std::size_t count = std::min<std::size_t>(kTile, all.clusters.size() - first);
      for (std::size_t l = 0; l < count; ++l) {
        const auto of_cluster = static_cast<std::size_t>(all.clusters[first + l].count);
        triangles += lookout.in_view(l, ignored) ? of_cluster : 0;
      }
    }
  }
  return kSampled * triangles;
}

}  // namespace

bool BeamCaster::prepare(const TraceJob& job, std::size_t instances,
                         const std::vector<BeamTiles::Part>& parts) {
  seen_.clear();
  poses_.clear();
  curves_.clear();
  balls_.clear();
  sees_fields_ = false;
  triangles_ = 0;
  const std::size_t most_triangles =
      job.batch->count * (job.batch->tiles->lines() ? kMostTrianglesOfLines : kMostTriangles) / 100;
  Lookout lookout(job, parts);
  if (estimated_triangles(job, instances, lookout) > most_triangles + most_triangles / 2)
    return false;
  // Whether what is in lane l may be in view.
  const auto add = [&](std::uint32_t instance, const TriangleCluster* cluster, std::size_t l) {
    Seen seen{
        instance, static_cast<std::uint32_t>(cluster ? poses_.size() : balls_.size()), cluster, {}};
    if (!lookout.in_view(l, seen.sight)) return false;
    seen_.push_back(seen);
    if (cluster) triangles_ += static_cast<std::size_t>(cluster->count);
    return true;
  };
  for (std::uint32_t i = 0; i < instances; ++i) {
    const InstanceRecord& record = job.instances[i];
    if (!drawable(record)) continue;
    const RasterPose pose = pose_of(job, record);
    const ShapeGroup::CurvedBalls& curved = record.group->curved();
    const ClusterBalls& curved_balls = curved.balls;
    std::uint32_t shape = ShapeGroup::CurvedBalls::kFields;
    for (std::size_t first = 0; first < curved.shape.size(); first += kTile) {
      lookout.look_at(pose, curved_balls, first);
      const std::size_t count = std::min<std::size_t>(kTile, curved.shape.size() - first);
      for (std::size_t l = 0; l < count; ++l) {
        if (!add(i, nullptr, l)) continue;
        const std::size_t number = first + l;
        if (curved.shape[number] != shape) {
          shape = curved.shape[number];
          if (shape != ShapeGroup::CurvedBalls::kFields) add_curve(job, i, shape);
        }
        add_ball(pose, curved_balls, number, shape == ShapeGroup::CurvedBalls::kFields);
      }
    }
    const TriangleClusters& all = record.group->clusters();
    const ClusterBalls& balls = all.balls;
    for (std::size_t first = 0; first < all.clusters.size(); first += kTile) {
      lookout.look_at(pose, balls, first);
      const std::size_t count = std::min<std::size_t>(kTile, all.clusters.size() - first);
      for (std::size_t l = 0; l < count; ++l) {
        add(i, &all.clusters[first + l], l);
      }
      if (triangles_ > most_triangles) return false;
    }
    poses_.push_back(pose);
  }
  // From near to far: what is in front hides what is behind before that is looked at.
  std::stable_sort(seen_.begin(), seen_.end(),
                   [](const Seen& a, const Seen& b) { return a.sight.nearest < b.sight.nearest; });
  return true;
}

void BeamCaster::add_curve(const TraceJob& job, std::uint32_t instance, std::uint32_t shape) {
  const InstanceRecord& record = job.instances[instance];
  const QuadricPart& part = record.group->quadric(shape);
  // By the arithmetic of Embree's callback (user_rays.h), to the last bit.
  const auto [R_GA, o_G] = frame_in_group(job, record);
  curves_.push_back(
      {&part, instance, shape, part.frame.R_QG * R_GA, part.frame.R_QG * (o_G - part.frame.p_GQ)});
}

void BeamCaster::add_ball(const RasterPose& pose, const ClusterBalls& of, std::size_t number,
                          bool fields) {
  const float x = of.x[number], y = of.y[number], z = of.z[number];
  const float *R = pose.R, *p = pose.p;
  Ball ball{{R[0] * x + R[1] * y + R[2] * z + p[0], R[3] * x + R[4] * y + R[5] * z + p[1],
             R[6] * x + R[7] * y + R[8] * z + p[2]},
            of.radius[number],
            BeamFinds::kNoCurve};
  if (!fields) ball.curve = static_cast<std::uint32_t>(curves_.size() - 1);
  sees_fields_ |= fields;
  balls_.push_back(ball);
}

/// The tiles whose rays may hit it.
void BeamCaster::meet_ball(const Seen& seen, const RasterRays& rays, const TileWindow& window,
                           BeamFinds& finds) const {
  const Ball& ball = balls_[seen.pose];
  const auto& middles = rays.tiles->middles();
  const auto [bx, by, bz] = ball.center;
  const float away = std::sqrt(bx * bx + by * by + bz * bz);
  const float wide = ball.radius + rays.parallax + 1e-5f * away;
  const float nearest =
      seen.sight.nearest > 0 ? 1 / seen.sight.nearest : std::numeric_limits<float>::infinity();
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
      const float most = wide + away * middles.radius[at];
      if (cx * cx + cy * cy + cz * cz > most * most) continue;
      if (bx * x + by * y + bz * z < -most) continue;
      if (away > wide && !passes(rays, tile, ball.center, wide, nearest)) continue;
      if (ball.curve == BeamFinds::kNoCurve) {
        finds.field[tile] = 1;
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
  GroupViews views;
  look_at_groups(pose, cluster, views);
  for (int first = 0; first < cluster.count; first += TriangleCluster::kGroup) {
    Sight sight;
    if (!find_sight(*rays.tiles, views, first / TriangleCluster::kGroup, sight)) continue;
    const TileWindow window = window_of(*rays.tiles, part, sight);
    if (window.empty() || hidden(rays, window, sight.nearest)) continue;
    raster_group(cluster, first, pose, look_of(sight), number << kClusterBits, rays);
  }
}

void BeamCaster::find(const TraceJob& job, const BeamTiles::Part& part, BeamFinds& finds) const {
  const RayBatch& batch = *job.batch;
  const BeamTiles& tiles = *batch.tiles;
  const BeamTiles::Sector& sector = tiles.sectors()[part.sector];
  const int bands = part.end_band - part.first_band;
  const std::size_t first_ray =
      sector.first_ray + static_cast<std::size_t>(part.first_band) * tiles.band_rays();
  const std::size_t in_batch = first_ray - batch.tiles_first;
  const std::size_t tile_count =
      static_cast<std::size_t>(bands) * static_cast<std::size_t>(tiles.rows());
  const std::size_t rays = tile_count * kTile;
  const float infinity = std::numeric_limits<float>::infinity();
  const float least = batch.t_far > 0 ? 1 / batch.t_far : infinity;
  finds.inverse.assign(rays, least);
  finds.facet.assign(rays, kNoFacet);
  finds.field.assign(tile_count, 0);
  finds.last_curve.assign(tile_count, BeamFinds::kNoCurve);
  finds.curves.clear();
  finds.tile_inverse.assign(tile_count + kTile, least);

  RasterRays raster{};
  raster.dx = batch.dx + in_batch;
  raster.dy = batch.dy + in_batch;
  raster.dz = batch.dz + in_batch;
  raster.inverse = finds.inverse.data();
  raster.facet = finds.facet.data();
  raster.tile_inverse = finds.tile_inverse.data();
  raster.most = job.least_near > 0 ? (1 + kNearDoubt) / job.least_near : 1e30f;
  if (const BeamTiles::Lines* lines = tiles.lines()) {
    raster.ox = batch.ox + in_batch, raster.oy = batch.oy + in_batch,
    raster.oz = batch.oz + in_batch;
    raster.mx = &lines->mx[first_ray], raster.my = &lines->my[first_ray];
    raster.mz = &lines->mz[first_ray];
    raster.parallax = lines->parallax, raster.reach = lines->reach;
  }
  raster.rows = tiles.rows();
  raster.tiles = &tiles;
  raster.sector = &sector;
  raster.first_band = part.first_band;
  raster.end_band = part.end_band;
  raster.first_tile = first_ray / kTile;

  finds.entries.clear();
  for (std::uint32_t i = 0; i < seen_.size(); ++i) {
    const Seen& seen = seen_[i];
    const TileWindow window = window_of(tiles, part, seen.sight);
    if (window.empty()) continue;
    finds.entries.push_back({seen.sight.nearest, i, window});
  }

  for (std::size_t i = 0; i < finds.entries.size(); ++i) {
    const BeamFinds::Entry& entry = finds.entries[i];
    const Seen& seen = seen_[entry.seen];
    if (i + 1 < finds.entries.size()) fetch(seen_[finds.entries[i + 1].seen].cluster);
    if (hidden(raster, entry.window, entry.nearest)) continue;
    if (!seen.cluster) {
      meet_ball(seen, raster, entry.window, finds);
    } else {
      draw_cluster(entry.seen, part, raster);
    }
  }
}

}  // namespace protobeam
