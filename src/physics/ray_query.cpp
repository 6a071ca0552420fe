#include "physics/ray_query.h"

#include <algorithm>
#include <variant>

#include "physics/line_crossing.h"

namespace protobeam::physics {
namespace {

struct Looker : btBroadphaseRayCallback {
  Looker(const Vec3& direction, double length,
         const std::function<double(btCollisionObject&)>& test_object)
      : test(test_object) {
    for (int i = 0; i < 3; ++i) {
      m_rayDirectionInverse[i] = direction[i] == 0 ? BT_LARGE_FLOAT : 1 / direction[i];
      m_signs[i] = m_rayDirectionInverse[i] < 0;
    }
    m_lambda_max = length;
  }
  bool process(const btBroadphaseProxy* proxy) override {
    m_lambda_max = std::min<btScalar>(
        m_lambda_max, test(*static_cast<btCollisionObject*>(proxy->m_clientObject)));
    return true;
  }
  const std::function<double(btCollisionObject&)>& test;
};

}  // namespace

void for_each_on_ray(btBroadphaseInterface& broadphase, const Ray& ray,
                     const std::function<double(btCollisionObject&)>& test) {
  if (!(ray.from <= ray.to)) return;
  const Vec3 start_W = ray.origin_W + ray.from * ray.direction_W;
  const std::function<double(btCollisionObject&)> from_start = [&](btCollisionObject& object) {
    return test(object) - ray.from;
  };
  Looker looker(ray.direction_W, ray.to - ray.from, from_start);
  broadphase.rayTest(to_bullet(start_W), to_bullet(ray.origin_W + ray.to * ray.direction_W),
                     looker);
}

double reach(btBroadphaseInterface& broadphase, const Vec3& origin_W, double to) {
  // Half spaces count as boxes of this half size.
  constexpr double kHorizon = 1e6;  // m
  btVector3 low, high;
  broadphase.getBroadphaseAabb(low, high);
  const Vec3 limit = Vec3::Constant(kHorizon);
  const Vec3 a = from_bullet(low).cwiseMax(-limit), b = from_bullet(high).cwiseMin(limit);
  const double end = (origin_W - 0.5 * (a + b)).norm() + 0.5 * (b - a).norm() + 1;
  return std::min(to, end);
}

std::optional<RayHit> cast_at(const btCollisionShape& shape, const btTransform& X_WS,
                              const Ray& ray) {
  const btVector3 from = to_bullet(ray.origin_W + ray.from * ray.direction_W);
  const btVector3 to = to_bullet(ray.origin_W + ray.to * ray.direction_W);
  btCollisionObject object;  // Bullet wants one; only its shape and pose count
  object.setWorldTransform(X_WS);
  btCollisionWorld::ClosestRayResultCallback closest(from, to);
  btCollisionWorld::rayTestSingle(btTransform(btQuaternion::getIdentity(), from),
                                  btTransform(btQuaternion::getIdentity(), to), &object, &shape,
                                  X_WS, closest);
  if (closest.m_closestHitFraction >= 1) return std::nullopt;
  Vec3 normal_W = from_bullet(closest.m_hitNormalWorld).normalized();
  if (normal_W.dot(ray.direction_W) > 0) normal_W = -normal_W;
  return RayHit{ray.from + closest.m_closestHitFraction * (ray.to - ray.from), normal_W};
}

namespace {

/// Of a convex shape. `through`: a ray that begins in it meets its far side.
std::optional<RayHit> cast_at_convex(const BulletShape& shape, const btTransform& X_WS,
                                     const Ray& ray, bool through) {
  const btTransform X_SW = X_WS.inverse();
  const Vec3 o_S = from_bullet(X_SW(to_bullet(ray.origin_W)));
  const Vec3 d_S = from_bullet(X_SW.getBasis() * to_bullet(ray.direction_W));
  const auto crossing = shape.hull.empty() ? line_crossing(*shape.geometry, o_S, d_S)
                                           : line_crossing(shape.hull, o_S, d_S);
  if (!crossing || !(crossing->leave > ray.from)) return std::nullopt;
  const bool from_inside = crossing->enter < ray.from;
  if (from_inside && !through) return std::nullopt;
  const double distance = from_inside ? crossing->leave : crossing->enter;
  if (distance > ray.to) return std::nullopt;
  Vec3 normal_S = from_inside ? crossing->normal_at_leave : crossing->normal_at_enter;
  // ODE turns the normals of all shapes to the ray but that of a cylinder
  // (src/ode/ode/src/ray.cpp in Webots).
  if (from_inside && !std::holds_alternative<Cylinder>(*shape.geometry)) normal_S = -normal_S;
  return RayHit{distance, from_bullet(X_WS.getBasis() * to_bullet(normal_S))};
}

std::optional<RayHit> cast(const BulletShape& shape, const btTransform& X_WS, const Ray& ray,
                           bool through) {
  const bool convex = !shape.hull.empty() || is_primitive(*shape.geometry);
  return convex ? cast_at_convex(shape, X_WS, ray, through) : cast_at(*shape.shape, X_WS, ray);
}

}  // namespace

std::optional<RayHit> cast_at(const BulletShape& shape, const btTransform& X_WS, const Ray& ray) {
  return cast(shape, X_WS, ray, false);
}

std::optional<RayHit> cast_whole(const BulletShape& shape, const btTransform& X_WS,
                                 const Ray& ray) {
  return cast(shape, X_WS, ray, true);
}

}  // namespace protobeam::physics
