#include "physics/fresh_points.h"

#include <cmath>
#include <limits>

namespace protobeam::physics {

FreshPoints::FreshPoints(btManifoldResult& result)
    : result_(result), manifold_(*result.getPersistentManifold()) {
  // What is found again gets another position, and finish() renews all.
  for (int i = 0; i < manifold_.getNumContacts(); ++i)
    manifold_.getContactPoint(i).m_positionWorldOnB.setX(std::numeric_limits<double>::quiet_NaN());
}

void FreshPoints::add(const btVector3& n_W, const btVector3& p_W, double distance) {
  result_.addContactPoint(n_W, p_W, distance);
}

bool FreshPoints::found(const btManifoldPoint& point) const {
  return !std::isnan(point.m_positionWorldOnB.x());
}

bool FreshPoints::is_pressed(const btManifoldPoint& point) const {
  const btVector3 a_W = manifold_.getBody0()->getWorldTransform() * point.m_localPointA;
  const btVector3 b_W = manifold_.getBody1()->getWorldTransform() * point.m_localPointB;
  return (a_W - b_W).dot(point.m_normalWorldOnB) < 0;
}

void FreshPoints::hand_over(const btManifoldPoint& from) {
  const btVector3 from_W = manifold_.getBody0()->getWorldTransform() * from.m_localPointA;
  btManifoldPoint* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < manifold_.getNumContacts(); ++i) {
    btManifoldPoint& point = manifold_.getContactPoint(i);
    if (!found(point) || point.m_lifeTime > 0 || point.m_appliedImpulse > 0) continue;
    const double apart = (point.m_positionWorldOnA - from_W).length2();
    if (apart < least) least = apart, nearest = &point;
  }
  if (!nearest) return;
  nearest->m_appliedImpulse = from.m_appliedImpulse;
  nearest->m_appliedImpulseLateral1 = from.m_appliedImpulseLateral1;
  nearest->m_appliedImpulseLateral2 = from.m_appliedImpulseLateral2;
  nearest->m_lateralFrictionDir1 = from.m_lateralFrictionDir1;
  nearest->m_lateralFrictionDir2 = from.m_lateralFrictionDir2;
  nearest->m_contactPointFlags = from.m_contactPointFlags;
}

void FreshPoints::finish() {
  for (int i = manifold_.getNumContacts() - 1; i >= 0; --i) {
    const btManifoldPoint& point = manifold_.getContactPoint(i);
    if (found(point)) continue;
    if (point.m_appliedImpulse > 0 && is_pressed(point)) hand_over(point);
    manifold_.removeContactPoint(i);
  }
  result_.refreshContactPoints();
}

}  // namespace protobeam::physics
