#include "raycast/embree_scene.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>

namespace protobeam {
namespace {

/// A sensor farther than this from the origin of the float coordinates moves the origin.
constexpr double kFarFromOrigin = 128;
/// Origins lie on this grid, so that they hardly depend on the way that led there.
constexpr double kOriginGrid = 64;

}  // namespace

EmbreeScene::EmbreeScene(const RaySceneOptions& options)
    : device_(rtcNewDevice("ignore_config_files=1")),  // the same on every desk
      threads_(options.threads > 0 ? options.threads : tbb::info::default_concurrency()),
      thread_limit_(tbb::global_control::max_allowed_parallelism,
                    static_cast<std::size_t>(std::max(threads_, tbb::info::default_concurrency()))),
      cast_arena_(threads_),
      scratch_(static_cast<std::size_t>(threads_)) {
  if (!device_) throw std::runtime_error("Embree cannot start on this machine");
  top_.reset(rtcNewScene(device_.get()));
  rtcSetSceneFlags(top_.get(), RTC_SCENE_FLAG_ROBUST);
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

EmbreeScene::~EmbreeScene() {
  for (const Placed& placed : placed_) rtcReleaseGeometry(placed.geometry);
}

const ShapeGroup* EmbreeScene::group_of(const std::vector<VisibleShape>& shapes) {
  GroupKey key;
  for (const VisibleShape& s : shapes) {
    const Quat& q = s.X_BS.R;
    const Vec3& p = s.X_BS.p;
    key.push_back({s.geometry.get(), {q.w(), q.x(), q.y(), q.z(), p.x(), p.y(), p.z()}});
  }
  std::unique_ptr<ShapeGroup>& group = groups_[key];
  if (!group) {
    build_arena_.execute([&] { group = std::make_unique<ShapeGroup>(device_.get(), shapes); });
    check();
    for (const VisibleShape& s : shapes) keep_.push_back(s.geometry);
  }
  return group.get();
}

RayScene::Instance EmbreeScene::add(const std::vector<VisibleShape>& shapes, const Pose& X_WB) {
  const ShapeGroup* group = group_of(shapes);
  const auto instance = static_cast<Instance>(placed_.size());
  const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_INSTANCE);
  rtcSetGeometryInstancedScene(geometry, group->scene());
  rtcAttachGeometryByID(top_.get(), geometry, instance);
  placed_.push_back({geometry});
  records_.push_back({group, Mat3::Identity(), Vec3::Zero()});
  set_pose(instance, X_WB);
  return instance;
}

void EmbreeScene::set_pose(Instance instance, const Pose& X_WB) {
  InstanceRecord& record = records_.at(instance);
  record.R_WB = X_WB.R.toRotationMatrix();
  record.p_WG = X_WB * record.group->center();
  placed_[instance].moved = dirty_ = true;
}

void EmbreeScene::set_visible(Instance instance, bool visible) {
  Placed& placed = placed_.at(instance);
  placed.visible = visible;
  placed.moved = dirty_ = true;
}

void EmbreeScene::place(Instance instance) {
  const InstanceRecord& record = records_[instance];
  Placed& placed = placed_[instance];
  placed.moved = false;
  // A body whose physics has exploded is nowhere.
  if (!placed.visible || !record.R_WB.allFinite() || !record.p_WG.allFinite()) {
    rtcDisableGeometry(placed.geometry);
    return;
  }
  Eigen::Matrix<float, 3, 4> X_LG;  // column by column, as Embree reads it
  X_LG << record.R_WB.cast<float>(), (record.p_WG - p_WL_).cast<float>();
  rtcSetGeometryTransform(placed.geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, X_LG.data());
  rtcEnableGeometry(placed.geometry);
  rtcCommitGeometry(placed.geometry);
}

TraceJob EmbreeScene::prepare(const RayBatch& batch) {
  const Vec3& p_WS = batch.X_WS.p;
  const bool far = (p_WS - p_WL_).cwiseAbs().maxCoeff() > kFarFromOrigin;
  if (far) p_WL_ = kOriginGrid * (p_WS / kOriginGrid).array().round();
  if (far || dirty_) {
    for (Instance i = 0; i < placed_.size(); ++i) {
      if (far || placed_[i].moved) place(i);
    }
    build_arena_.execute([&] { rtcCommitScene(top_.get()); });
    check();
    dirty_ = false;
  }
  TraceJob job;
  job.scene = top_.get();
  job.instances = records_.data();
  job.batch = &batch;
  job.p_WS = p_WS;
  job.R_WS = batch.X_WS.R.toRotationMatrix();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) job.R_LS[3 * i + j] = static_cast<float>(job.R_WS(i, j));
    job.o_L[i] = static_cast<float>(p_WS[i] - p_WL_[i]);
  }
  return job;
}

void EmbreeScene::cast(const RayBatch& wanted, const BlockSink& sink) {
  constexpr std::size_t kBlock = TraceScratch::kBlock;
  RayBatch batch = wanted;
  if (!batch.X_WS.p.allFinite() || !batch.X_WS.R.coeffs().allFinite()) {
    batch.X_WS = {};  // a sensor whose physics has exploded sees nothing
    batch.t_far = -1;
  }
  const TraceJob job = prepare(batch);
  const auto trace = [&](std::size_t block, int thread) {
    const std::size_t first = block * kBlock;
    const std::size_t count = std::min(kBlock, batch.count - first);
    sink(trace_block(job, first, count, scratch_[static_cast<std::size_t>(thread)]));
  };
  const std::size_t blocks = (batch.count + kBlock - 1) / kBlock;
  // One block is done before another thread has woken up.
  if (threads_ == 1 || blocks <= 1) {
    for (std::size_t block = 0; block < blocks; ++block) trace(block, 0);
    return;
  }
  cast_arena_.execute([&] {
    tbb::parallel_for(
        std::size_t{0}, blocks,
        [&](std::size_t block) { trace(block, tbb::this_task_arena::current_thread_index()); },
        tbb::simple_partitioner());
  });
}

std::size_t EmbreeScene::triangle_count() const {
  std::size_t count = 0;
  for (const InstanceRecord& record : records_) count += record.group->triangle_count();
  return count;
}

std::unique_ptr<RayScene> make_embree_scene(const RaySceneOptions& options) {
  return std::make_unique<EmbreeScene>(options);
}

}  // namespace protobeam
