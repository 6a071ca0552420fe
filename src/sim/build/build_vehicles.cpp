// Vehicles: VehicleDrive nodes become what their plugins make of them, on the body of their Robot.
#include <charconv>

#include "sim/build/tree_builder.h"
#include "sim/vehicle/suspension.h"
#include "sim/vehicle/vehicle_device.h"
#include "vehicle/drive_type.h"
#include "vehicle/plugin.h"

namespace protobeam {
using physics::Motion;
using wbt::Node;
using wbt::NodePtr;
using wbt::NodeView;

namespace {

/// The word with which a message begins: the field that it is about.
std::string_view first_word(std::string_view message) {
  constexpr std::string_view kField = "field '";
  if (message.starts_with(kField)) message.remove_prefix(kField.size());
  std::size_t end = 0;
  while (end < message.size() && std::isalnum(static_cast<unsigned char>(message[end]))) ++end;
  return message.substr(0, end);
}

MassProperties wheel_mass(const Wheel& wheel) {
  const Vec3 size(wheel.diameter, wheel.width, wheel.diameter);
  return transformed(mass_properties(Box{size}, wheel.mass / size.prod()),
                     {axis_angle(Vec3::UnitZ(), wheel.yaw), wheel.position_V});
}

}  // namespace

Place TreeBuilder::place_of(const Node& node, std::string_view message) const {
  const NodeView fields = view(node);
  const std::string_view field = first_word(message);
  if (field.empty() || !fields.has(field)) return node.place;
  // "wheels[2].mass must be ...": the field of that wheel.
  std::string_view rest = message.substr(field.size());
  std::size_t index = 0;
  if (field == "wheels" && rest.starts_with('[')) {
    const auto parsed = std::from_chars(rest.data() + 1, rest.data() + rest.size(), index);
    const auto wheels = fields.nodes(field);
    if (parsed.ec == std::errc() && index < wheels.size() && wheels[index]) {
      rest = {parsed.ptr, static_cast<std::size_t>(rest.data() + rest.size() - parsed.ptr)};
      return place_of(*wheels[index], rest.starts_with("].") ? rest.substr(2) : rest);
    }
  }
  return fields.is_set(field) ? fields.place(field) : node.place;
}

std::string TreeBuilder::types_of(std::string_view base) const {
  std::string out;
  for (const std::string& name : schemas_.types_of(base)) out += (out.empty() ? "" : ", ") + name;
  return out;
}

void TreeBuilder::vehicle(const Node& node, const Frame& frame) {
  const auto fail = [&](const std::string& message) { error(node, "", message); };
  if (!plugins_.find_as<DrivePlugin>(node.type)) {
    return fail(node.type + " is only what vehicles have in common: use one of " +
                types_of("VehicleDrive"));
  }
  // The Solid that holds it must be the body: the Robot, or a part of it on a joint (a trailer).
  const bool in_body =
      frame.robot >= 0 &&
      (model_.robots[static_cast<std::size_t>(frame.robot)].solid == frame.solid ||
       (frame.draft >= 0 &&
        drafts_[static_cast<std::size_t>(frame.draft)].place.to_string() ==
            model_.solids[static_cast<std::size_t>(frame.solid)].place.to_string()));
  if (!in_body) {
    return fail("a " + node.type +
                " drives a Robot, or a Solid with Physics on a joint of it: put it among the "
                "children of one");
  }
  const RobotInfo& robot = model_.robots[static_cast<std::size_t>(frame.robot)];
  const bool moves = frame.draft >= 0 &&
                     drafts_[static_cast<std::size_t>(frame.draft)].spec.motion == Motion::kDynamic;
  if (!moves) {
    return fail("the Robot '" + robot.name + "' needs Physics for its " + node.type +
                ": the mass of the chassis, without the wheels");
  }
  for (const VehicleDraft& other : vehicles_) {
    if (other.frame.draft == frame.draft) {
      return fail("the Robot '" + robot.name + "' has a " + other.node->type + " already, at " +
                  other.node->place.to_string() +
                  ": a Robot has one drive, and so has each Solid on "
                  "a joint of it");
    }
  }
  auto& type = model_.drive_types[node.type];
  if (!type) {
    type = std::make_unique<const DeviceType>(
        drive_type(plugins_.find_as<DrivePlugin>(node.type)->schema));
  }
  add_device(node, frame, *type, nullptr).solid = frame.solid;  // finish_vehicle() makes its model
  const int index = static_cast<int>(first_.vehicles + vehicles_.size());
  vehicles_.push_back({&node, frame, static_cast<int>(robot.devices.size()) - 1});
  int wheel = 0;
  for (const NodePtr& child : view(node).nodes("wheels")) {
    if (child) {
      wheel_shapes(*child, "children", frame, index, wheel);
      wheel_shapes(*child, "steeredChildren", frame, index, wheel);
    }
    ++wheel;
  }
}

void TreeBuilder::wheel_shapes(const Node& wheel, std::string_view field, const Frame& frame,
                               int vehicle, int index) {
  if (view(wheel).nodes(field).empty()) return;
  VisualDraft group;
  group.draft = frame.draft;
  group.X_BG = frame.X_BF;
  group.vehicle = vehicle;
  group.wheel = index;
  group.only_steers = field == "steeredChildren";
  group.owner = &wheel;
  group.scale = frame.scale;
  group.unit = unit_;
  visuals_.push_back(std::move(group));
  Frame inner = frame;
  inner.sink = static_cast<int>(visuals_.size()) - 1;
  // The wheel is placed by its `position`; until then its shapes are seen from its centre.
  const auto only_shapes = [&](const auto& self, const Node& node, std::string_view list) -> bool {
    bool good = true;
    for (const NodePtr& child : view(node).nodes(list)) {
      if (!child) continue;
      if (child->type == "Group" || child->type == "Pose" || child->type == "Transform") {
        good = self(self, *child, "children") && good;
      } else if (child->type != "Shape" && child->type != "CadShape") {
        error(*child, "",
              "a " + child->type +
                  " cannot stand in a VehicleWheel, which has no body of its own: only what is "
                  "seen of it does (Shape, CadShape, Group, Pose, Transform)");
        good = false;
      }
    }
    return good;
  };
  if (!only_shapes(only_shapes, wheel, field)) return;
  for (const NodePtr& child : view(wheel).nodes(field)) {
    if (child) walk(*child, inner);
  }
}

void TreeBuilder::finish_vehicles() {
  for (const VehicleDraft& draft : vehicles_) finish_vehicle(draft);
}

void TreeBuilder::finish_vehicle(const VehicleDraft& draft) {
  const Node& node = *draft.node;
  const NodeView fields = view(node);
  BodyDraft& body = drafts_[static_cast<std::size_t>(draft.frame.draft)];
  // What a field leaves NULL is a node of that type with its defaults.
  const auto part = [&](const char* field, const char* otherwise) {
    const NodePtr given = fields.node(field);
    if (given) return given;
    auto made = std::make_shared<Node>();
    made->type = otherwise;
    made->place = node.place;
    made->expanded_from = node.expanded_from;
    return NodePtr(made);
  };
  const NodePtr tyre_node = part("tyre", "DefaultFriction");
  const NodePtr controller_node = part("controller", "RawControl");
  const auto plugin_of = [&]<class P>(const Node& of, const char* base, const char* what) {
    const P* plugin = plugins_.find_as<P>(of.type);
    if (!plugin) {
      error(of, "",
            of.type + " is only what " + what + " have in common: use one of " + types_of(base));
    }
    return plugin;
  };
  const auto* drive_plugin = plugins_.find_as<DrivePlugin>(node.type);
  const auto* tyre_plugin = plugin_of.operator()<TyrePlugin>(*tyre_node, "Tyre", "tyres");
  const auto* controller_plugin =
      plugin_of.operator()<ControllerPlugin>(*controller_node, "DriveController", "controllers");
  if (!tyre_plugin || !controller_plugin) return;

  VehicleLayout layout;
  layout.chassis_mass = body.spec.mass.mass;
  for (const NodePtr& wheel : fields.nodes("wheels")) {
    if (wheel) layout.wheels.push_back(wheel_from(view(*wheel)));
  }
  const Node* making = &node;
  try {
    auto drive = drive_plugin->make(fields, layout);
    making = tyre_node.get();
    auto tyre = tyre_plugin->make(view(*tyre_node));
    making = controller_node.get();
    auto controller = controller_plugin->make(view(*controller_node), *drive);
    VehicleSpec spec;
    spec.robot = draft.frame.robot;
    spec.name = model_.robots[static_cast<std::size_t>(spec.robot)].name;
    spec.device = draft.device;
    spec.X_BV = draft.frame.X_BF;
    spec.wheel_load =
        fields.string("wheelLoad") == "dynamic" ? WheelLoad::kDynamic : WheelLoad::kStatic;
    const auto supports = fields.numbers("supports");
    for (std::size_t i = 0; i + 2 < supports.size(); i += 3) {
      spec.supports_V.emplace_back(supports[i], supports[i + 1], supports[i + 2]);
    }
    const std::size_t most = static_cast<std::size_t>(kMostStruts) - layout.wheels.size();
    if (spec.supports_V.size() > most) {
      making = &node;
      throw std::invalid_argument("supports must be " + std::to_string(most) + " at most, got " +
                                  std::to_string(spec.supports_V.size()));
    }
    spec.linear_damping = fields.number("linearDamping");
    spec.angular_damping = fields.number("angularDamping");
    spec.tilts = fields.boolean("tilts");
    spec.calm = fields.boolean("calm");
    making = &node;
    const NodeView controller_fields = view(*controller_node);
    const double max_torque =
        controller_fields.has("maxTorque") ? controller_fields.number("maxTorque") : -1;
    const OdometryErrors errors = odometry_errors_from(fields);
    Properties facts = vehicle_facts(*drive, *controller, controller_node->type, max_torque);
    Device& device = model_.robots[static_cast<std::size_t>(spec.robot)]
                         .devices[static_cast<std::size_t>(spec.device)];
    auto host = std::make_unique<VehicleHost>(
        std::move(spec), Vehicle(std::move(drive), std::move(tyre), std::move(controller)));
    model_.vehicles.push_back(host.get());
    device.model = std::make_unique<VehicleDevice>(std::move(host), errors, std::move(facts));
  } catch (const std::invalid_argument& problem) {
    diagnostics_.error(place_of(*making, problem.what()), problem.what(), {},
                       making->expanded_from);
    return;
  }
  for (const Wheel& wheel : layout.wheels) {
    body.spec.mass = combined(body.spec.mass, transformed(wheel_mass(wheel), draft.frame.X_BF));
  }
  // The drive's own damping takes their place.
  body.spec.linear_damping = body.spec.angular_damping = 0;
}

}  // namespace protobeam
