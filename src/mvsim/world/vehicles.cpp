#include "mvsim/world/vehicles.h"

#include <algorithm>
#include <string_view>

#include "mvsim/expression.h"
#include "mvsim/world/outline.h"
#include "mvsim/world/sensors.h"
#include "mvsim/world/visuals.h"

namespace protobeam::mvsim {
namespace {

struct Chassis {
  double mass = 0;
  Given<Color> color;
  Prism prism;
};

Chassis default_chassis(DriveKind kind) {
  if (kind == DriveKind::kDifferential) {
    return {15, {}, {{{-.4, -.5}, {-.4, .5}, {.4, .5}, {.6, .3}, {.6, -.3}, {.4, -.5}}, .05, .6}};
  }
  return {500, {}, {{{-.8, -1}, {-.8, 1}, {1.5, .9}, {1.8, .8}, {1.8, -.8}, {1.5, -.9}}, .2, 1.4}};
}

/// The outline of all of the models, as MVSim takes it whatever zmin and zmax are
/// (VehicleBase.cpp, factory). These say here how high the chassis stands over the ground.
void take_shape_from(Import& import, const std::vector<Visual>& visuals, const Reader& attributes,
                     const Element& tag, Prism& prism) {
  if (visuals.empty()) {
    attributes.warning(tag.place, "<shape_from_visual> has no model to take the shape from",
                       "the default outline is taken");
    return;
  }
  std::vector<Vec3> points = points_of(import, visuals, tag);
  if (points.empty()) return;
  double low = points[0].z(), high = points[0].z();
  std::vector<Vec2> flat;
  for (const Vec3& p : points) {
    low = std::min(low, p.z());
    high = std::max(high, p.z());
    flat.push_back(p.head<2>());
  }
  prism.low = attributes.number("zmin", low);
  prism.high = attributes.number("zmax", high);
  Outline hull = convex_hull(std::move(flat));
  if (hull.size() >= 3) prism.outline = std::move(hull);
}

Chassis chassis_of(Import& import, const Element& dynamics, const std::vector<Visual>& visuals) {
  Chassis out = default_chassis(drive_kind(dynamics));
  const bool car = drive_kind(dynamics) != DriveKind::kDifferential;
  out.color = {car ? Color{0xe8, 0x30, 0x00} : Color{0xff, 0x00, 0x00}, dynamics.place, false};
  const Element* element = dynamics.child("chassis");
  if (!element) return out;
  const Reader attributes = import.attributes(*element);
  out.mass = attributes.positive("mass", out.mass);
  out.color = attributes.color("color", out.color);
  out.prism.low = attributes.number("zmin", out.prism.low);
  out.prism.high = attributes.number("zmax", out.prism.high);
  if (auto outline = written_outline(import, *element)) out.prism.outline = std::move(*outline);
  if (const Element* tag = element->child("shape_from_visual")) {
    take_shape_from(import, visuals, attributes, *tag, out.prism);
  }
  if (!(out.prism.low < out.prism.high)) {
    const auto zmax = attributes.number("zmax", out.prism.high);
    attributes.error(zmax.place, "'zmax' of <chassis> must be greater than its zmin " +
                                     to_text(out.prism.low) + ", got " + to_text(out.prism.high));
    out.prism.high = out.prism.low + 1;
  }
  return out;
}

std::string name_of(const Element& element) {
  const Text* name = element.attribute("name");
  return name ? name->value : std::string();
}

/// The largest one of the wheels.
double radius_of(const wbt::Node& drive) {
  double radius = 0;
  if (const wbt::Field* wheels = drive.find("wheels")) {
    for (const wbt::NodePtr& wheel : wheels->value.nodes) {
      radius = std::max(radius, wheel->find("diameter")->value.numbers[0] / 2);
    }
  }
  return radius;
}

/// Positions of the wheels; two of them are placed as four, half a track in front and behind.
std::vector<Vec2> feet_of(const wbt::Node& drive) {
  std::vector<Vec2> feet;
  const wbt::Field* wheels = drive.find("wheels");
  if (!wheels) return feet;
  for (const wbt::NodePtr& wheel : wheels->value.nodes) {
    const auto& p = wheel->find("position")->value.numbers;
    feet.emplace_back(p[0], p[1]);
  }
  if (feet.size() == 2) {
    const Vec2 middle = (feet[0] + feet[1]) / 2;
    const double half = (feet[0] - feet[1]).norm() / 2;
    feet.insert(feet.end(), {middle + Vec2(half, 0), middle - Vec2(half, 0)});
  }
  return feet;
}

}  // namespace

DriveKind drive_kind(const Element& dynamics) {
  const Text* kind = dynamics.attribute("class");
  const std::string_view name = kind ? std::string_view(kind->value) : std::string_view();
  if (name == "ackermann") return DriveKind::kAckermann;
  if (name == "ackermann_drivetrain") return DriveKind::kDrivetrain;
  return DriveKind::kDifferential;
}

wbt::NodePtr vehicle_node(Import& import, const Element& vehicle) {
  const Element* dynamics = vehicle.child("dynamics");
  if (!dynamics) {
    import.diagnostics.error(vehicle.place,
                             "<vehicle> '" + name_of(vehicle) +
                                 "' has no <dynamics>, neither of its own nor of "
                                 "a class",
                             "give it one, or class=\"...\"", vehicle.chain);
    return nullptr;
  }
  const Text* name = vehicle.attribute("name");
  StartPose start = start_pose(import, vehicle);
  std::vector<Visual> visuals = visuals_of(import, vehicle);
  const Chassis chassis = chassis_of(import, *dynamics, visuals);
  const Element* chassis_tag = dynamics->child("chassis");
  const Origin origin(chassis_tag ? *chassis_tag : *dynamics);
  wbt::NodePtr drive = drive_node(import, vehicle, *dynamics, &visuals);
  put_on_ground(import, vehicle, feet_of(*drive), chassis.prism.high / 2, radius_of(*drive), start);

  // MVSim's engine knows convex bodies only: it weighs, and touches with, the outline's hull
  // (VehicleBase.cpp, create_multibody_system; b2PolygonShape::Set).
  Prism body = chassis.prism;
  body.outline = convex_hull(body.outline);

  NodeMaker robot("Robot", vehicle);
  robot.pose(start.X, start.place);
  if (name) robot.text("name", name->value, name->place);
  robot.text("controller", "<none>").text("contactMaterial", kVehicleMaterial);
  if (const auto velocity = import.children(vehicle).pose2d("init_vel")) {
    const Pose2d& v = velocity->value;
    robot.vec3("linearVelocity", start.X.R * Vec3(v.x, v.y, 0), velocity->place)
        .vec3("angularVelocity", start.X.R * Vec3(0, 0, v.yaw), velocity->place);
  }
  std::vector<wbt::NodePtr> children{std::move(drive)};
  for (auto& node :
       seen(visuals, shape(prism_node(chassis.prism, origin), chassis.color, origin))) {
    children.push_back(std::move(node));
  }
  for (const Element* sensor : vehicle.all("sensor")) {
    for (auto& node : sensor_nodes(import, *sensor)) children.push_back(std::move(node));
  }
  robot.nodes("children", std::move(children))
      .node("boundingObject", prism_node(body, origin))
      .node("physics",
            NodeMaker("Physics", origin).number("density", -1).number("mass", chassis.mass).take());

  import.unsimulated.publish(vehicle);
  import.unsimulated.children(vehicle, {"animation"}, "its wheels move it");
  return robot.take();
}

}  // namespace protobeam::mvsim
