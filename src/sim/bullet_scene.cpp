#include "sim/bullet_scene.h"

#include <algorithm>
#include <limits>

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
    }
    return static_cast<Instance>(rays_.add(converted, X_WB));
  }
  void set_pose(Instance instance, const Pose& X_WB) override {
    rays_.set_pose(static_cast<int>(instance), X_WB);
  }
  void set_visible(Instance instance, bool visible) override {
    rays_.set_visible(static_cast<int>(instance), visible);
  }
  std::size_t triangle_count() const override { return triangles_; }

  void cast(const RayBatch& batch, const BlockSink& sink) override {
    constexpr std::size_t kBlock = 1024;
    std::vector<float> range(kBlock), nx(kBlock), ny(kBlock), nz(kBlock), zero(kBlock, 0.0f),
        cosine(kBlock);
    std::vector<std::uint32_t> instance(kBlock), shape(kBlock), primitive(kBlock, 0);
    for (std::size_t first = 0; first < batch.count; first += kBlock) {
      const std::size_t count = std::min(kBlock, batch.count - first);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t k = first + i;
        const Vec3 direction =
            (batch.X_WS.R * Vec3(batch.dx[k], batch.dy[k], batch.dz[k])).normalized();
        const double near = batch.near ? batch.near[k] : batch.t_near;
        const auto hit = rays_.cast(batch.X_WS.p, direction, near, batch.t_far);
        range[i] = hit ? static_cast<float>(hit->distance) : std::numeric_limits<float>::infinity();
        instance[i] = hit ? static_cast<std::uint32_t>(hit->instance) : kNoHit;
        shape[i] = hit ? static_cast<std::uint32_t>(hit->shape) : kNoHit;
        const Vec3 n = hit ? hit->normal_W : Vec3::Zero();
        nx[i] = static_cast<float>(n.x());
        ny[i] = static_cast<float>(n.y());
        nz[i] = static_cast<float>(n.z());
        cosine[i] = static_cast<float>(std::min(std::abs(n.dot(direction)), 1.0));
      }
      RayBlock block{first, count, range.data()};
      if (batch.hits) {
        block.instance = instance.data();
        block.shape = shape.data();
        block.primitive = primitive.data();
        block.u = block.v = zero.data();
        block.nx = nx.data();
        block.ny = ny.data();
        block.nz = nz.data();
        block.cosine = cosine.data();
      }
      sink(block);
    }
  }

 private:
  physics::BulletRays rays_;
  std::size_t triangles_ = 0;
};

}  // namespace

std::unique_ptr<RayScene> make_bullet_scene() { return std::make_unique<BulletScene>(); }

}  // namespace protobeam
