#include "sim/robot_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/turn.h"
#include "sim/sample_inputs.h"
#include "vehicle/vehicle.h"
#include "wbt/node.h"

namespace protobeam {
namespace {

bool coincide(const Pose& X, const Pose& Y) {
  return (X.p - Y.p).isZero(1e-12) &&
         (X.R.toRotationMatrix() - Y.R.toRotationMatrix()).isZero(1e-9);
}

/// What a joint does to the link on it.
Pose motion(const RobotJoint& joint, double position) {
  if (joint.kind == RobotJoint::Kind::kSlider) return {Quat::Identity(), position * joint.axis_C};
  return Pose::rotation(turn_about(joint.axis_C, position));
}

}  // namespace

class RobotLinks::Builder {
 public:
  Builder(RobotLinks& out, int robot, const LinkNames& names)
      : out_(out),
        simulation_(out.simulation_),
        model_(simulation_.model()),
        robot_(model_.robots[static_cast<std::size_t>(robot)]),
        names_(names) {
    for (const std::string& name : names.taken) link_names_.insert(names.prefix + name);
    for (const NamedFrame& frame : names.frames) link_names_.insert(names.prefix + frame.name);
  }

  void build() {
    if (robot_.solid < 0) return;
    RobotLink base;
    base.name = fresh(link_names_, names_.base);
    base.solid = robot_.solid;
    base.X_SL = names_.X_SB;
    add_solid(std::move(base));
  }

 private:
  const SolidInfo& solid(int number) const {
    return model_.solids[static_cast<std::size_t>(number)];
  }
  wbt::NodeView view(const wbt::Node& node) const { return {node, simulation_.schemas()}; }
  std::string spelled(const std::string& name) const {
    return names_.spell ? names_.spell(name) : name;
  }

  /// With the prefix, and a number when it is there already.
  std::string fresh(std::set<std::string>& taken, const std::string& name) const {
    std::string unique = names_.prefix + name;
    for (int i = 2; !taken.insert(unique).second; ++i)
      unique = fmt::format("{}{}_{}", names_.prefix, name, i);
    return unique;
  }

  int add_link(RobotLink link) {
    if (link.solid >= 0) link.node = solid(link.solid).node;
    out_.links_.push_back(std::move(link));
    return static_cast<int>(out_.links_.size()) - 1;
  }

  /// The link hangs on `parent` by the joint.
  int add(RobotJoint joint, int parent, RobotLink link) {
    joint.name = fresh(joint_names_, joint.name);
    joint.parent = parent;
    link.joint = static_cast<int>(out_.joints_.size());
    const int number = joint.child = static_cast<int>(out_.links_.size());
    out_.joints_.push_back(std::move(joint));
    add_link(std::move(link));
    return number;
  }

  static RobotJoint fixed(const std::string& name, const Pose& X_PC) {
    RobotJoint joint;
    joint.name = name + " joint";
    joint.X_PC = X_PC;
    return joint;
  }

  /// The link of a Solid is there; what hangs on it is not.
  void add_solid(RobotLink link, const RobotJoint* joint = nullptr, int parent = -1) {
    const int number = link.solid;
    const Pose X_SL = link.X_SL;
    const std::string name = link.name;
    const int above = joint ? add(*joint, parent, std::move(link)) : add_link(std::move(link));
    for (const NamedFrame& frame : names_.frames) {
      const std::string named = names_.prefix + frame.name;
      if (frame.solid != number || named == name || !framed_.insert(named).second) continue;
      RobotLink leaf;
      leaf.name = named;
      leaf.solid = number;
      leaf.X_SL = frame.X_SF;
      leaf.only_frame = true;
      add(fixed(frame.name, X_SL.inverse() * frame.X_SF), above, std::move(leaf));
    }
    for (const VehicleHost* vehicle : model_.vehicles) {
      if (vehicle->robot() == robot_.index && drive(*vehicle).solid == number)
        add_wheels(*vehicle, above, number, X_SL);
    }
    for (std::size_t i = 0; i < model_.solids.size(); ++i) {
      const SolidInfo& child = model_.solids[i];
      if (child.parent != number || child.robot != solid(number).robot || child.removed) continue;
      add_child(above, number, X_SL, static_cast<int>(i));
    }
  }

