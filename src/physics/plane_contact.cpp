#include "physics/plane_contact.h"

#include <algorithm>

#include "base/libm.h"
#include "physics/collision_shapes.h"

namespace protobeam::physics {
namespace {

/// Calls `add` with the points of a disc's rim that can be lowest, and those across from them.
template <typename Add>
void rim(double radius, double z, const btVector3& down, const Add& add) {
  const double length = libm::hypot(down.x(), down.y());
  const double x = length > 1e-9 ? down.x() / length : 1, y = length > 1e-9 ? down.y() / length : 0;
  add(btVector3(radius * x, radius * y, z));
  add(btVector3(-radius * x, -radius * y, z));
  add(btVector3(-radius * y, radius * x, z));
  add(btVector3(radius * y, -radius * x, z));
}

/// Calls `add` with every point of the shape that may touch a plane; `down` points into the plane.
template <typename Add>
void candidates(const btConvexShape& shape, const btVector3& down, const Add& add) {
  switch (shape.getShapeType()) {
    case CYLINDER_SHAPE_PROXYTYPE: {
      const btVector3 half = static_cast<const btCylinderShape&>(shape).getHalfExtentsWithMargin();
      rim(half.x(), half.z(), down, add);
      rim(half.x(), -half.z(), down, add);
      return;
    }
    case CAPSULE_SHAPE_PROXYTYPE: {
      const auto& capsule = static_cast<const btCapsuleShape&>(shape);
      const btVector3 end(0, 0, capsule.getHalfHeight());
      add(down * capsule.getRadius() + end);
      add(down * capsule.getRadius() - end);
      return;
    }
    case CONE_SHAPE_PROXYTYPE: {
      const auto& cone = static_cast<const btConeShape&>(shape);
      add(btVector3(0, 0, cone.getHeight() / 2));
      rim(cone.getRadius(), -cone.getHeight() / 2, down, add);
      return;
    }
    default:
      break;
  }
  if (shape.isPolyhedral()) {
    const auto& polyhedron = static_cast<const btPolyhedralConvexShape&>(shape);
    for (int i = 0; i < polyhedron.getNumVertices(); ++i) {
      btVector3 vertex;
      polyhedron.getVertex(i, vertex);
      add(vertex);
    }
  } else {
    add(shape.localGetSupportingVertex(down));
  }
}

}  // namespace

PlaneContact::PlaneContact(const btCollisionAlgorithmConstructionInfo& info,
                           const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b,
                           bool plane_first)
    : btCollisionAlgorithm(info), plane_first_(plane_first) {
  if (plane_first) std::swap(a, b);
  if (!m_dispatcher->needsCollision(a->getCollisionObject(), b->getCollisionObject())) return;
  manifold_ = m_dispatcher->getNewManifold(a->getCollisionObject(), b->getCollisionObject());
  // As in Dispatcher::getNewManifold(), for one shape of many.
  manifold_->setContactBreakingThreshold(std::min(manifold_->getContactBreakingThreshold(),
                                                  nearest_corners(*a->getCollisionShape())));
}

PlaneContact::~PlaneContact() {
  if (manifold_) m_dispatcher->releaseManifold(manifold_);
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
  candidates(shape, -(n_W * X_WS.getBasis()), [&](const btVector3& p_S) {
    const btVector3 p_W = X_WS(p_S);
    const double distance = n_W.dot(p_W) - offset;
    if (distance < manifold_->getContactBreakingThreshold())
      result->addContactPoint(n_W, p_W - n_W * distance, distance);
  });
  result->refreshContactPoints();
}

btCollisionAlgorithmCreateFunc* CollisionConfiguration::getCollisionAlgorithmCreateFunc(
    int type_a, int type_b) {
  const auto convex = [](int type) { return btBroadphaseProxy::isConvex(type); };
  if (convex(type_a) && type_b == STATIC_PLANE_PROXYTYPE) return &convex_plane_;
  if (type_a == STATIC_PLANE_PROXYTYPE && convex(type_b)) return &plane_convex_;
  return btDefaultCollisionConfiguration::getCollisionAlgorithmCreateFunc(type_a, type_b);
}

}  // namespace protobeam::physics
