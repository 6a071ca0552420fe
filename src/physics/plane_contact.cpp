#include "physics/plane_contact.h"

#include <algorithm>

#include "physics/collision_shapes.h"
#include "physics/fresh_points.h"
#include "physics/plane_points.h"

namespace protobeam::physics {
PlaneContact::PlaneContact(const btCollisionAlgorithmConstructionInfo& info,
                           const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b,
                           bool plane_first)
    : OwnManifold(info, plane_first ? b : a, plane_first ? a : b), plane_first_(plane_first) {
  if (!manifold_) return;
  if (plane_first) std::swap(a, b);
  // As in Dispatcher::getNewManifold(), for one shape of many.
  manifold_->setContactBreakingThreshold(std::min(manifold_->getContactBreakingThreshold(),
                                                  nearest_corners(*a->getCollisionShape())));
}

void PlaneContact::processCollision(const btCollisionObjectWrapper* a,
                                    const btCollisionObjectWrapper* b, const btDispatcherInfo&,
                                    btManifoldResult* result) {
  if (!manifold_) return;
  if (plane_first_) std::swap(a, b);
  const auto& shape = static_cast<const btConvexShape&>(*a->getCollisionShape());
  const auto& plane = static_cast<const btStaticPlaneShape&>(*b->getCollisionShape());
  const btTransform& X_WS = a->getWorldTransform();
  const btVector3 n_W = b->getWorldTransform().getBasis() * plane.getPlaneNormal();
  const double offset = n_W.dot(b->getWorldTransform().getOrigin()) + plane.getPlaneConstant();
  result->setPersistentManifold(manifold_);
  const double reach = manifold_->getContactBreakingThreshold();
  FreshPoints points(*result);
  points_near_plane(shape, X_WS, n_W, offset, reach, [&](const btVector3& p_W, double distance) {
    points.add(n_W, p_W - n_W * distance, distance);
  });
  points.finish();
}

btCollisionAlgorithmCreateFunc* CollisionConfiguration::getCollisionAlgorithmCreateFunc(
    int type_a, int type_b) {
  const auto convex = [](int type) { return btBroadphaseProxy::isConvex(type); };
  const auto surface = [](int type) {
    return type == TRIANGLE_MESH_SHAPE_PROXYTYPE || type == TERRAIN_SHAPE_PROXYTYPE;
  };
  if (convex(type_a) && surface(type_b)) return &convex_surface_;
  if (surface(type_a) && convex(type_b)) return &surface_convex_;
  if (convex(type_a) && type_b == STATIC_PLANE_PROXYTYPE) return &convex_plane_;
  if (type_a == STATIC_PLANE_PROXYTYPE && convex(type_b)) return &plane_convex_;
  const auto round = [](int type) {
    return type == SPHERE_SHAPE_PROXYTYPE || type == CYLINDER_SHAPE_PROXYTYPE ||
           type == CAPSULE_SHAPE_PROXYTYPE || type == CONE_SHAPE_PROXYTYPE;
  };
  if (round(type_a) && type_b == BOX_SHAPE_PROXYTYPE) return &round_box_;
  if (type_a == BOX_SHAPE_PROXYTYPE && round(type_b)) return &box_round_;
  return btDefaultCollisionConfiguration::getCollisionAlgorithmCreateFunc(type_a, type_b);
}

}  // namespace protobeam::physics
