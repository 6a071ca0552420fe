#include "raycast/beam_caster.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <numeric>

#include "raycast/instance_balls.h"
#include "raycast/lookout.h"
#include "raycast/moving_instances.h"

namespace protobeam {
namespace {

constexpr int kTile = BeamTiles::kTile;
/// Fewer rays are not worth a look through the scene (667 in a yard take twice as long). Fewer for
/// each cluster would have to see very little of it, and all of it is put into clusters for that.
constexpr std::size_t kFewestRays = 2048, kFewestRaysPerCluster = 4, kFewestLinesPerCluster = 6;
/// Of more clusters than so many, about a thousand are looked at first: to look at all of a million
/// triangles takes a tenth of a scan, for nothing where it is traced then.
constexpr std::size_t kManyClusters = 2048, kSampled = 1024, kSampledInMotion = 256;
/// Who looks through fewer clusters is done before another thread has begun.
constexpr std::size_t kClustersPerPiece = 256;
constexpr std::size_t kClustersPerBall = 8;  ///< that take as long to look at

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
  const ViewLoad nothing(rays.tiles->rows(), lookout.half_bearings());
  const std::size_t sampled = moves ? kSampledInMotion : kSampled;
  return estimated_load(job, rays, nothing, std::max<std::size_t>(clusters / sampled, 1), lookout)
      .is_light(rays, lines, !moves);
}

bool BeamCaster::prepare(const TraceJob& job, const BeamRays& rays,
                         std::span<const BeamTiles::Part> parts, const Share& share) {
  stretches_.clear();
  poses_.clear();
  room_ = {};
  Lookout lookout(job, rays, parts);
  const ViewLoad nothing(rays.tiles->rows(), lookout.half_bearings());
  const auto add = [&](std::uint32_t instance, const InstanceRecord& record) {
    add_stretches(instance, *record.group, nothing);
    poses_.push_back(pose_of(rays, record));
    return true;
  };
  if (!for_instances(job, rays, lookout, add)) return false;
  make_pieces();
  if (job.moving_instances) {
    Stretch& moving = add_stretch({0, 0, nullptr, 0, nothing}, job.moving_bodies->count());
    make_room();
    if (!look_at_moving(job, rays, moving, lookout)) return false;
  }
  make_room();
  if (!look_through(job, rays, lookout, share)) return false;
  ViewLoad load = nothing;
  sees_fields_ = false;
  for (const Stretch& stretch : stretches_) {
    load.add(stretch.load);
    sees_fields_ |= stretch.fields;
  }
  if (!load.is_light(rays, rays.ox != nullptr)) return false;
  sort_seen();
  return true;
}

/// With room for `most` that are in view: clusters, or else balls.
BeamCaster::Stretch& BeamCaster::add_stretch(const Stretch& stretch, std::size_t most) {
  Stretch& added = stretches_.emplace_back(stretch);
  added.begin = room_.seen, added.end = room_.seen += most;
  added.ball = room_.balls;
  if (!added.clusters) room_.balls += most;
  return added;
}

/// Of an instance, whose pose is the next one.
void BeamCaster::add_stretches(std::uint32_t instance, const ShapeGroup& group,
                               const ViewLoad& nothing) {
  const auto pose = static_cast<std::uint32_t>(poses_.size());
  const std::size_t balls = group.curved().shape.size();
  if (balls > 0) add_stretch({instance, pose, nullptr, 0, nothing}, balls);
  const TriangleClusters& all = group.clusters();
  const std::size_t count = all.clusters.size();
  constexpr std::size_t kMost = Stretch::kBlocks * kTile;
  for (std::size_t first = 0; first < count; first += kMost) {
    add_stretch({instance, pose, &all, first / kTile, nothing}, std::min(kMost, count - first));
  }
}

/// What one thread looks through.
void BeamCaster::make_pieces() {
  pieces_.assign(1, 0);
  std::size_t clusters = 0;
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    const Stretch& stretch = stretches_[i];
    clusters += (stretch.end - stretch.begin) * (stretch.clusters ? 1 : kClustersPerBall);
    if (clusters < kClustersPerPiece && i + 1 < stretches_.size()) continue;
    clusters = 0;
    pieces_.push_back(i + 1);
  }
}

