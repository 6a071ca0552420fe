// Which points of a convex shape may touch a plane.
#pragma once

#include "base/libm.h"
#include "physics/bullet.h"

namespace protobeam::physics {

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

/// Calls `add` with every point of the shape that may touch a plane, in its frame; `down` points
/// into the plane.
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

/// No point of the box is that near to the plane.
inline bool is_beyond(const btBoxShape& box, const btTransform& X_WS, const btVector3& n_W,
                      double offset, double reach) {
  constexpr double kRounding = 1e-6;  // m
  const btVector3 half = box.getHalfExtentsWithMargin();
  const double middle = n_W.dot(X_WS.getOrigin()) - offset;
  return middle - half.dot((n_W * X_WS.getBasis()).absolute()) > reach + kRounding;
}

/// Calls `add` with those in the world and their distance from the plane where it is less than
/// `reach`. `n_W` points out of what lies below the plane.
template <typename Add>
void points_near_plane(const btConvexShape& shape, const btTransform& X_WS, const btVector3& n_W,
                       double offset, double reach, const Add& add) {
  if (shape.getShapeType() == BOX_SHAPE_PROXYTYPE &&
      is_beyond(static_cast<const btBoxShape&>(shape), X_WS, n_W, offset, reach))
    return;
  candidates(shape, -(n_W * X_WS.getBasis()), [&](const btVector3& p_S) {
    const btVector3 p_W = X_WS(p_S);
    const double distance = n_W.dot(p_W) - offset;
    if (distance < reach) add(p_W, distance);
  });
}

}  // namespace protobeam::physics
