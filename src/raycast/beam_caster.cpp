#include "raycast/beam_caster.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

#include "raycast/instance_balls.h"
#include "raycast/lookout.h"
#include "raycast/moving_instances.h"

namespace protobeam {
namespace {

constexpr int kTile = BeamTiles::kTile;
/// With more triangles in view for each ray than so many, tracing takes less time: a line from
/// point to point over the layers of clusters on a ray's way, which take long in Embree's trees.
/// Measured with AVX-512, time of a cast / of the same one traced: over hills of 20 layers at 0.5
/// triangles 0.6, at 1.1 0.8, at 2.2 1.2; in a city of 75 to 90 layers at 1.7 0.65 to 0.9,
/// at 3.4 1.2; among the trees of a campus, 85 to 110 layers, at 2.0 to 2.7 0.6 to 0.7, at 6 0.8;
/// of a million triangles in 5 layers at 3.6 1.25. Of rays with origins of their own: over the
/// hills at 0.5 0.9, at 1.1 1.1; in the city at 0.75 to 1.1 0.8 to 0.9, at 1.7 0.9 to 1.1; on the
/// campus at 2.3 to 2.8 0.85 to 0.9, at 4 1.0.
struct DrawingLimit {
  float layers, triangles;
};
constexpr DrawingLimit kLimitOfRays[] = {{0, 1.5f}, {80, 2.6f}, {110, 7}};
constexpr DrawingLimit kLimitOfLines[] = {{0, 0.25f}, {110, 2.95f}};

std::span<const DrawingLimit> limits_of(bool lines) {
  return lines ? std::span<const DrawingLimit>(kLimitOfLines) : kLimitOfRays;
}
float most_triangles(std::span<const DrawingLimit> limits, float layers) {
  for (std::size_t i = 1; i < limits.size(); ++i) {
    const DrawingLimit &low = limits[i - 1], &high = limits[i];
    if (layers > high.layers) continue;
    const float share = (layers - low.layers) / (high.layers - low.layers);
    return low.triangles + share * (high.triangles - low.triangles);
  }
  return limits.back().triangles;
}

/// Fewer rays are not worth a look through the scene (667 in a yard take twice as long). Fewer for
/// each cluster would have to see very little of it, and all of it is put into clusters for that.
constexpr std::size_t kFewestRays = 2048, kFewestRaysPerCluster = 4, kFewestLinesPerCluster = 6;
/// Of more clusters than so many, about a thousand are looked at first: to look at all of a million
/// triangles takes a tenth of a scan, for nothing where it is traced then.
constexpr std::size_t kManyClusters = 2048, kSampled = 1024, kSampledInMotion = 256;

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
  /// Whether they are drawn over the rays faster than these are traced, or, by a sample of the
  /// clusters, may be.
  bool is_light(const BeamRays& rays, bool lines, bool sampled = false) const {
    // Of samples, triangles were 6 % too many, layers 28 % too few.
    const float more = sampled ? 1.15f : 1, higher = sampled ? 1.4f : 1;
    const std::span<const DrawingLimit> limits = limits_of(lines);
    return static_cast<float>(triangles_) * rays.blur <=
           more * most_triangles(limits, higher * layers_) * static_cast<float>(rays.count);
  }
  std::size_t triangles() const { return triangles_; }

 private:
  std::size_t triangles_ = 0;
  float layers_ = 0;
  float per_bearing_, per_row_;
};

namespace {

/// Of an instance in the rays' frame.
RasterPose pose_of(const BeamRays& rays, const InstanceRecord& record) {
  const Mat3 R_SG = rays.R_WS.transpose() * record.R_WB;
  const Vec3 p_SG = rays.R_WS.transpose() * (record.p_WG - rays.p_WS);
  RasterPose pose;
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) pose.R[3 * k + j] = static_cast<float>(R_SG(k, j));
    pose.p[k] = static_cast<float>(p_SG[k]);
  }
  return pose;
}

/// With the axes of a frame that `p_WG` is the origin of; the box's middle is in that frame.
BoxAround box_around(const BeamRays& rays, const Mat3& R_GW, const Vec3& p_WG, const Vec3& center,
                     const Vec3& half) {
  const Mat3 R_GS = R_GW * rays.R_WS;
  const Vec3 p_GS = R_GW * (rays.p_WS - p_WG) - center;
  BoxAround box;
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) box.R_GS[3 * k + j] = static_cast<float>(R_GS(k, j));
    box.p_GS[k] = static_cast<float>(p_GS[k]);
    box.half[k] = static_cast<float>(half[k]);
  }
  return box;
}

