#include "physics/face_contact.h"

#include <algorithm>
#include <cmath>

#include "physics/collision_shapes.h"
#include "physics/fresh_points.h"
#include "physics/plane_points.h"

namespace protobeam::physics {
namespace {

/// A face of a box, in its frame: n . p = offset.
struct Face {
  int axis = 0;
  btVector3 n;
  double offset = 0;
  double distance = 0;  ///< of the shape's nearest point
};

/// The one that the shape is farthest before, or least deep behind.
Face face_before(const btVector3& half, const btConvexShape& shape, const btTransform& X_GS) {
  Face best;
  best.distance = -BT_LARGE_FLOAT;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {1.0, -1.0}) {
      Face face{axis, btVector3(0, 0, 0), half[axis], 0};
      face.n[axis] = side;
      const btVector3 down = -(face.n * X_GS.getBasis());
      const btVector3 lowest = X_GS(shape.localGetSupportingVertex(down));
      face.distance = face.n.dot(lowest) - face.offset;
      if (face.distance > best.distance) best = face;
    }
  }
  return best;
}

}  // namespace

FaceContact::FaceContact(const btCollisionAlgorithmConstructionInfo& info,
                         const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b,
                         bool box_first, btCollisionAlgorithmCreateFunc& others)
    : OwnManifold(info, a, b), box_first_(box_first) {
  if (!manifold_) return;
  // As in Dispatcher::getNewManifold(), for one shape of many.
  manifold_->setContactBreakingThreshold(
      std::min({manifold_->getContactBreakingThreshold(), nearest_corners(*a->getCollisionShape()),
                nearest_corners(*b->getCollisionShape())}));
  btCollisionAlgorithmConstructionInfo same = info;
  same.m_manifold = manifold_;
  other_ = others.CreateCollisionAlgorithm(same, a, b);
}

FaceContact::~FaceContact() {
  if (!other_) return;
  other_->~btCollisionAlgorithm();
  m_dispatcher->freeCollisionAlgorithm(other_);
}

void FaceContact::processCollision(const btCollisionObjectWrapper* a,
                                   const btCollisionObjectWrapper* b, const btDispatcherInfo& info,
                                   btManifoldResult* result) {
  if (!manifold_) return;
  const btCollisionObjectWrapper& round = *(box_first_ ? b : a);
  const btCollisionObjectWrapper& ground = *(box_first_ ? a : b);
  const auto& shape = static_cast<const btConvexShape&>(*round.getCollisionShape());
  const auto& box = static_cast<const btBoxShape&>(*ground.getCollisionShape());
  const btVector3 half = box.getHalfExtentsWithMargin();
  const double reach = manifold_->getContactBreakingThreshold();
  const btTransform X_GS = ground.getWorldTransform().inverseTimes(round.getWorldTransform());
  const Face face = face_before(half, shape, X_GS);

  // Deeper than a quarter of the shape it is not clear to which side it should leave.
  btVector3 low, high;
  shape.getAabb(X_GS, low, high);
  bool over = face.distance > -0.25 * (high - low)[face.axis];
  points_near_plane(shape, X_GS, face.n, face.offset, reach, [&](const btVector3& p, double) {
    for (int axis = 0; axis < 3; ++axis) {
      over &= axis == face.axis || std::abs(p[axis]) <= half[axis];
    }
  });
  if (!over) return other_->processCollision(a, b, info, result);

  const btTransform& X_WG = ground.getWorldTransform();
  const btVector3 n_W = X_WG.getBasis() * face.n;
  result->setPersistentManifold(manifold_);
  FreshPoints points(*result);
  points_near_plane(shape, X_GS, face.n, face.offset, reach,
                    [&](const btVector3& p, double distance) {
                      // Bullet wants the normal out of the second one, and the point on that.
                      if (box_first_) {
                        points.add(-n_W, X_WG(p), distance);
                      } else {
                        points.add(n_W, X_WG(p - distance * face.n), distance);
                      }
                    });
  points.finish();
}

}  // namespace protobeam::physics
