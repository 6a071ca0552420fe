#include "sim/build/old_axes.h"

#include "base/turn.h"

namespace protobeam {

ShapeAxes shape_axes(const wbt::NodeView& geometry, const Vec3& scale) {
  if (!geometry.get().old_axes) return {Pose{}, scale};
  ShapeAxes out{Pose::rotation(axis_angle(Vec3::UnitX(), -kPi / 2)),
                {scale.x(), scale.z(), scale.y()}};
  if (geometry.node_type() == "ElevationGrid") {
    // Rows went along z and go along y: those of the geometry are in reverse order (ShapeFactory),
    // since its y points to where z did not.
    const double rows = geometry.integer("yDimension");
    out.X_NG.p = {0, 0, (rows - 1) * geometry.number("ySpacing") * scale.z()};
  }
  return out;
}

Pose device_axes(const wbt::Node& device) {
  if (!device.old_axes) return {};
  const std::string& type = device.type;
  if (type == "Emitter" || type == "Receiver" || type == "Connector" || type == "TouchSensor") {
    return Pose::rotation(axis_angle({-1, -1, -1}, 2 * kPi / 3));
  }
  if (type == "Pen") return Pose::rotation(axis_angle(Vec3::UnitX(), -kPi / 2));
  return Pose::rotation(axis_angle({-1, 1, 1}, 2 * kPi / 3));
}

}  // namespace protobeam
