#include "urdf/controllers.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "urdf/sensor_broadcasters.h"
#include "wbt/document.h"

namespace protobeam::urdf {
namespace {

class ParameterReader {
 public:
  ParameterReader(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics)
      : source_(std::move(source)), diagnostics_(diagnostics) {}

  RobotControllers run() {
    try {
      collect_nodes(YAML::Load(std::string(source_->text())), 0);
      return controllers();
    } catch (const YAML::Exception& problem) {
      error(problem.mark, problem.msg);
      return {};
    }
  }

 private:
  Place place_of(const YAML::Mark& mark) const {
    Place place{source_, 0, 1};
    if (!mark.is_null()) place.offset = static_cast<std::uint32_t>(mark.pos);
    return place;
  }
  void error(const YAML::Mark& mark, const std::string& message) {
    diagnostics_.error(place_of(mark), message);
  }

  using Mapping = std::function<void(const std::string& key, const YAML::Node& value)>;

  static void for_each_map(const YAML::Node& from, const Mapping& take) {
    if (!from.IsDefined() || !from.IsMap()) return;
    for (const auto& entry : from) {
      const YAML::Node &key = entry.first, &value = entry.second;
      if (key.IsScalar() && value.IsMap()) take(key.Scalar(), value);
    }
  }

  /// Nodes with their parameters, in the order of the file: `NODE: {ros__parameters: {...}}`, with
  /// a slash or below another key for those in a namespace.
  void collect_nodes(const YAML::Node& from, int depth) {
    for_each_map(from, [&](const std::string& key, const YAML::Node& value) {
      const auto slash = key.rfind('/');
      const std::string name = slash == std::string::npos ? key : key.substr(slash + 1);
      if (const YAML::Node its = value["ros__parameters"]; its.IsDefined()) {
        nodes_.emplace_back(name, its);
      } else if (depth < kMostNamespaces) {
        collect_nodes(value, depth + 1);
      }
    });
  }

  struct Typed {
    std::string name, type;
    YAML::Mark mark;
  };
  void add_type(const std::string& name, const YAML::Node& parameters, std::vector<Typed>& out) {
    const YAML::Node type = parameters.IsMap() ? parameters["type"] : YAML::Node();
    if (!type.IsDefined() || !type.IsScalar()) return;
    // Some have their type with the manager and among their own.
    if (std::ranges::find(out, name, &Typed::name) == out.end())
      out.push_back({name, type.Scalar(), type.Mark()});
  }

  /// The manager has the types of controllers by their names, or each controller its own.
  RobotControllers controllers() {
    std::vector<Typed> typed;
    for (const auto& [node, parameters] : nodes_) {
      if (node == "controller_manager") {
        for_each_map(parameters, [&](const std::string& name, const YAML::Node& value) {
          add_type(name, value, typed);
        });
      } else {
        add_type(node, parameters, typed);
      }
    }
    RobotControllers out;
    for (const Typed& one : typed) {
      if (one.type == "joint_state_broadcaster/JointStateBroadcaster") {
        out.broadcasters.push_back(facts(one));
        continue;
      }
      if (const SensorBroadcaster* sensor = sensor_broadcaster(one.type)) {
        for (const auto& [node, parameters] : nodes_) {
          if (node != one.name || !parameters.IsMap()) continue;
          ControllerFacts made = facts(one);
          made.sensor = text(parameters, "sensor_name");
          if (made.sensor.empty()) break;
          std::vector<std::string> states = sensor->states;
          if (flag(parameters, "read_covariance_from_interface").value_or(false))
            states.insert(states.end(),
                          {"latitude_covariance", "longitude_covariance", "altitude_covariance"});
          made.states = interfaces({made.sensor}, states);
          out.broadcasters.push_back(std::move(made));
          break;
        }
        continue;
      }
      const auto kind = kind_of(one.type);
      const std::optional<std::string> forwards = forwarded_by(one.type);
      if (!kind && !forwards) {
        if (drives(one.type))
          diagnostics_.warning(place_of(one.mark),
                               fmt::format("the controller '{}' has no effect: {} is not known",
                                           one.name, one.type));
        continue;
      }
      const auto own = std::ranges::find_if(
          nodes_, [&](const auto& node) { return node.first == one.name && node.second.IsMap(); });
      if (own == nodes_.end()) continue;
      if (forwards) {
        out.forwards.push_back(forwarder(own->second, one, *forwards));
        continue;
      }
      WheelController made;
      made.facts = facts(one);
      made.kind = *kind;
      if (auto read = this->read(own->second, std::move(made)))
        out.wheels.push_back(std::move(*read));
    }
    return out;
  }

