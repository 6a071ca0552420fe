// The points of a manifold that a collision algorithm finds anew in each step, all of them.
#pragma once

#include "physics/bullet.h"

namespace protobeam::physics {

/// Bullet keeps points of steps before as long as they overlap, for algorithms that find one point
/// at a time. Behind a wheel that rolls on soft ground such points would still be pressed, and push
/// it on; a sphere of 300 kg went from 13 m/s to 14 in 12 s.
class FreshPoints {
 public:
  /// `result` has its manifold.
  explicit FreshPoints(btManifoldResult& result);
  /// As btManifoldResult::addContactPoint().
  void add(const btVector3& n_W, const btVector3& p_W, double distance);
  /// After all of them. Those that were not found again go, and leave what they carry to the new
  /// ones beside them: otherwise these would begin as if nothing had pressed them in.
  void finish();

 private:
  bool found(const btManifoldPoint& point) const;
  /// Where it is now, overlaps.
  bool is_pressed(const btManifoldPoint& point) const;
  void hand_over(const btManifoldPoint& from);

  btManifoldResult& result_;
  btPersistentManifold& manifold_;
};

}  // namespace protobeam::physics
