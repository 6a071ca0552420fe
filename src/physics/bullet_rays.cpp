#include "physics/bullet_rays.h"

#include <cmath>
#include <deque>

#include "base/libm.h"
#include "physics/line_crossing.h"
#include "physics/ray_query.h"

namespace protobeam::physics {
namespace {

/// Whether the surface of a shape with missing parts is there at a point of the whole one's.
bool has_surface(const Geometry& geometry, const Vec3& p_S) {
  const double r = libm::hypot(p_S.x(), p_S.y());
  if (const auto* c = std::get_if<Cylinder>(&geometry)) {
    const double to_cap = c->height / 2 - std::abs(p_S.z()), to_side = c->radius - r;
    if (to_side < to_cap) return c->side;
    return p_S.z() > 0 ? c->top : c->bottom;
  }
  if (const auto* c = std::get_if<Capsule>(&geometry)) {
    if (std::abs(p_S.z()) <= c->height / 2) return c->side;
    return p_S.z() > 0 ? c->top : c->bottom;
  }
  if (const auto* c = std::get_if<Cone>(&geometry)) {
    const double above_base = p_S.z() + c->height / 2;
    const double to_side = (c->radius * (1 - above_base / c->height) - r) * c->height /
                           libm::hypot(c->radius, c->height);
    return to_side < above_base ? c->side : c->bottom;
  }
  return true;
}

struct Solid {
  std::unique_ptr<btStridingMeshInterface> triangles;
  std::unique_ptr<btCollisionShape> shape;
};

struct SolidMaker {
  static Solid mesh(const std::vector<Vec3>& vertices,
                    const std::vector<std::array<std::uint32_t, 3>>& triangles) {
    auto data = std::make_unique<btTriangleMesh>(true, false);
    for (const auto& t : triangles)
      data->addTriangle(to_bullet(vertices[t[0]]), to_bullet(vertices[t[1]]),
                        to_bullet(vertices[t[2]]));
    if (triangles.empty()) return {nullptr, std::make_unique<btEmptyShape>()};
    auto shape = std::make_unique<btBvhTriangleMeshShape>(data.get(), false);
    shape->setMargin(0);
    return {std::move(data), std::move(shape)};
  }

  /// Of primitives, whose crossings are closed forms, the ball around them.
  static Solid primitive(double radius) {
    return {nullptr, std::make_unique<btSphereShape>(radius)};
  }

  Solid operator()(const Sphere& s) const { return primitive(s.radius); }
  Solid operator()(const Cylinder& c) const {
    return primitive(libm::hypot(c.radius, c.height / 2));
  }
  Solid operator()(const Capsule& c) const { return primitive(c.radius + c.height / 2); }
  Solid operator()(const Cone& c) const { return primitive(libm::hypot(c.radius, c.height / 2)); }
  Solid operator()(const Box& box) const {
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i)
      corners.push_back(
          0.5 * box.size.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
    return mesh(corners, {{0, 2, 3},
                          {0, 3, 1},
                          {4, 5, 7},
                          {4, 7, 6},
                          {0, 1, 5},
                          {0, 5, 4},
                          {2, 6, 7},
                          {2, 7, 3},
                          {0, 4, 6},
                          {0, 6, 2},
                          {1, 3, 7},
                          {1, 7, 5}});
  }
  Solid operator()(const Plane& plane) const {
    const double x = plane.size.x() / 2, y = plane.size.y() / 2;
    return mesh({{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}}, {{0, 1, 2}, {0, 2, 3}});
  }
  Solid operator()(const Mesh& m) const { return mesh(m.vertices, m.triangles); }
  Solid operator()(const HeightField& field) const { return (*this)(triangulated(field)); }
};

}  // namespace

class BulletRays::Impl {
 public:
  struct Part {
    int instance, index;
    std::shared_ptr<const Geometry> geometry;
    Pose X_BS, X_WS;
    Solid solid;
    btCollisionObject object;
  };
  struct Instance {
    std::vector<Part*> parts;
    bool visible = true;
  };

