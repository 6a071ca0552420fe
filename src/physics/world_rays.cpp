#include <cmath>

#include "physics/ray_query.h"
#include "physics/world_impl.h"

namespace protobeam::physics {

std::optional<SurfaceHit> World::cast_ray(const Vec3& from_W, const Vec3& unit_direction_W,
                                          double max_distance, BodyId ignore) const {
  if (!from_W.allFinite() || !unit_direction_W.allFinite()) return std::nullopt;
  btBroadphaseInterface& broadphase = *impl_->stepper->getBroadphase();
  Ray ray{from_W, unit_direction_W, 0, reach(broadphase, from_W, max_distance)};
  std::optional<SurfaceHit> nearest;
  const auto look_at = [&](BodyId id, int shape, const btTransform& X_WS) {
    const Body& body = impl_->bodies[id];
    const auto hit = cast_at(*body.shapes[shape].shape, X_WS, ray);
    if (!hit) return;
    // Among equals the first body, so that the order of Bullet's tree does not matter.
    const int owner = body.tags[shape].owner;
    if (nearest && hit->distance == nearest->distance &&
        std::pair(nearest->body, nearest->owner) < std::pair(id, owner))
      return;
    nearest = {hit->distance, hit->normal_W, id, owner};
    ray.to = std::nextafter(hit->distance, kUnlimited);
  };
  for_each_on_ray(broadphase, ray, [&](btCollisionObject& object) {
    const BodyId id = object.getUserIndex();
    if (id == ignore) return ray.to;
    const Body& body = impl_->bodies[id];
    const btTransform& X_WO = object.getWorldTransform();
    if (body.compound) {
      for (int i = 0; i < body.compound->getNumChildShapes(); ++i)
        look_at(id, i, X_WO * body.compound->getChildTransform(i));
    } else if (!body.shapes.empty()) {
      look_at(id, object.getCollisionShape()->getUserIndex(), X_WO);
    }
    return ray.to;
  });
  return nearest;
}

}  // namespace protobeam::physics
