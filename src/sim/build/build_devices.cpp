// Robots and devices.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/build/old_axes.h"
#include "sim/build/tree_builder.h"
#include "sim/device_ports.h"

namespace protobeam {
using physics::JointKind;
using wbt::Node;
using wbt::NodePtr;
using wbt::NodeView;

namespace {

/// The shortest one that turns the z axis to `axis`.
Quat rotation_from_z(const Vec3& axis) {
  const Vec3 to = axis.normalized();
  if (to.z() < -1 + 1e-12) return {0, 1, 0, 0};
  const double twice_cosine = std::sqrt(2 * (1 + to.z()));  // of half the angle
  const Vec3 v = Vec3::UnitZ().cross(to) * (1 / twice_cosine);
  return {twice_cosine * 0.5, v.x(), v.y(), v.z()};
}

/// The axes of what is seen of a TrackWheel, in those of its Track.
Quat wheel_axes(const Node& wheel) {
  const bool lies = wheel.old_axes == wbt::OldAxes::kNone;
  return lies ? axis_angle(Vec3::UnitX(), kPi / 2) : Quat::Identity();
}

Vec3 wheel_axis(const Node& wheel) { return wheel_axes(wheel).conjugate() * Vec3::UnitY(); }

}  // namespace

int TreeBuilder::add_robot(const Node& node, int solid) {
  const NodeView fields = view(node);
  RobotInfo robot;
  robot.name = fields.string("name");
  const auto taken = [&](const RobotInfo& other) {
    return !other.removed && other.name == robot.name;
  };
  for (int copy = 1; std::ranges::any_of(model_.robots, taken); ++copy) {
    robot.name = fmt::format("{}({})", fields.string("name"), copy);  // check_structure() has said it
  }
  robot.model = fields.string("model");
  robot.controller = fields.string("controller");
  robot.controller_arguments = fields.strings("controllerArgs");
  robot.custom_data = fields.string("customData");
  robot.window = fields.string("window");
  robot.synchronization = fields.boolean("synchronization");
  robot.battery.cpu = fields.number("cpuConsumption");
  if (const auto battery = fields.numbers("battery"); !battery.empty()) {
    if (battery.size() > 3) {
      warning(node, "battery",
              "field 'battery' of Robot holds charge, capacity and charging power: the rest of its " +
                  std::to_string(battery.size()) + " numbers is ignored");
    }
    robot.battery = battery_of(battery, robot.battery.cpu);
  }
  robot.place = node.place;
  if (node.place.valid()) robot.proto_file = node.place.source->path();
  robot.solid = solid;
  robot.supervisor = fields.boolean("supervisor");
  robot.self_collision = fields.boolean("selfCollision");
  robot.node = &node;
  robot.unit = unit_;
  const int index = robot.index = next_robot(node);
  while (static_cast<int>(model_.robots.size()) <= index) {
    RobotInfo& free = model_.robots.emplace_back();
    free.index = static_cast<int>(model_.robots.size()) - 1;
    free.removed = true;
  }
  model_.robots[static_cast<std::size_t>(index)] = std::move(robot);
  return index;
}

int TreeBuilder::next_robot(const Node& node) const {
  const auto& robots = model_.robots;
  if (const auto wish = robot_numbers_.find(&node); wish != robot_numbers_.end()) {
    const auto index = static_cast<std::size_t>(wish->second);
    if (index >= robots.size() || robots[index].removed) return wish->second;
  }
  const auto free = std::ranges::find_if(robots, [](const RobotInfo& one) { return one.removed; });
  return static_cast<int>(free - robots.begin());
}

Device& TreeBuilder::add_device(const Node& node, const Frame& frame, const DeviceType& type,
                                std::unique_ptr<DeviceModel> model) {
  Device device;
  device.name = view(node).has("name") ? view(node).string("name") : node.type;
  device.type = node.type;
  device.proto = node.proto;
  device.place = node.place;
  device.node = &node;
  device.unit = unit_;
  device.robot = frame.robot;
  device.body = frame.draft;  // a draft number until the bodies are made
  device.X_BD = frame.X_BF * device_axes(node);
  device.model = std::move(model);
  if (frame.robot < 0) {
    device_drafts_.push_back({&node, &type, -1, static_cast<int>(model_.loose_devices.size())});
    return model_.loose_devices.emplace_back(std::move(device));
  }
  auto& robot = model_.robots[static_cast<std::size_t>(frame.robot)];
  const std::string key = robot.name + "/" + device.name;
  device.key = hash32(key.data(), key.size());
  device_drafts_.push_back({&node, &type, frame.robot, static_cast<int>(robot.devices.size())});
  return robot.devices.emplace_back(std::move(device));
}

Device& TreeBuilder::device_of(const DeviceDraft& draft) {
  const auto index = static_cast<std::size_t>(draft.index);
  return draft.robot < 0 ? model_.loose_devices[index]
                         : model_.robots[static_cast<std::size_t>(draft.robot)].devices[index];
}

std::unique_ptr<DeviceModel> TreeBuilder::make_model(const DevicePlugin& plugin, const Node& node) {
  try {
    return plugin.make(view(node));
  } catch (const std::exception& problem) {
    diagnostics_.error(place_of(node, problem.what()), problem.what(), {}, node.expanded_from);
    return nullptr;
  }
}

const DeviceModel* TreeBuilder::device(const Node& node, const Frame& frame) {
  const auto* plugin = plugins_.find_as<DevicePlugin>(node.type);
  if (!plugin) return nullptr;
  const DeviceType& type = plugin->type;
  if (frame.robot < 0 && !type.anywhere) {
    warning(node, "name", "a " + node.type + " outside a Robot is a body only: nobody can read it");
    return nullptr;
  }
  auto made_model = make_model(*plugin, node);
  if (!made_model) return nullptr;
  const DeviceModel& model = *made_model;
  Frame owner = frame;
  if (type.hidden) owner.robot = -1;
  Device& made = add_device(node, owner, type, std::move(made_model));
  made.solid = schemas_.is_a(node.type, "Solid") ? frame.solid : -1;
  const std::size_t draft = device_drafts_.size() - 1;
  if (type.moves_robot) check_guide(node, frame);
  const NodeView fields = view(node);
  if (fields.has("samplingPeriod")) made.sampling_period = fields.number("samplingPeriod") / 1000;
  if (fields.has("ownRobotVisible")) made.sees_own_robot = fields.boolean("ownRobotVisible");
  if (type.own_axis != OwnAxis::kNone) own_axis(node, frame, type.own_axis, draft);
  rotating_head(node, frame, model);
  turning_fields(node, frame, type, model);
  if (fields.has("animatedGeometry")) belt(node, frame, model);
  return &model;
}

/// A force on what carries the device is measured where the two are different parts of one body.
void TreeBuilder::check_mount(const Node& node, const Device& device) {
  if (view(node).node("physics")) return;
  warning(node, "type",
          fmt::format("'{}' has no Physics: it measures no force on what it is mounted on",
                      device.name));
}

void TreeBuilder::check_carrier(const Node& node, const Device& device) {
  if (device.body != physics::kWorldBody) return;
  warning(
      node, {},
      fmt::format("'{}' stands in what never moves: it measures no force on that", device.name));
}

void TreeBuilder::own_axis(const Node& node, const Frame& frame, OwnAxis kind, std::size_t owner) {
  const auto axis = free_axis(node, "device", frame, kind == OwnAxis::kLinear, 0);
  // As Webots' propellers: WbPropeller::prePhysicsStep does not ask for WbMotor::userControl.
  if (kind == OwnAxis::kRotational) axis->ignore_efforts();
  device_of(device_drafts_[owner]).free_axis = axis;
}

std::shared_ptr<FreeAxis> TreeBuilder::free_axis(const Node& node, std::string_view field,
                                                 const Frame& frame, bool linear, double position) {
  JointDraft none;
  none.spec.kind = linear ? JointKind::kSlider : JointKind::kHinge;
  none.spec.axes[0].position = position;
  joint_devices(node, field, 0, frame, none);
  return put_on_free_axis(none);
}

std::shared_ptr<FreeAxis> TreeBuilder::put_on_free_axis(const JointDraft& joint) {
  const int number = static_cast<int>(model_.free_axes.size());
  const auto axis = std::make_shared<FreeAxis>(joint.spec.kind == JointKind::kSlider,
                                               joint.spec.axes[0].position);
  model_.free_axes.push_back(axis);
  for (const std::size_t draft : joint.devices) {
    Device& device = device_of(device_drafts_[draft]);
    device.free_axis = axis;
    device.free_axis_number = number;
  }
  return axis;
}

void TreeBuilder::solid_children(const Node& node, const Frame& frame) {
  const auto* plugin = frame.robot < 0 ? nullptr : plugins_.find_as<DevicePlugin>(node.type);
  if (!plugin || !plugin->type.emits || device_drafts_.empty() ||
      device_drafts_.back().node != &node) {
    return children(node, frame);
  }
  LightEmitter emitter;
  emitter.robot = frame.robot;
  emitter.device = device_drafts_.back().index;
  emitter.unit = unit_;
  Frame first = frame, others = frame;
  const auto free = std::find_if(model_.emitters.begin(), model_.emitters.end(),
                                 [](const LightEmitter& one) { return one.robot < 0; });
  first.emitter = static_cast<int>(free - model_.emitters.begin());
  others.emitter = -1;
  if (free == model_.emitters.end()) {
    model_.emitters.push_back(std::move(emitter));
  } else {
    *free = std::move(emitter);
  }
  const auto all = view(node).nodes("children");
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i]) walk(*all[i], i == 0 ? first : others);
  }
}

