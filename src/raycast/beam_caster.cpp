#include "raycast/beam_caster.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include "raycast/instance_balls.h"
#include "raycast/lookout.h"
#include "raycast/ray_packet.h"

namespace protobeam {
namespace {

constexpr int kTile = BeamTiles::kTile;
/// With more triangles in view for each ray than so many, tracing takes less time. A ray with many
/// layers of clusters on its way takes long in Embree's trees, too. (Measured with AVX-512, time of
/// a scan / of the same one traced: in a city of 75 to 90 layers at 1.7 triangles 0.75 to 1.05, at
/// 3.4 1.2; between trees, 85 to 105 layers, at 2.0 to 2.7 0.6 to 0.7, at 6 0.8; of a million
/// triangles in 4 to 8 layers at 3.6 1.3, at 6 2 to 4.) Rays with origins of their own cost twice
/// as much (at 1.4 0.9 of the time of tracing, at 1.7 1.0 to 1.2).
constexpr float kTrianglesPerRay = 1.8f, kTrianglesPerRayAndLayer = 0.01f;
constexpr float kTrianglesPerLine = 1.5f;
constexpr float kMostTrianglesPerRay = 4;  ///< however many layers
/// Fewer rays are not worth a look through the scene (667 in a yard take twice as long). Fewer for
/// each cluster would have to see very little of it, and all of it is put into clusters for that.
constexpr std::size_t kFewestRays = 2048, kFewestRaysPerCluster = 4, kFewestLinesPerCluster = 6;
/// Of more clusters than so many, about a thousand are looked at first: to look at all of a million
/// triangles takes a tenth of a scan, for nothing where it is traced then.
constexpr std::size_t kManyClusters = 4096, kSampled = 1024;

}  // namespace

/// What a cast has in view: triangles, and how many layers of clusters lie before its rays, in the
/// mean.
class ViewLoad {
 public:
  ViewLoad(const BeamTiles& tiles, const Lookout& lookout)
      : per_bearing_(1 / lookout.half_bearings()),
        per_row_(1 / static_cast<float>(tiles.rows())) {}
  /// Of `times` clusters.
  void add(const Sight& sight, std::size_t triangles, std::size_t times = 1) {
    const float share = std::min(sight.bearing_half * per_bearing_, 1.0f) *
                        (static_cast<float>(sight.end_row - sight.first_row) * per_row_);
    triangles_ += times * triangles;
    layers_ += static_cast<float>(times) * share;
  }
  /// Whether they are drawn over so many rays faster than these are traced.
  bool is_light(std::size_t rays, bool lines) const {
    const float per_ray =
        lines ? kTrianglesPerLine : kTrianglesPerRay + kTrianglesPerRayAndLayer * layers_;
    return static_cast<float>(triangles_) <= per_ray * static_cast<float>(rays);
  }
  std::size_t triangles() const { return triangles_; }

