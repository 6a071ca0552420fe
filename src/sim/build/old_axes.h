// Text that was written before R2022a, which changed the axes of some nodes (wbt::Node::old_axes):
// their frame of today in the node's own. Devices have their data in today's frame, as in Webots.
#pragma once

#include "base/math.h"
#include "wbt/node.h"

namespace protobeam {

/// Of a geometry: a cylinder, capsule, cone or plane stood along y, and stands along z.
struct ShapeAxes {
  Pose X_NG;   ///< where the geometry is in its node's frame
  Vec3 scale;  ///< of the node's frame, along the geometry's axes
  Quat R_GF = Quat::Identity();  ///< see physics::CollisionShape::R_SF
};
ShapeAxes shape_axes(const wbt::NodeView& geometry, const Vec3& scale);

/// Of a device.
Pose device_axes(const wbt::Node& device);

}  // namespace protobeam
