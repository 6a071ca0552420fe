#include "raycast/embree_scene.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "base/hand_over.h"
#include "base/shared_store.h"
#include "raycast/value_range.h"

namespace protobeam {
namespace {

/// A sensor farther than this from the origin of the float coordinates moves the origin.
constexpr double kFarFromOrigin = 128;
/// Origins lie on this grid, so that they hardly depend on the path of the sensor.
constexpr double kOriginGrid = 64;
/// An instance of which no point moves farther within a step rests.
constexpr double kRest = 1e-7;
/// Shapes without an instance that wait for one that is alike: some 100 MB.
constexpr std::size_t kMostUnusedGroups = 100, kMostUnusedTriangles = 400'000;
constexpr std::size_t kBlock = TraceScratch::kBlock;

/// The rays of the batch's tiles.
BeamRays rays_at_rest(const TraceJob& job, std::size_t count) {
  const RayBatch& batch = *job.batch;
  BeamRays rays;
  rays.tiles = batch.tiles;
  rays.first = batch.tiles_first, rays.count = count;
  rays.dx = batch.dx, rays.dy = batch.dy, rays.dz = batch.dz;
  if (const BeamTiles::Lines* lines = batch.tiles->lines()) {
    rays.ox = batch.ox, rays.oy = batch.oy, rays.oz = batch.oz;
    rays.mx = &lines->mx[rays.first], rays.my = &lines->my[rays.first];
    rays.mz = &lines->mz[rays.first];
    rays.deviation = lines->deviation;
  }
  rays.R_WS = job.R_WS, rays.p_WS = job.p_WS;
  return rays;
}

/// Of this thread: the scene of which it works on a piece, so that it has a number in its arena.
thread_local const EmbreeScene* working_for = nullptr;
/// Of this thread: the cast of which the sink has got a block.
thread_local const TraceJob* delivered = nullptr;

void deliver(const TraceJob& job, const BlockSink& sink, const RayBlock& block) {
  delivered = &job;
  sink(block);
  delivered = nullptr;
}

/// One for all scenes, so that they can have groups in common.
std::shared_ptr<RTCDeviceTy> shared_device() {
  std::string settings = "ignore_config_files=1";  // no settings of the machine
  // For tests: the instructions to use (sse2, sse4.2, avx, avx2, avx512). No result depends on
  // them.
  if (const char* isa = std::getenv("PROTOBEAM_EMBREE_ISA")) settings += std::string(",isa=") + isa;
  static SharedStore<std::string, RTCDeviceTy>* const devices =
      new SharedStore<std::string, RTCDeviceTy>;
  return devices->get(settings, [&] {
    const RTCDevice device = rtcNewDevice(settings.c_str());
    if (!device) throw std::runtime_error("Embree cannot start on this machine");
    return std::shared_ptr<RTCDeviceTy>(device, rtcReleaseDevice);
  });
}

}  // namespace

EmbreeScene::EmbreeScene(const RaySceneOptions& options)
    : options_(options),
      device_(shared_device()),
      threads_(options.threads > 0 ? options.threads : tbb::info::default_concurrency()),
      thread_limit_(tbb::global_control::max_allowed_parallelism,
                    static_cast<std::size_t>(std::max(threads_, tbb::info::default_concurrency()))),
      cast_arena_(threads_),
      hands_(static_cast<std::size_t>(threads_)),
      all_(device_.get(), TopScene::Shows::kEndOfStep),
      resting_(device_.get(), TopScene::Shows::kResting),
      fields_(device_.get(), TopScene::Shows::kFields),
      moving_instances_(device_.get()),
      shadow_maps_(options.lines_before_map) {
  check();
}

void EmbreeScene::check() const {
  switch (const RTCError error = rtcGetDeviceError(device_.get())) {
    case RTC_ERROR_NONE:
      return;
    case RTC_ERROR_OUT_OF_MEMORY:
      throw std::bad_alloc();
    default:
      throw std::runtime_error("Embree failed with error " + std::to_string(error));
  }
}

EmbreeScene::~EmbreeScene() = default;

EmbreeScene::SharedGroup& EmbreeScene::group_of(const std::vector<VisibleShape>& shapes) {
  GroupKey key;
  for (const VisibleShape& s : shapes) {
    const Quat& q = s.X_BS.R;
    const Vec3& p = s.X_BS.p;
    key.push_back({s.geometry.get(), {q.w(), q.x(), q.y(), q.z(), p.x(), p.y(), p.z()}});
  }
  SharedGroup& shared = groups_[key];
  if (!shared.group) {
    using Key = std::tuple<RTCDevice, std::size_t, GroupKey>;
    // Those of all scenes; of shapes at the same addresses, which a group keeps.
    static SharedStore<Key, const ShapeGroup>* const groups =
        new SharedStore<Key, const ShapeGroup>;
    shared.group = groups->get({device_.get(), options_.points_as_triangles, key}, [&] {
      std::shared_ptr<const ShapeGroup> made;
      build_arena_.execute([&] { made.reset(new ShapeGroup(device_, shapes, options_)); });
      check();
      return made;
    });
  }
  return shared;
}

RayScene::Instance EmbreeScene::add(const std::vector<VisibleShape>& shapes, const Pose& X_WB) {
  SharedGroup& shared = group_of(shapes);
  ++shared.users;
  InstanceRecord record;
  record.group = shared.group.get();
  record.X_WB.p.setConstant(NAN);  // no pose yet
  const Instance instance = free_.empty() ? static_cast<Instance>(records_.size()) : *free_.begin();
  if (free_.empty()) {
    records_.push_back(record);
    group_of_.push_back(&shared);
  } else {
    records_[instance] = record;
    group_of_[instance] = &shared;
    free_.erase(instance);
  }
  triangle_count_ += shared.group->triangle_count();
  mesh_triangles_ += shared.group->mesh_triangles();
  set_pose(instance, X_WB);
  return instance;
}

void EmbreeScene::remove(Instance instance) {
  InstanceRecord& record = records_.at(instance);
  SharedGroup*& shared = group_of_.at(instance);
  if (!shared) return;
  if (--shared->users == 0) {
    ++unused_groups_;
    unused_triangles_ += shared->group->mesh_triangles();
  }
  shared = nullptr;
  for (TopScene* top : {&all_, &resting_, &fields_}) top->remove(instance);
  if (record.moves) {
    --moving_count_;
    moving_instances_.touch();
  }
  triangle_count_ -= record.group->triangle_count();
  mesh_triangles_ -= record.group->mesh_triangles();
  record.moves = record.visible = false;
  record.group = nullptr;
  balls_.set(instance, record);
  shadow_maps_.touch(instance);
  free_.insert(instance);
  while (!group_of_.empty() && !group_of_.back()) {
    group_of_.pop_back();
    records_.pop_back();
    free_.erase(static_cast<Instance>(records_.size()));
  }
  if (unused_groups_ > kMostUnusedGroups || unused_triangles_ > kMostUnusedTriangles)
    drop_unused_groups();
}

void EmbreeScene::drop_unused_groups() {
  unused_triangles_ = 0;
  if (std::exchange(unused_groups_, 0) == 0) return;
  std::erase_if(groups_, [](const auto& one) { return one.second.users == 0; });
}

void EmbreeScene::set_motion(Instance instance, const Pose& X_WB_before, const Pose& X_WB) {
  InstanceRecord& record = records_.at(instance);
  if (!record.group) return;
  const bool moved = record.X_WB.p != X_WB.p || record.X_WB.R.coeffs() != X_WB.R.coeffs();
  const bool moved_before = record.moves;
  if (moved) {
    record.X_WB = X_WB;
    record.R_WB = X_WB.R.toRotationMatrix();
    record.p_WG = X_WB * record.group->center();
    balls_.set(instance, record);
    all_.touch(instance, record);
    fields_.touch(instance, record);
  }
  record.X_WB_before = X_WB_before;
  const StepMotion motion = motion_between(X_WB_before, X_WB);
  record.motion = {motion.rotation, record.R_WB.transpose() * motion.translation_W,
                   record.group->center()};
  const double farthest =
      motion.translation_W.norm() + motion.rotation.angle * record.group->reach();
  record.moves = farthest > kRest && std::isfinite(farthest);
  moving_count_ += record.moves;
  moving_count_ -= moved_before;
  if (moved || record.moves != moved_before) resting_.touch(instance, record);
  if (record.moves || moved_before) moving_instances_.touch();
  if (moved || record.moves || moved_before) shadow_maps_.touch(instance);
}

void EmbreeScene::set_visible(Instance instance, bool visible) {
  InstanceRecord& record = records_.at(instance);
  if (record.visible == visible || !record.group) return;
  record.visible = visible;
  balls_.set(instance, record);
  shadow_maps_.touch(instance);
  for (TopScene* top : {&all_, &resting_, &fields_}) top->touch(instance, record);
  if (record.moves) moving_instances_.touch();
}

template <typename Scene>
void EmbreeScene::update(Scene& scene) {
  if (scene.up_to_date(p_WL_)) return;
  build_arena_.execute([&] { scene.update(records_, p_WL_); });
  check();
}

bool EmbreeScene::reaches(const Vec3& p_W) const {
  return (p_W - p_WL_).cwiseAbs().maxCoeff() <= kFarFromOrigin;
}

void EmbreeScene::move_origin(const Vec3& p_W) {
  if (!reaches(p_W)) p_WL_ = kOriginGrid * (p_W / kOriginGrid).array().round();
}

TraceJob EmbreeScene::prepare(const RayBatch& batch) {
  const std::scoped_lock lock(update_mutex_);
  drop_unused_groups();
  const Vec3& p_WS = batch.X_WS.p;
  if (!together_) move_origin(p_WS);
  TraceJob job;
  if (batch.time && moving_count_ > 0) {
    update(resting_);
    update(moving_instances_);
    job.scene = resting_.scene();
    job.moving_instances = moving_instances_.scene();
    job.moving_bodies = &moving_instances_;
  } else {
    update(all_);
    job.scene = all_.scene();
  }
  job.instances = records_.data();
  job.balls = &balls_;
  job.mesh_triangles = mesh_triangles_;
  job.batch = &batch;
  job.p_WS = p_WS;
  job.p_LS = p_WS - p_WL_;
  job.R_WS = batch.X_WS.R.toRotationMatrix();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) job.R_LS[3 * i + j] = static_cast<float>(job.R_WS(i, j));
    job.o_L[i] = static_cast<float>(job.p_LS[i]);
  }
  if (batch.time && batch.X_WS_before) {
    job.sensor = motion_between(*batch.X_WS_before, batch.X_WS);
  }
  job.moving = batch.ox || !job.sensor.none() || job.moving_instances;
  job.R_WA = job.moving ? Mat3::Identity() : job.R_WS;
  return job;
}

