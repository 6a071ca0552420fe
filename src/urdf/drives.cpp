#include "urdf/drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <optional>

#include "base/libm.h"
#include "urdf/joints.h"
#include "urdf/values.h"
#include "urdf/wheel_controller.h"

namespace protobeam::urdf {
namespace {

constexpr double kWrong = 0.15;  ///< a larger part of a length is no calibration

enum class Kind : std::uint8_t { kNone, kDifferential, kMecanum, kPlanar, kAckermann };

std::string file_of(const Element& plugin) {
  const Text* file = plugin.attribute("filename");
  return file ? file->value : "";
}

/// With words joined as in Gazebo Classic.
bool file_has(const Element& plugin, const char* words) {
  std::string name = file_of(plugin);
  std::ranges::replace(name, '-', '_');
  return name.find(words) != std::string::npos;
}

/// By the plugin's file: libgazebo_ros_diff_drive.so of Gazebo Classic, gz-sim-diff-drive-system,
/// libignition-gazebo-mecanum-drive-system.so of Gazebo, for cars libgazebo_ros_ackermann_drive.so
/// and gz-sim-ackermann-steering-system. Robotnik's and Nexus' force_based_move are
/// planar_move with forces.
Kind kind_of(const Element& plugin) {
  if (file_has(plugin, "diff_drive") || file_has(plugin, "skid_steer_drive"))
    return Kind::kDifferential;
  if (file_has(plugin, "planar_move") || file_has(plugin, "force_based_move")) return Kind::kPlanar;
  if (file_has(plugin, "ackermann_drive") || file_has(plugin, "ackermann_steering"))
    return Kind::kAckermann;
  return file_has(plugin, "mecanum_drive") ? Kind::kMecanum : Kind::kNone;
}

/// libgazebo_ros2_control.so, gz_ros2_control-system: <ros2_control> says which joints, and its
/// parameters which controllers.
bool is_control_plugin(const Element& plugin) { return file_has(plugin, "ros2_control"); }

// What these plugins call the same things: Gazebo, gazebo_ros_pkgs of ROS 2, of ROS 1.
using Tags = std::initializer_list<const char*>;
constexpr Tags kLeftTags = {"left_joint", "leftJoint", "leftFrontJoint", "leftRearJoint"};
constexpr Tags kRightTags = {"right_joint", "rightJoint", "rightFrontJoint", "rightRearJoint"};
constexpr Tags kMecanumLeftTags = {"front_left_joint", "back_left_joint"};
constexpr Tags kMecanumRightTags = {"front_right_joint", "back_right_joint"};
constexpr Tags kCarLeftTags = {"left_joint", "rear_left_joint"};
constexpr Tags kCarRightTags = {"right_joint", "rear_right_joint"};
constexpr Tags kSteeringTags = {"left_steering_joint", "right_steering_joint"};
constexpr Tags kSteeringSeparationTags = {"kingpin_width"};
constexpr Tags kSteeringLimitTags = {"steering_limit", "max_steer"};
constexpr Tags kSeparationTags = {"wheel_separation", "wheelSeparation"};
constexpr Tags kRadiusTags = {"wheel_radius"};
constexpr Tags kDiameterTags = {"wheel_diameter", "wheelDiameter"};
constexpr Tags kWheelbaseTags = {"wheelbase", "wheel_base"};
constexpr Tags kTorqueTags = {"max_wheel_torque", "wheelTorque", "torque"};
constexpr Tags kAccelerationTags = {"max_wheel_acceleration", "wheelAcceleration",
                                    "max_linear_acceleration", "max_acceleration"};
constexpr Tags kCommandsTags = {"topic", "command_topic", "commandTopic"};
// Odometry, its transform and the angles of wheels are published anyway, and under one set of
// names.
constexpr Tags kNeedlessTags = {"publish_odom",     "publish_odom_tf",
                                "publish_wheel_tf", "publishWheelTF",
                                "publishOdomTF",    "publishWheelJointState",
                                "publishTf",        "update_rate",
                                "updateRate",       "odom_publish_frequency",
                                "num_wheel_pairs",  "legacyMode",
                                "rosDebugLevel",    "ros",
                                "odometrySource",   "odometry_source",
                                "odometryRate",     "odometry_rate",
                                "publish_rate",     "cmdTimeout",
                                "publishTF",        "enableYAxis",
                                "front_left_joint", "front_right_joint",
                                "publish_distance"};

bool is_one_of(const Tags& tags, const std::string& tag) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

}  // namespace

/// The wheels of a robot, as a plugin or a controller says it.
struct Wheels {
  std::string who;       ///< says it: "Gazebo's <plugin> 'x.so'"
  Place place;           ///< where
  Kind kind = Kind::kDifferential;
  std::vector<const Joint*> left, right;  ///< mecanum: front and rear; planar: none
  std::vector<const Joint*> steering;     ///< of a car: left and right, or one
  std::optional<double> separation, radius, wheelbase, acceleration, timeout;
  std::optional<double> steering_separation, steering_limit;
  double torque = 0;  ///< N m; 0: nothing is said
};

namespace {

bool turns(const Joint& joint) {
  return joint.type == Joint::Type::kContinuous || joint.type == Joint::Type::kRevolute;
}

/// Null with a warning.
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

std::vector<std::string> names_of(const std::vector<const Joint*>& joints) {
  std::vector<std::string> out;
  for (const Joint* joint : joints) out.push_back(joint->name);
  return out;
}

/// Of the joint's child.
Pose start_pose_in_root(const Robot& robot, const Joint& joint) {
  Pose X = start_pose(robot, joint);
  for (int link = joint.parent; const Joint* above = robot.parent_joint(link); link = above->parent)
    X = start_pose(robot, *above) * X;
  return X;
}

Vec3 start_in_root(const Robot& robot, const Joint& joint) {
  return start_pose_in_root(robot, joint) * joint.anchor;
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

/// Of the cylinder or sphere with which its wheel touches the ground.
std::optional<double> radius_of(const Import& import, const Joint& joint) {
  for (const Shape& shape : import.link(joint.child).collisions) {
    if (shape.kind == Shape::Kind::kCylinder || shape.kind == Shape::Kind::kSphere)
      return shape.radius;
  }
  return std::nullopt;
}

/// Of a wheel in the middle, at which the inner one of those that steer is at the limit of its
/// joint; nothing when there is none.
std::optional<double> steering_limit(const Wheels& wheels, double wheelbase, double separation) {
  std::optional<double> least = wheels.steering_limit;
  const double lever = wheels.steering.size() == 2 ? separation / 2 / wheelbase : 0;
  for (const Joint* joint : wheels.steering) {
    const double limit = std::min(-joint->lower, joint->upper);
    if (!joint->limited || !(limit > 0) || limit >= kPi / 2) continue;
    const double middle = libm::atan(1 / (1 / libm::tan(limit) + lever));
    if (!least || middle < *least) least = middle;
  }
  return least && *least < kPi / 2 ? least : std::nullopt;
}

/// What a car has beside its driven wheels. Of these the ones that are farther from those that
/// steer count: Gazebo drives steered wheels, too. False with a warning.
bool add_steering(Import& import, const Wheels& wheels, NodeMaker& made, Vec3& middle) {
  const auto at_start = [&](const Joint* joint) { return start_in_root(import.robot, *joint); };
  const auto mean = [&](const std::vector<const Joint*>& joints) {
    Vec3 sum = Vec3::Zero();
    for (const Joint* joint : joints) sum += at_start(joint);
    return Vec3(sum / static_cast<double>(joints.size()));
  };
  const Vec3 front = mean(wheels.steering);
  const auto rear_of = [&](const std::vector<const Joint*>& joints) {
    Vec3 rear = at_start(joints[0]);
    for (const Joint* joint : joints)
      if (at_start(joint).x() < rear.x()) rear = at_start(joint);
    return rear;
  };
  middle = rear_of(wheels.left);
  if (!wheels.right.empty()) middle = (middle + rear_of(wheels.right)) / 2;
  const double measured = front.x() - middle.x();
  if (!(measured > 0)) {
    import.diagnostics.warning(
        wheels.place,
        fmt::format("{} has no effect: its steered wheels are not ahead of those that drive",
                    wheels.who));
    return false;
  }
  const double wheelbase = wheels.wheelbase.value_or(measured);
  if (std::abs(wheelbase - measured) > kWrong * measured)
    import.diagnostics.warning(
        wheels.place,
        fmt::format("{} says that the wheelbase is {:.4g} m, but its joints have {:.4g} m: the "
                    "robot turns {} than it is told",
                    wheels.who, wheelbase, measured, wheelbase < measured ? "less" : "more"));
  const double separation =
      wheels.steering.size() < 2
          ? 0
          : wheels.steering_separation.value_or(
                std::abs(at_start(wheels.steering[0]).y() - at_start(wheels.steering[1]).y()));
  made.text("kinematics", "ackermann")
      .texts("steeringMotors", names_of(wheels.steering))
      .number("wheelbase", wheelbase);
  if (separation > 0) made.number("steeringSeparation", separation);
  if (const auto limit = steering_limit(wheels, wheelbase, separation))
    made.number("maxSteeringAngle", *limit);
  return true;
}

/// Null with a warning for wheels that are not enough to drive by.
wbt::NodePtr drive_of(Import& import, const Wheels& wheels) {
  const auto useless = [&](const std::string& why) {
    import.diagnostics.warning(wheels.place, fmt::format("{} has no effect: {}", wheels.who, why));
    return nullptr;
  };
  if (wheels.kind == Kind::kPlanar)
    return NodeMaker("MotorDrive", {wheels.place, nullptr}).text("kinematics", "planar").take();
  const bool mecanum = wheels.kind == Kind::kMecanum, car = wheels.kind == Kind::kAckermann;
  const std::size_t needed = mecanum ? 2 : 1;
  if (wheels.left.size() < needed || (wheels.right.size() < needed && !car))
    return useless(fmt::format("it names {} joints that turn on the left and {} on the right",
                               wheels.left.size(), wheels.right.size()));
  if (car && wheels.steering.empty()) return useless("it names no joint that steers");
  const auto at_start = [&](const Joint* joint) { return start_in_root(import.robot, *joint); };
  const Vec3 left = at_start(wheels.left[0]);
  const Vec3 right = wheels.right.empty() ? left : at_start(wheels.right[0]);
  Vec3 middle = (left + right) / 2;
  const bool in_line = car && wheels.right.empty();
  const double separation = wheels.separation.value_or((left - right).norm());
  const auto radius = wheels.radius ? wheels.radius : radius_of(import, *wheels.left[0]);
  if (!radius || !(separation > 0 || in_line))
    return useless(
        fmt::format("the {} of its wheels is not said", radius ? "separation" : "radius"));
  const auto shape = radius_of(import, *wheels.left[0]);
  if (shape && std::abs(*radius - *shape) > kWrong * *shape)
    import.diagnostics.warning(
        wheels.place,
        fmt::format(
            "{} says that wheels have a radius of {:.4g} m, but the shape of '{}' has {:.4g} "
            "m: the robot goes {} than it is told",
            wheels.who, *radius, wheels.left[0]->name, *shape,
            *radius > *shape ? "slower" : "faster"));
  for (const auto* side : {&wheels.left, &wheels.right})
    warn_of_axes(import, *side, Vec3::UnitY(),
                 "to the right: the wheel rolls back when it is told ahead");
  warn_of_axes(import, wheels.steering, Vec3::UnitZ(), "down: it steers to the other side");
  NodeMaker made("MotorDrive", {wheels.place, nullptr});
  if (car && !add_steering(import, wheels, made, middle)) return nullptr;
  if (mecanum) {
    const Vec3 rear = (at_start(wheels.left[1]) + at_start(wheels.right[1])) / 2;
    made.text("kinematics", "mecanum")
        .flag("pushesRobot", true)
        .number("wheelbase", wheels.wheelbase.value_or((middle - rear).norm()));
    middle = (middle + rear) / 2;
  }
  made.pose(Pose::translation(middle))
      .texts("leftMotors", names_of(wheels.left))
      .texts("rightMotors", names_of(wheels.right))
      .number("wheelRadius", *radius);
  if (separation > 0) made.number("wheelSeparation", separation);
  if (wheels.acceleration) made.number("maxAcceleration", *wheels.acceleration);
  if (wheels.timeout) made.number("commandTimeout", *wheels.timeout);
  return made.take();
}

/// Reads one plugin of Gazebo.
class PluginReader {
 public:
  PluginReader(Import& import, const Element& plugin) : import_(import), plugin_(plugin) {}

  Wheels run() {
    Wheels out;
    out.who = fmt::format("Gazebo's <plugin> '{}'", file_of(plugin_));
    out.place = plugin_.place;
    out.kind = kind_of(plugin_);
    switch (out.kind) {
      case Kind::kMecanum:
        out.left = joints(kMecanumLeftTags);
        out.right = joints(kMecanumRightTags);
        break;
      case Kind::kAckermann:
        out.left = joints(kCarLeftTags);
        out.right = joints(kCarRightTags);
        out.steering = joints(kSteeringTags, false);
        out.steering_separation = positive(kSteeringSeparationTags);
        out.steering_limit = positive(kSteeringLimitTags);
        break;
      case Kind::kPlanar:
        note_the_rest(out.who);
        return out;
      default:
        out.left = joints(kLeftTags);
        out.right = joints(kRightTags);
    }
    out.separation = positive(kSeparationTags);
    out.radius = positive(kRadiusTags);
    if (const auto diameter = positive(kDiameterTags); diameter && !out.radius)
      out.radius = *diameter / 2;
    out.wheelbase = positive(kWheelbaseTags);
    out.acceleration = positive(kAccelerationTags);
    out.torque = positive(kTorqueTags).value_or(0);
    note_the_rest(out.who);
    return out;
  }

  /// What commands come on, if it is not cmd_vel.
  std::string commands() const {
    for (const char* tag : kCommandsTags) {
      const Element* element = plugin_.child(tag);
      const std::string name = element ? element->text.value : "";
      if (!name.empty() && name != "cmd_vel" && name != "/cmd_vel") return name;
    }
    return "";
  }

 private:
  void note_the_rest(const std::string& who) {
    for (const Element& child : plugin_.children) {
      const std::string& value = child.text.value;
      const bool known = std::ranges::any_of(
          std::array{&kLeftTags, &kRightTags, &kMecanumLeftTags, &kMecanumRightTags, &kCarLeftTags,
                     &kCarRightTags, &kSteeringTags, &kSteeringSeparationTags, &kSteeringLimitTags,
                     &kSeparationTags, &kRadiusTags, &kDiameterTags, &kWheelbaseTags, &kTorqueTags,
                     &kAccelerationTags, &kCommandsTags, &kNeedlessTags},
          [&](const Tags* tags) { return is_one_of(*tags, child.tag); });
      const bool as_here =
          value == "odom" || value == "/odom" || value == "base_link" || value == "base_footprint";
      if (!known && !as_here)
        import_.ignored.add(fmt::format("<{}> of {}", child.tag, who), child.place);
    }
  }

  std::optional<double> positive(const Tags& tags) {
    for (const char* tag : tags) {
      const auto number = child_number(plugin_, tag, import_.diagnostics);
      if (number && *number > 0) return number;
      if (number && *number < 0)
        import_.diagnostics.error(plugin_.child(tag)->place,
                                  fmt::format("<{}> must be at least 0, got {}", tag, *number));
    }
    return std::nullopt;
  }

  std::vector<const Joint*> joints(const Tags& tags, bool wheels = true) {
    std::vector<const Joint*> out;
    for (const char* tag : tags) {
      for (const Element* element : plugin_.all(tag)) {
        const auto* joint = joint_named(import_, element->text.value, element->place,
                                        fmt::format("<{}>", tag), wheels);
        if (joint) out.push_back(joint);
      }
    }
    return out;
  }

  Import& import_;
  const Element& plugin_;
};

/// Controllers that steer name the right one first, or any.
void by_side(const Import& import, const std::vector<const Joint*>& driving, Wheels& out) {
  const auto across = [&](const Joint* joint) { return start_in_root(import.robot, *joint).y(); };
  double middle = 0;
  for (const Joint* joint : driving) middle += across(joint) / static_cast<double>(driving.size());
  for (const Joint* joint : driving)
    (across(joint) < middle ? out.right : out.left).push_back(joint);
  std::ranges::stable_sort(out.steering, std::greater(), across);
}

/// The wheels of a controller of ros2_control, whose parameters <plugin> names.
std::optional<Wheels> controlled_wheels(Import& import, const Element& plugin) {
  for (const Element* parameters : plugin.all("parameters")) {
    const auto file = import.resources.find_installed(parameters->text, import.diagnostics);
    if (!file) continue;
    const auto controller =
        wheel_controller_of(*file, import.options.limits.file_bytes, import.diagnostics);
    if (!controller) continue;
    Wheels out;
    out.who = fmt::format("the controller '{}'", controller->name);
    out.place = parameters->place;
    const auto joints = [&](const std::vector<std::string>& names, std::vector<const Joint*>& all,
                            bool wheels = true) {
      for (const std::string& name : names) {
        if (const auto* joint = joint_named(import, name, parameters->place, out.who, wheels))
          all.push_back(joint);
      }
    };
    joints(controller->left, out.left);
    joints(controller->right, out.right);
    if (controller->kind == WheelController::Kind::kMecanum) out.kind = Kind::kMecanum;
    if (controller->kind == WheelController::Kind::kSteering) {
      out.kind = Kind::kAckermann;
      std::vector<const Joint*> driving;
      joints(controller->driving, driving);
      joints(controller->steering, out.steering, false);
      by_side(import, driving, out);
    }
    if (controller->steering_separation > 0)
      out.steering_separation = controller->steering_separation;
    if (controller->separation > 0) out.separation = controller->separation;
    if (controller->wheelbase > 0) out.wheelbase = controller->wheelbase;
    if (controller->radius > 0) out.radius = controller->radius;
    if (controller->acceleration > 0) out.acceleration = controller->acceleration;
    out.timeout = controller->timeout;
    return out;
  }
  return std::nullopt;
}

}  // namespace

bool is_known_plugin(const Element& plugin) {
  return kind_of(plugin) != Kind::kNone || is_control_plugin(plugin) ||
         file_has(plugin, "joint_state_publisher");
}

Drives::Drives(Import& import) {
  std::vector<const Element*> plugins = import.robot.plugins;
  for (const Element* gazebo : import.robot.element->all("gazebo")) {
    for (const Element* plugin : gazebo->all("plugin")) plugins.push_back(plugin);
  }
  for (const Element* plugin : plugins) {
    if (kind_of(*plugin) != Kind::kNone) {
      PluginReader reader(import, *plugin);
      if (add(import, reader.run()) && !reader.commands().empty()) {
        nodes_.push_back(NodeMaker("Topic", at(*plugin))
                             .text("device", "drive")
                             .text("message", "cmd_vel")
                             .text("name", reader.commands())
                             .take());
      }
    } else if (is_control_plugin(*plugin)) {
      if (const auto wheels = controlled_wheels(import, *plugin)) add(import, *wheels);
    }
  }
}

bool Drives::add(Import& import, const Wheels& wheels) {
  if (!nodes_.empty()) {
    import.ignored.add("a second drive of the robot", wheels.place);
    return false;
  }
  wbt::NodePtr node = drive_of(import, wheels);
  if (!node) return false;
  nodes_.push_back(std::move(node));
  all_smooth_ = wheels.kind == Kind::kPlanar;
  for (const Joint* joint : wheels.steering) motors_[joint] = {};
  for (const auto* side : {&wheels.left, &wheels.right}) {
    for (const Joint* wheel : *side) {
      motors_[wheel] = {wheels.torque};
      if (wheels.kind == Kind::kMecanum) smooth_.insert(wheel->child);
    }
  }
  return true;
}

const Drives::WheelMotor* Drives::motor_of(const Joint& joint) const {
  const auto found = motors_.find(&joint);
  return found == motors_.end() ? nullptr : &found->second;
}

}  // namespace protobeam::urdf
