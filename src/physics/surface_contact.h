// Contacts of convex shapes with meshes and terrains that do not move.
#pragma once

#include <BulletCollision/CollisionDispatch/btConvexConcaveCollisionAlgorithm.h>

#include "physics/bullet.h"

namespace protobeam::physics {

/// Where the triangles around a shape lie in one plane, or in a few that form a hollow, and below
/// all that touches them, as of floors, slopes and corners of rooms, contacts are those with half
/// spaces (plane_contact.h). Bullet keeps four points of those that it finds by and by with each
/// triangle: a box on a floor of triangles never came to rest. Everywhere else it is Bullet's.
class SurfaceContact : public btConvexConcaveCollisionAlgorithm {
 public:
  SurfaceContact(const btCollisionAlgorithmConstructionInfo& info,
                 const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b,
                 bool surface_first);

  void processCollision(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b,
                        const btDispatcherInfo& info, btManifoldResult* result) override;

 private:
  bool surface_first_;
  btPersistentManifold* manifold_ = nullptr;  ///< of the base
};

}  // namespace protobeam::physics