const Node* TreeBuilder::find_guide(const Node& robot) {
  for (const NodePtr& child : view(robot).nodes("children")) {
    if (!child) continue;
    const auto* plugin = plugins_.find_as<DevicePlugin>(child->type);
    if (plugin && plugin->type.moves_robot) return child.get();
    if (!view(*child).has("children")) continue;
    if (const Node* found = find_guide(*child)) return found;
  }
  return nullptr;
}

void TreeBuilder::check_guide(const Node& node, const Frame& frame) {
  const auto& robot = model_.robots[static_cast<std::size_t>(frame.robot)];
  const std::string says = "a " + node.type + " says where its robot is";
  for (const DeviceDraft& draft : device_drafts_) {
    if (draft.robot != frame.robot || draft.node == &node || !draft.type->moves_robot) continue;
    return error(node, "", says + ", and '" + robot.name + "' has one already; remove one of them");
  }
  // The robot's own body carries it, and nothing else does.
  const int body = model_.solids[static_cast<std::size_t>(robot.solid)].body;
  if (frame.draft < 0 || frame.draft != body || !guided_drafts_.contains(body)) {
    error(node, "",
          says + ": it stands in a Robot that is on nothing else, in its children and not behind "
                 "a joint");
  }
}

Frame TreeBuilder::turning_frame(const Frame& frame, const Vec3& axis, const DeviceModel& head,
                                 double rate, int turning, const Node* owner) {
  VisualDraft group;
  group.draft = frame.draft;
  group.X_BG = frame.X_BF;
  group.X_BG.R = frame.X_BF.R * rotation_from_z(axis);
  group.head = &head;
  group.head_rate = rate;
  group.turning = turning;
  group.owner = owner;
  group.scale = frame.scale;
  group.unit = unit_;
  visuals_.push_back(std::move(group));
  Frame inner = frame;
  inner.sink = static_cast<int>(visuals_.size()) - 1;
  return inner;
}

