#include "physics/stepper.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>

#include <algorithm>

#include "physics/collision_shapes.h"
#include "physics/plane_points.h"

namespace protobeam::physics {
namespace {

/// See nearest_corners(). Only bodies that move can tilt over points that were taken for one.
double nearest_corners_of(const btCollisionObject& object) {
  const btCollisionShape& shape = *object.getCollisionShape();
  const bool solid = shape.isConvex() || shape.isCompound();
  return object.isStaticObject() || !solid ? kUnlimited : nearest_corners(shape);
}

/// A body of few boxes, all of which are farther than that from the half space.
bool boxes_beyond(const btCollisionObject& object, const btVector3& n_W, double offset,
                  double reach) {
  constexpr int kFew = 8;
  if (!object.getCollisionShape()->isCompound()) return false;
  const auto& compound = static_cast<const btCompoundShape&>(*object.getCollisionShape());
  if (compound.getNumChildShapes() > kFew) return false;
  // The half space, seen from the body.
  const btTransform& X_WB = object.getWorldTransform();
  const btVector3 n_B = n_W * X_WB.getBasis();
  offset -= n_W.dot(X_WB.getOrigin());
  for (int i = 0; i < compound.getNumChildShapes(); ++i) {
    const btCollisionShape& child = *compound.getChildShape(i);
    if (child.getShapeType() != BOX_SHAPE_PROXYTYPE) return false;
    if (!is_beyond(static_cast<const btBoxShape&>(child), compound.getChildTransform(i), n_B,
                   offset, reach))
      return false;
  }
  return true;
}

/// `floor` is a half space, and `object` is out of its reach: all vehicles are in the box around
/// the ground, and most chassis touch it never.
bool stays_above(const btCollisionObject& floor, const btCollisionObject& object,
                 const btBroadphaseProxy& proxy) {
  const btCollisionShape& shape = *floor.getCollisionShape();
  if (shape.getShapeType() != STATIC_PLANE_PROXYTYPE) return false;
  const auto& plane = static_cast<const btStaticPlaneShape&>(shape);
  const btTransform& X_WF = floor.getWorldTransform();
  const btVector3 n_W = X_WF.getBasis() * plane.getPlaneNormal();
  const double offset = n_W.dot(X_WF.getOrigin()) + plane.getPlaneConstant();
  const btVector3 middle_W = 0.5 * (proxy.m_aabbMax + proxy.m_aabbMin);
  const btVector3 half = 0.5 * (proxy.m_aabbMax - proxy.m_aabbMin);
  // Contacts reach as far as this share of the distance of the object's farthest corner from its
  // origin (btCollisionShape::getContactBreakingThreshold), which is less than twice this.
  const double size = half.length() + (middle_W - object.getWorldTransform().getOrigin()).length();
  const double reach = 2 * gContactBreakingThreshold * size;
  return n_W.dot(middle_W) - offset > n_W.absolute().dot(half) + reach ||
         boxes_beyond(object, n_W, offset, reach);
}

/// m, by how much the second box reaches out of the first one.
double growth(const btVector3& low, const btVector3& high, const btVector3& new_low,
              const btVector3& new_high) {
  const btVector3 down = low - new_low, up = new_high - high;
  double most = 0;
  for (int axis = 0; axis < 3; ++axis) most = std::max({most, down[axis], up[axis]});
  return most;
}

}  // namespace

btPersistentManifold* Dispatcher::getNewManifold(const btCollisionObject* a,
                                                 const btCollisionObject* b) {
  btPersistentManifold* manifold = btCollisionDispatcher::getNewManifold(a, b);
  manifold->setContactBreakingThreshold(std::min({manifold->getContactBreakingThreshold(),
                                                  nearest_corners_of(*a), nearest_corners_of(*b)}));
  return manifold;
}

/// Bullet's own, that forgets what was touched of a floor that lies under another one now.
void Dispatcher::look_at(btBroadphasePair& pair, btCollisionDispatcher& dispatcher,
                         const btDispatcherInfo& info) {
  const auto& a = *static_cast<const btCollisionObject*>(pair.m_pProxy0->m_clientObject);
  const auto& b = *static_cast<const btCollisionObject*>(pair.m_pProxy1->m_clientObject);
  const auto forget = [&] {
    if (!pair.m_algorithm) return;
    pair.m_algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm(pair.m_algorithm);
    pair.m_algorithm = nullptr;
  };
  if (!a.isActive() && !b.isActive()) return;  // of two that rest nothing changes
  const bool asked = static_cast<Dispatcher&>(dispatcher).far_pairs;
  if (!asked && (stays_above(a, b, *pair.m_pProxy1) || stays_above(b, a, *pair.m_pProxy0)))
    return forget();
  const bool floor = a.getUserIndex2() >= 0 || b.getUserIndex2() >= 0;
  if (floor && !dispatcher.needsCollision(&a, &b)) forget();
  defaultNearCallback(pair, dispatcher, info);
}

Stepper::Stepper(const WorldSpec& spec, PairFilter filter,
                 std::function<void(double)> prepare_contacts)
    : Engine(std::move(filter)),
      btDiscreteDynamicsWorld(&dispatcher, &broadphase, &solver, &configuration),
      prepare_contacts_(std::move(prepare_contacts)),
      sleep_time_(spec.sleep_time),
      sleep_linear_(spec.sleep_linear),
      sleep_angular_(spec.sleep_angular) {
  configuration.setConvexConvexMultipointIterations(3, 3);
  btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
  setGravity(to_bullet(spec.gravity));
  setForceUpdateAllAabbs(false);
  getDispatchInfo().m_deterministicOverlappingPairs = true;

  btContactSolverInfo& info = getSolverInfo();
  info.m_numIterations = spec.iterations;
  info.m_leastSquaresResidualThreshold = spec.residual;
  info.m_minimumSolverBatchSize = 1;             // islands do not see each other
  info.m_splitImpulse = false;                   // contacts are springs, see world_contacts.cpp
  info.m_restitutionVelocityThreshold = 0;       // decided a point at a time, ditto
  info.m_warmstartingFactor = 0.95;
  info.m_erp = info.m_erp2 = spec.erp;
  info.m_solverMode = SOLVER_USE_WARMSTARTING | SOLVER_SIMD | SOLVER_USE_2_FRICTION_DIRECTIONS |
                      SOLVER_ENABLE_FRICTION_DIRECTION_CACHING;
}

void Stepper::forget_pairs(btCollisionObject& object) {
  if (btBroadphaseProxy* proxy = object.getBroadphaseHandle())
    broadphase.getOverlappingPairCache()->cleanProxyFromPairs(proxy, &dispatcher);
}

bool Stepper::overlap(btCollisionShape& a, const btTransform& X_WA, btCollisionShape& b,
                      const btTransform& X_WB) {
  struct Result : btManifoldResult {
    using btManifoldResult::btManifoldResult;
    void addContactPoint(const btVector3&, const btVector3&, btScalar distance) override {
      overlaps = overlaps || distance < 0;
    }
    bool overlaps = false;
  };
  btCollisionObject first, second;
  first.setCollisionShape(&a);
  second.setCollisionShape(&b);
  const btCollisionObjectWrapper wrapped_a(nullptr, &a, &first, X_WA, -1, -1);
  const btCollisionObjectWrapper wrapped_b(nullptr, &b, &second, X_WB, -1, -1);
  // Bullet asks for closest points only where it keeps no contacts from step to step.
  dispatcher.all_pairs = true;
  btCollisionAlgorithm* algorithm =
      dispatcher.findAlgorithm(&wrapped_a, &wrapped_b, nullptr, BT_CLOSEST_POINT_ALGORITHMS);
  Result result(&wrapped_a, &wrapped_b);
  if (algorithm) {
    algorithm->processCollision(&wrapped_a, &wrapped_b, getDispatchInfo(), &result);
    algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm(algorithm);
  }
  dispatcher.all_pairs = false;
  return result.overlaps;
}

void Stepper::predictUnconstraintMotion(btScalar h) {
  for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
    btRigidBody& body = *m_nonStaticRigidBodies[i];
    const bool damped = body.getLinearDamping() > 0 || body.getAngularDamping() > 0;
    if (damped && !body.isStaticOrKinematicObject()) body.applyDamping(h);
  }
  ahead_ = h;
}

