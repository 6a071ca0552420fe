#include "urdf/joints.h"

#include <fmt/format.h>

#include <algorithm>

#include "urdf/joint_topics.h"
#include "urdf/link_forces.h"

namespace protobeam::urdf {
namespace {

constexpr double kFastestWheel = 100;  // rad/s
constexpr double kEndless = 1e6;       // N m or N, rad/s or m/s

bool slides(const Joint& joint) { return joint.type == Joint::Type::kPrismatic; }

/// What a mimic joint follows in the end: position = multiplier * that of the master + offset.
Mimic followed(const Robot& robot, const Joint& joint) {
  Mimic out = *joint.mimic;
  while (const auto& next = robot.joints[static_cast<std::size_t>(out.joint)].mimic) {
    out = {next->joint, out.multiplier * next->multiplier,
           out.multiplier * next->offset + out.offset, out.element};
  }
  return out;
}

/// Motors of one kind follow each other.
bool is_coupled(const Robot& robot, const Joint& joint) {
  if (!joint.mimic) return false;
  const Joint& master = robot.joints[static_cast<std::size_t>(followed(robot, joint).joint)];
  return master.has_one_axis() && joint.has_one_axis() && turns_or_slides(master) &&
         turns_or_slides(joint) && slides(master) == slides(joint);
}

/// How the joint is in Webots, where a mimic joint follows without an offset: its zero is moved.
struct Axis {
  double offset = 0;            ///< of Webots' zero in URDF's position
  double lower = 0, upper = 0;  ///< from Webots' zero
  double start = 0;             ///< likewise
};

Axis axis_of(const Robot& robot, const Joint& joint) {
  Axis out;
  double wanted = 0;
  if (is_coupled(robot, joint)) {
    const Mimic mimic = followed(robot, joint);
    const Joint& master = robot.joints[static_cast<std::size_t>(mimic.joint)];
    out.offset = mimic.offset;
    wanted = mimic.multiplier * axis_of(robot, master).start;
  }
  out.lower = joint.lower - out.offset;
  out.upper = joint.upper - out.offset;
  out.start = joint.limited ? std::clamp(wanted, out.lower, out.upper) : wanted;
  return out;
}

Pose motion(const Joint& joint, double position) {
  if (slides(joint)) return Pose::translation(position * joint.axis);
  const Quat R = axis_angle(joint.axis, position);
  Pose out{R, joint.anchor - R * joint.anchor};
  if (joint.thread != 0) out.p += joint.thread * position / (2 * kPi) * joint.axis;
  return out;
}

/// What acts on an axis by itself; `offset`: as that of Axis.
void dynamics(const Joint& axis, double offset, bool driven, NodeMaker& parameters) {
  if (axis.damping > 0) parameters.number("dampingConstant", axis.damping);
  if (axis.friction > 0) parameters.number("staticFriction", axis.friction);
  if (axis.stiffness > 0) {
    parameters.number("springConstant", axis.stiffness);
    if (axis.rest != offset) parameters.number("springReference", axis.rest - offset);
  }
  if (!driven && axis.passive && axis.velocity) parameters.number("maxVelocity", *axis.velocity);
}

/// A controller tells the data of what a <sensor> of <ros2_control> names.
bool tells_sensor(const Drives& drives, const Element& sensor) {
  const Text* name = sensor.attribute("name");
  return name && std::ranges::any_of(drives.broadcasters(), [&](const ManagedController& one) {
           return one.facts.sensor == name->value;
         });
}

}  // namespace

bool turns_or_slides(const Joint& joint) {
  return joint.moves() && !(joint.limited && joint.lower == 0 && joint.upper == 0);
}

Pose start_pose(const Robot& robot, const Joint& joint) {
  if (!turns_or_slides(joint)) return joint.X_PJ;
  const Axis axis = axis_of(robot, joint);
  return joint.X_PJ * motion(joint, axis.offset + axis.start);
}

Control::Control(Import& import, const Drives& drives) : robot_(import.robot), drives_(drives) {
  std::map<std::string, const Joint*, std::less<>> by_name;
  for (const Joint& joint : robot_.joints) by_name.emplace(joint.name, &joint);
  for (const Element* control : robot_.element->all("ros2_control")) {
    all_ = false;
    for (const Element& element : control->children) {
      if (element.tag == "hardware") continue;
      if (element.tag == "sensor" && tells_sensor(drives, element)) continue;
      if (element.tag != "joint") {
        import.ignored.add(fmt::format("<{}> of <ros2_control>", element.tag), element.place);
        continue;
      }
      const Text* name = element.attribute("name");
      const auto known = name ? by_name.find(name->value) : by_name.end();
      if (known == by_name.end()) {
        import.diagnostics.warning(
            name ? name->place : element.place,
            name ? fmt::format("there is no joint '{}' for <ros2_control>", name->value)
                 : "a <joint> of <ros2_control> needs a name");
        continue;
      }
      for (const Element* interface : element.all("command_interface")) {
        const Text* what = interface->attribute("name");
        if (what &&
            (what->value == "position" || what->value == "velocity" || what->value == "effort")) {
          commanded_.insert(known->second);
        } else {
          import.ignored.add(fmt::format("command_interface '{}'", what ? what->value : ""),
                             interface->place, "position, velocity and effort are known");
        }
      }
      measured_.insert(known->second);
    }
  }
  if (drives_.any_drive()) {
    for (const Joint& joint : robot_.joints)
      if (joint.turns_on()) casters_.insert(&joint);
    for (const Element* transmission : robot_.element->all("transmission")) {
      for (const Element* element : transmission->all("joint")) {
        const Text* name = element->attribute("name");
        if (name && by_name.contains(name->value)) casters_.erase(by_name[name->value]);
      }
    }
    for (const Element* plugin : all_plugins(robot_)) {
      if (const auto rotor = by_name.find(rotor_joint(*plugin)); rotor != by_name.end())
        casters_.erase(rotor->second);
      if (!is_joint_plugin(*plugin)) continue;
      for (const Element* name : plugin->all("joint_name")) {
        if (by_name.contains(name->text.value)) casters_.erase(by_name[name->text.value]);
      }
    }
  }
  for (const Joint& joint : robot_.joints) {
    if (is_coupled(robot_, joint)) {
      const Mimic mimic = followed(robot_, joint);
      masters_.insert(&robot_.joints[static_cast<std::size_t>(mimic.joint)]);
      if (mimic.offset != 0 && turns_or_slides(joint)) {
        import.diagnostics.warning(
            joint.mimic->element->place,
            fmt::format("the positions of mimic joint '{}' are counted from its offset, {:.6g}",
                        joint.name, mimic.offset));
      }
    } else if (joint.mimic && joint.moves()) {
      import.diagnostics.warning(
          joint.mimic->element->place,
          fmt::format(
              "joint '{}' does not follow joint '{}': only joints of one kind that move can",
              joint.name, robot_.joints[static_cast<std::size_t>(joint.mimic->joint)].name));
    }
  }
}

bool Control::has_motor(const Joint& joint) const {
  if (is_coupled(robot_, joint)) {
    return has_motor(robot_.joints[static_cast<std::size_t>(followed(robot_, joint).joint)]);
  }
  return (all_ && !joint.passive && !casters_.contains(&joint)) || commanded_.contains(&joint) ||
         drives_.motor_of(joint);
}

bool Control::has_sensor(const Joint& joint) const {
  return all_ || measured_.contains(&joint) || drives_.motor_of(joint);
}

std::string Control::motor_name(const Joint& joint) const {
  if (is_coupled(robot_, joint)) {
    return robot_.joints[static_cast<std::size_t>(followed(robot_, joint).joint)].name +
           "::" + joint.name;
  }
  return masters_.contains(&joint) ? joint.name + "::" + joint.name : joint.name;
}

wbt::NodePtr joint_node(Import& import, const Control& control, const Joint& joint,
                        wbt::NodePtr child) {
  const Robot& robot = import.robot;
  const Element* limit = joint.limit ? joint.limit : joint.element->child("limit");
  if (!turns_or_slides(joint)) {
    if (joint.moves()) {
      import.diagnostics.warning(
          limit->place,
          fmt::format("joint '{}' cannot move: its limits are 0 and 0; it is fixed", joint.name),
          joint.type == Joint::Type::kRevolute ? "a joint without limits is of type continuous"
                                               : "");
    }
    return child;
  }
  const wbt::Origin origin = at(*joint.element);
  const Axis axis = axis_of(robot, joint);
  const Pose zero = joint.X_PJ * motion(joint, axis.offset);
  if (joint.type == Joint::Type::kBall) {
    return NodeMaker("BallJoint", origin)
        .node("jointParameters",
              NodeMaker("BallJointParameters", origin).vec3("anchor", zero * joint.anchor).take())
        .node("endPoint", std::move(child))
        .take();
  }
  const bool linear = slides(joint);
  NodeMaker parameters(linear ? "JointParameters" : "HingeJointParameters", origin);
  parameters.vec3("axis", zero.R * joint.axis);
  if (!linear) parameters.vec3("anchor", zero * joint.anchor);
  if (joint.thread != 0) parameters.number("threadPitch", joint.thread);
  if (axis.start != 0) {
    import.diagnostics.warning(
        limit ? limit->place : joint.element->place,
        fmt::format("0 is outside of the limits of joint '{}': it starts at {:.6g}", joint.name,
                    axis.offset + axis.start));
    parameters.number("position", axis.start);
  }
  if (joint.limited) {
    parameters.number("minStop", axis.lower, limit->place)
        .number("maxStop", axis.upper, limit->place);
  }
  const bool driven = control.has_motor(joint);
  dynamics(joint, axis.offset, driven, parameters);

  std::vector<wbt::NodePtr> devices;
  if (driven) {
    NodeMaker motor(linear ? "LinearMotor" : "RotationalMotor", origin);
    motor.text("name", control.motor_name(joint));
    if (joint.limited) {
      motor.number("minPosition", axis.lower, limit->place)
          .number("maxPosition", axis.upper, limit->place);
    }
    const Drives::WheelMotor* wheel = control.drives().motor_of(joint);
    if (wheel && wheel->max_torque > 0) {
      motor.number("maxTorque", wheel->max_torque);
    } else if (joint.effort) {
      motor.number(linear ? "maxForce" : "maxTorque", *joint.effort, limit->place);
    } else if (joint.endless) {
      motor.number(linear ? "maxForce" : "maxTorque", kEndless);
    }
    // Gazebo's wheels turn as fast as they are told.
    if (!joint.velocity && (wheel || joint.endless))
      motor.number("maxVelocity", wheel ? kFastestWheel : kEndless);
    if (joint.velocity) motor.number("maxVelocity", *joint.velocity, limit->place);
    if (joint.limited && (joint.effort.value_or(1) == 0 || joint.velocity.value_or(1) == 0)) {
      import.ignored.add(joint.effort.value_or(1) == 0
                             ? "the motor of a joint with an effort of 0"
                             : "the motor of a joint with a velocity of 0",
                         limit->place);
    }
    if (wheel && wheel->gain) motor.vec3("controlPID", {*wheel->gain, 0, 0});
    if (is_coupled(robot, joint)) motor.number("multiplier", followed(robot, joint).multiplier);
    devices.push_back(motor.take());
  }
  if (control.has_sensor(joint)) {
    devices.push_back(
        NodeMaker("PositionSensor", origin).text("name", joint.name + "_sensor").take());
  }
  NodeMaker made(joint.second ? "Hinge2Joint" : linear ? "SliderJoint" : "HingeJoint", origin);
  made.node("jointParameters", parameters.take()).nodes("device", std::move(devices));
  if (joint.second) {
    NodeMaker other("JointParameters", origin);
    other.vec3("axis", joint.X_PJ.R * joint.second->axis);
    if (joint.second->limited)
      other.number("minStop", joint.second->lower).number("maxStop", joint.second->upper);
    dynamics(*joint.second, 0, false, other);
    made.node("jointParameters2", other.take())
        .nodes("device2",
               {NodeMaker("PositionSensor", origin).text("name", joint.name + "_sensor_2").take()});
  }
  return made.node("endPoint", std::move(child)).take();
}

}  // namespace protobeam::urdf
