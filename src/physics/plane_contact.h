// Contacts of convex shapes with a half space, all of them at once. Bullet finds one a step and
// tilts the shape a little to find more, which lets wheels wobble.
#pragma once

#include "physics/bullet.h"
#include "physics/face_contact.h"
#include "physics/own_manifold.h"
#include "physics/surface_contact.h"

namespace protobeam::physics {

class PlaneContact : public OwnManifold {
 public:
  PlaneContact(const btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper* a,
               const btCollisionObjectWrapper* b, bool plane_first);

  void processCollision(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b,
                        const btDispatcherInfo& info, btManifoldResult* result) override;

 private:
  bool plane_first_;
};

template <class Algorithm>
struct AlgorithmFactory : btCollisionAlgorithmCreateFunc {
  btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                 const btCollisionObjectWrapper* a,
                                                 const btCollisionObjectWrapper* b) override {
    void* memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(Algorithm));
    return new (memory) Algorithm(info, a, b, m_swapped);
  }
};

/// Bullet's collision algorithms, with ours for half spaces, for round shapes on boxes, and for what is
/// even of other surfaces.
class CollisionConfiguration : public btDefaultCollisionConfiguration {
 public:
  CollisionConfiguration() : btDefaultCollisionConfiguration(small_pools()) {
    plane_convex_.m_swapped = surface_convex_.m_swapped = box_round_.m_swapped = true;
    round_box_.others = box_round_.others =
        btDefaultCollisionConfiguration::getCollisionAlgorithmCreateFunc(CYLINDER_SHAPE_PROXYTYPE,
                                                                         BOX_SHAPE_PROXYTYPE);
  }
  btCollisionAlgorithmCreateFunc* getCollisionAlgorithmCreateFunc(int type_a, int type_b) override;

 private:
  /// Bullet's pools hold 4096 pairs, 8 MB in each world of a batch. More than these are allocated
  /// one by one.
  static btDefaultCollisionConstructionInfo small_pools() {
    btDefaultCollisionConstructionInfo info;
    info.m_defaultMaxPersistentManifoldPoolSize = 128;
    info.m_defaultMaxCollisionAlgorithmPoolSize = 256;
    info.m_customCollisionAlgorithmMaxElementSize = sizeof(SurfaceContact);
    return info;
  }

  AlgorithmFactory<PlaneContact> convex_plane_, plane_convex_;
  AlgorithmFactory<SurfaceContact> convex_surface_, surface_convex_;
  FaceContactFactory round_box_, box_round_;
};

}  // namespace protobeam::physics