  ControllerFacts facts(const Typed& typed) const {
    return {typed.name, typed.type, place_of(typed.mark), {}, {}};
  }

  /// "elbow/position": of each joint all of these.
  static std::vector<std::string> interfaces(const std::vector<std::string>& joints,
                                             const std::vector<std::string>& kinds) {
    std::vector<std::string> out;
    for (const std::string& joint : joints)
      for (const std::string& kind : kinds) out.push_back(joint + "/" + kind);
    return out;
  }
  std::vector<std::string> names_or(const YAML::Node& from, const char* key,
                                    std::vector<std::string> otherwise) {
    std::vector<std::string> out = names(from, key);
    return out.empty() ? std::move(otherwise) : out;
  }

  ForwardController forwarder(const YAML::Node& from, const Typed& typed,
                              const std::string& interface) {
    ForwardController out;
    out.facts = facts(typed);
    out.interface = interface.empty() ? text(from, "interface_name") : interface;
    if (interface == kGripper) {
      if (const std::string joint = text(from, "joint"); !joint.empty()) out.joints = {joint};
      if (typed.type.starts_with("parallel_")) out.type = "control_msgs/ParallelGripperCommand";
      if (find(from, "goal_tolerance").IsDefined())
        out.rules.goal = {std::max(0.0, number(from, "goal_tolerance", 0))};
      out.rules.allow_stalling = flag(from, "allow_stalling").value_or(false);
      out.facts.commands =
          interfaces(out.joints, {typed.type.starts_with("effort_") ? "effort" : "position"});
      for (const char* more : {"max_velocity_interface", "max_effort_interface"})
        if (const std::string name = text(from, more); !name.empty())
          out.facts.commands.push_back(name);
      out.facts.states = interfaces(out.joints, {"position", "velocity"});
      return out;
    }
    out.joints = names(from, "joints");
    if (interface == kTrajectory) {
      read_constraints(from, out);
      out.facts.commands = interfaces(names_or(from, "command_joints", out.joints),
                                      names_or(from, "command_interfaces", {"position"}));
      out.facts.states =
          interfaces(out.joints, names_or(from, "state_interfaces", {"position", "velocity"}));
      out.facts.state_rate = number(from, "state_publish_rate", kStateRate);
    } else {
      out.facts.commands = interfaces(out.joints, {out.interface});
    }
    return out;
  }

  /// ros2_controllers, joint_trajectory_controller_parameters.yaml.
  void read_constraints(const YAML::Node& from, ForwardController& out) {
    const auto seconds_or_speed = [&](const char* key) -> std::optional<double> {
      const std::string path = std::string("constraints.") + key;
      if (!find(from, path).IsDefined()) return std::nullopt;
      return std::max(0.0, number(from, path, 0));
    };
    out.rules.goal_time = seconds_or_speed("goal_time");
    out.rules.stopped_velocity = seconds_or_speed("stopped_velocity_tolerance");
    const auto of_joints = [&](const char* key) {
      std::vector<double> row;
      for (const std::string& joint : out.joints)
        row.push_back(std::max(0.0, number(from, "constraints." + joint + "." + key, 0)));
      if (std::ranges::all_of(row, [](double one) { return one == 0; })) row.clear();
      return row;
    };
    out.rules.path = of_joints("trajectory");
    out.rules.goal = of_joints("goal");
  }

  /// The interface of a controller that forwards commands, "" when its parameters say it; nothing
  /// for others.
  static std::optional<std::string> forwarded_by(const std::string& type) {
    if (type == "forward_command_controller/ForwardCommandController") return "";
    if (type == "position_controllers/JointGroupPositionController") return "position";
    if (type == "velocity_controllers/JointGroupVelocityController") return "velocity";
    if (type == "effort_controllers/JointGroupEffortController") return "effort";
    // ScaledJointTrajectoryController of Universal Robots, at its whole speed.
    if (type.ends_with("/JointTrajectoryController") ||
        type.ends_with("/ScaledJointTrajectoryController"))
      return kTrajectory;
    if (type == "position_controllers/GripperActionController" ||
        type == "effort_controllers/GripperActionController" ||
        type == "parallel_gripper_action_controller/GripperActionController")
      return kGripper;
    return std::nullopt;
  }

