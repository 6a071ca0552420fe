#include "physics/ray_query.h"

#include <algorithm>
#include <cmath>
#include <variant>

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

struct Exit {
  double distance;  ///< from where the ray begins
  Vec3 normal_S;
};

/// Where a ray that begins in a primitive shape leaves it, and the normal that ODE gives there
/// (src/ode/ode/src/ray.cpp in Webots). What begins on the surface does not begin inside.
struct ExitFinder {
  const Vec3& o;  ///< where the ray begins, in the shape's frame
  const Vec3& d;  ///< unit

  std::optional<Exit> operator()(const Box& box) const {
    const Vec3 half = box.size / 2;
    if (!((o.cwiseAbs() - half).maxCoeff() < 0)) return std::nullopt;
    Exit out{kUnlimited, Vec3::Zero()};
    for (int axis = 0; axis < 3; ++axis) {
      if (d[axis] == 0) continue;
      const double t = (std::copysign(half[axis], d[axis]) - o[axis]) / d[axis];
      if (t < out.distance) out = {t, Vec3::Unit(axis) * -std::copysign(1.0, d[axis])};
    }
    return out;
  }
  std::optional<Exit> operator()(const Sphere& sphere) const {
    if (!(o.squaredNorm() < sphere.radius * sphere.radius)) return std::nullopt;
    const double t = *leave_sphere(Vec3::Zero(), sphere.radius);
    return Exit{t, -(o + t * d).normalized()};
  }
  std::optional<Exit> operator()(const Cylinder& cylinder) const {
    const double half = cylinder.height / 2;
    const bool inside =
        std::abs(o.z()) < half && o.head<2>().squaredNorm() < cylinder.radius * cylinder.radius;
    if (!inside) return std::nullopt;
    // Its normals point outwards here, too.
    Exit out{kUnlimited, Vec3::Zero()};
    if (const auto side = leave_side(cylinder.radius)) {
      const Vec3 p = o + *side * d;
      out = {*side, Vec3(p.x(), p.y(), 0).normalized()};
    }
    if (d.z() != 0) {
      const double cap = (std::copysign(half, d.z()) - o.z()) / d.z();
      if (cap < out.distance) out = {cap, Vec3::UnitZ() * std::copysign(1.0, d.z())};
    }
    return out;
  }
  std::optional<Exit> operator()(const Capsule& capsule) const {
    const auto axis_at = [half = capsule.height / 2](double z) {
      return Vec3(0, 0, std::clamp(z, -half, half));
    };
    const double r = capsule.radius;
    if (!((o - axis_at(o.z())).squaredNorm() < r * r)) return std::nullopt;
    double t = 0;
    if (const auto side = leave_side(r)) {
      if (std::abs((o + *side * d).z()) <= capsule.height / 2) t = *side;
    }
    // The line lies in the capsule in one piece: it ends with the last of its parts.
    for (const double end : {-1.0, 1.0}) {
      const auto cap = leave_sphere(axis_at(end * capsule.height), r);
      if (cap) t = std::max(t, *cap);
    }
    const Vec3 p = o + t * d;
    return Exit{t, (axis_at(p.z()) - p).normalized()};
  }
  template <typename Other>
  std::optional<Exit> operator()(const Other&) const {
    return std::nullopt;
  }

  /// The farther crossing of the line and a sphere.
  std::optional<double> leave_sphere(const Vec3& centre, double radius) const {
    const Vec3 q = o - centre;
    const double b = q.dot(d), k = b * b - q.squaredNorm() + radius * radius;
    if (k < 0) return std::nullopt;
    return -b + std::sqrt(k);
  }
  /// The same for a cylinder about z without end.
  std::optional<double> leave_side(double radius) const {
    const double a = d.head<2>().squaredNorm(), b = o.head<2>().dot(d.head<2>());
    const double k = b * b - a * (o.head<2>().squaredNorm() - radius * radius);
    if (!(a > 0) || k < 0) return std::nullopt;
    return (-b + std::sqrt(k)) / a;
  }
};

/// The same for shapes with corners, by Bullet: along the line from beyond, back to where the ray
/// begins. ODE gives normals of meshes by their triangles; here they face the ray as those of all.
std::optional<RayHit> cast_back(const btCollisionShape& shape, const btTransform& X_WS,
                                const Ray& ray) {
  btVector3 low, high;
  shape.getAabb(X_WS, low, high);
  const Vec3 start_W = ray.origin_W + ray.from * ray.direction_W;
  if (!TestPointAgainstAabb2(low, high, to_bullet(start_W))) return std::nullopt;
  btVector3 centre_S;
  btScalar radius;
  shape.getBoundingSphere(centre_S, radius);
  const double beyond =
      (from_bullet(X_WS(centre_S)) - ray.origin_W).dot(ray.direction_W) + 1.5 * radius;
  if (!(beyond > ray.from)) return std::nullopt;
  const auto back =
      cast_at(shape, X_WS,
              {ray.origin_W + beyond * ray.direction_W, -ray.direction_W, 0, beyond - ray.from});
  if (!back || beyond - back->distance > ray.to) return std::nullopt;
  return RayHit{beyond - back->distance, -back->normal_W};
}

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
                              const Ray& whole) {
  Ray ray = whole;
  if (shape.isConvex()) {
    // Bullet's convex cast loses the surface on rays that are long beside the shape.
    btVector3 centre_S;
    btScalar radius;
    shape.getBoundingSphere(centre_S, radius);
    const double middle = (from_bullet(X_WS(centre_S)) - ray.origin_W).dot(ray.direction_W);
    ray.from = std::max(ray.from, middle - 1.5 * radius);
    ray.to = std::min(ray.to, middle + 1.5 * radius);
    if (!(ray.from < ray.to)) return std::nullopt;
  }
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

std::optional<RayHit> cast_whole(const BulletShape& shape, const btTransform& X_WS,
                                 const Ray& ray) {
  const btCollisionShape& form = *shape.shape;
  if (!form.isConvex()) return cast_at(form, X_WS, ray);
  const btTransform X_SW = X_WS.inverse();
  const Vec3 start_W = ray.origin_W + ray.from * ray.direction_W;
  const Vec3 start_S = from_bullet(X_SW(to_bullet(start_W)));
  const Vec3 direction_S = from_bullet(X_SW.getBasis() * to_bullet(ray.direction_W));
  if (const auto exit = std::visit(ExitFinder{start_S, direction_S}, *shape.geometry)) {
    const double distance = ray.from + exit->distance;
    if (distance > ray.to) return std::nullopt;
    return RayHit{distance, from_bullet(X_WS.getBasis() * to_bullet(exit->normal_S))};
  }
  const auto hit = cast_at(form, X_WS, ray);
  const bool hull = std::holds_alternative<Mesh>(*shape.geometry) ||
                    std::holds_alternative<Cone>(*shape.geometry);
  return hit || !hull ? hit : cast_back(form, X_WS, ray);
}

}  // namespace protobeam::physics