  const Device& drive(const VehicleHost& vehicle) const {
    return robot_.devices[static_cast<std::size_t>(vehicle.device())];
  }

  /// A frame that has its name already is the Solid's link where it has its place. Otherwise what
  /// has the shapes of `camera` is `camera_link`.
  std::string name_of(int number, const Pose& X_SL) {
    const std::string name = spelled(solid(number).name);
    bool named = false;
    for (const NamedFrame& frame : names_.frames) {
      if (frame.solid == number && coincide(frame.X_SF, X_SL) &&
          framed_.insert(names_.prefix + frame.name).second)
        return names_.prefix + frame.name;
      named = named || frame.name == name;
    }
    return fresh(link_names_, named ? name + "_link" : name);
  }

  /// The joint whose endPoint the Solid is; -1: it is fixed to what it stands in.
  physics::JointId joint_to(const SolidInfo& child) const {
    for (std::size_t i = 0; i < model_.joints.size(); ++i) {
      const JointInfo& joint = model_.joints[i];
      if (!joint.node || !model_.physics->joint_exists(static_cast<physics::JointId>(i))) continue;
      const wbt::NodeView fields = view(*joint.node);
      if (fields.has("endPoint") && fields.node("endPoint").get() == child.node)
        return static_cast<physics::JointId>(i);
    }
    return -1;
  }

  /// Solid `number`, which stands in Solid `from`, whose link is `parent`.
  void add_child(int parent, int from, const Pose& X_SL, int number) {
    const SolidInfo& child = solid(number);
    const Pose X_LP = X_SL.inverse();  // of the enclosing Solid in its link
    const Pose X_PC = pose_of(model_, solid(from)).inverse() * pose_of(model_, child);
    RobotLink link;
    link.solid = number;
    const physics::JointId joint = joint_to(child);
    if (joint < 0 || model_.joints[static_cast<std::size_t>(joint)].axes_P.empty()) {
      link.name = name_of(number, {});
      const RobotJoint none = fixed(child.name, X_LP * X_PC);
      return add_solid(std::move(link), &none, parent);
    }
    const JointInfo& info = model_.joints[static_cast<std::size_t>(joint)];
    const bool slides = info.kind == physics::JointKind::kSlider;
    const Pose X_BP = solid(from).X_BS;
    std::vector<Vec3> axes;  // in the enclosing Solid
    for (const Vec3& axis : info.axes_P) axes.push_back(X_BP.R.conjugate() * axis);
    const auto position = [&](std::size_t axis) {
      return model_.physics->joint_position(joint, static_cast<int>(axis));
    };
    // Back to 0, where the axes are known.
    Pose X_PC0 = X_PC;
    Vec3 anchor = X_BP.inverse() * info.anchor_P;
    if (slides) {
      X_PC0.p -= position(0) * axes[0];
      anchor = X_PC0.p;
    } else {
      Quat turned = Quat::Identity();
      for (std::size_t i = 0; i < axes.size(); ++i)
        turned = turned * turn_about(axes[i], position(i));
      X_PC0 = Pose{turned.conjugate() * X_PC.R, anchor + turned.conjugate() * (X_PC.p - anchor)};
    }
    // The link's frame is on the axis, turned as the Solid.
    const Pose X_PL{X_PC0.R, anchor};
    link.X_SL = X_PC0.inverse() * X_PL;
    link.name = name_of(number, link.X_SL);
    Pose X = X_LP * X_PL;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      RobotJoint moving = moving_joint(joint, info, static_cast<int>(i), child.name);
      moving.kind = slides ? RobotJoint::Kind::kSlider : RobotJoint::Kind::kHinge;
      moving.X_PC = X;
      moving.axis_C = X_PL.R.conjugate() * axes[i];
      if (i + 1 == axes.size()) return add_solid(std::move(link), &moving, parent);
      RobotLink between;
      between.name = fresh(link_names_, spelled(fmt::format("{} axis {}", child.name, i + 1)));
      parent = add(std::move(moving), parent, std::move(between));
      X = {};
    }
  }

