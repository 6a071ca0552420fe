// Collision algorithms with one manifold of their own.
#pragma once

#include "physics/bullet.h"

namespace protobeam::physics {

class OwnManifold : public btCollisionAlgorithm {
 public:
  /// No manifold for two that do not touch each other.
  OwnManifold(const btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper* a,
              const btCollisionObjectWrapper* b)
      : btCollisionAlgorithm(info) {
    const btCollisionObject *first = a->getCollisionObject(), *second = b->getCollisionObject();
    if (m_dispatcher->needsCollision(first, second)) {
      manifold_ = m_dispatcher->getNewManifold(first, second);
    }
  }
  ~OwnManifold() override {
    if (manifold_) m_dispatcher->releaseManifold(manifold_);
  }

  btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                 btManifoldResult*) override {
    return 1;
  }
  void getAllContactManifolds(btManifoldArray& manifolds) override {
    if (manifold_) manifolds.push_back(manifold_);
  }

 protected:
  btPersistentManifold* manifold_ = nullptr;
};

}  // namespace protobeam::physics