void BeamCaster::make_room() {
  const auto grow = [](auto& values, std::size_t size) {
    if (values.size() < size) values.resize(size);
  };
  grow(seen_, room_.seen);
  grow(balls_, room_.balls), grow(curves_, room_.balls), grow(boxes_, room_.balls);
}

/// False: far more triangles are in view than it takes less time to trace.
bool BeamCaster::look_through(const TraceJob& job, const BeamRays& rays, const Lookout& lookout,
                              const Share& share) {
  const std::size_t most = ViewLoad::most_triangles(rays, rays.ox != nullptr);
  std::atomic<std::size_t> triangles = 0;
  share(pieces_.size() - 1, [&](std::size_t piece) {
    Lookout own = lookout;
    for (std::size_t i = pieces_[piece]; i < pieces_[piece + 1]; ++i) {
      if (triangles > most) return;
      Stretch& stretch = stretches_[i];
      if (!stretch.clusters) {
        look_at_curved(job, rays, stretch, own);
        continue;
      }
      look_at_clusters(stretch, own);
      triangles += stretch.load.triangles();
    }
  });
  return triangles <= most;
}

BeamCaster::Ball BeamCaster::ball_at(const RasterPose& pose, const ClusterBalls& of,
                                     std::size_t number) {
  const float x = of.x[number], y = of.y[number], z = of.z[number];
  const float *R = pose.R, *p = pose.p;
  return {{R[0] * x + R[1] * y + R[2] * z + p[0], R[3] * x + R[4] * y + R[5] * z + p[1],
           R[6] * x + R[7] * y + R[8] * z + p[2]},
          of.radius[number]};
}

/// Leaves those curved shapes of an instance that may be in view.
void BeamCaster::look_at_curved(const TraceJob& job, const BeamRays& rays, Stretch& stretch,
                                Lookout& lookout) {
  constexpr std::uint32_t kFields = ShapeGroup::CurvedBalls::kFields;
  const ShapeGroup::CurvedBalls& curved = job.instances[stretch.instance].group->curved();
  const RasterPose& pose = poses_[stretch.pose];
  std::size_t next = stretch.begin, next_ball = stretch.ball, curve = stretch.ball;
  std::uint32_t shape = kFields;
  for (std::size_t first = 0; first < curved.shape.size(); first += kTile) {
    std::uint32_t balls = lookout.look_at(pose, curved.balls, first);
    for (; balls != 0; balls &= balls - 1) {
      const int l = std::countr_zero(balls);
      Seen& seen = seen_[next];
      if (!lookout.in_view(l, seen.sight)) continue;
      const std::size_t number = first + static_cast<std::size_t>(l);
      if (curved.shape[number] != shape) {
        shape = curved.shape[number];
        curve = next_ball;
        if (shape != kFields) set_curve(job, rays, stretch.instance, shape, curve);
      }
      balls_[next_ball] = ball_at(pose, curved.balls, number);
      if (shape == kFields) {
        balls_[next_ball].traced = BeamFinds::kFields;
        stretch.fields = true;
      } else {
        balls_[next_ball].curve = balls_[next_ball].box = static_cast<std::uint32_t>(curve);
      }
      seen.instance = stretch.instance, seen.pose = static_cast<std::uint32_t>(next_ball);
      seen.cluster = nullptr, seen.count = 0;
      ++next, ++next_ball;
    }
  }
  stretch.end = next;
}