  Impl() : dispatcher(&configuration), world(&dispatcher, &broadphase, &configuration) {}
  ~Impl() {
    for (Part& part : parts) world.removeCollisionObject(&part.object);
  }

  void place(Part& part, const Pose& X_WB) {
    part.X_WS = X_WB * part.X_BS;
    part.object.setWorldTransform(to_bullet(part.X_WS));
    if (part.object.getBroadphaseHandle()) world.updateSingleAabb(&part.object);
  }

  static std::optional<RayHit> cast_at_primitive(const Part& part, const Ray& ray) {
    const Pose X_SW = part.X_WS.inverse();
    const Vec3 o_S = X_SW * ray.origin_W, d_S = X_SW.R * ray.direction_W;
    const auto crossing = line_crossing(*part.geometry, o_S, d_S);
    if (!crossing) return std::nullopt;
    for (const bool leaves : {false, true}) {
      const double distance = leaves ? crossing->leave : crossing->enter;
      if (distance < ray.from || distance > ray.to) continue;
      if (!has_surface(*part.geometry, o_S + distance * d_S)) continue;
      const Vec3 normal_S = leaves ? Vec3(-crossing->normal_at_leave) : crossing->normal_at_enter;
      return RayHit{distance, part.X_WS.R * normal_S};
    }
    return std::nullopt;
  }

  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher;
  btDbvtBroadphase broadphase;
  btCollisionWorld world;
  std::deque<Part> parts;
  std::deque<Instance> instances;
};

BulletRays::BulletRays() : impl_(std::make_unique<Impl>()) {}
BulletRays::~BulletRays() = default;

int BulletRays::add(const std::vector<Shape>& shapes, const Pose& X_WB) {
  const int id = static_cast<int>(impl_->instances.size());
  Impl::Instance& instance = impl_->instances.emplace_back();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Impl::Part& part = impl_->parts.emplace_back();
    part.instance = id;
    part.index = static_cast<int>(i);
    part.geometry = shapes[i].geometry;
    part.X_BS = shapes[i].X_BS;
    part.solid = std::visit(SolidMaker(), *part.geometry);
    part.object.setCollisionShape(part.solid.shape.get());
    part.object.setUserPointer(&part);
    impl_->place(part, X_WB);
    impl_->world.addCollisionObject(&part.object);
    instance.parts.push_back(&part);
  }
  return id;
}

void BulletRays::set_pose(int instance, const Pose& X_WB) {
  for (Impl::Part* part : impl_->instances.at(instance).parts) impl_->place(*part, X_WB);
}

void BulletRays::set_visible(int instance, bool visible) {
  impl_->instances.at(instance).visible = visible;
}

std::optional<BulletRays::Hit> BulletRays::cast(const Vec3& origin_W, const Vec3& unit_direction_W,
                                                double near, double far) {
  Ray ray{origin_W, unit_direction_W, near, reach(impl_->broadphase, origin_W, far)};
  std::optional<Hit> nearest;
  for_each_on_ray(impl_->broadphase, ray, [&](btCollisionObject& object) {
    const auto& part = *static_cast<const Impl::Part*>(object.getUserPointer());
    if (!impl_->instances[part.instance].visible) return ray.to;
    const auto hit = part.solid.shape->isConvex()  // the ball around a primitive
                         ? Impl::cast_at_primitive(part, ray)
                         : cast_at(*part.solid.shape, object.getWorldTransform(), ray);
    if (!hit) return ray.to;
    const bool later =
        nearest && hit->distance == nearest->distance &&
        std::pair(nearest->instance, nearest->shape) < std::pair(part.instance, part.index);
    if (!later) nearest = {hit->distance, hit->normal_W, part.instance, part.index};
    ray.to = std::nextafter(nearest->distance, INFINITY);
    return ray.to;
  });
  return nearest;
}

}  // namespace protobeam::physics
