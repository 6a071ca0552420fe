#include "render/near_limits.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/libm.h"

namespace protobeam::render {
namespace {

/// How often a ray leaves a mesh more often than it enters it; once when it begins inside.
int leaves(const Mesh& mesh, const Vec3& p, const Vec3& d) {
  int count = 0;
  for (const auto& triangle : mesh.triangles) {
    const Vec3 a = mesh.vertices[triangle[0]] - p;
    const Vec3 b = mesh.vertices[triangle[1]] - p, c = mesh.vertices[triangle[2]] - p;
    const double u = d.dot(b.cross(c)), v = d.dot(c.cross(a)), w = d.dot(a.cross(b));
    const bool out = u > 0 && v > 0 && w > 0, in = u < 0 && v < 0 && w < 0;
    if (!out && !in) continue;
    const double ahead = a.dot((b - a).cross(c - a));  // times the distance, over that of u + v + w
    if (out && ahead > 0) ++count;
    if (in && ahead < 0) --count;
  }
  return count;
}

struct Contains {
  const Vec3& p;

  bool operator()(const Box& box) const {
    return (p.cwiseAbs().array() < (box.size / 2).array()).all();
  }
  bool operator()(const Sphere& s) const { return p.norm() < s.radius; }
  bool operator()(const Cylinder& c) const {
    return libm::hypot(p.x(), p.y()) < c.radius && std::abs(p.z()) < c.height / 2;
  }
  bool operator()(const Capsule& c) const {
    const double along = std::clamp(p.z(), -c.height / 2, c.height / 2);
    return (p - Vec3(0, 0, along)).norm() < c.radius;
  }
  bool operator()(const Cone& c) const {
    const double down = c.height / 2 - p.z();
    return down < c.height && libm::hypot(p.x(), p.y()) * c.height < c.radius * down;
  }
  bool operator()(const Mesh& mesh) const {
    // Along no axis: rays along edges count as none.
    const std::array<Vec3, 3> directions = {Vec3(0.62, 0.35, 0.70), Vec3(-0.41, 0.78, -0.47),
                                            Vec3(0.13, -0.88, 0.45)};
    const auto inside =
        std::ranges::count_if(directions, [&](const Vec3& d) { return leaves(mesh, p, d) > 0; });
    return inside >= 2;
  }
  bool operator()(const Plane&) const { return false; }
  bool operator()(const HeightField&) const { return false; }
};

}  // namespace

Housing::Housing(const Appearance& appearance, std::span<const std::uint32_t> carriers,
                 const Pose& X_WS) {
  for (const std::uint32_t carrier : carriers) {
    const InstanceLook& instance = appearance.instances[carrier];
    const Pose X_SI = X_WS.inverse() * instance.X_WI;
    for (const ShapeLook& shape : instance.shapes) {
      const Pose X_SG = X_SI * shape.X_IS;
      const Vec3 p_G = X_SG.inverse().p;
      if (!std::visit(Contains{p_G}, *shape.geometry)) continue;
      RaySceneOptions options;
      options.threads = 1;
      shapes_.push_back(make_embree_scene(options));
      shapes_.back()->add({{shape.geometry, X_SG}}, {});
    }
  }
}

void Housing::leave(const float* dx, const float* dy, const float* dz,
                    std::span<float> near) const {
  for (const auto& scene : shapes_) {
    RayBatch batch;
    batch.dx = dx, batch.dy = dy, batch.dz = dz;
    batch.count = near.size();
    scene->cast(batch, [&](const RayBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i) {
        const float way = block.range[i];
        if (!std::isfinite(way)) continue;  // through an open end
        float& limit = near[block.first + i];
        limit = std::max(limit, way * (1 + 2e-6f) + 1e-5f);
      }
    });
  }
}

NearLimits::NearLimits(const PixelRays& rays, const ImageGeometry& image, double near,
                       const Housing& housing) {
  const bool planar = image.is_planar();
  near_.reserve(rays.count());
  for (const float x : rays.dx) near_.push_back(static_cast<float>(planar ? near / x : near));
  if (near_.empty()) return;
  housing.leave(rays.dx.data(), rays.dy.data(), rays.dz.data(), near_);
  const auto [least, most] = std::ranges::minmax_element(near_);
  limits_ = {*least, *most};
}

void NearLimits::give(RayBatch& batch, std::size_t first) const {
  if (near_.empty()) return;
  batch.near = near_.data() + first;
  if (first == 0 && batch.count == near_.size()) batch.near_limits = limits_;
}

}  // namespace protobeam::render