 private:
  std::size_t triangles_ = 0;
  float layers_ = 0;
  float per_bearing_, per_row_;
};

namespace {

/// Has the corners of a cluster in the caches when they are wanted.
void fetch(const TriangleCluster* cluster) {
  if (!cluster) return;
  const auto* begin = reinterpret_cast<const char*>(cluster->ax);
  const auto* end = reinterpret_cast<const char*>(cluster->cz + cluster->count);
  for (const char* line = begin; line < end; line += 64) fetch_ahead(line);
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

/// Whether a ray of a tile passes a box after `begin` m of its way.
PROTOBEAM_CLONES bool passes_box(const RasterRays& rays, std::size_t tile, const BoxAround& box,
                                 float begin) {
  const float *dx = rays.dx + tile * kTile, *dy = rays.dy + tile * kTile,
              *dz = rays.dz + tile * kTile;
  alignas(64) float enter[kTile];
  alignas(64) float leave[kTile];
  PROTOBEAM_LANES
  for (int l = 0; l < kTile; ++l) {
    enter[l] = begin;
    leave[l] = std::numeric_limits<float>::infinity();
  }
  for (int k = 0; k < 3; ++k) {
    const float x = box.R_GS[3 * k], y = box.R_GS[3 * k + 1], z = box.R_GS[3 * k + 2];
    const float half = 1.0001f * box.half[k] + rays.parallax + 1e-4f, origin = box.p_GS[k];
    PROTOBEAM_LANES
    for (int l = 0; l < kTile; ++l) {
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
  for (int l = 0; l < kTile; ++l) any |= enter[l] <= leave[l] ? 1u : 0u;
  return any != 0;
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

BoxAround box_around(const TraceJob& job, const InstanceRecord& record, const QuadricPart& part) {
  const Mat3 R_GW = record.R_WB.transpose(), R_GS = R_GW * job.R_WS;
  const Vec3 p_GS = R_GW * (job.p_WS - record.p_WG) - part.center;
  BoxAround box;
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) box.R_GS[3 * k + j] = static_cast<float>(R_GS(k, j));
    box.p_GS[k] = static_cast<float>(p_GS[k]);
    box.half[k] = static_cast<float>(part.half[k]);
  }
  return box;
}

/// Calls work(instance, record) for those that may be in view, ascending. False: it has said no, or
/// one is too large for floats.
template <typename Work>
bool for_instances(const TraceJob& job, Lookout& lookout, const Work& work) {
  const Mat3 R_SW = job.R_WS.transpose();
  const InstanceBalls& balls = *job.balls;
  InstanceBalls::Seen seen;
  for (std::size_t first = 0; first < balls.size(); first += kTile) {
    balls.look(first, job.p_WS, R_SW, seen);
    std::uint32_t in_view = lookout.in_view(lookout.look_at(seen.x, seen.y, seen.z, seen.radius));
    for (; in_view != 0; in_view &= in_view - 1) {
      const std::size_t instance = first + static_cast<std::size_t>(std::countr_zero(in_view));
      const InstanceRecord& record = job.instances[instance];
      if (record.group->radius() >= InstanceBalls::kReach) return false;
      if (!work(static_cast<std::uint32_t>(instance), record)) return false;
    }
  }
  return true;
}

/// By one of `every` blocks of clusters.
ViewLoad estimated_load(const TraceJob& job, const ViewLoad& nothing, std::size_t every,
                        Lookout& lookout) {
  ViewLoad load = nothing;
  std::size_t block = 0;  // the next one, counted from the first of an instance
  for_instances(job, lookout, [&](std::uint32_t, const InstanceRecord& record) {
    const RasterPose pose = pose_of(job, record);
    const TriangleClusters& all = record.group->clusters();
    const std::size_t blocks = (all.clusters.size() + kTile - 1) / kTile;
    for (; block < blocks; block += every) {
      const std::size_t first = block * kTile;
      std::uint32_t balls = lookout.look_at(pose, all.balls, first);
      for (; balls != 0; balls &= balls - 1) {
        const int l = std::countr_zero(balls);
        Sight sight;
        if (!lookout.in_view(l, sight)) continue;
        load.add(sight, all.counts[first + static_cast<std::size_t>(l)], every);
      }
    }
    block -= blocks;
    return true;
  });
  return load;
}

/// Numbers in the order of a float and, where that is equal, of an index.
std::uint64_t order_of(float value, std::size_t index) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t ascending = bits >> 31 ? ~bits : bits | 0x80000000u;
  return std::uint64_t{ascending} << 32 | static_cast<std::uint32_t>(index);
}

}  // namespace

bool BeamCaster::prepare(const TraceJob& job, const std::vector<BeamTiles::Part>& parts) {
  seen_.clear();
  poses_.clear();
  curves_.clear();
  balls_.clear();
  sees_fields_ = false;
  const std::size_t rays = job.batch->count;
  const std::size_t clusters = job.mesh_triangles / TriangleCluster::kMost;
  const BeamTiles& tiles = *job.batch->tiles;
  const bool lines = tiles.lines() != nullptr;
  const std::size_t per_cluster = lines ? kFewestLinesPerCluster : kFewestRaysPerCluster;
  if (rays < std::max(kFewestRays, per_cluster * clusters)) return false;
  Lookout lookout(job, parts);
  ViewLoad load(tiles, lookout);
  // What is far beyond the limit is left at once.
  if (clusters > kManyClusters &&
      !estimated_load(job, load, clusters / kSampled, lookout).is_light(rays + rays / 2, lines)) {
    return false;
  }
  const auto most_triangles = static_cast<std::size_t>(
      (lines ? kTrianglesPerLine : kMostTrianglesPerRay) * static_cast<float>(rays));
  const auto look = [&](std::uint32_t instance, const InstanceRecord& record) {
    const RasterPose pose = pose_of(job, record);
    add_curved(job, instance, record.group->curved(), pose, lookout);
    add_clusters(instance, record.group->clusters(), pose, lookout, load);
    return load.triangles() <= most_triangles;
  };
  if (!for_instances(job, lookout, look)) return false;
  if (!load.is_light(rays, lines)) return false;
  sort_seen();
  return true;
}

/// The curved shapes of an instance that may be in view.
void BeamCaster::add_curved(const TraceJob& job, std::uint32_t instance,
                            const ShapeGroup::CurvedBalls& curved, const RasterPose& pose,
                            Lookout& lookout) {
  std::uint32_t shape = ShapeGroup::CurvedBalls::kFields;
  for (std::size_t first = 0; first < curved.shape.size(); first += kTile) {
    std::uint32_t balls = lookout.look_at(pose, curved.balls, first);
    for (; balls != 0; balls &= balls - 1) {
      const int l = std::countr_zero(balls);
      Seen seen{instance, static_cast<std::uint32_t>(balls_.size()), nullptr, {}};
      if (!lookout.in_view(l, seen.sight)) continue;
      seen_.push_back(seen);
      const std::size_t number = first + static_cast<std::size_t>(l);
      if (curved.shape[number] != shape) {
        shape = curved.shape[number];
        if (shape != ShapeGroup::CurvedBalls::kFields) add_curve(job, instance, shape);
      }
      add_ball(pose, curved.balls, number, shape == ShapeGroup::CurvedBalls::kFields);
    }
  }
}

/// The clusters of an instance that may be in view, by blocks of 16.
void BeamCaster::add_clusters(std::uint32_t instance, const TriangleClusters& all,
                              const RasterPose& pose, Lookout& lookout, ViewLoad& load) {
  const auto add_block = [&](std::size_t first) {
    std::uint32_t balls = lookout.look_at(pose, all.balls, first);
    for (; balls != 0; balls &= balls - 1) {
      const int l = std::countr_zero(balls);
      const std::size_t number = first + static_cast<std::size_t>(l);
      Seen seen{instance, static_cast<std::uint32_t>(poses_.size()), &all.clusters[number], {}};
      if (!lookout.in_view(l, seen.sight)) continue;
      seen_.push_back(seen);
      load.add(seen.sight, all.counts[number]);
    }
  };
  const std::size_t blocks = (all.clusters.size() + kTile - 1) / kTile;
  for (std::size_t first = 0; first < blocks; first += kTile) {
    std::uint32_t in_view = 1;  // of one block, as the instance
    if (blocks > 1) in_view = lookout.in_view(lookout.look_at(pose, all.blocks, first));
    for (; in_view != 0; in_view &= in_view - 1) {
      add_block((first + static_cast<std::size_t>(std::countr_zero(in_view))) * kTile);
    }
  }
  poses_.push_back(pose);
}

void BeamCaster::sort_seen() {
  auto& [keys, bearing, bearing_half] = order_;
  keys.clear();
  for (const Seen& seen : seen_) keys.push_back(order_of(seen.sight.nearest, keys.size()));
  std::sort(keys.begin(), keys.end());
  const std::size_t filled = (keys.size() + kTile - 1) / kTile * kTile;
  bearing.assign(filled, 0);
  bearing_half.assign(filled, kNoBearing);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Sight& sight = seen_[static_cast<std::uint32_t>(keys[i])].sight;
    bearing[i] = sight.bearing, bearing_half[i] = sight.bearing_half;
  }
}

void BeamCaster::add_curve(const TraceJob& job, std::uint32_t instance, std::uint32_t shape) {
  const InstanceRecord& record = job.instances[instance];
  const QuadricPart& part = record.group->quadric(shape);
  // By the arithmetic of Embree's callback (user_rays.h), to the last bit.
  const auto [R_GA, o_G] = frame_in_group(job, record);
  curves_.push_back(
      {&part, instance, shape, part.frame.R_QG * R_GA, part.frame.R_QG * (o_G - part.frame.p_GQ),
       box_around(job, record, part)});
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
  // A sensor's own housing, which its rays leave before they count.
  const float begin = 1 / rays.most - rays.reach - 1e-5f * away;
  if (begin > away + ball.radius) return;
  const float nearest =
      seen.sight.nearest > 0 ? 1 / seen.sight.nearest : std::numeric_limits<float>::infinity();
  // A sensor on a flat body, or beside a wheel, is in the ball around it and sees it in few tiles.
  const bool boxed = away <= wide && ball.curve != BeamFinds::kNoCurve;
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
      if (boxed && !passes_box(rays, tile, curves_[ball.curve].box, begin)) continue;
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
  const BearingSpan span = span_of(tiles, part);
  for (std::size_t first = 0; first < order_.bearing.size(); first += kTile) {
    std::uint32_t within = meets(span, &order_.bearing[first], &order_.bearing_half[first]);
    for (; within != 0; within &= within - 1) {
      const std::size_t i = first + static_cast<std::size_t>(std::countr_zero(within));
      const auto number = static_cast<std::uint32_t>(order_.keys[i]);
      const Sight& sight = seen_[number].sight;
      const TileWindow window = window_of(tiles, part, sight);
      if (!window.empty()) finds.entries.push_back({sight.nearest, number, window});
    }
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