  /// Name and limits of an axis.
  RobotJoint moving_joint(physics::JointId joint, const JointInfo& info, int axis,
                          const std::string& child) const {
    RobotJoint out;
    out.position = RobotJoint::Position::kBodies;
    out.joint = joint;
    out.axis = axis;
    const Device* motor = device_of(joint, axis, [this](const Device& device) {
      return device.node && view(*device.node).has("maxVelocity");
    });
    const Device* sensor = device_of(
        joint, axis, [](const Device& device) { return device.model->type().commands.empty(); });
    out.name = motor ? motor->name : sensor ? sensor->name : "";
    if (out.name.empty()) out.name = fmt::format("{} joint {}", child, axis + 1);
    constexpr const char* kParameters[] = {"jointParameters", "jointParameters2",
                                           "jointParameters3"};
    const wbt::NodeView fields = view(*info.node);
    if (fields.has(kParameters[axis])) {
      if (const wbt::NodePtr parameters = fields.node(kParameters[axis])) {
        const wbt::NodeView stops = view(*parameters);
        if (stops.has("minStop"))
          std::tie(out.low, out.high) =
              std::minmax({stops.number("minStop"), stops.number("maxStop")});
      }
    }
    if (motor) {
      const wbt::NodeView drive = view(*motor->node);
      out.effort = drive.number(drive.has("maxForce") ? "maxForce" : "maxTorque");
      out.speed = drive.number("maxVelocity");
      if (out.low == out.high) {
        out.low = drive.number("minPosition");
        out.high = drive.number("maxPosition");
      }
    }
    out.limited = out.low < out.high;
    return out;
  }

  template <class Is>
  const Device* device_of(physics::JointId joint, int axis, Is is) const {
    for (const Device& device : robot_.devices) {
      if (device.joint == joint && device.axis == axis && is(device)) return &device;
    }
    return nullptr;
  }

  /// Wheels of vehicles are no Solids: they move up and down, are steered, and spin.
  void add_wheels(const VehicleHost& vehicle, int parent, int number, const Pose& X_SL) {
    using Kind = RobotJoint::Kind;
    using Position = RobotJoint::Position;
    using Part = RobotLink::WheelPart;
    const Pose X_LV = X_SL.inverse() * pose_of(model_, solid(number)).inverse() * vehicle.X_WV();
    const auto& wheels = vehicle.vehicle().layout().wheels;
    for (std::size_t i = 0; i < wheels.size(); ++i) {
      const std::string name = fmt::format("wheel {}", i + 1);
      const auto joint = [&](const char* what, Kind kind, Position position, const Vec3& axis) {
        RobotJoint out;
        out.name = name + what;
        out.kind = kind;
        out.position = position;
        out.axis_C = axis;
        return out;
      };
      const auto link = [&](const char* what, Part part) {
        RobotLink out;
        out.name = fresh(link_names_, spelled(name + what));
        out.vehicle = &vehicle;
        out.wheel = i;
        out.part = part;
        return out;
      };
      RobotJoint suspension =
          joint(" suspension", Kind::kSlider, Position::kSuspension, Vec3::UnitZ());
      suspension.X_PC = X_LV * Pose{axis_angle(Vec3::UnitZ(), wheels[i].yaw), wheels[i].position_V};
      suspension.limited = true;
      suspension.low = -wheels[i].travel;
      suspension.high = wheels[i].travel;
      int above = parent;
      if (vehicle.vehicle().steers(i)) {
        above = add(std::move(suspension), above, link(" suspension", Part::kCarrier));
        above = add(joint(" steering", Kind::kHinge, Position::kSteering, Vec3::UnitZ()), above,
                    link(" hub", Part::kHub));
      } else {
        above = add(std::move(suspension), above, link(" hub", Part::kHub));
      }
      add(joint("", Kind::kHinge, Position::kSpin, Vec3::UnitY()), above, link("", Part::kWheel));
    }
  }

