// Between Eigen and Bullet. For the .cpp files of this folder only.
#pragma once

#include <btBulletCollisionCommon.h>
#include <btBulletDynamicsCommon.h>

#include "base/math.h"

namespace protobeam::physics {

static_assert(sizeof(btScalar) == sizeof(double), "needs Bullet in double precision");

inline btVector3 to_bullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
inline btQuaternion to_bullet(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }
inline btTransform to_bullet(const Pose& X) { return btTransform(to_bullet(X.R), to_bullet(X.p)); }

inline Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
inline Pose from_bullet(const btTransform& X) {
  const btQuaternion q = X.getRotation();
  return {Quat(q.w(), q.x(), q.y(), q.z()).normalized(), from_bullet(X.getOrigin())};
}

}  // namespace protobeam::physics