  /// By the name of its class.
  static bool drives(const std::string& type) {
    const std::string name = type.substr(type.find('/') + 1);
    return std::ranges::any_of(
        std::array{"Drive", "Steering", "Tricycle", "Chassis"},
        [&](const char* word) { return name.find(word) != std::string::npos; });
  }

  static std::optional<WheelController::Kind> kind_of(const std::string& type) {
    using enum WheelController::Kind;
    if (type == "diff_drive_controller/DiffDriveController") return kDifferential;
    if (type == "mecanum_drive_controller/MecanumDriveController") return kMecanum;
    if (type == "ackermann_steering_controller/AckermannSteeringController" ||
        type == "bicycle_steering_controller/BicycleSteeringController" ||
        type == "tricycle_steering_controller/TricycleSteeringController")
      return kSteering;
    if (type == "tricycle_controller/TricycleController") return kTricycle;
    return std::nullopt;
  }

  std::optional<WheelController> read(const YAML::Node& from, WheelController out) {
    const int before = diagnostics_.error_count();
    switch (out.kind) {
      case WheelController::Kind::kDifferential:
        read_differential(from, out);
        break;
      case WheelController::Kind::kMecanum:
        read_mecanum(from, out);
        break;
      case WheelController::Kind::kSteering:
        read_steering(from, out);
        break;
      case WheelController::Kind::kTricycle:
        read_tricycle(from, out);
        break;
    }
    out.tells_transform = flag(from, "enable_odom_tf").value_or(true);
    out.odometry_frame = text(from, "odom_frame_id");
    out.base_frame = text(from, "base_frame_id");
    out.frame_prefix = frame_prefix(from, out.kind);
    out.odometry_rate = number(from, "publish_rate", 0);
    if (tells_state(out.facts.type)) out.facts.state_rate = kStateRate;
    for (const auto* wheels : {&out.left, &out.right, &out.driving}) {
      const bool position = flag(from, "position_feedback")
                                .value_or(out.kind == WheelController::Kind::kDifferential);
      const auto add = [](std::vector<std::string>& to, std::vector<std::string> more) {
        to.insert(to.end(), more.begin(), more.end());
      };
      add(out.facts.commands, interfaces(*wheels, {"velocity"}));
      add(out.facts.states, interfaces(*wheels, {position ? "position" : "velocity"}));
    }
    for (auto* all : {&out.facts.commands, &out.facts.states})
      for (const std::string& joint : out.steering) all->push_back(joint + "/position");
    if (diagnostics_.error_count() > before) return std::nullopt;
    return out;
  }

  /// By a controller_state, in each of its updates.
  static bool tells_state(const std::string& type) {
    return type.starts_with("mecanum_") || type.find("_steering_controller/") != std::string::npos;
  }

  /// Of diff_drive_controller and mecanum_drive_controller the namespace where nothing is said, of
  /// steering_controllers_library what is said, of tricycle_controller none.
  std::string frame_prefix(const YAML::Node& from, WheelController::Kind kind) {
    using enum WheelController::Kind;
    if (kind == kTricycle) return "";
    const std::string said = text(from, "tf_frame_prefix");
    if (kind == kSteering) return said;
    if (!flag(from, "tf_frame_prefix_enable").value_or(true)) return "";
    return said.empty() ? "~" : said;
  }

  void read_differential(const YAML::Node& from, WheelController& out) {
    out.left = names(from, "left_wheel_names");
    out.right = names(from, "right_wheel_names");
    out.separation =
        number(from, "wheel_separation", 0) * number(from, "wheel_separation_multiplier", 1);
    out.radius = number(from, "wheel_radius", 0) * number(from, "left_wheel_radius_multiplier", 1);
    out.timeout = number(from, "cmd_vel_timeout", out.timeout);
    // Since ROS 2 Jazzy all twists have a stamp.
    if (flag(from, "use_stamped_vel").value_or(true))
      out.topics.push_back({"cmd_vel", "~/cmd_vel", kStamped});
    else
      out.topics.push_back({"cmd_vel", "~/cmd_vel_unstamped", ""});
    out.topics.push_back({"odom", "~/odom", ""});
    read_limits(from, out);
  }

