// Rays through Bullet: which objects a ray may hit, and where one shape is hit.
#pragma once

#include <functional>
#include <optional>

#include "physics/bullet.h"
#include "physics/collision_shapes.h"

namespace protobeam::physics {

struct RayHit {
  double distance;
  Vec3 normal_W;  ///< faces the ray's origin
};

struct Ray {
  Vec3 origin_W, direction_W;  ///< direction_W: unit
  double from, to;             ///< finite distances along it
};

/// Calls `look` with every object whose box the ray meets; it returns how far is still of interest.
void for_each_on_ray(btBroadphaseInterface& broadphase, const Ray& ray,
                     const std::function<double(btCollisionObject&)>& test);

/// `to` cut down to where the last object ends; finite even if `to` is not.
double reach(btBroadphaseInterface& broadphase, const Vec3& origin_W, double to);

/// First hit of triangles, a half space or a terrain at X_WS.
std::optional<RayHit> cast_at(const btCollisionShape& shape, const btTransform& X_WS,
                              const Ray& ray);

/// First hit of any shape. Convex ones are not seen from inside.
std::optional<RayHit> cast_at(const BulletShape& shape, const btTransform& X_WS, const Ray& ray);

/// The same, but a ray that begins in a convex shape meets its far side, as in Webots. The normal
/// of a cylinder points away from the ray's origin there.
std::optional<RayHit> cast_whole(const BulletShape& shape, const btTransform& X_WS, const Ray& ray);

}  // namespace protobeam::physics