/// Calls work(instance, record) for those that may be in view and rest, ascending. False: it has
/// said no, or one is too large for floats.
template <typename Work>
bool for_instances(const TraceJob& job, const BeamRays& rays, Lookout& lookout, const Work& work) {
  const Mat3 R_SW = rays.R_WS.transpose();
  const InstanceBalls& balls = *job.balls;
  InstanceBalls::Seen seen;
  for (std::size_t first = 0; first < balls.size(); first += kTile) {
    balls.look(first, rays.p_WS, R_SW, seen);
    std::uint32_t in_view = lookout.in_view(lookout.look_at(seen.x, seen.y, seen.z, seen.radius));
    for (; in_view != 0; in_view &= in_view - 1) {
      const std::size_t instance = first + static_cast<std::size_t>(std::countr_zero(in_view));
      const InstanceRecord& record = job.instances[instance];
      if (job.moving_instances && record.moves) continue;
      if (record.group->radius() >= InstanceBalls::kReach) return false;
      if (!work(static_cast<std::uint32_t>(instance), record)) return false;
    }
  }
  return true;
}

/// By one of `every` blocks of clusters.
ViewLoad estimated_load(const TraceJob& job, const BeamRays& rays, const ViewLoad& nothing,
                        std::size_t every, Lookout& lookout) {
  ViewLoad load = nothing;
  std::size_t block = 0;  // the next one, counted from the first of an instance
  for_instances(job, rays, lookout, [&](std::uint32_t, const InstanceRecord& record) {
    const RasterPose pose = pose_of(rays, record);
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

/// By the upper half, byte by byte; what is equal there stays in its order. Three times as fast for
/// a thousand as a sort that compares.
void sort_by_upper_half(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& memory) {
  constexpr std::size_t kBytes = 4, kValues = 256;
  std::size_t begins[kBytes][kValues] = {};
  const auto byte = [](std::uint64_t key, std::size_t k) { return key >> (32 + 8 * k) & 0xff; };
  for (const std::uint64_t key : keys) {
    for (std::size_t k = 0; k < kBytes; ++k) ++begins[k][byte(key, k)];
  }
  memory.resize(keys.size());
  for (std::size_t k = 0; k < kBytes; ++k) {
    std::exclusive_scan(begins[k], begins[k] + kValues, begins[k], std::size_t{0});
    for (const std::uint64_t key : keys) memory[begins[k][byte(key, k)]++] = key;
    keys.swap(memory);
  }
}

}  // namespace

bool BeamCaster::may_pay(const TraceJob& job, const BeamRays& rays,
                         std::span<const BeamTiles::Part> parts) {
  const std::size_t clusters = job.mesh_triangles / TriangleCluster::kMost;
  const bool lines = rays.ox != nullptr || !job.sensor.none();
  const std::size_t per_cluster = lines ? kFewestLinesPerCluster : kFewestRaysPerCluster;
  if (rays.count < std::max(kFewestRays, per_cluster * clusters)) return false;
  // What is far beyond the limit is left at once; of a sensor in motion, for whose many pieces all
  // would be looked through in vain, what is beyond it.
  const bool moves = !job.sensor.none();
  if (clusters <= kManyClusters && !moves) return true;
  Lookout lookout(job, rays, parts);
  const ViewLoad nothing(*rays.tiles, lookout);
  const std::size_t sampled = moves ? kSampledInMotion : kSampled;
  return estimated_load(job, rays, nothing, std::max<std::size_t>(clusters / sampled, 1), lookout)
      .is_light(rays, lines, !moves);
}

bool BeamCaster::prepare(const TraceJob& job, const BeamRays& rays,
                         std::span<const BeamTiles::Part> parts) {
  seen_.clear();
  poses_.clear();
  curves_.clear();
  balls_.clear();
  boxes_.clear();
  sees_fields_ = false;
  Lookout lookout(job, rays, parts);
  ViewLoad load(*rays.tiles, lookout);
  const bool lines = rays.ox != nullptr;
  const float most = limits_of(lines).back().triangles * static_cast<float>(rays.count);
  const auto look = [&](std::uint32_t instance, const InstanceRecord& record) {
    const RasterPose pose = pose_of(rays, record);
    add_curved(job, rays, instance, record.group->curved(), pose, lookout);
    add_clusters(instance, record.group->clusters(), pose, lookout, load);
    return static_cast<float>(load.triangles()) * rays.blur <= most;
  };
  if (!for_instances(job, rays, lookout, look)) return false;
  if (job.moving_instances && !add_moving(job, rays, lookout)) return false;
  if (!load.is_light(rays, lines)) return false;
  sort_seen();
  return true;
}

/// The curved shapes of an instance that may be in view.
void BeamCaster::add_curved(const TraceJob& job, const BeamRays& rays, std::uint32_t instance,
                            const ShapeGroup::CurvedBalls& curved, const RasterPose& pose,
                            Lookout& lookout) {
  std::uint32_t shape = ShapeGroup::CurvedBalls::kFields;
  for (std::size_t first = 0; first < curved.shape.size(); first += kTile) {
    std::uint32_t balls = lookout.look_at(pose, curved.balls, first);
    for (; balls != 0; balls &= balls - 1) {
      const int l = std::countr_zero(balls);
      Seen seen{instance, static_cast<std::uint32_t>(balls_.size()), nullptr, 0, {}};
      if (!lookout.in_view(l, seen.sight)) continue;
      seen_.push_back(seen);
      const std::size_t number = first + static_cast<std::size_t>(l);
      if (curved.shape[number] != shape) {
        shape = curved.shape[number];
        if (shape != ShapeGroup::CurvedBalls::kFields) add_curve(job, rays, instance, shape);
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
      Seen seen{instance, static_cast<std::uint32_t>(poses_.size()), &all.clusters[number],
                all.counts[number], {}};
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
  auto& [keys, memory, bearing, bearing_half] = order_;
  keys.clear();
  for (const Seen& seen : seen_) keys.push_back(order_of(seen.sight.nearest, keys.size()));
  sort_by_upper_half(keys, memory);
  const std::size_t filled = (keys.size() + kTile - 1) / kTile * kTile;
  bearing.assign(filled, 0);
  bearing_half.assign(filled, kNoBearing);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Sight& sight = seen_[static_cast<std::uint32_t>(keys[i])].sight;
    bearing[i] = sight.bearing, bearing_half[i] = sight.bearing_half;
  }
}

void BeamCaster::add_curve(const TraceJob& job, const BeamRays& rays, std::uint32_t instance,
                           std::uint32_t shape) {
  const InstanceRecord& record = job.instances[instance];
  const QuadricPart& part = record.group->quadric(shape);
  // By the arithmetic of Embree's callback (user_rays.h), to the last bit.
  const auto [R_GA, o_G] = frame_in_group(job, record);
  curves_.push_back(
      {&part, instance, shape, part.frame.R_QG * R_GA, part.frame.R_QG * (o_G - part.frame.p_GQ)});
  boxes_.push_back(box_around(rays, record.R_WB.transpose(), record.p_WG, part.center, part.half));
}

void BeamCaster::add_ball(const RasterPose& pose, const ClusterBalls& of, std::size_t number,
                          bool fields) {
  const float x = of.x[number], y = of.y[number], z = of.z[number];
  const float *R = pose.R, *p = pose.p;
  Ball ball{{R[0] * x + R[1] * y + R[2] * z + p[0], R[3] * x + R[4] * y + R[5] * z + p[1],
             R[6] * x + R[7] * y + R[8] * z + p[2]},
            of.radius[number]};
  if (fields) {
    ball.traced = BeamFinds::kFields;
  } else {
    ball.curve = static_cast<std::uint32_t>(curves_.size() - 1);
    ball.box = static_cast<std::uint32_t>(boxes_.size() - 1);
  }
  sees_fields_ |= fields;
  balls_.push_back(ball);
}

/// What moves within the step, which Embree traces where rays may meet it on its way. False: that
/// cannot be said of all of it.
bool BeamCaster::add_moving(const TraceJob& job, const BeamRays& rays, Lookout& lookout) {
  const MovingInstances& moving = *job.moving_bodies;
  const Mat3 R_SW = rays.R_WS.transpose();
  const Vec3 p_WL = job.p_WS - job.p_LS;
  for (std::size_t first = 0; first < moving.count(); first += kTile) {
    InstanceBalls::Seen seen;
    std::fill_n(seen.radius, kTile, -1.0f);
    Vec3 center_W[kTile], half[kTile];
    const std::size_t count = std::min<std::size_t>(kTile, moving.count() - first);
    for (std::size_t l = 0; l < count; ++l) {
      const auto number = static_cast<unsigned>(first + l);
      if (job.instances[moving.instance(number)].group->has_fields()) return false;
      const RTCBounds& b = moving.bounds(number);
      const Vec3 low(b.lower_x, b.lower_y, b.lower_z), high(b.upper_x, b.upper_y, b.upper_z);
      center_W[l] = p_WL + (low + high) / 2, half[l] = (high - low) / 2;
      const Vec3 p_S = R_SW * (center_W[l] - rays.p_WS);
      const double radius = half[l].norm() * 1.00001 + 1e-3;
      if (!(p_S.norm() + radius < InstanceBalls::kReach)) return false;
      seen.x[l] = static_cast<float>(p_S.x()), seen.y[l] = static_cast<float>(p_S.y());
      seen.z[l] = static_cast<float>(p_S.z()), seen.radius[l] = static_cast<float>(radius);
    }
    std::uint32_t balls = lookout.look_at(seen.x, seen.y, seen.z, seen.radius);
    for (; balls != 0; balls &= balls - 1) {
      const int l = std::countr_zero(balls);
      Seen one{moving.instance(static_cast<unsigned>(first) + static_cast<unsigned>(l)),
               static_cast<std::uint32_t>(balls_.size()),
               nullptr,
               0,
               {}};
      if (!lookout.in_view(l, one.sight)) continue;
      seen_.push_back(one);
      Ball ball{{seen.x[l], seen.y[l], seen.z[l]}, seen.radius[l]};
      ball.box = static_cast<std::uint32_t>(boxes_.size());
      ball.traced = BeamFinds::kMovingBodies;
      balls_.push_back(ball);
      boxes_.push_back(box_around(rays, Mat3::Identity(), center_W[l], Vec3::Zero(), half[l]));
    }
  }
  return true;
}

}  // namespace protobeam
