// The production ray scene: shape groups at the bottom, instances of them on top.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "raycast/beam_caster.h"
#include "raycast/instance_balls.h"
#include "raycast/moved_rays.h"
#include "raycast/moving_instances.h"
#include "raycast/ray_scene.h"
#include "raycast/shadow_maps.h"
#include "raycast/top_scene.h"
#include "raycast/trace.h"

namespace protobeam {

class EmbreeScene final : public RayScene {
 public:
  explicit EmbreeScene(const RaySceneOptions& options);
  ~EmbreeScene() override;

  Instance add(const std::vector<VisibleShape>& shapes, const Pose& X_WB) override;
  void remove(Instance instance) override;
  void set_motion(Instance instance, const Pose& X_WB_before, const Pose& X_WB) override;
  void set_visible(Instance instance, bool visible) override;
  std::shared_ptr<const BeamTiles> arrange(const RayBatch& rays, int rows) override;
  void cast(const RayBatch& batch, const BlockSink& sink) override;
  void find_blocked(const SightLines& lines, std::uint8_t* blocked) override;
  void share(std::size_t count, const std::function<void(std::size_t)>& work) override;
  void together(std::span<const Vec3> places,
                const std::function<void(std::size_t)>& work) override;
  std::size_t triangle_count() const override { return triangle_count_; }
  /// Of the last cast, how many rays the beam caster took.
  std::size_t drawn_rays() const { return drawn_rays_; }
  /// Those of them that Embree has traced all the same, as what they meet begins with their range.
  std::size_t doubtful_rays() const { return doubtful_rays_; }
  /// Of all sight lines so far, how many a shadow map answered.
  std::size_t mapped_lines() const { return mapped_lines_; }

  /// Brings the scene up to date for a sensor and says how its rays are to be traced.
  TraceJob prepare(const RayBatch& batch);

 private:
  /// Memory of a thread, for the casts that it begins and the pieces of any cast that it works on.
  struct Hand {
    BeamCaster caster;
    TraceScratch scratch;
    BeamFinds finds;
    MovedRays moved;
  };

  /// Shapes are the same when they are the same objects at the same places.
  using GroupKey = std::vector<std::pair<const Geometry*, std::array<double, 7>>>;

  struct SharedGroup {
    std::shared_ptr<const ShapeGroup> group;  ///< keeps the shapes whose addresses GroupKey holds
    std::size_t users = 0;                    ///< instances
  };

  SharedGroup& group_of(const std::vector<VisibleShape>& shapes);
  /// Those without an instance; at a cast, since what is rebuilt comes back before, or when they
  /// are many: where no sensor casts rays, nothing else would free them.
  void drop_unused_groups();
  template <typename Scene>
  void update(Scene& scene);
  bool reaches(const Vec3& p_W) const;
  /// Moves the origin of Embree's coordinates when it is too far from there.
  void move_origin(const Vec3& p_W);
  /// Of the thread that asks.
  Hand& hand();
  /// Calls work(number) for each number, spread over the threads.
  template <typename Work>
  void spread(std::size_t count, const Work& work);
  /// What lies in the batch's tiles, in drawn_rays_; gives back how many rays, from the first one
  /// on, it has delivered.
  std::size_t cast_beams(TraceJob& job, const BlockSink& sink);
  /// The same of a sensor that rests, of a part whose hits a caster is prepared for.
  void draw(const TraceJob& job, const BeamRays& rays, const BeamTiles::Part& part,
            const BeamCaster& caster, const BlockSink& sink);
  /// Of rays [first, end) of the batch, all traced.
  std::size_t block_of(std::size_t rays) const;
  void trace(const TraceJob& job, std::size_t first, std::size_t end, const BlockSink& sink);
  /// Where a caster has found that height fields are in view.
  void update_fields(const BeamCaster& caster);
  void check() const;  ///< throws when Embree has failed

  const RaySceneOptions options_;
  std::shared_ptr<RTCDeviceTy> device_;  ///< of all scenes of the process
  tbb::task_arena build_arena_{1};  ///< one thread builds the same tree everywhere
  int threads_;
  tbb::global_control thread_limit_;  ///< allows more threads than cores
  tbb::task_arena cast_arena_;
  std::vector<Hand> hands_;  ///< one a thread
  bool together_ = false;    ///< casts of several threads are under way: the origin stays
  std::mutex update_mutex_;  ///< of what prepare() brings up to date

  std::map<GroupKey, SharedGroup> groups_;
  /// At most so many have no instance, and so many triangles are in them.
  std::size_t unused_groups_ = 0, unused_triangles_ = 0;
  std::vector<InstanceRecord> records_;
  std::vector<SharedGroup*> group_of_;  ///< by instance; null: the number is free
  std::set<Instance> free_;             ///< numbers of removed ones
  InstanceBalls balls_;
  std::size_t triangle_count_ = 0, mesh_triangles_ = 0;  ///< of all instances
  std::size_t moving_count_ = 0;  ///< instances that move within the step
  Vec3 p_WL_ = Vec3::Zero();      ///< origin of Embree's float coordinates
  std::atomic<std::size_t> drawn_rays_ = 0, doubtful_rays_ = 0;
  // Rays without a time are cast into `all_`, the poses at the end of the step. Timed rays are cast
  // into the other two, of which `resting_` is rarely built again.
  TopScene all_, resting_;
  TopScene fields_;  ///< what the beam caster leaves
  MovingInstances moving_instances_;
  ShadowMaps shadow_maps_;
  std::atomic<std::size_t> mapped_lines_ = 0;
};

}  // namespace protobeam