void Stepper::place(btCollisionObject& object) {
  const btBroadphaseProxy& proxy = *object.getBroadphaseHandle();
  const btVector3 low = proxy.m_aabbMin, high = proxy.m_aabbMax;
  updateSingleAabb(&object);
  crept_ += growth(low, high, proxy.m_aabbMin, proxy.m_aabbMax);
}

void Stepper::updateAabbs() {
  constexpr double kLargest = 1e6;  // m; Bullet stops what is larger, or is nowhere
  double most = 0;
  for (int i = 0; i < m_collisionObjects.size(); ++i) {
    btCollisionObject& object = *m_collisionObjects[i];
    if (!object.isActive()) continue;
    btVector3 low, high;
    const btTransform& X_WB = object.getWorldTransform();
    object.getCollisionShape()->getAabb(X_WB, low, high);
    const btRigidBody* body = btRigidBody::upcast(&object);
    const bool moves = body && !body->isStaticOrKinematicObject();
    if (!moves || !((high - low).length2() < kLargest * kLargest)) {
      place(object);
      continue;
    }
    const btVector3 way = ahead_ * body->getLinearVelocity();
    const double farthest =
        (0.5 * (low + high) - X_WB.getOrigin()).length() + 0.5 * (high - low).length();
    const double around =
        gContactBreakingThreshold + ahead_ * body->getAngularVelocity().length() * farthest;
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] += std::min(way[axis], 0.0) - around;
      high[axis] += std::max(way[axis], 0.0) + around;
    }
    btBroadphaseProxy* proxy = object.getBroadphaseHandle();
    most = std::max(most, growth(proxy->m_aabbMin, proxy->m_aabbMax, low, high));
    m_broadphasePairCache->setAabb(proxy, low, high, m_dispatcher1);
  }
  ahead_ = 0;
  crept_ += most;
}

void Stepper::solveConstraints(btContactSolverInfo& info) {
  prepare_contacts_(info.m_timeStep);
  btDiscreteDynamicsWorld::solveConstraints(info);
}

void Stepper::updateActivationState(btScalar h) {
  // Bullet's own keeps the time to sleep in a global variable.
  for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
    btRigidBody& body = *m_nonStaticRigidBodies[i];
    if (body.isStaticOrKinematicObject()) continue;
    const int state = body.getActivationState();
    if (state == DISABLE_DEACTIVATION || state == DISABLE_SIMULATION) continue;
    if (state == ISLAND_SLEEPING) {
      body.setLinearVelocity({0, 0, 0});
      body.setAngularVelocity({0, 0, 0});
      continue;
    }
    const bool slow = body.getLinearVelocity().length2() < sleep_linear_ * sleep_linear_ &&
                      body.getAngularVelocity().length2() < sleep_angular_ * sleep_angular_;
    body.setDeactivationTime(slow ? body.getDeactivationTime() + h : 0);
    body.setActivationState(body.getDeactivationTime() > sleep_time_ ? WANTS_DEACTIVATION
                                                                     : ACTIVE_TAG);
  }
}

}  // namespace protobeam::physics
