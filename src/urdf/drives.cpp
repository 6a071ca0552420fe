#include "urdf/drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "urdf/batteries.h"
#include "urdf/joint_topics.h"
#include "urdf/joints.h"
#include "urdf/link_forces.h"
#include "urdf/ros2_control.h"
#include "urdf/ros_names.h"
#include "urdf/steered_drives.h"
#include "urdf/tracks.h"
#include "urdf/values.h"
#include "urdf/wheels.h"

namespace protobeam::urdf {
namespace {

constexpr const char* kOdometryMessage = "odom";
constexpr double kNoBound = 1e9;  // no drive gets there

bool turns(const Joint& joint) {
  return joint.type == Joint::Type::kContinuous || joint.type == Joint::Type::kRevolute;
}

/// A drive knows of no joint that turns the other way.
void warn_of_axes(Import& import, const std::vector<const Joint*>& joints, const Vec3& wanted,
                  const char* what) {
  for (const Joint* joint : joints) {
    const Vec3 axis = start_pose_in_root(import.robot, *joint).R * joint->axis;
    if (axis.dot(wanted) > -0.5) continue;
    const Element* written = joint->element ? joint->element->child("axis") : nullptr;
    import.diagnostics.warning(written ? written->place : joint->element->place,
                               fmt::format("the axis of joint '{}' points {}", joint->name, what));
  }
}

void add_limits(const Wheels& wheels, NodeMaker& made) {
  const auto add = [&](const char* field, const std::optional<double>& number) {
    if (number) made.number(field, *number);
  };
  // Mecanum wheels are limited in the length of their velocity by one, in its parts by the other.
  const TwistBounds& bounds = wheels.bounds;
  const bool length = bounds.speed.same_both_ways() && wheels.kind != Wheels::Kind::kMecanum;
  if (length) add("maxVelocity", bounds.speed.greatest);
  if (bounds.yaw_rate.same_both_ways()) add("maxYawRate", bounds.yaw_rate.greatest);
  add("maxAcceleration", wheels.acceleration);
  const auto both = [&](const char* field, const Bounds& limits) {
    if (limits.any())
      made.numbers(field, {limits.least.value_or(-kNoBound), limits.greatest.value_or(kNoBound)});
  };
  if (!length) both("speedLimits", bounds.speed);
  if (!bounds.yaw_rate.same_both_ways()) both("yawRateLimits", bounds.yaw_rate);
  both("accelerationLimits", bounds.acceleration);
  both("yawAccelerationLimits", bounds.yaw_acceleration);
  both("jerkLimits", bounds.jerk);
  both("yawJerkLimits", bounds.yaw_jerk);
  add("commandTimeout", wheels.timeout);
  if (wheels.twist_steers) made.flag("twistSteers", true);
}

wbt::NodePtr topic_node(const Wheels::Named& one, const FrameNames& frames, const Wheels& wheels) {
  NodeMaker made("Topic", {wheels.place, nullptr});
  made.text("device", "drive").text("message", one.message);
  if (!one.name.empty()) made.text("name", one.name);
  if (!one.type.empty()) made.text("type", one.type);
  if (one.message == kOdometryMessage) {
    if (!frames.odometry.empty()) made.text("frame", frames.odometry);
    if (!frames.child.empty()) made.text("childFrame", frames.child);
    if (wheels.odometry_rate) made.number("rate", *wheels.odometry_rate);
  }
  if (!one.enabled) made.flag("enabled", false);
  return made.take();
}

/// Null with a warning for wheels that are not enough to drive by.
wbt::NodePtr drive_of(Import& import, const Wheels& wheels) {
  const auto useless = [&](const std::string& why) {
    import.diagnostics.warning(wheels.place, fmt::format("{} has no effect: {}", wheels.who, why));
    return nullptr;
  };
  if (wheels.kind == Wheels::Kind::kPlanar) {
    NodeMaker made("MotorDrive", {wheels.place, nullptr});
    made.text("kinematics", "planar");
    add_limits(wheels, made);
    return made.take();
  }
  if (wheels.kind == Wheels::Kind::kTracked) {
    if (wheels.left_tracks.empty() || wheels.right_tracks.empty())
      return useless(fmt::format("it names {} tracks on the left and {} on the right",
                                 wheels.left_tracks.size(), wheels.right_tracks.size()));
    const auto motors = [](const std::vector<const Link*>& links) {
      std::vector<std::string> out;
      for (const Link* link : links) out.push_back(track_motor(*link));
      return out;
    };
    NodeMaker made("MotorDrive", {wheels.place, nullptr});
    made.texts("leftMotors", motors(wheels.left_tracks))
        .texts("rightMotors", motors(wheels.right_tracks))
        .number("wheelRadius", *wheels.radius)
        .number("wheelSeparation", *wheels.separation);
    add_limits(wheels, made);
    return made.take();
  }
  const bool mecanum = wheels.kind == Wheels::Kind::kMecanum,
             tricycle = wheels.kind == Wheels::Kind::kTricycle,
             car = tricycle || wheels.kind == Wheels::Kind::kAckermann;
  const std::size_t needed = mecanum ? 2 : 1;
  if (wheels.left.size() < needed || (wheels.right.size() < needed && !car))
    return useless(fmt::format("it names {} joints that turn on the left and {} on the right",
                               wheels.left.size(), wheels.right.size()));
  if (car && wheels.steering.empty()) return useless("it names no joint that steers");
  const auto at_start = [&](const Joint* joint) { return start_in_root(import.robot, *joint); };
  const Quat heading = car && !tricycle ? heading_of(import, wheels) : Quat::Identity();
  const Vec3 left = at_start(wheels.left[0]);
  const Vec3 right = wheels.right.empty() ? left : at_start(wheels.right[0]);
  Vec3 middle = (left + right) / 2;
  const bool in_line = car && wheels.right.empty();
  const double separation = wheels.separation.value_or((left - right).norm());
  const auto radius = wheels.radius ? wheels.radius : shape_radius(import, *wheels.left[0]);
  if (!radius || !(separation > 0 || in_line))
    return useless(
        fmt::format("the {} of its wheels is not said", radius ? "separation" : "radius"));
  const auto shape = shape_radius(import, *wheels.left[0]);
  if (shape && !agree(*radius, *shape))
    import.diagnostics.warning(
        wheels.place,
        fmt::format(
            "{} says that wheels have a radius of {:.4g} m, but the shape of '{}' has {:.4g} "
            "m: the robot goes {} than it is told",
            wheels.who, *radius, wheels.left[0]->name, *shape,
            *radius > *shape ? "slower" : "faster"));
  for (const auto* side : {&wheels.left, &wheels.right})
    warn_of_axes(import, *side, heading * Vec3::UnitY(),
                 "to the right: the wheel rolls back when it is told ahead");
  warn_of_axes(import, wheels.steering, Vec3::UnitZ(), "down: it steers to the other side");
  NodeMaker made("MotorDrive", {wheels.place, nullptr});
  if (tricycle) {
    if (!add_tricycle(import, wheels, made)) return nullptr;
    middle = at_start(wheels.steering[0]) - Vec3(*wheels.wheelbase, 0, 0);
    middle.z() = left.z();
  } else if (car && !add_steering(import, wheels, heading, made, middle)) {
    return nullptr;
  }
  if (mecanum) {
    const Vec3 rear = (at_start(wheels.left[1]) + at_start(wheels.right[1])) / 2;
    made.text("kinematics", "mecanum")
        .flag("pushesRobot", true)
        .number("wheelbase", wheels.wheelbase.value_or((middle - rear).norm()));
    middle = (middle + rear) / 2;
  }
  made.pose({heading, middle}).texts("leftMotors", names_of(wheels.left));
  if (!tricycle) made.texts("rightMotors", names_of(wheels.right));
  made.number("wheelRadius", *radius);
  if (separation > 0) made.number("wheelSeparation", separation);
  add_limits(wheels, made);
  return made.take();
}

}  // namespace

bool is_odometry_publisher(const Element& plugin) { return file_has(plugin, "odometry_publisher"); }

bool is_ground_truth(const Element& plugin) { return file_has(plugin, "gazebo_ros_p3d"); }

bool is_velocity_control(const Element& plugin) {
  return file_has(plugin, "velocity_control_system") && !file_has(plugin, "multicopter");
}

const Joint* joint_named(Import& import, const std::string& name, const Place& place,
                         const std::string& what, bool wheel) {
  std::vector<std::string> known;
  for (const Joint& joint : import.robot.joints) {
    if (!(wheel ? joint.turns_on() : turns(joint))) continue;
    if (joint.name == name) return &joint;
    known.push_back(joint.name);
  }
  import.diagnostics.warning(place,
                             fmt::format("there is no {} joint '{}' for {}",
                                         wheel ? "continuous" : "revolute", name, what),
                             did_you_mean(name, known));
  return nullptr;
}

bool agree(double said, double measured) {
  constexpr double kWrong = 0.15;  // a larger part of a length is no calibration
  return std::abs(said - measured) <= kWrong * measured;
}

Pose start_pose_in_root(const Robot& robot, const Joint& joint) {
  Pose X = start_pose(robot, joint);
  for (int link = joint.parent; const Joint* above = robot.parent_joint(link); link = above->parent)
    X = start_pose(robot, *above) * X;
  return X;
}

std::optional<double> shape_radius(const Import& import, const Joint& joint) {
  for (const Shape& shape : import.link(joint.child).collisions) {
    if (shape.kind == Shape::Kind::kCylinder || shape.kind == Shape::Kind::kSphere)
      return shape.radius;
  }
  return std::nullopt;
}

Vec3 start_in_root(const Robot& robot, const Joint& joint) {
  return start_pose_in_root(robot, joint) * joint.anchor;
}

bool is_known_plugin(const Element& plugin) {
  return drive_kind_of(plugin) != Wheels::Kind::kNone || is_control_plugin(plugin) ||
         file_has(plugin, "joint_state_publisher") || file_has(plugin, "pose_publisher") ||
         is_odometry_publisher(plugin) || is_ground_truth(plugin) || is_velocity_control(plugin) ||
         is_joint_plugin(plugin) || is_track_controller(plugin) || is_link_force(plugin) ||
         is_battery(plugin);
}

std::vector<const Element*> all_plugins(const Robot& robot) {
  std::vector<const Element*> out = robot.plugins;
  for (const Element* gazebo : robot.element->all("gazebo")) {
    for (const Element* plugin : gazebo->all("plugin")) out.push_back(plugin);
  }
  return out;
}

Drives::Drives(Import& import) {
  for (const Element* plugin : all_plugins(import.robot)) {
    if (drive_kind_of(*plugin) != Wheels::Kind::kNone) {
      add(import, wheels_of_plugin(import, *plugin));
    } else if (is_control_plugin(*plugin)) {
      if (const auto wheels = wheels_of_controllers(import, *plugin, forwarders_, broadcasters_))
        add(import, *wheels);
    } else if (is_velocity_control(*plugin)) {
      add_velocity(import, *plugin);
    }
  }
  for (const Element* plugin : all_plugins(import.robot)) {
    if (is_odometry_publisher(*plugin)) add_truth(import, *plugin);
    if (is_ground_truth(*plugin)) add_p3d(import, *plugin);
  }
  if (!tells_odometry_) name_root(frame_names(import, {}, {}), import.robot.element->place);
}

/// gz-sim's OdometryPublisher tells the pose of the model in the world.
void Drives::add_truth(Import& import, const Element& plugin) {
  if (tells_odometry_) {
    import.ignored.add("a <plugin> that publishes odometry beside a drive or another one",
                       plugin.place, "base_pose_ground_truth tells where the robot is");
    return;
  }
  tells_odometry_ = tells_truth_ = true;
  for (const char* tag : {"xyz_offset", "rpy_offset", "gaussian_noise"}) {
    if (const Element* child = plugin.child(tag))
      import.ignored.add(fmt::format("<{}> of a <plugin> that publishes odometry", tag),
                         child->place);
  }
  const FrameNames frames = frame_names(
      import, {child_text(plugin, "odom_frame"), child_text(plugin, "robot_base_frame")},
      plugin.place);
  name_root(frames, plugin.place);
  std::string name = child_text(plugin, "odom_topic");
  if (!name.empty() && !is_topic(name)) {
    import.diagnostics.warning(plugin.child("odom_topic")->place,
                               fmt::format("'{}' is no name of a topic: it is odom", name));
    name.clear();
  }
  NodeMaker made("Topic", {plugin.place, nullptr});
  made.text("message", "base_pose_ground_truth")
      .text("name", name.empty() ? "odom" : name)
      .text("frame", frames.odometry.empty() ? "odom" : frames.odometry)
      .number("rate",
              child_number(plugin, "odom_publish_frequency", import.diagnostics).value_or(50));
  if (!frames.child.empty()) made.text("childFrame", frames.child);
  nodes_.push_back(made.take());
}

/// gazebo_ros_p3d tells the pose of a link in the world, under names of ROS 1 or ROS 2.
void Drives::add_p3d(Import& import, const Element& plugin) {
  if (tells_truth_) {
    import.ignored.add("a second <plugin> that publishes a pose in the world", plugin.place);
    return;
  }
  const auto said = [&](const char* one, const char* other) -> const Element* {
    const Element* child = plugin.child(one);
    return child ? child : plugin.child(other);
  };
  const auto text = [&](const Element* child) { return child ? child->text.value : std::string(); };
  const Element* body = said("body_name", "bodyName");
  const auto is_it = [&](const Link& link) { return link.name == text(body); };
  if (std::ranges::none_of(import.robot.links, is_it)) {
    import.diagnostics.warning(
        body ? body->text.place : plugin.place,
        fmt::format("Gazebo's <plugin> that publishes a pose has no effect: there is no link '{}'",
                    text(body)));
    return;
  }
  for (const auto& [one, other] :
       {std::pair("gaussian_noise", "gaussianNoise"), std::pair("xyz_offset", "xyzOffsets"),
        std::pair("rpy_offset", "rpyOffsets")}) {
    const Element* child = said(one, other);
    if (child && child->text.value.find_first_not_of(" 0.") != std::string::npos)
      import.ignored.add(fmt::format("<{}> of a <plugin> that publishes a pose", child->tag),
                         child->place);
  }
  const Element* topic = plugin.child("topicName");
  const std::string name = ros_topic(plugin, topic ? topic->text.value : "odom");
  if (!is_topic(name)) {
    import.diagnostics.warning(plugin.place, fmt::format("'{}' is no name of a topic", name));
    return;
  }
  tells_truth_ = true;
  const std::string frame = text(said("frame_name", "frameName"));
  NodeMaker made("Topic", {plugin.place, nullptr});
  made.text("message", "base_pose_ground_truth")
      .text("name", name)
      .text("frame", frame.empty() ? "world" : frame);
  const Element* rate = said("update_rate", "updateRate");
  const double hertz = rate ? child_number(plugin, rate->tag, import.diagnostics).value_or(0) : 0;
  if (hertz > 0) made.number("rate", hertz);
  nodes_.push_back(made.take());
}

/// gz-sim's VelocityControl holds the last twist.
void Drives::add_velocity(Import& import, const Element& plugin) {
  if (!nodes_.empty()) {
    import.ignored.add("a second drive of the robot", plugin.place);
    return;
  }
  if (const Element* link = plugin.child("link_name"))
    import.ignored.add("<link_name> of a <plugin> that controls a velocity", link->place,
                       "it moves the whole model");
  NodeMaker made("VelocityDrive", {plugin.place, nullptr});
  for (const auto& [tag, field] :
       {std::pair("initial_linear", "linear"), std::pair("initial_angular", "angular")}) {
    const Element* child = plugin.child(tag);
    if (!child) continue;
    const auto numbers = numbers_of(child->text, 3, fmt::format("<{}>", tag), import.diagnostics);
    if (numbers) made.vec3(field, {(*numbers)[0], (*numbers)[1], (*numbers)[2]});
  }
  nodes_.push_back(made.number("commandTimeout", 0).take());
  any_drive_ = true;
  const std::string topic = child_text(plugin, "topic");
  if (topic.empty() || topic == "cmd_vel" || topic == "/cmd_vel") return;
  if (!is_topic(topic)) {
    import.diagnostics.warning(plugin.child("topic")->place,
                               fmt::format("'{}' is no name of a topic: it is cmd_vel", topic));
    return;
  }
  nodes_.push_back(NodeMaker("Topic", {plugin.place, nullptr})
                       .text("device", "drive")
                       .text("message", "cmd_vel")
                       .text("name", topic)
                       .take());
}

void Drives::name_root(const FrameNames& frames, const Place& place) {
  if (frames.root.empty() && frames.prefix.empty()) return;
  NodeMaker made("Topic", {place, nullptr});
  made.text("message", "tf");
  if (!frames.root.empty()) made.text("frame", frames.root);
  if (!frames.prefix.empty()) made.text("framePrefix", frames.prefix);
  nodes_.push_back(made.take());
}

void Drives::add(Import& import, const Wheels& wheels) {
  if (!nodes_.empty()) {
    import.ignored.add("a second drive of the robot", wheels.place);
    return;
  }
  wbt::NodePtr node = drive_of(import, wheels);
  if (!node) return;
  nodes_.push_back(std::move(node));
  any_drive_ = true;
  tells_odometry_ = true;
  const FrameNames frames = frame_names(import, wheels.frames, wheels.place);
  name_root(frames, wheels.place);
  std::vector<Wheels::Named> topics = wheels.topics;
  const bool of_frames = !frames.odometry.empty() || !frames.child.empty();
  if (of_frames &&
      std::ranges::find(topics, kOdometryMessage, &Wheels::Named::message) == topics.end())
    topics.push_back({kOdometryMessage, "", ""});
  std::vector<std::string> names;
  for (const Wheels::Named& one : topics) {
    nodes_.push_back(topic_node(one, frames, wheels));
    if (!one.name.empty()) names.push_back(one.name);
  }
  if (wheels.controller) nodes_.push_back(controller_node(*wheels.controller, std::move(names)));
  for (const auto* side : {&wheels.left_tracks, &wheels.right_tracks})
    tracks_.insert(side->begin(), side->end());
  all_smooth_ = wheels.kind == Wheels::Kind::kPlanar;
  for (const Joint* joint : wheels.steering) motors_[joint] = {0, wheels.steering_gain};
  for (const auto* side : {&wheels.left, &wheels.right}) {
    for (const Joint* wheel : *side) {
      motors_[wheel] = {wheels.torque};
      if (wheels.kind == Wheels::Kind::kMecanum) smooth_.insert(wheel->child);
    }
  }
}

const Drives::WheelMotor* Drives::motor_of(const Joint& joint) const {
  const auto found = motors_.find(&joint);
  return found == motors_.end() ? nullptr : &found->second;
}

}  // namespace protobeam::urdf