/// The head is seen rotating; its mass and boundingObject are those at angle 0.
void TreeBuilder::rotating_head(const Node& node, const Frame& frame, const DeviceModel& head) {
  const NodeView fields = view(node);
  const NodePtr part = fields.has("rotatingHead") ? fields.node("rotatingHead") : nullptr;
  if (!part) return;
  Frame placed = frame;
  placed.X_BF = frame.X_BF * device_axes(node);
  Frame inner = turning_frame(placed, Vec3::UnitZ(), head, 1, -1, part.get());
  inner.X_BF = frame.X_BF;
  walk(*part, inner);
}

void TreeBuilder::turning_fields(const Node& node, const Frame& frame, const DeviceType& type,
                                 const DeviceModel& head) {
  const NodeView fields = view(node);
  for (std::size_t i = 0; i < type.turning.size(); ++i) {
    const NodePtr part = fields.node(type.turning[i].field);
    if (!part) continue;
    Frame placed = frame;
    const Vec3 centre = frame.scale.cwiseProduct(fields.vec3(type.turning[i].centre));
    placed.X_BF = frame.X_BF * Pose::translation(centre);
    Frame inner = turning_frame(placed, fields.vec3(type.turning[i].axis).normalized(), head, 1,
                                static_cast<int>(i), part.get());
    inner.X_BF = frame.X_BF;
    // Webots moves these Solids by hand, whatever their Physics
    // (WbSolidUtilities::isPermanentlyKinematic).
    inner.weightless = true;
    walk(*part, inner);
  }
}

