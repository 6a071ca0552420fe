// Joints, and the devices that they have.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "sim/build/tree_builder.h"

namespace protobeam {
using physics::JointKind;
using physics::Motion;
using wbt::Node;
using wbt::NodePtr;
using wbt::NodeView;

namespace {

constexpr double kParallel = 1e-3;  ///< rad, about

}  // namespace

void TreeBuilder::joint(const Node& node, const Frame& frame) {
  const NodeView fields = view(node);
  const NodePtr end = end_point(node, schemas_);
  if (!end) return joint_of_nothing(node, frame);
  JointDraft draft;
  auto& spec = draft.spec;
  draft.node = &node;
  draft.robot = frame.robot;
  draft.node = &node;
  draft.unit = unit_;
  draft.solid = frame.solid;
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
      // In the wrong order they are exchanged, with a warning.
      std::tie(out.min_stop, out.max_stop) =
          std::minmax({p.number("minStop"), p.number("maxStop")});
      out.spring_constant = p.number("springConstant");
      out.spring_reference = p.number("springReference");
      out.damping_constant = p.number("dampingConstant");
      out.static_friction = p.number("staticFriction");
      if (p.number("maxVelocity") > 0) out.max_velocity = p.number("maxVelocity");
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
  if (spec.kind == JointKind::kHinge2 &&
      spec.axes[0].axis_P.cross(spec.axes[1].axis_P).norm() < kParallel) {
    const NodePtr second = fields.node("jointParameters2");
    return error(second ? *second : node, second ? "axis" : "",
                 "the two axes of this Hinge2Joint are parallel: it would turn about one only");
  }
  if (spec.kind == JointKind::kBall) {
    spec.axes[2] = axis(fields.node("jointParameters3"), Vec3::UnitZ());
    ball_axes(node, frame, spec);
  }
  Vec3 anchor = Vec3::Zero();
  if (first) {
    const NodeView p = view(*first);
    if (p.has("anchor")) anchor = p.vec3("anchor");
    if (p.has("suspensionSpringConstant")) {
      spec.suspension_spring = p.number("suspensionSpringConstant");
      spec.suspension_damping = p.number("suspensionDampingConstant");
      spec.suspension_axis_P = frame.X_BF.R * p.vec3("suspensionAxis");
      thread(*first, spec);
    }
  }
  draft.anchor = anchor;
  // As in Webots (WbSimulationCluster::odeNearCallback).
  spec.passes_unyielding = !frame.held;
  draft.held = frame.held;
  spec.anchor_P = frame.X_BF * frame.scale.cwiseProduct(anchor);

  if (end->type == "SolidReference") {
    draft.child_solid = view(*end).string("solidName");
    draft.place = view(*end).place("solidName");
    draft.expanded_from = end->expanded_from;
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
    inner.held = nullptr;
    inner.emitter = -1;
    // The written pose includes `position`: the pose at position 0 is turned back by it.
    Pose back;
    const auto turned_back = [&](const physics::JointAxis& a) {
      const Pose turn = Pose::rotation(axis_angle(a.axis_P, -a.position));
      const Pose out = Pose::translation(spec.anchor_P) * turn * Pose::translation(-spec.anchor_P);
      if (spec.pitch == 0) return out;
      return Pose::translation(-spec.pitch * a.position * a.axis_P) * out;
    };
    if (slider) {
      back = Pose::translation(-spec.axes[0].position * spec.axes[0].axis_P);
    } else {
      // X(q) = R1 R2 R3 X(0), so the first axis is undone first.
      for (const auto& a : {spec.axes[0], spec.axes[1], spec.axes[2]}) back = turned_back(a) * back;
    }
    spec.X_PC0 = back * X_PC;
    spec.name = view(*end).string("name");
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

/// A hinge that moves along its axis as it turns.
void TreeBuilder::thread(const Node& parameters, physics::JointSpec& spec) {
  const double revolution = view(parameters).number("threadPitch");
  if (revolution == 0) return;
  if (spec.kind != JointKind::kHinge)
    return warning(parameters, "threadPitch", "threadPitch has an effect in a HingeJoint only");
  spec.pitch = revolution / (2 * kPi);
  if (spec.suspension_spring == 0 && spec.suspension_damping == 0) return;
  warning(parameters, "threadPitch", "a screw has no suspension: those fields have no effect");
  spec.suspension_spring = spec.suspension_damping = 0;
}

NodePtr end_point(const Node& joint, const SchemaRegistry& schemas) {
  NodePtr end = NodeView{joint, schemas}.node("endPoint");
  while (end && end->type == "Slot") end = NodeView{*end, schemas}.node("endPoint");
  return end;
}

/// As in Webots its motors run all the same, and a program finds its devices.
void TreeBuilder::joint_of_nothing(const Node& node, const Frame& frame) {
  const NodeView fields = view(node);
  for (const std::string number : {"", "2", "3"}) {
    const std::string field = "device" + number;
    if (!fields.has(field) || fields.nodes(field).empty()) continue;
    const NodePtr parameters = fields.node("jointParameters" + number);
    free_axis(node, field, frame, node.type == "SliderJoint",
              parameters ? view(*parameters).number("position") : 0);
  }
}

/// The first axis of a ball is that of jointParameters2, the third one that of jointParameters3,
/// and the second one is across both; jointParameters has none (Webots reference, BallJoint, and
/// its behaviour where one of them is missing or they are parallel).
void TreeBuilder::ball_axes(const Node& node, const Frame& frame, physics::JointSpec& spec) {
  const NodeView fields = view(node);
  const NodePtr second = fields.node("jointParameters2"), third = fields.node("jointParameters3");
  const auto direction = [&](const NodePtr& parameters) {
    const Vec3 written = view(*parameters).vec3("axis");
    return Vec3(written.norm() > 0 ? Vec3(written.normalized()) : Vec3(Vec3::UnitZ()));
  };
  const auto across = [](const Vec3& one, const Vec3& first_choice, const Vec3& other_choice) {
    const Vec3 out = one.cross(first_choice);
    return Vec3(out.norm() > 1e-9 ? out.normalized() : one.cross(other_choice).normalized());
  };
  Vec3 x = Vec3::UnitX(), z = Vec3::UnitZ();
  if (second) x = direction(second);
  if (third) z = direction(third);
  if (third && !second) x = across(z, Vec3::UnitZ(), Vec3::UnitX());
  if (second && !third) z = across(x, Vec3::UnitX(), Vec3::UnitZ());
  Vec3 y = z.cross(x);
  if (!(y.norm() > 1e-3)) {
    warning(*third, "axis",
            "the axes of jointParameters2 and jointParameters3 are parallel: x and z are taken "
            "instead");
    x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  }
  spec.axes[0].axis_P = frame.X_BF.R * x;
  spec.axes[1].axis_P = frame.X_BF.R * y.normalized();
  spec.axes[2].axis_P = frame.X_BF.R * z;
  // What nothing is said about gives way like the first axis.
  for (const auto& [parameters, axis] : {std::pair(second, 1), std::pair(third, 2)}) {
    if (parameters) continue;
    auto& other = spec.axes[static_cast<std::size_t>(axis)];
    other.spring_constant = spec.axes[0].spring_constant;
    other.damping_constant = spec.axes[0].damping_constant;
    other.static_friction = spec.axes[0].static_friction;
    other.max_velocity = spec.axes[0].max_velocity;
  }
}

void TreeBuilder::joint_devices(const Node& node, std::string_view field, int axis,
                                const Frame& frame, JointDraft& joint) {
  const NodeView fields = view(node);
  if (!fields.has(field)) return;
  for (const NodePtr& item : fields.nodes(field)) {
    if (!item) continue;
    const auto* plugin = plugins_.find_as<DevicePlugin>(item->type);
    if (!plugin) {
      error(*item, "",
            item->type + " is only what devices of joints have in common: use one of " +
                types_of(item->type));
      continue;
    }
    if (frame.robot < 0) {
      warning(*item, "name", "a " + item->type + " outside a Robot cannot be commanded");
    }
    auto model = make_model(*plugin, *item);
    if (!model) continue;
    add_device(*item, frame, plugin->type, std::move(model)).axis = axis;
    device_drafts_.back().linear = joint.spec.kind == JointKind::kSlider;
    joint.devices.push_back(device_drafts_.size() - 1);
  }
}

}  // namespace protobeam