  /// NaN and 0 are none; ROS 2 Humble has switches, too. The least is the opposite of the greatest
  /// where it is not said.
  void read_limits(const YAML::Node& from, WheelController& out) {
    const auto limit = [&](const std::string& axis, const std::string& kind) -> Bounds {
      if (!flag(from, axis + ".has_" + kind + "_limits").value_or(true)) return {};
      const double most = number(from, axis + ".max_" + kind, 0);
      const std::string least = axis + ".min_" + kind;
      const double other = number(from, least, 0);
      if (most > 0) return {other < 0 ? other : -most, most};
      if (other != 0)
        diagnostics_.warning(place_of(find(from, least).Mark()),
                             fmt::format("'{}' has no effect without a max_{}", least, kind));
      return {};
    };
    out.bounds = {limit("linear.x", "velocity"),     limit("angular.z", "velocity"),
                  limit("linear.x", "acceleration"), limit("angular.z", "acceleration"),
                  limit("linear.x", "jerk"),         limit("angular.z", "jerk")};
  }

  /// What controllers call references: with a stamp, or in ROS 2 Humble without one, of which both
  /// are subscribed to where the text does not say.
  void read_references(const YAML::Node& from, WheelController& out) {
    const auto stamped = flag(from, "use_stamped_vel");
    if (stamped.value_or(true)) out.topics.push_back({"cmd_vel", "~/reference", kStamped});
    if (!stamped.value_or(false)) out.topics.push_back({"cmd_vel", "~/reference_unstamped", ""});
    out.topics.push_back({"odom", "~/odometry", ""});
  }

  /// ros2_controllers, mecanum_drive_controller/src/mecanum_drive_controller.yaml; before that the
  /// controller of the same name with the parameters of diff_drive_controller.
  void read_mecanum(const YAML::Node& from, WheelController& out) {
    for (const char* end : {"front", "rear"}) {
      add_wheel(from, fmt::format("{}_left_wheel", end), out.left);
      add_wheel(from, fmt::format("{}_right_wheel", end), out.right);
    }
    // All that counts is the sum of half the distances between wheels ahead and across.
    out.separation = number(from, "kinematics.sum_of_robot_center_projection_on_X_Y_axis", 0);
    out.wheelbase = out.separation;
    if (out.separation == 0) {
      out.wheelbase =
          number(from, "wheel_separation_x", 0) * number(from, "wheel_separation_x_multiplier", 1);
      out.separation =
          number(from, "wheel_separation_y", 0) * number(from, "wheel_separation_y_multiplier", 1);
    }
    out.radius = number(from, "kinematics.wheels_radius", number(from, "wheel_radius", 0)) *
                 number(from, "wheel_radius_multiplier", 1);
    out.timeout = number(from, "reference_timeout", number(from, "cmd_vel_timeout", 0.5));
    if (find(from, "kinematics").IsDefined() || find(from, "kinematics.wheels_radius").IsDefined())
      read_references(from, out);
    read_limits(from, out);
  }

  /// The names of ROS 2 Humble say which axle, later ones what it does.
  void read_steering(const YAML::Node& from, WheelController& out) {
    const YAML::Node ahead = from["front_steering"];
    const bool by_front = !ahead.IsDefined() || !ahead.IsScalar() || ahead.Scalar() != "false";
    const std::string steers = by_front ? "front" : "rear", drives = by_front ? "rear" : "front";
    out.driving = names(from, "traction_joints_names");
    if (out.driving.empty()) out.driving = names(from, (drives + "_wheels_names").c_str());
    out.steering = names(from, "steering_joints_names");
    if (out.steering.empty()) out.steering = names(from, (steers + "_wheels_names").c_str());
    out.wheelbase = number(from, "wheelbase", 0);
    out.separation =
        first_number(from, {"traction_track_width", drives + "_wheel_track", "wheel_track"});
    out.steering_separation = first_number(from, {"steering_track_width", steers + "_wheel_track"});
    out.radius = first_number(from, {"traction_wheels_radius", "traction_wheel_radius",
                                     drives + "_wheels_radius", drives + "_wheel_radius"});
    out.timeout = first_number(from, {"reference_timeout"});
    if (out.timeout == 0) out.timeout = kReferenceTimeout;
    read_references(from, out);
  }