std::shared_ptr<const BeamTiles> EmbreeScene::arrange(const RayBatch& rays, int rows) {
  if (!options_.beam_caster) return nullptr;
  auto tiles = std::make_shared<BeamTiles>(rays.dx, rays.dy, rays.dz, rays.count, rows);
  if (tiles->covered() == 0) return nullptr;
  if (rays.ox) {
    const float* const origins[] = {rays.ox, rays.oy, rays.oz};
    const float* const directions[] = {rays.dx, rays.dy, rays.dz};
    tiles->set_origins(origins, directions);
  }
  return tiles;
}

EmbreeScene::Hand& EmbreeScene::hand() {
  const int thread = working_for == this ? tbb::this_task_arena::current_thread_index() : 0;
  return hands_[static_cast<std::size_t>(thread)];
}

template <typename Work>
void EmbreeScene::spread(std::size_t count, const Work& work) {
  // One piece is done before another thread has woken up.
  if (threads_ == 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  const auto piece = [&](std::size_t i) {
    HandOver::enter();
    const EmbreeScene* const before = std::exchange(working_for, this);
    work(i);
    working_for = before;
    HandOver::leave();
  };
  const auto pieces = [&] {
    tbb::parallel_for(std::size_t{0}, count, piece, tbb::simple_partitioner());
  };
  HandOver::start();
  cast_arena_.execute([&] {
    // Who waits for the last pieces of a cast does not begin another one meanwhile; who has none
    // helps.
    if (working_for == this) {
      tbb::this_task_arena::isolate(pieces);
    } else {
      pieces();
    }
  });
  HandOver::finish();
}

void EmbreeScene::cast(const RayBatch& wanted, const BlockSink& sink) {
  RayBatch batch = wanted;
  const auto possible = [](const Pose& X) { return X.p.allFinite() && X.R.squaredNorm() < 2; };
  if (!batch.time) batch.X_WS_before.reset();
  if (!possible(batch.X_WS) || (batch.X_WS_before && !possible(*batch.X_WS_before))) {
    batch.X_WS = {};
    batch.X_WS_before.reset();
    batch.t_far = -1;  // a sensor whose pose is not finite, or no rotation, sees nothing
  }
  TraceJob job = prepare(batch);
  MovingBoxes boxes;
  if (job.moving_instances && MovingBoxes::pay(job)) {
    boxes.look(job);
    job.moving_boxes = &boxes;
  }
  std::size_t first = 0;
  drawn_rays_ = doubtful_rays_ = 0;
  const bool known = batch.tiles && (batch.ox != nullptr) == (batch.tiles->lines() != nullptr);
  if (options_.beam_caster && known) first = cast_beams(job, sink);
  const std::size_t rays = batch.count - first, size = block_of(rays);
  spread((rays + size - 1) / size, [&](std::size_t block) {
    const std::size_t from = first + block * size;
    trace(job, from, std::min(from + size, batch.count), sink);
  });
}

/// What one thread traces at a time: a few for each, so that none waits long for the last.
std::size_t EmbreeScene::block_of(std::size_t rays) const {
  constexpr std::size_t kFewest = 512, kPerThread = 8, kStep = 128;
  if (threads_ == 1) return kBlock;
  const std::size_t wanted = rays / (kPerThread * static_cast<std::size_t>(threads_));
  return std::clamp(wanted / kStep * kStep, kFewest, kBlock);
}

void EmbreeScene::trace(const TraceJob& job, std::size_t first, std::size_t end,
                        const BlockSink& sink) {
  for (; first < end; first += kBlock) {
    deliver(job, sink, trace_block(job, first, std::min(kBlock, end - first), hand().scratch));
  }
}

void EmbreeScene::update_fields(const BeamCaster& caster) {
  if (!caster.sees_fields()) return;
  const std::scoped_lock lock(update_mutex_);
  update(fields_);
}

void EmbreeScene::draw(const TraceJob& job, const BeamRays& rays, const BeamTiles::Part& part,
                       const BeamCaster& caster, const BlockSink& sink) {
  const std::size_t first = rays.tiles->first_ray(part) - job.batch->tiles_first;
  Hand& own = hand();
  {
    const FlushDenormals flush;
    caster.find(job, rays, part, own.finds);
  }
  const std::size_t count = own.finds.facet.size();
  for (std::size_t done = 0; done < count; done += kBlock) {
    deliver(job, sink,
            complete_block(job, first + done, std::min(kBlock, count - done),
                           {caster, own.finds, done}, own.scratch));
  }
  drawn_rays_ += count;
  doubtful_rays_ += std::exchange(own.scratch.doubtful, 0);
}

std::size_t EmbreeScene::cast_beams(TraceJob& job, const BlockSink& sink) {
  const RayBatch& batch = *job.batch;
  const BeamTiles& tiles = *batch.tiles;
  const std::size_t begin = batch.tiles_first;
  const std::size_t end = std::min(begin + batch.count, tiles.covered());
  if (begin % tiles.band_rays() != 0 || end <= begin) return 0;
  job.least_near = batch.t_near;
  if (batch.near && batch.least_near) {
    job.least_near = *batch.least_near;
  } else if (batch.near) {
    float most = 0;
    find_range(batch.near, batch.count, job.least_near, most);
  }
  job.fields = fields_.scene();
  const std::size_t covered = (end - begin) / tiles.band_rays() * tiles.band_rays();
  BeamRays rays = rays_at_rest(job, covered);
  // What decides may not depend on the number of threads, nor may what they are cut into.
  const std::vector<BeamTiles::Part> whole = tiles.parts(begin, end);
  if (job.sensor.none()) {
    BeamCaster& caster = hand().caster;
    const auto on_all = [this](std::size_t count, const auto& work) { spread(count, work); };
    if (!BeamCaster::may_pay(job, rays, whole)) return 0;
    if (!caster.prepare(job, rays, whole, on_all)) return 0;
    update_fields(caster);
    const auto parts = tiles.parts(begin, end, static_cast<std::size_t>(threads_));
    spread(parts.size(), [&](std::size_t i) { draw(job, rays, parts[i], caster, sink); });
    return covered;
  }
  const std::vector<BandsInMotion> pieces = bands_in_motion(job, whole);
  rays.blur = blur_of(job, pieces);
  if (!BeamCaster::may_pay(job, rays, whole)) return 0;
  const auto on_this = [](std::size_t count, const auto& work) {
    for (std::size_t i = 0; i < count; ++i) work(i);
  };
  spread(pieces.size(), [&](std::size_t i) {
    const BeamTiles::Part& bands = pieces[i].bands;
    Hand& own = hand();
    const BeamRays moved = rays_at_middle(job, pieces[i], own.moved);
    if (!own.caster.prepare(job, moved, {&bands, 1}, on_this)) {
      return trace(job, moved.first - begin, moved.first - begin + moved.count, sink);
    }
    update_fields(own.caster);
    fill(job, moved, own.moved);
    draw(job, moved, bands, own.caster, sink);
  });
  return covered;
}

void EmbreeScene::share(std::size_t count, const std::function<void(std::size_t)>& work) {
  spread(count, work);
}

void EmbreeScene::together(std::span<const Vec3> places,
                           const std::function<void(std::size_t)>& work) {
  std::vector<std::size_t> left(places.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  // What shares an origin, not what follows each other: which origin a cast has may not depend on
  // threads.
  while (!left.empty()) {
    if (places[left.front()].allFinite()) move_origin(places[left.front()]);
    const auto rest = std::stable_partition(left.begin() + 1, left.end(),
                                            [&](std::size_t i) { return reaches(places[i]); });
    together_ = true;
    spread(static_cast<std::size_t>(rest - left.begin()), [&](std::size_t i) { work(left[i]); });
    together_ = false;
    left.erase(left.begin(), rest);
  }
}

void EmbreeScene::find_blocked(const SightLines& lines, std::uint8_t* blocked) {
  if (!delivered) throw std::logic_error("sight lines are for the sink of a cast");
  std::fill_n(blocked, lines.count, kUnknown);
  if (options_.lines_before_map > 0) {
    const std::size_t free = shadow_maps_.find_free(records_, lines, blocked);
    if (free > 0) mapped_lines_ += free;
  }
  trace_blocked(*delivered, p_WL_, lines, blocked);
}

std::unique_ptr<RayScene> make_embree_scene(const RaySceneOptions& options) {
  return std::make_unique<EmbreeScene>(options);
}

}  // namespace protobeam