/// What is seen of a wheel in a belt turns about the belt's y axis as the belt runs. Its own z axis lies
/// along that, so that a Cylinder is a wheel (Webots' TrackWheel has this hidden rotation since R2022a).
/// Of a scaled Track it is seen scaled, and turns as if it were not (Webots, src/webots/nodes/WbTrack.cpp).
void TreeBuilder::track_wheel(const Node& node, const Frame& frame) {
  if (!frame.axis) {
    return error(node, "", "a TrackWheel stands in the children of a Track");
  }
  const NodeView fields = view(node);
  const Vec2 at = fields.vec2("position");
  const double radius = fields.number("radius");
  Frame placed = frame;
  const Quat turned = wheel_axes(node);
  const Vec3 centre = frame.scale.cwiseProduct(Vec3(at.x(), 0, at.y()));
  placed.X_BF = frame.X_BF * Pose{turned, centre};
  const double rate = radius > 0 ? (fields.boolean("inner") ? 1 : -1) / radius : 0;
  children(node, turning_frame(placed, wheel_axis(node), *frame.axis, rate, -1, &node));
}

Quat TreeBuilder::seen_in_group(const Node& wheel) {
  return rotation_from_z(wheel_axis(wheel)).conjugate();
}

void TreeBuilder::belt(const Node& node, const Frame& frame, const DeviceModel& head) {
  const NodeView fields = view(node);
  const NodePtr part = fields.node("animatedGeometry");
  const int count = fields.integer("geometriesCount");
  if (!part || count < 1) return;
  // An old Track's scale has become a Transform around its children.
  auto all = fields.nodes("children");
  Frame scaled = frame;
  if (all.size() == 1 && all[0] && all[0]->type == "Transform") {
    const NodeView transform = view(*all[0]);
    scaled = moved(transform, frame);
    all = transform.nodes("children");
  }
  std::vector<BeltWheel> wheels;
  for (const NodePtr& child : all) {
    if (!child || child->type != "TrackWheel") continue;
    const NodeView wheel = view(*child);
    wheels.push_back({wheel.vec2("position"), wheel.number("radius"), wheel.boolean("inner")});
  }
  std::shared_ptr<const BeltPath> path;
  try {
    path = std::make_shared<BeltPath>(wheels);
  } catch (const std::invalid_argument& problem) {
    return warning(node, "animatedGeometry",
                   fmt::format("nothing is seen of the belt: {}", problem.what()));
  }
  for (int i = 0; i < count; ++i) {
    const Frame inner = turning_frame(scaled, Vec3::UnitZ(), head, 1, -1, part.get());
    visuals_.back().belt = path;
    visuals_.back().belt_offset = path->length() * i / count;
    walk(*part, inner);
  }
}

void TreeBuilder::finish_devices() {
  for (const DeviceDraft& draft : device_drafts_) finish_device(draft);
}

/// The first of the devices that are coupled to this one by name; null for that one itself.
const DeviceModel* TreeBuilder::leader_of(const Device& device, const DeviceType& type) const {
  const auto colons = device.name.find("::");
  if (!type.coupled_by_name || device.robot < 0 || colons == std::string::npos) return nullptr;
  const std::string_view group = std::string_view(device.name).substr(0, colons + 2);
  for (const Device& other : model_.robots[static_cast<std::size_t>(device.robot)].devices) {
    if (&other == &device) break;
    if (other.model && other.model->type().coupled_by_name && other.name.starts_with(group))
      return other.model.get();
  }
  return nullptr;
}