  RobotLinks& out_;
  const Simulation& simulation_;
  const WorldModel& model_;
  const RobotInfo& robot_;
  const LinkNames& names_;
  std::set<std::string> link_names_, joint_names_;
  std::set<std::string> framed_;  ///< frames that have their link
};

RobotLinks::RobotLinks(const Simulation& simulation, int robot, const LinkNames& names)
    : simulation_(simulation) {
  Builder(*this, robot, names).build();
}

double RobotLinks::position(const RobotJoint& joint) const {
  using Position = RobotJoint::Position;
  if (joint.position == Position::kNone) return 0;
  if (joint.position == Position::kBodies)
    return simulation_.model().physics->joint_position(joint.joint, joint.axis);
  const RobotLink& link = links_[static_cast<std::size_t>(joint.child)];
  const WheelState& wheel = link.vehicle->vehicle().wheels()[link.wheel];
  if (joint.position == Position::kSpin) return wheel.angle;
  if (joint.position == Position::kSuspension)
    return link.vehicle->wheels()[link.wheel].compression;
  return wheel.yaw - link.vehicle->vehicle().layout().wheels[link.wheel].yaw;
}

std::optional<double> RobotLinks::velocity(const RobotJoint& joint) const {
  using Position = RobotJoint::Position;
  if (joint.position == Position::kBodies)
    return simulation_.model().physics->joint_velocity(joint.joint, joint.axis);
  if (joint.position != Position::kSpin) return std::nullopt;
  const RobotLink& link = links_[static_cast<std::size_t>(joint.child)];
  return link.vehicle->vehicle().wheels()[link.wheel].spin;
}

Pose RobotLinks::X_WL(const RobotLink& link) const {
  if (link.vehicle) {
    Pose X_VL = link.vehicle->seen_pose_V(link.wheel, link.part != RobotLink::WheelPart::kWheel);
    if (link.part == RobotLink::WheelPart::kCarrier) {
      const Wheel& wheel = link.vehicle->vehicle().layout().wheels[link.wheel];
      X_VL.R = axis_angle(Vec3::UnitZ(), wheel.yaw);
    }
    return link.vehicle->X_WV() * X_VL;
  }
  if (link.solid >= 0) {
    const WorldModel& model = simulation_.model();
    return pose_of(model, model.solids[static_cast<std::size_t>(link.solid)]) * link.X_SL;
  }
  // Between two axes of a joint.
  const RobotJoint& joint = joints_[static_cast<std::size_t>(link.joint)];
  return X_WL(links_[static_cast<std::size_t>(joint.parent)]) * joint.X_PC *
         motion(joint, position(joint));
}

bool RobotLinks::removed(const RobotLink& link) const {
  if (link.solid < 0) {
    const RobotJoint& joint = joints_[static_cast<std::size_t>(link.joint)];
    return removed(joint) || removed(links_[static_cast<std::size_t>(joint.parent)]);
  }
  // Its number may be that of another one by now.
  const SolidInfo& solid = simulation_.model().solids[static_cast<std::size_t>(link.solid)];
  return solid.removed || solid.node != link.node;
}

bool RobotLinks::removed(const RobotJoint& joint) const {
  return joint.position == RobotJoint::Position::kBodies &&
         !simulation_.model().physics->joint_exists(joint.joint);
}

bool RobotLinks::moves(const RobotLink& link) const {
  for (const RobotLink* one = &link; one->joint >= 0;) {
    const RobotJoint& joint = joints_[static_cast<std::size_t>(one->joint)];
    if (joint.kind != RobotJoint::Kind::kFixed) return true;
    one = &links_[static_cast<std::size_t>(joint.parent)];
  }
  return false;
}

}  // namespace protobeam
