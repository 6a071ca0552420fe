#include "urdf/drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>

#include "urdf/joints.h"
#include "urdf/values.h"
#include "urdf/wheel_controller.h"

namespace protobeam::urdf {
namespace {

constexpr double kWrongRadius = 0.15;  ///< a larger part of it is no calibration

enum class Kind : std::uint8_t { kNone, kDifferential, kMecanum, kPlanar };

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
/// libignition-gazebo-mecanum-drive-system.so of Gazebo. Robotnik's and Nexus' force_based_move are
/// planar_move with forces.
Kind kind_of(const Element& plugin) {
  if (file_has(plugin, "diff_drive") || file_has(plugin, "skid_steer_drive"))
    return Kind::kDifferential;
  if (file_has(plugin, "planar_move") || file_has(plugin, "force_based_move")) return Kind::kPlanar;
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
constexpr Tags kSeparationTags = {"wheel_separation", "wheelSeparation"};
constexpr Tags kRadiusTags = {"wheel_radius"};
constexpr Tags kDiameterTags = {"wheel_diameter", "wheelDiameter"};
constexpr Tags kWheelbaseTags = {"wheelbase"};
constexpr Tags kTorqueTags = {"max_wheel_torque", "wheelTorque", "torque"};
constexpr Tags kAccelerationTags = {"max_wheel_acceleration", "wheelAcceleration",
                                    "max_linear_acceleration"};
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
                                "publishTF",        "enableYAxis"};

bool is_one_of(const Tags& tags, const std::string& tag) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

}  // namespace

/// The wheels of a robot, as a plugin or a controller says it.
struct Wheels {
  std::string who;       ///< says it: "Gazebo's <plugin> 'x.so'"
  Place place;           ///< where
  bool mecanum = false;  ///< then front and rear wheel of each side
  bool planar = false;   ///< then no wheels
  std::vector<const Joint*> left, right;
  std::optional<double> separation, radius, wheelbase, acceleration, timeout;
  double torque = 0;  ///< N m; 0: nothing is said
};

namespace {

/// A wheel turns on and on: simulators write its joint as a revolute one with limits far away, too.
bool turns_on(const Joint& joint) {
  return joint.type == Joint::Type::kContinuous ||
         (joint.type == Joint::Type::kRevolute && !joint.limited);
}

/// Null with a warning.
const Joint* wheel_joint(Import& import, const std::string& name, const Place& place,
                         const std::string& what) {
  std::vector<std::string> known;
  for (const Joint& joint : import.robot.joints) {
    if (!turns_on(joint)) continue;
    if (joint.name == name) return &joint;
    known.push_back(joint.name);
  }
  import.diagnostics.warning(place,
                             fmt::format("there is no continuous joint '{}' for {}", name, what),
                             did_you_mean(name, known));
  return nullptr;
}

std::vector<std::string> names_of(const std::vector<const Joint*>& joints) {
  std::vector<std::string> out;
  for (const Joint* joint : joints) out.push_back(joint->name);
  return out;
}

Vec3 start_in_root(const Robot& robot, const Joint& joint) {
  Pose X = start_pose(robot, joint);
  for (int link = joint.parent; const Joint* above = robot.parent_joint(link); link = above->parent)
    X = start_pose(robot, *above) * X;
  return X * joint.anchor;
}

/// Of the cylinder or sphere with which its wheel touches the ground.
std::optional<double> radius_of(const Import& import, const Joint& joint) {
  for (const Shape& shape : import.link(joint.child).collisions) {
    if (shape.kind == Shape::Kind::kCylinder || shape.kind == Shape::Kind::kSphere)
      return shape.radius;
  }
  return std::nullopt;
}

/// Null with a warning for wheels that are not enough to drive by.
wbt::NodePtr drive_of(Import& import, const Wheels& wheels) {
  const auto useless = [&](const std::string& why) {
    import.diagnostics.warning(wheels.place, fmt::format("{} has no effect: {}", wheels.who, why));
    return nullptr;
  };
  if (wheels.planar)
    return NodeMaker("MotorDrive", {wheels.place, nullptr}).text("kinematics", "planar").take();
  const std::size_t needed = wheels.mecanum ? 2 : 1;
  if (wheels.left.size() < needed || wheels.right.size() < needed)
    return useless(fmt::format("it names {} joints that turn on the left and {} on the right",
                               wheels.left.size(), wheels.right.size()));
  const auto at_start = [&](const Joint* joint) { return start_in_root(import.robot, *joint); };
  const Vec3 left = at_start(wheels.left[0]), right = at_start(wheels.right[0]);
  Vec3 middle = (left + right) / 2;
  const double separation = wheels.separation.value_or((left - right).norm());
  const auto radius = wheels.radius ? wheels.radius : radius_of(import, *wheels.left[0]);
  if (!radius || !(separation > 0))
    return useless(
        fmt::format("the {} of its wheels is not said", radius ? "separation" : "radius"));
  const auto shape = radius_of(import, *wheels.left[0]);
  if (shape && std::abs(*radius - *shape) > kWrongRadius * *shape)
    import.diagnostics.warning(
        wheels.place,
        fmt::format(
            "{} says that wheels have a radius of {:.4g} m, but the shape of '{}' has {:.4g} "
            "m: the robot goes {} than it is told",
            wheels.who, *radius, wheels.left[0]->name, *shape,
            *radius > *shape ? "slower" : "faster"));
  NodeMaker made("MotorDrive", {wheels.place, nullptr});
  if (wheels.mecanum) {
    const Vec3 rear = (at_start(wheels.left[1]) + at_start(wheels.right[1])) / 2;
    made.text("kinematics", "mecanum")
        .flag("pushesRobot", true)
        .number("wheelbase", wheels.wheelbase.value_or((middle - rear).norm()));
    middle = (middle + rear) / 2;
  }
  made.pose(Pose::translation(middle))
      .texts("leftMotors", names_of(wheels.left))
      .texts("rightMotors", names_of(wheels.right))
      .number("wheelRadius", *radius)
      .number("wheelSeparation", separation);
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
    out.mecanum = kind_of(plugin_) == Kind::kMecanum;
    out.planar = kind_of(plugin_) == Kind::kPlanar;
    if (out.planar) {
      note_the_rest(out.who);
      return out;
    }
    out.left = joints(out.mecanum ? kMecanumLeftTags : kLeftTags);
    out.right = joints(out.mecanum ? kMecanumRightTags : kRightTags);
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
          std::array{&kLeftTags, &kRightTags, &kMecanumLeftTags, &kMecanumRightTags,
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

  std::vector<const Joint*> joints(const Tags& tags) {
    std::vector<const Joint*> out;
    for (const char* tag : tags) {
      for (const Element* element : plugin_.all(tag)) {
        const auto* joint =
            wheel_joint(import_, element->text.value, element->place, fmt::format("<{}>", tag));
        if (joint) out.push_back(joint);
      }
    }
    return out;
  }

  Import& import_;
  const Element& plugin_;
};

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
    const auto joints = [&](const std::vector<std::string>& names, std::vector<const Joint*>& all) {
      for (const std::string& name : names) {
        if (const auto* joint = wheel_joint(import, name, parameters->place, out.who))
          all.push_back(joint);
      }
    };
    out.mecanum = controller->mecanum;
    joints(controller->left, out.left);
    joints(controller->right, out.right);
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
  all_smooth_ = wheels.planar;
  for (const auto* side : {&wheels.left, &wheels.right}) {
    for (const Joint* wheel : *side) {
      motors_[wheel] = {wheels.torque};
      if (wheels.mecanum) smooth_.insert(wheel->child);
    }
  }
  return true;
}

const Drives::WheelMotor* Drives::motor_of(const Joint& joint) const {
  const auto found = motors_.find(&joint);
  return found == motors_.end() ? nullptr : &found->second;
}

}  // namespace protobeam::urdf
