#include "sim/build/old_axes.h"

#include "base/turn.h"

namespace protobeam {

ShapeAxes shape_axes(const wbt::NodeView& geometry, const Vec3& scale) {
  if (geometry.get().old_axes == wbt::OldAxes::kNone) return {Pose{}, scale};
  if (geometry.node_type() == "Box") {
    // A box has its axes still, but friction on it went first along z of the upper and lower faces
    // and y of the others (computeFrictionDirection() of Webots' WbBox.cpp), and goes along x and
    // z.
    return {Pose{}, scale, axis_angle({-1, 1, 1}, 2 * kPi / 3)};
  }
  ShapeAxes out{Pose::rotation(axis_angle(Vec3::UnitX(), -kPi / 2)),
                {scale.x(), scale.z(), scale.y()}};
  // As of a box, see below: z was the first direction, which is y of the geometry now.
  if (geometry.node_type() == "Plane") out.R_GF = axis_angle(Vec3::UnitZ(), kPi / 2);
  if (geometry.node_type() == "ElevationGrid") {
    // Rows went along z and go along y: those of the geometry are in reverse order (ShapeFactory),
    // since its y points to where z did not.
    const double rows = geometry.integer("yDimension");
    out.X_NG.p = {0, 0, (rows - 1) * geometry.number("ySpacing") * scale.z()};
  }
  return out;
}

Pose device_axes(const wbt::Node& device) {
  switch (device.old_axes) {
    case wbt::OldAxes::kLooksAlongMinusZ:
      return Pose::rotation(axis_angle({-1, 1, 1}, 2 * kPi / 3));
    case wbt::OldAxes::kLooksAlongZ:
      return Pose::rotation(axis_angle({-1, -1, -1}, 2 * kPi / 3));
    case wbt::OldAxes::kLooksAlongMinusY:
      return Pose::rotation(axis_angle(Vec3::UnitX(), -kPi / 2));
    case wbt::OldAxes::kStandsAlongY:
    case wbt::OldAxes::kNone:
      break;
  }
  return {};
}

}  // namespace protobeam
