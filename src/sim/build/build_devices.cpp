// Robots, joints and devices.
#include <cmath>

#include "sensor/plugin.h"
#include "sim/build/tree_builder.h"

namespace protobeam {
using physics::JointKind;
using physics::Motion;
using wbt::Node;
using wbt::NodePtr;
using wbt::NodeView;

int TreeBuilder::add_robot(const Node& node, int solid) {
  const NodeView fields = view(node);
  RobotInfo robot;
  robot.name = fields.string("name");
  robot.model = fields.string("model");
  robot.controller = fields.string("controller");
  robot.controller_arguments = fields.strings("controllerArgs");
  robot.custom_data = fields.string("customData");
  robot.synchronization = fields.boolean("synchronization");
  if (robot.controller == "<extern>") {
    warning(node, "controller",
            "<extern> controllers cannot attach yet: the robot '" + robot.name + "' stands still");
  }
  robot.place = node.place;
  if (node.place.valid()) robot.proto_file = node.place.source->path();
  robot.solid = solid;
  model_.robots.push_back(std::move(robot));
  return static_cast<int>(model_.robots.size()) - 1;
}

Device& TreeBuilder::add_device(const Node& node, const Frame& frame, DeviceKind kind) {
  auto& robot = model_.robots[static_cast<std::size_t>(frame.robot)];
  Device device;
  device.kind = kind;
  device.name = view(node).string("name");
  device.type = node.type;
  device.proto = node.proto;
  device.place = node.place;
  device.robot = frame.robot;
  device.body = frame.draft;  // a draft number until the bodies are made
  device.X_BD = frame.X_BF;
  const std::string key = robot.name + "/" + device.name;
  device.key = hash32(key.data(), key.size());
  robot.devices.push_back(std::move(device));
  return robot.devices.back();
}

void TreeBuilder::device(const Node& node, const Frame& frame) {
  const NodeView fields = view(node);
  const bool emitter = node.type == "Emitter", receiver = node.type == "Receiver";
  const SensorPlugin* plugin =
      emitter || receiver ? nullptr : plugins_.find_as<SensorPlugin>(node.type);
  if (!plugin && !emitter && !receiver) return;
  if (frame.robot < 0) {
    warning(node, "name", "a " + node.type + " outside a Robot is a body only: nobody can read it");
    return;
  }
  if (!plugin) {
    Device& made = add_device(node, frame, emitter ? DeviceKind::kEmitter : DeviceKind::kReceiver);
    made.solid = frame.solid;
    Radio radio;
    radio.robot = frame.robot;
    radio.device =
        static_cast<int>(model_.robots[static_cast<std::size_t>(frame.robot)].devices.size()) - 1;
    radio.receiver = receiver;
    radio.type = fields.string("type");
    radio.channel = fields.integer("channel");
    radio.aperture = fields.number("aperture");
    radio.byte_size = fields.integer("byteSize");
    radio.baud_rate = fields.integer("baudRate");
    radio.buffer_size = fields.integer("bufferSize");
    if (emitter) {
      radio.range = fields.number("range");
      radio.max_range = fields.number("maxRange");
    }
    made.properties = {{"channel", double(radio.channel)},
                       {"bufferSize", double(radio.buffer_size)},
                       {"range", radio.range},
                       {"maxRange", radio.max_range},
                       {"type", radio.type}};
    model_.radios.push_back(radio);
    return;
  }
  std::unique_ptr<Sensor> sensor;
  try {
    sensor = plugin->make(fields);
  } catch (const std::exception& problem) {
    diagnostics_.error(node.place, problem.what(), {}, node.expanded_from);
    return;
  }
  Device& made = add_device(node, frame, sensor->kind());
  made.solid = frame.solid;
  made.properties = sensor->properties();
  if (made.kind == DeviceKind::kGps) {
    made.properties["coordinateSystem"] = std::string(model_.geodetic ? "WGS84" : "local");
  }
  made.sensor = std::move(sensor);
  if (fields.has("samplingPeriod")) made.sampling_period = fields.number("samplingPeriod") / 1000;
  if (fields.has("ownRobotVisible")) made.sees_own_robot = fields.boolean("ownRobotVisible");
  if (!fields.has("rotatingHead")) return;
  const NodePtr head = fields.node("rotatingHead");
  if (!head) return;
  // The head is seen turning; its mass and boundingObject are those at angle 0.
  Frame inner = frame;
  VisualDraft group;
  group.draft = frame.draft;
  group.X_BG = frame.X_BF;
  group.head_robot = frame.robot;
  group.head_device =
      static_cast<int>(model_.robots[static_cast<std::size_t>(frame.robot)].devices.size()) - 1;
  visuals_.push_back(std::move(group));
  inner.sink = static_cast<int>(visuals_.size()) - 1;
  walk(*head, inner);
}

void TreeBuilder::joint(const Node& node, const Frame& frame) {
  const NodeView fields = view(node);
  const NodePtr end = fields.node("endPoint");
  if (!end) return;
  JointDraft draft;
  auto& spec = draft.spec;
  draft.place = node.place;
  draft.expanded_from = node.expanded_from;
  draft.robot = frame.robot;
  spec.kind = node.type == "HingeJoint"    ? JointKind::kHinge
              : node.type == "Hinge2Joint" ? JointKind::kHinge2
              : node.type == "SliderJoint" ? JointKind::kSlider
                                           : JointKind::kBall;
  draft.parent_draft = frame.draft >= 0 ? frame.draft : frame.static_draft;
  // Static drafts have the world's frame, so X_BF is right for both.
  const auto axis = [&](const NodePtr& parameters, const Vec3& fallback) {
    physics::JointAxis out;
    Vec3 direction = fallback;
    if (parameters) {
      const NodeView p = view(*parameters);
      if (p.has("axis")) direction = p.vec3("axis");
      out.position = p.number("position");
      out.min_stop = p.number("minStop");
      out.max_stop = p.number("maxStop");
      out.spring_constant = p.number("springConstant");
      out.damping_constant = p.number("dampingConstant");
      out.static_friction = p.number("staticFriction");
      if (!(direction.norm() > 0)) {
        error(*parameters, "axis", "field 'axis' of " + parameters->type + " must not be 0 0 0");
        direction = fallback;
      }
    }
    out.axis_P = (frame.X_BF.R * direction).normalized();
    return out;
  };
  const NodePtr first = fields.node("jointParameters");
  const bool slider = spec.kind == JointKind::kSlider;
  spec.axes[0] = axis(first, slider ? Vec3::UnitZ() : Vec3::UnitX());
  if (fields.has("jointParameters2"))
    spec.axes[1] = axis(fields.node("jointParameters2"), Vec3::UnitZ());
  if (fields.has("jointParameters3"))
    spec.axes[2] = axis(fields.node("jointParameters3"), Vec3::UnitY());
  Vec3 anchor = Vec3::Zero();
  if (first) {
    const NodeView p = view(*first);
    if (p.has("anchor")) anchor = p.vec3("anchor");
    if (p.has("suspensionSpringConstant")) {
      spec.suspension_spring = p.number("suspensionSpringConstant");
      spec.suspension_damping = p.number("suspensionDampingConstant");
      spec.suspension_axis_P = frame.X_BF.R * p.vec3("suspensionAxis");
    }
  }
  spec.anchor_P = frame.X_BF * frame.scale.cwiseProduct(anchor);

  if (end->type == "SolidReference") {
    draft.child_solid = view(*end).string("solidName");
  } else if (!schemas_.is_a(end->type, "Solid")) {
    return;
  } else {
    const bool has_physics = view(*end).node("physics") != nullptr;
    Frame inner = moved(view(*end), frame);
    const Pose X_PC = inner.X_BF;
    Frame made = frame;
    draft.child_draft = new_draft(*end, has_physics ? Motion::kDynamic : Motion::kKinematic,
                                  world_pose(inner), made);
    inner.draft = draft.child_draft;
    inner.X_BF = Pose{};
    inner.sink = -1;
    inner.static_draft = -1;
    // The written pose includes `position`: the pose at position 0 is turned back by it.
    Pose back;
    const auto turned_back = [&](const physics::JointAxis& a) {
      const Pose turn = Pose::rotation(axis_angle(a.axis_P, -a.position));
      return Pose::translation(spec.anchor_P) * turn * Pose::translation(-spec.anchor_P);
    };
    if (slider) {
      back = Pose::translation(-spec.axes[0].position * spec.axes[0].axis_P);
    } else {
      // X(q) = R1 R2 R3 X(0), so the first axis is undone first.
      for (const auto& a : {spec.axes[0], spec.axes[1], spec.axes[2]}) back = turned_back(a) * back;
    }
    spec.X_PC0 = back * X_PC;
    spec.name = view(*end).string("name");
    if (spec.kind == JointKind::kHinge2 && !has_physics) {
      error(*end, "physics", "the endPoint of a Hinge2Joint needs Physics");
    }
    joint_devices(node, "device", 0, frame, draft);
    joint_devices(node, "device2", 1, frame, draft);
    joint_devices(node, "device3", 2, frame, draft);
    joints_.push_back(std::move(draft));
    solid_contents(*end, inner, frame);
    return;
  }
  joint_devices(node, "device", 0, frame, draft);
  joints_.push_back(std::move(draft));
}

void TreeBuilder::joint_devices(const Node& node, std::string_view field, int axis,
                                const Frame& frame, JointDraft& joint) {
  const NodeView fields = view(node);
  if (!fields.has(field)) return;
  const double position = joint.spec.axes[static_cast<std::size_t>(axis)].position;
  const bool linear = joint.spec.kind == JointKind::kSlider;
  double motor_tag = 0, sensor_tag = 0, brake_tag = 0;
  std::vector<int> made;
  for (const NodePtr& item : fields.nodes(field)) {
    if (!item) continue;
    const NodeView d = view(*item);
    const bool motor = item->type == "RotationalMotor" || item->type == "LinearMotor";
    if (motor && (item->type == "LinearMotor") != linear) {
      error(*item, "name",
            std::string(linear ? "a SliderJoint takes a LinearMotor, not a "
                               : "a hinge takes a RotationalMotor, not a ") +
                item->type);
      continue;
    }
    if (frame.robot < 0) {
      warning(*item, "name", "a " + item->type + " outside a Robot cannot be commanded");
      if (!motor) continue;
    }
    physics::MotorSpec spec;
    if (motor) {
      spec.max_velocity = d.number("maxVelocity");
      spec.max_effort = d.number(linear ? "maxForce" : "maxTorque");
      spec.acceleration = d.number("acceleration");
      spec.min_position = d.number("minPosition");
      spec.max_position = d.number("maxPosition");
      const Vec3 pid = d.vec3("controlPID");
      spec.p = pid.x();
      spec.i = pid.y();
      spec.d = pid.z();
      joint.motors.push_back({axis, spec});
      if (frame.robot < 0) continue;
    }
    const DeviceKind kind = item->type == "RotationalMotor" ? DeviceKind::kRotationalMotor
                            : item->type == "LinearMotor"   ? DeviceKind::kLinearMotor
                            : item->type == "Brake"         ? DeviceKind::kBrake
                                                            : DeviceKind::kPositionSensor;
    Device& device = add_device(*item, frame, kind);
    device.axis = axis;
    const int index =
        static_cast<int>(model_.robots[static_cast<std::size_t>(frame.robot)].devices.size()) - 1;
    made.push_back(index);
    joint.devices.push_back({frame.robot, index});
    device.properties["type"] = linear ? 1.0 : 0.0;
    if (motor) {
      device.multiplier = d.number("multiplier");
      motor_tag = index + 1;
      device.properties["maxVelocity"] = spec.max_velocity;
      device.properties["acceleration"] = spec.acceleration;
      device.properties["maxEffort"] = spec.max_effort;
      device.properties["minPosition"] = spec.min_position;
      device.properties["maxPosition"] = spec.max_position;
      device.properties["multiplier"] = device.multiplier;
      device.properties["p"] = spec.p;
      device.properties["i"] = spec.i;
      device.properties["d"] = spec.d;
      device.properties["targetPosition"] = position;
    } else if (kind == DeviceKind::kPositionSensor) {
      device.noise = d.number("noise");
      device.resolution = d.number("resolution");
      sensor_tag = index + 1;
    } else {
      brake_tag = index + 1;
    }
  }
  for (int index : made) {
    auto& properties = model_.robots[static_cast<std::size_t>(frame.robot)]
                           .devices[static_cast<std::size_t>(index)]
                           .properties;
    properties["motor"] = motor_tag;
    properties["positionSensor"] = sensor_tag;
    properties["brake"] = brake_tag;
  }
}

}  // namespace protobeam
