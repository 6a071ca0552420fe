#include "sim/bullet_scene.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "physics/bullet_rays.h"

namespace protobeam {
namespace {

class BulletScene final : public RayScene {
 public:
  Instance add(const std::vector<VisibleShape>& shapes, const Pose& X_WB) override {
    std::vector<physics::BulletRays::Shape> converted;
    for (const auto& shape : shapes) {
      converted.push_back({shape.geometry, shape.X_BS});
      if (const auto* mesh = std::get_if<Mesh>(shape.geometry.get()))
        triangles_ += mesh->triangles.size();
      if (const auto* field = std::get_if<HeightField>(shape.geometry.get()))
        triangles_ += field->triangle_count();
    }
    ways_.push_back({X_WB, X_WB, false});
    return static_cast<Instance>(rays_.add(converted, X_WB));
  }
  void set_motion(Instance instance, const Pose& X_WB_before, const Pose& X_WB) override {
    const bool moves = X_WB_before.p != X_WB.p || X_WB_before.R.coeffs() != X_WB.R.coeffs();
    ways_.at(instance) = {X_WB_before, X_WB, moves && finite(X_WB_before) && finite(X_WB)};
    rays_.set_pose(static_cast<int>(instance), X_WB);
  }
  // The reference engine keeps what was removed, unseen.
  void remove(Instance instance) override {
    ways_.at(instance).moves = false;
    rays_.set_visible(static_cast<int>(instance), false);
  }
  void set_visible(Instance instance, bool visible) override {
    rays_.set_visible(static_cast<int>(instance), visible);
  }
  std::size_t triangle_count() const override { return triangles_; }

  void cast(const RayBatch& batch, const BlockSink& sink) override {
    // In turn of their times, so that the bodies have to be placed once for each.
    std::vector<double> time(batch.count, 1.0);
    std::vector<std::size_t> turn(batch.count);
    std::iota(turn.begin(), turn.end(), std::size_t{0});
    if (batch.time) {
      for (std::size_t k = 0; k < batch.count; ++k) time[k] = time_of(batch, k);
      std::stable_sort(turn.begin(), turn.end(),
                       [&](std::size_t a, std::size_t b) { return time[a] < time[b]; });
    }
    std::vector<std::optional<physics::BulletRays::Hit>> hits(batch.count);
    double now = 1;
    for (const std::size_t k : turn) {
      if (time[k] != now) place(now = time[k]);
      hits[k] = cast(batch, k, now);
    }
    if (now != 1) place(1);
    deliver(batch, hits, sink);
  }

 private:
  struct Way {
    Pose X_WB_before, X_WB;
    bool moves;
  };

  static bool finite(const Pose& X) { return X.p.allFinite() && X.R.coeffs().allFinite(); }

  void place(double time) {
    for (std::size_t i = 0; i < ways_.size(); ++i) {
      const Way& way = ways_[i];
      if (!way.moves) continue;
      rays_.set_pose(static_cast<int>(i),
                     time == 1 ? way.X_WB : pose_at(way.X_WB_before, way.X_WB, time));
    }
  }

  static double time_of(const RayBatch& batch, std::size_t k) {
    if (!batch.time) return 1;
    return batch.time[k] > 0 ? std::min(double{batch.time[k]}, 1.0) : 0.0;
  }
  static Pose pose_of(const RayBatch& batch, double time) {
    const bool moves = batch.X_WS_before && time != 1;
    return moves ? pose_at(*batch.X_WS_before, batch.X_WS, time) : batch.X_WS;
  }

  std::optional<physics::BulletRays::Hit> cast(const RayBatch& batch, std::size_t k, double time) {
    const Pose X_WS = pose_of(batch, time);
    const Vec3 direction = (X_WS.R * Vec3(batch.dx[k], batch.dy[k], batch.dz[k])).normalized();
    const Vec3 origin = batch.ox ? X_WS * Vec3(batch.ox[k], batch.oy[k], batch.oz[k]) : X_WS.p;
    if (!origin.allFinite() || !direction.allFinite()) return std::nullopt;
    const double near = batch.near ? batch.near[k] : batch.t_near;
    return rays_.cast(origin, direction, near, batch.t_far);
  }

  static void deliver(const RayBatch& batch,
                      const std::vector<std::optional<physics::BulletRays::Hit>>& hits,
                      const BlockSink& sink) {
    constexpr std::size_t kBlock = 1024;
    std::vector<float> range(kBlock), nx(kBlock), ny(kBlock), nz(kBlock), zero(kBlock, 0.0f),
        cosine(kBlock);
    std::vector<std::uint32_t> instance(kBlock), shape(kBlock), primitive(kBlock, 0);
    for (std::size_t first = 0; first < batch.count; first += kBlock) {
      const std::size_t count = std::min(kBlock, batch.count - first);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t k = first + i;
        const auto& hit = hits[k];
        range[i] = hit ? static_cast<float>(hit->distance) : std::numeric_limits<float>::infinity();
        instance[i] = hit ? static_cast<std::uint32_t>(hit->instance) : kNoHit;
        shape[i] = hit ? static_cast<std::uint32_t>(hit->shape) : kNoHit;
        const Vec3 n = hit ? hit->normal_W : Vec3::Zero();
        nx[i] = static_cast<float>(n.x());
        ny[i] = static_cast<float>(n.y());
        nz[i] = static_cast<float>(n.z());
        const Vec3 direction_S(batch.dx[k], batch.dy[k], batch.dz[k]);
        const double along = hit ? n.dot(pose_of(batch, time_of(batch, k)).R * direction_S) : 0;
        cosine[i] = static_cast<float>(std::min(std::abs(along), 1.0));
      }
      RayBlock block{first, count, range.data()};
      if (batch.hits) {
        block.instance = instance.data();
        block.shape = shape.data();
        block.primitive = primitive.data();
        block.u = block.v = zero.data();
        block.cosine = cosine.data();
      }
      if (batch.hits && batch.normals) {
        block.nx = nx.data();
        block.ny = ny.data();
        block.nz = nz.data();
      }
      sink(block);
    }
  }

  physics::BulletRays rays_;
  std::vector<Way> ways_;
  std::size_t triangles_ = 0;
};

}  // namespace

std::unique_ptr<RayScene> make_bullet_scene() { return std::make_unique<BulletScene>(); }

}  // namespace protobeam