/// The tags of the motors that a field of a device names. Belts of Tracks count as wheels.
std::vector<int> TreeBuilder::motors_named(const Node& node, const char* field,
                                           const RobotInfo& robot, bool may_slide) {
  const auto turns = [&](const Device& device) {
    const auto* plugin = plugins_.find_as<DevicePlugin>(device.type);
    return plugin &&
           (schemas_.is_a(device.type, "RotationalDevice") ||
            ((may_slide || device.free_axis) && schemas_.is_a(device.type, "LinearDevice"))) &&
           find_command(plugin->type.commands, "velocity") >= 0;
  };
  std::vector<std::string> known;
  for (const Device& device : robot.devices) {
    if (turns(device)) known.push_back(device.name);
  }
  std::vector<int> tags;
  for (const std::string& name : view(node).strings(field)) {
    const auto found = std::ranges::find_if(
        robot.devices, [&](const Device& device) { return device.name == name && turns(device); });
    if (found == robot.devices.end()) {
      const std::string problem =
          fmt::format("field '{}' of {}: robot '{}' has no motor '{}'{}", field, node.type,
                      robot.name, name, may_slide ? "" : " that turns a wheel");
      diagnostics_.error(place_of(node, problem), problem, did_you_mean(name, known),
                         node.expanded_from);
    }
    tags.push_back(static_cast<int>(found - robot.devices.begin()) + 1);
  }
  return tags;
}

void TreeBuilder::finish_device(const DeviceDraft& draft) {
  Device& device = device_of(draft);
  if (!device.model) return;  // reported before
  const SolidInfo* solid =
      device.solid < 0 ? nullptr : &model_.solids[static_cast<std::size_t>(device.solid)];
  const physics::BodyId surface = !solid                               ? physics::kWorldBody
                                  : solid->body == physics::kWorldBody ? solid->static_body
                                                                       : solid->body;
  device.body_port = std::make_unique<WorldBodyPort>(*model_.physics, device.body, device.X_BD,
                                                     draft.dynamic, device.solid, surface);
  if (draft.type->own_axis == OwnAxis::kLinear && device.free_axis && solid) {
    // In the static world it would be a body of its own in Webots.
    device.free_axis->set_mass(
        device.body == physics::kWorldBody ? solid->mass : model_.physics->mass(device.body));
  }
  if (device.robot >= 0) {
    device.robot_port = std::make_unique<WorldRobotPort>(
        model_.robots[static_cast<std::size_t>(device.robot)].devices,
        draft.type->inputs.has(Input::kOtherSamples));
  }
  if (device.joint >= 0) {
    device.joint_port =
        std::make_unique<WorldJointPort>(*model_.physics, device.joint, device.axis, draft.linear);
  }
  DeviceContext context;
  context.body = device.body_port.get();
  context.joint = device.free_axis ? device.free_axis.get() : device.joint_port.get();
  context.robot = device.robot_port.get();
  context.geodetic = model_.geodetic;
  context.north_W = model_.north;
  context.north_up_east = model_.north_up_east;
  context.basic_time_step = model_.basic_time_step;
  context.leader = leader_of(device, *draft.type);
  for (const char* field : draft.type->motors) {
    if (device.robot < 0) break;
    context.motors.push_back(motors_named(*draft.node, field,
                                          model_.robots[static_cast<std::size_t>(device.robot)],
                                          draft.type->motors_may_slide));
  }
  try {
    device.model->prepare(*draft.type, view(*draft.node), context);
  } catch (const std::exception& problem) {
    diagnostics_.error(place_of(*draft.node, problem.what()), problem.what(), {},
                       draft.node->expanded_from);
    return;
  }
  device.inputs = device.model->inputs(draft.type->inputs);
  if (device.inputs.has(Input::kMountForce)) check_mount(*draft.node, device);
  if (device.inputs.has(Input::kCarrierWrench)) check_carrier(*draft.node, device);
  const std::size_t size = device.model->layout().size;
  device.own_data = ZeroedBytes(size + 64);
  void* at = device.own_data.data();
  std::size_t space = device.own_data.size();
  std::align(64, size, at, space);
  device.data = {static_cast<std::byte*>(at), size};
  Sample blank(device.data, device.model->layout());
  device.model->blank(blank);
}

}  // namespace protobeam
