// Contacts of round shapes with boxes.
#pragma once

#include "physics/own_manifold.h"

namespace protobeam::physics {

/// Where all that is near of a ball, cylinder, capsule or cone lies over one face of the box,
/// contacts are those with a half space (plane_contact.h). Bullet finds one point a step and tilts
/// the shape to three sides to find more, of which it keeps four: the middle of these is beside
/// that of the shape, and cylinders at rest began to roll. At edges and corners it is Bullet's.
class FaceContact : public OwnManifold {
 public:
  /// `others` makes Bullet's algorithm.
  FaceContact(const btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper* a,
              const btCollisionObjectWrapper* b, bool box_first,
              btCollisionAlgorithmCreateFunc& others);
  ~FaceContact() override;

  void processCollision(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b,
                        const btDispatcherInfo& info, btManifoldResult* result) override;

 private:
  bool box_first_;
  btCollisionAlgorithm* other_ = nullptr;
};

class FaceContactFactory : public btCollisionAlgorithmCreateFunc {
 public:
  btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                 const btCollisionObjectWrapper* a,
                                                 const btCollisionObjectWrapper* b) override {
    void* memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(FaceContact));
    return new (memory) FaceContact(info, a, b, m_swapped, *others);
  }
  btCollisionAlgorithmCreateFunc* others = nullptr;
};

}  // namespace protobeam::physics