/// Leaves those clusters that may be in view, by blocks of 16.
void BeamCaster::look_at_clusters(Stretch& stretch, Lookout& lookout) {
  const TriangleClusters& all = *stretch.clusters;
  const RasterPose& pose = poses_[stretch.pose];
  ViewLoad load = stretch.load;
  std::size_t next = stretch.begin;
  const auto look_at_block = [&](std::size_t first) {
    std::uint32_t balls = lookout.look_at(pose, all.balls, first);
    for (; balls != 0; balls &= balls - 1) {
      const int l = std::countr_zero(balls);
      Seen& seen = seen_[next];
      if (!lookout.in_view(l, seen.sight)) continue;
      const std::size_t number = first + static_cast<std::size_t>(l);
      seen.instance = stretch.instance, seen.pose = stretch.pose;
      seen.cluster = &all.clusters[number], seen.count = all.counts[number];
      load.add(seen.sight, all.counts[number]);
      ++next;
    }
  };
  std::uint32_t in_view = 1;  // of one block, as the instance
  if (all.clusters.size() > kTile) {
    in_view = lookout.in_view(lookout.look_at(pose, all.blocks, stretch.first_block));
  }
  for (; in_view != 0; in_view &= in_view - 1) {
    const auto block = static_cast<std::size_t>(std::countr_zero(in_view));
    look_at_block((stretch.first_block + block) * kTile);
  }
  stretch.end = next;
  stretch.load = load;
}

void BeamCaster::sort_seen() {
  auto& [keys, memory, bearing, bearing_half] = order_;
  keys.clear();
  const auto add = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) keys.push_back(order_of(seen_[i].sight.nearest, i));
  };
  for (const Stretch& stretch : stretches_) add(stretch.begin, stretch.end);
  sort_by_upper_half(keys, memory);
  const std::size_t filled = (keys.size() + kTile - 1) / kTile * kTile;
  bearing.assign(filled, 0);
  bearing_half.assign(filled, kNoBearing);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Sight& sight = seen_[static_cast<std::uint32_t>(keys[i])].sight;
    bearing[i] = sight.bearing, bearing_half[i] = sight.bearing_half;
  }
}

void BeamCaster::set_curve(const TraceJob& job, const BeamRays& rays, std::uint32_t instance,
                           std::uint32_t shape, std::size_t number) {
  const InstanceRecord& record = job.instances[instance];
  const QuadricPart& part = record.group->quadric(shape);
  // By the arithmetic of Embree's callback (user_rays.h), to the last bit.
  const auto [R_GA, o_G] = frame_in_group(job, record);
  curves_[number] = {&part, instance, shape, part.frame.R_QG * R_GA,
                     part.frame.R_QG * (o_G - part.frame.p_GQ)};
  boxes_[number] = box_around(rays, record.R_WB.transpose(), record.p_WG, part.center, part.half);
}

/// What moves within the step, which Embree traces where rays may meet it on its way. False: that
/// cannot be said of all of it.
bool BeamCaster::look_at_moving(const TraceJob& job, const BeamRays& rays, Stretch& stretch,
                                Lookout& lookout) {
  const MovingInstances& moving = *job.moving_bodies;
  const Mat3 R_SW = rays.R_WS.transpose();
  const Vec3 p_WL = job.p_WS - job.p_LS;
  std::size_t next = stretch.begin, next_ball = stretch.ball;
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
      Seen& one = seen_[next];
      if (!lookout.in_view(l, one.sight)) continue;
      one.instance = moving.instance(static_cast<unsigned>(first) + static_cast<unsigned>(l));
      one.pose = static_cast<std::uint32_t>(next_ball);
      one.cluster = nullptr, one.count = 0;
      Ball& ball = balls_[next_ball] = {{seen.x[l], seen.y[l], seen.z[l]}, seen.radius[l]};
      ball.box = static_cast<std::uint32_t>(next_ball);
      ball.traced = BeamFinds::kMovingBodies;
      boxes_[next_ball] = box_around(rays, Mat3::Identity(), center_W[l], Vec3::Zero(), half[l]);
      ++next, ++next_ball;
    }
  }
  stretch.end = next;
  return true;
}

}  // namespace protobeam
