#include "render/near_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/libm.h"

namespace protobeam::render {
namespace {

/// Rays that a curved shape is met by at once.
constexpr std::size_t kRays = 16;

/// m; the world's ray scene has places to single precision, up to 128 m from its origin.
constexpr float kRounding = 1e-4f;

/// m; a device this near stands on a shape's surface. More than places are rounded by.
constexpr double kTouching = 2e-5;

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
    Vec3 low = p, high = p;
    for (const Vec3& vertex : mesh.vertices) {
      low = low.cwiseMin(vertex);
      high = high.cwiseMax(vertex);
    }
    if (!(low.array() < p.array()).all() || !(high.array() > p.array()).all()) return false;
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

/// A solid that is thicker on each side; null: another geometry.
struct Thickened {
  double by;  ///< m

  std::shared_ptr<const Geometry> operator()(Box box) const {
    box.size += Vec3::Constant(2 * by);
    return std::make_shared<const Geometry>(box);
  }
  std::shared_ptr<const Geometry> operator()(Sphere s) const {
    s.radius += by;
    return std::make_shared<const Geometry>(s);
  }
  std::shared_ptr<const Geometry> operator()(Cylinder c) const {
    c.radius += by, c.height += 2 * by;
    return std::make_shared<const Geometry>(c);
  }
  std::shared_ptr<const Geometry> operator()(Capsule c) const {
    c.radius += by;
    return std::make_shared<const Geometry>(c);
  }
  template <class Other>
  std::shared_ptr<const Geometry> operator()(const Other&) const {
    return nullptr;
  }
};

/// What rays from p leave: the geometry when p is inside, a thicker one when p is on its surface,
/// null when p is outside.
std::shared_ptr<const Geometry> left_from(const Vec3& p,
                                          const std::shared_ptr<const Geometry>& geometry) {
  const auto changed = [&](double by) { return std::visit(Thickened{by}, *geometry); };
  const auto contains = [&](const Geometry& solid) { return std::visit(Contains{p}, solid); };
  const auto thinner = changed(-kTouching);
  if (contains(thinner ? *thinner : *geometry)) return geometry;
  return thinner && contains(*changed(kTouching)) ? changed(2 * kTouching) : nullptr;
}

/// Whether a shape stays as it is when it turns about the z axis of S.
bool is_round(const Geometry& geometry, const Pose& X_SG) {
  constexpr double kRounding = 1e-9;
  const bool on_axis = libm::hypot(X_SG.p.x(), X_SG.p.y()) < kRounding;
  if (std::holds_alternative<Sphere>(geometry)) return on_axis;
  const Vec3 z_S = X_SG.R * Vec3::UnitZ();
  const bool upright = libm::hypot(z_S.x(), z_S.y()) < kRounding;
  return on_axis && upright &&
         (std::holds_alternative<Cylinder>(geometry) || std::holds_alternative<Capsule>(geometry) ||
          std::holds_alternative<Cone>(geometry));
}

/// Points of the surface that no other is farther out than: those of a Mesh, otherwise the corners
/// of the box around it.
std::vector<Vec3> outer_points(const Geometry& geometry) {
  if (const auto* mesh = std::get_if<Mesh>(&geometry)) return mesh->vertices;
  const Bounds box = bounds(geometry);
  std::vector<Vec3> corners;
  for (int corner = 0; corner < 8; ++corner) {
    corners.emplace_back((corner & 1 ? box.max : box.min).x(), (corner & 2 ? box.max : box.min).y(),
                         (corner & 4 ? box.max : box.min).z());
  }
  return corners;
}

/// The upright cylinder that a shape stays in while it turns about the z axis of S.
VisibleShape turned(const Geometry& geometry, const Pose& X_SG) {
  double radius = 0, low = 0, high = 0;  // the origin is inside
  for (const Vec3& p_G : outer_points(geometry)) {
    const Vec3 p_S = X_SG * p_G;
    radius = std::max(radius, libm::hypot(p_S.x(), p_S.y()));
    low = std::min(low, p_S.z());
    high = std::max(high, p_S.z());
  }
  Cylinder around;
  around.radius = radius;
  around.height = high - low;
  return {std::make_shared<const Geometry>(around), Pose::translation({0, 0, (low + high) / 2})};
}

/// Where up to 16 rays of S from `first` on meet a curved shape.
void meet(const Quadric& quadric, const Pose& X_GS, const RayBatch& rays, std::size_t first,
          std::vector<float>& ways) {
  const std::size_t count = std::min(kRays, rays.count - first);
  const Mat3 R = X_GS.R.toRotationMatrix();
  QuadricRays<kRays> q;
  for (std::size_t l = 0; l < kRays; ++l) {
    const std::size_t i = first + std::min(l, count - 1);
    const Vec3 d = R * Vec3(rays.dx[i], rays.dy[i], rays.dz[i]);
    const Vec3 o = rays.ox ? X_GS * Vec3(rays.ox[i], rays.oy[i], rays.oz[i]) : X_GS.p;
    q.ox[l] = o.x(), q.oy[l] = o.y(), q.oz[l] = o.z();
    q.dx[l] = d.x(), q.dy[l] = d.y(), q.dz[l] = d.z();
    q.near[l] = 0, q.far[l] = std::numeric_limits<double>::infinity();
  }
  intersect(quadric, q);
  for (std::size_t l = 0; l < count; ++l) ways[first + l] = static_cast<float>(q.t[l]);
}

}  // namespace

Housing::Housing(const std::vector<FixedShape>* shapes, const Pose& X_SC) {
  if (!shapes) return;
  const Pose X_CS = X_SC.inverse();
  RaySceneOptions options;
  options.threads = 1;
  std::vector<VisibleShape> others;
  for (const FixedShape& shape : *shapes) {
    const Pose X_CG = X_CS * shape.X_SG;
    const bool as_it_is = !shape.turns || is_round(*shape.geometry, X_CG);
    const auto left = left_from(X_CG.inverse().p, shape.geometry);
    if (!left) {
      if (as_it_is) others.push_back({shape.geometry, X_CG});
      continue;
    }
    const VisibleShape outline = as_it_is ? VisibleShape{left, X_CG} : turned(*left, X_CG);
    shapes_.push_back({make_quadric(*outline.geometry), outline.X_BS.inverse(), nullptr});
    if (is_quadric(*outline.geometry)) continue;
    shapes_.back().scene = make_embree_scene(options);
    shapes_.back().scene->add({outline}, {});
  }
  if (shapes_.empty() || others.empty()) return;
  others_ = make_embree_scene(options);
  others_->add(others, {});
}

std::vector<float> Housing::ways_out(const Shape& shape, const RayBatch& rays) {
  std::vector<float> ways(rays.count);
  if (shape.scene) {
    shape.scene->cast(rays, [&](const RayBlock& block) {
      std::copy_n(block.range, block.count,
                  ways.begin() + static_cast<std::ptrdiff_t>(block.first));
    });
  } else {
    for (std::size_t first = 0; first < rays.count; first += kRays) {
      meet(shape.quadric, shape.X_GS, rays, first, ways);
    }
  }
  for (float& way : ways) {
    if (!std::isfinite(way)) way = 0;  // through an open end
  }
  return ways;
}

void Housing::leave(const RayBatch& rays, std::span<float> near) const {
  RayBatch batch;
  batch.ox = rays.ox, batch.oy = rays.oy, batch.oz = rays.oz;
  batch.dx = rays.dx, batch.dy = rays.dy, batch.dz = rays.dz;
  batch.count = near.size();
  batch.packet = rays.packet;
  const auto limit_of = [](float way) { return way * (1 + 2e-6f) + kRounding; };
  std::vector<std::vector<float>> ways;
  bool raises = false;
  for (const Shape& shape : shapes_) {
    ways.push_back(ways_out(shape, batch));
    for (std::size_t i = 0; i < near.size(); ++i) raises |= limit_of(ways.back()[i]) > near[i];
  }
  if (!raises) return;  // whatever else is there
  std::vector<float> seen(near.size(), std::numeric_limits<float>::infinity());
  if (others_) {
    batch.near = near.data();
    others_->cast(batch, [&](const RayBlock& block) {
      std::copy_n(block.range, block.count,
                  seen.begin() + static_cast<std::ptrdiff_t>(block.first));
    });
  }
  for (const std::vector<float>& way : ways) {
    for (std::size_t i = 0; i < way.size(); ++i) {
      if (way[i] == 0 || seen[i] < way[i]) continue;
      near[i] = std::max(near[i], limit_of(way[i]));
    }
  }
}

NearLimits::NearLimits(const PixelRays& rays, const ImageGeometry& image, double near,
                       const Housing& housing) {
  const bool planar = image.is_planar();
  near_.reserve(rays.count());
  for (const float x : rays.dx) near_.push_back(static_cast<float>(planar ? near / x : near));
  if (near_.empty()) return;
  RayBatch all;
  all.dx = rays.dx.data(), all.dy = rays.dy.data(), all.dz = rays.dz.data();
  housing.leave(all, near_);
  least_ = std::ranges::min(near_);
}

void NearLimits::give(RayBatch& batch, std::size_t first) const {
  if (near_.empty()) return;
  batch.near = near_.data() + first;
  if (first == 0 && batch.count == near_.size()) batch.least_near = least_;
}

}  // namespace protobeam::render