  /// ros2_controllers, tricycle_controller/src/tricycle_controller_parameter.yaml.
  void read_tricycle(const YAML::Node& from, WheelController& out) {
    if (std::string joint = text(from, "traction_joint_name"); !joint.empty())
      out.driving.push_back(std::move(joint));
    if (std::string joint = text(from, "steering_joint_name"); !joint.empty())
      out.steering.push_back(std::move(joint));
    out.wheelbase = number(from, "wheelbase", 0);
    out.radius = number(from, "wheel_radius", 0);
    out.timeout = number(from, "cmd_vel_timeout", 500) / 1000;
    out.acceleration = number(from, "traction.max_acceleration", 0) * out.radius;
    const double least = number(from, "steering.min_position", 0),
                 most = number(from, "steering.max_position", 0);
    out.steering_limit = least < 0 && most > 0 ? std::min(-least, most) : 0;
    if (flag(from, "use_stamped_vel").value_or(true))
      out.topics.push_back({"cmd_vel", "~/cmd_vel", kStamped});
    else
      out.topics.push_back({"cmd_vel", "~/cmd_vel", ""});
    out.topics.push_back({"odom", "~/odom", ""});
  }

  /// That is not 0; 0 when there is none.
  double first_number(const YAML::Node& from, const std::vector<std::string>& keys) {
    for (const std::string& key : keys) {
      if (const double value = number(from, key, 0); value != 0) return value;
    }
    return 0;
  }

  static void add_wheel(const YAML::Node& from, const std::string& wheel,
                        std::vector<std::string>& joints) {
    for (const char* end : {"_command_joint_name", "_name"}) {
      const YAML::Node joint = from[wheel + end];
      if (!joint.IsDefined() || !joint.IsScalar()) continue;
      joints.push_back(joint.Scalar());
      return;
    }
  }

  /// Dots stand for maps in each other, or for themselves.
  static YAML::Node find(const YAML::Node& from, const std::string& path) {
    if (const YAML::Node whole = from[path]; whole.IsDefined()) return whole;
    const auto dot = path.find('.');
    if (dot == std::string::npos) return YAML::Node(YAML::NodeType::Undefined);
    const YAML::Node inner = from[path.substr(0, dot)];
    return inner.IsDefined() && inner.IsMap() ? find(inner, path.substr(dot + 1))
                                              : YAML::Node(YAML::NodeType::Undefined);
  }

  double number(const YAML::Node& from, const std::string& path, double otherwise) {
    const YAML::Node node = find(from, path);
    if (!node.IsDefined()) return otherwise;
    double value = 0;
    if (!node.IsScalar() || !YAML::convert<double>::decode(node, value)) {
      error(node.Mark(), fmt::format("'{}' must be a number", path));
      return otherwise;
    }
    return std::isfinite(value) ? value : otherwise;  // NaN: as if it were not written
  }

  /// Nothing where it is not written.
  std::optional<bool> flag(const YAML::Node& from, const std::string& path) {
    const YAML::Node node = find(from, path);
    if (!node.IsDefined()) return std::nullopt;
    bool value = false;
    if (node.IsScalar() && YAML::convert<bool>::decode(node, value)) return value;
    error(node.Mark(), fmt::format("'{}' must be true or false", path));
    return std::nullopt;
  }

  /// "" where it is not written.
  static std::string text(const YAML::Node& from, const char* key) {
    const YAML::Node node = from[key];
    return node.IsDefined() && node.IsScalar() ? node.Scalar() : "";
  }

  std::vector<std::string> names(const YAML::Node& from, const char* key) {
    std::vector<std::string> out;
    const YAML::Node node = from[key];
    if (!node.IsDefined()) return out;
    if (!node.IsSequence()) {
      error(node.Mark(), fmt::format("'{}' must be a list of joints", key));
      return out;
    }
    for (const YAML::Node& one : node) {
      if (one.IsScalar()) out.push_back(one.Scalar());
    }
    return out;
  }

  static constexpr const char* kTrajectory = "trajectory";
  static constexpr const char* kGripper = "gripper";
  static constexpr int kMostNamespaces = 8;       ///< in each other
  static constexpr double kStateRate = 50;        ///< Hz
  static constexpr double kReferenceTimeout = 1;  ///< s, of steering_controllers_library
  static constexpr const char* kStamped = "geometry_msgs/TwistStamped";

  std::shared_ptr<const SourceText> source_;
  Diagnostics& diagnostics_;
  std::vector<std::pair<std::string, YAML::Node>> nodes_;
};

}  // namespace

RobotControllers robot_controllers_of(const std::filesystem::path& file, std::size_t most_bytes,
                                      Diagnostics& diagnostics) {
  const auto source = wbt::read_source(file, most_bytes, {}, diagnostics);
  return source ? ParameterReader(source, diagnostics).run() : RobotControllers{};
}

}  // namespace protobeam::urdf
