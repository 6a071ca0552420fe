#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "base/libm.h"
#include "urdf/ros_names.h"
#include "urdf/values.h"
#include "urdf/wheels.h"

namespace protobeam::urdf {
namespace {

std::string file_of(const Element& plugin) {
  const Text* file = plugin.attribute("filename");
  return file ? file->value : "";
}

// What these plugins call the same things: Gazebo, gazebo_ros_pkgs of ROS 2, of ROS 1.
using Tags = std::initializer_list<const char*>;
constexpr Tags kLeftTags = {"left_joint",    "leftJoint",  "leftFrontJoint",
                            "leftRearJoint", "left_front", "left_rear"};
constexpr Tags kRightTags = {"right_joint",    "rightJoint",  "rightFrontJoint",
                             "rightRearJoint", "right_front", "right_rear"};
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
constexpr Tags kTorqueTags = {"max_wheel_torque", "wheelTorque", "torque", "MaxForce"};
constexpr Tags kAccelerationTags = {"max_wheel_acceleration", "wheelAcceleration"};
constexpr Tags kEfficiencyTags = {"steering_efficiency"};
constexpr Tags kTrackSeparationTags = {"tracks_separation"};
constexpr Tags kSpeedTags = {"max_speed"};
constexpr Tags kSteeringGainTags = {"steer_p_gain"};
constexpr Tags kOdometryRateTags = {"odom_publish_frequency"};
constexpr Tags kTimeoutTags = {"cmdTimeout"};
constexpr Tags kCommandsTags = {"topic", "command_topic", "commandTopic"};
constexpr Tags kOdometryTags = {"odom_topic", "odometry_topic", "odometryTopic"};
constexpr Tags kTransformTags = {"publish_odom_tf", "publishOdomTF", "broadcastTF", "publishTF",
                                 "publishTf"};
constexpr Tags kOdometryFrameTags = {"odometry_frame", "odometryFrame", "frame_id"};
constexpr Tags kBaseFrameTags = {"robot_base_frame", "robotBaseFrame", "child_frame_id"};
// Odometry and the angles of wheels are published anyway.
constexpr Tags kNeedlessTags = {
    "publish_odom", "publish_wheel_tf", "publishWheelTF", "publishWheelJointState",
    "robotNamespace", "update_rate", "updateRate", "num_wheel_pairs", "legacyMode", "rosDebugLevel",
    "ros", "odometrySource", "odometry_source", "odometryRate", "odometry_rate", "publish_rate",
    "tf_topic", "max_steering_angle", "enableYAxis", "front_left_joint", "front_right_joint",
    "publish_distance",
    // of tracked vehicles
    "left_track", "right_track", "body_link", "tracks_height", "track_height", "debug",
    "linear_velocity", "angular_velocity",
    // of cars, whose motors do what they are told
    "left_steering_pid_gain", "left_steering_i_range", "right_steering_pid_gain",
    "right_steering_i_range", "linear_velocity_pid_gain", "linear_velocity_i_range"};

constexpr const char* kLinear = "linear";
constexpr const char* kAngular = "angular";

/// Of a limit of gz-sim's drives: of both kinds of speed, and of one, which counts before.
std::vector<std::string> bound_tags(const char* kind, const char* what) {
  std::vector<std::string> out;
  for (const char* end : {"min", "max"}) {
    out.push_back(fmt::format("{}_{}", end, what));
    out.push_back(fmt::format("{}_{}_{}", end, kind, what));
  }
  return out;
}

bool is_bound(const std::string& tag) {
  for (const char* what : {"velocity", "acceleration", "jerk"}) {
    for (const char* kind : {kLinear, kAngular}) {
      const auto tags = bound_tags(kind, what);
      if (std::ranges::find(tags, tag) != tags.end()) return true;
    }
  }
  return false;
}

constexpr double kSteeringEfficiency = 0.5, kTrackSeparation = 1;  ///< of gz-sim's TrackedVehicle
constexpr double kSteeringLimit = 0.5;  ///< rad, of gz-sim's AckermannSteering
constexpr double kMaxSteer = 0.6;  ///< rad, of gazebo_ros_ackermann_drive

bool is_one_of(const Tags& tags, const std::string& tag) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

/// Reads one plugin of Gazebo.
class PluginReader {
 public:
  PluginReader(Import& import, const Element& plugin) : import_(import), plugin_(plugin) {}

  Wheels run() {
    Wheels out;
    out.who = fmt::format("Gazebo's <plugin> '{}'", file_of(plugin_));
    out.place = plugin_.place;
    out.kind = drive_kind_of(plugin_);
    switch (out.kind) {
      case Wheels::Kind::kMecanum:
        out.left = joints(kMecanumLeftTags);
        out.right = joints(kMecanumRightTags);
        break;
      case Wheels::Kind::kAckermann:
        out.left = joints(kCarLeftTags);
        out.right = joints(kCarRightTags);
        out.steering = joints(kSteeringTags, false);
        out.steering_separation = positive(kSteeringSeparationTags);
        out.steering_limit = positive(kSteeringLimitTags);
        out.twist_steers = file_has(plugin_, "ackermann_drive");
        if (!out.twist_steers) {
          out.steering_gain = positive(kSteeringGainTags).value_or(1);
          // Its circles have a radius of at least the wheelbase over the sine of the limit.
          out.steering_limit = libm::atan(libm::sin(out.steering_limit.value_or(kSteeringLimit)));
        }
        if (out.twist_steers && !out.steering_limit) out.steering_limit = kMaxSteer;
        break;
      case Wheels::Kind::kTracked:
        tracks(out);
        common(out);
        note_the_rest(out.who);
        return out;
      case Wheels::Kind::kPlanar:
        common(out);
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
    common(out);
    note_the_rest(out.who);
    return out;
  }

 private:
  /// Tracks turn a robot less than wheels: by the efficiency.
  void tracks(Wheels& out) {
    const double efficiency = positive(kEfficiencyTags).value_or(kSteeringEfficiency);
    out.separation = positive(kTrackSeparationTags).value_or(kTrackSeparation) / efficiency;
    out.radius = 1;
    for (const auto& [tag, side] :
         {std::pair("left_track", &out.left_tracks), std::pair("right_track", &out.right_tracks)}) {
      for (const Element* track : plugin_.all(tag)) {
        const std::string name = child_text(*track, "link");
        const auto link = std::ranges::find(import_.robot.links, name, &Link::name);
        if (link != import_.robot.links.end() && link->track)
          side->push_back(&*link);
        else
          import_.diagnostics.warning(
              track->place, fmt::format("{} drives no link '{}': no <plugin> runs a track over it",
                                        out.who, name));
      }
    }
  }

  /// What is so for wheels and without.
  void common(Wheels& out) {
    // Gazebo's plugins hold the last twist, however long.
    out.timeout = positive(kTimeoutTags).value_or(0);
    out.bounds = bounds();
    out.odometry_rate = positive(kOdometryRateTags);
    if (out.odometry_rate) out.topics.push_back({"odom", "", ""});
    add_topic(out, "cmd_vel", kCommandsTags);
    add_topic(out, "odom", kOdometryTags);
    out.frames = {first_text(kOdometryFrameTags), first_text(kBaseFrameTags)};
    for (const char* tag : kTransformTags) {
      const std::string value = child_text(plugin_, tag);
      if (value == "false" || value == "0") out.topics.push_back({"odom_tf", "", "", false});
    }
  }

  void add_topic(Wheels& out, const char* usual, const Tags& tags) {
    std::string name = usual;
    for (const char* tag : tags) {
      if (const std::string text = child_text(plugin_, tag); !text.empty()) name = text;
    }
    name = ros_topic(plugin_, name);
    if (name == usual || name == std::string("/") + usual) return;
    if (is_topic(name))
      out.topics.push_back({usual, name, ""});
    else
      import_.diagnostics.warning(plugin_.place,
                                  fmt::format("'{}' is no name of a topic: it is {}", name, usual));
  }

  /// "" without any of them.
  std::string first_text(const Tags& tags) const {
    for (const char* tag : tags) {
      if (std::string text = child_text(plugin_, tag); !text.empty()) return text;
    }
    return {};
  }

  TwistBounds bounds() {
    TwistBounds out;
    const auto read = [&](const char* what, Bounds& linear, Bounds& angular) {
      for (const auto& [kind, to] : {std::pair(kLinear, &linear), std::pair(kAngular, &angular)}) {
        for (const std::string& tag : bound_tags(kind, what)) {
          const auto number = child_number(plugin_, tag.c_str(), import_.diagnostics);
          if (!number) continue;
          const bool most = tag.starts_with("max");
          if (most ? *number < 0 : *number > 0)
            import_.diagnostics.error(
                plugin_.child(tag.c_str())->place,
                fmt::format("<{}> must be at {} 0, got {}", tag, most ? "least" : "most", *number));
          else
            (most ? to->greatest : to->least) = *number;
        }
      }
    };
    read("velocity", out.speed, out.yaw_rate);
    read("acceleration", out.acceleration, out.yaw_acceleration);
    read("jerk", out.jerk, out.yaw_jerk);
    // Of tracked vehicles.
    for (const auto& [tag, limits] :
         {std::pair("linear_velocity", std::array{&out.speed, &out.acceleration, &out.jerk}),
          std::pair("angular_velocity",
                    std::array{&out.yaw_rate, &out.yaw_acceleration, &out.yaw_jerk})}) {
      const Element* all = plugin_.child(tag);
      for (std::size_t i = 0; all && i < limits.size(); ++i) {
        constexpr std::array kWhat{"velocity", "acceleration", "jerk"};
        const auto number = [&](const char* end) {
          return child_number(*all, fmt::format("{}_{}", end, kWhat[i]).c_str(),
                              import_.diagnostics);
        };
        *limits[i] = {number("min"), number("max")};
      }
    }
    if (const auto most = positive(kSpeedTags)) out.speed = {-*most, *most};
    return out;
  }

  void note_the_rest(const std::string& who) {
    for (const Element& child : plugin_.children) {
      const std::string& value = child.text.value;
      const bool known = std::ranges::any_of(
          std::array{
              &kLeftTags,          &kRightTags,      &kMecanumLeftTags,    &kMecanumRightTags,
              &kCarLeftTags,       &kCarRightTags,   &kSteeringTags,       &kSteeringSeparationTags,
              &kSteeringLimitTags, &kSeparationTags, &kRadiusTags,         &kDiameterTags,
              &kWheelbaseTags,     &kTorqueTags,     &kAccelerationTags,   &kCommandsTags,
              &kNeedlessTags,      &kSpeedTags,      &kSteeringGainTags,   &kOdometryRateTags,
              &kTimeoutTags,       &kOdometryTags,   &kTransformTags,      &kOdometryFrameTags,
              &kBaseFrameTags,     &kEfficiencyTags, &kTrackSeparationTags},
          [&](const Tags* tags) { return is_one_of(*tags, child.tag); });
      const bool as_here =
          value == "odom" || value == "/odom" || value == "base_link" || value == "base_footprint";
      if (!known && !as_here && !is_bound(child.tag))
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

}  // namespace

bool file_has(const Element& plugin, const char* words) {
  std::string name = file_of(plugin);
  std::ranges::replace(name, '-', '_');
  return name.find(words) != std::string::npos;
}

/// By the plugin's file: libgazebo_ros_diff_drive.so of Gazebo Classic, gz-sim-diff-drive-system,
/// libignition-gazebo-mecanum-drive-system.so of Gazebo, for cars libgazebo_ros_ackermann_drive.so
/// and gz-sim-ackermann-steering-system. libDiffDrivePlugin.so and libSkidSteerDrivePlugin.so are
/// Gazebo Classic's own. Robotnik's and Nexus' force_based_move are
/// planar_move with forces.
Wheels::Kind drive_kind_of(const Element& plugin) {
  const auto is = [&](std::initializer_list<const char*> names) {
    return std::ranges::any_of(names, [&](const char* name) { return file_has(plugin, name); });
  };
  if (is({"diff_drive", "skid_steer_drive", "DiffDrivePlugin", "SkidSteerDrivePlugin"}))
    return Wheels::Kind::kDifferential;
  if (file_has(plugin, "tracked_vehicle")) return Wheels::Kind::kTracked;
  if (file_has(plugin, "planar_move") || file_has(plugin, "force_based_move"))
    return Wheels::Kind::kPlanar;
  if (file_has(plugin, "ackermann_drive") || file_has(plugin, "ackermann_steering"))
    return Wheels::Kind::kAckermann;
  return file_has(plugin, "mecanum_drive") ? Wheels::Kind::kMecanum : Wheels::Kind::kNone;
}

// libgazebo_ros2_control.so, gz_ros2_control-system: <ros2_control> says which joints, and its
// parameters which controllers.
bool is_control_plugin(const Element& plugin) { return file_has(plugin, "ros2_control"); }

Wheels wheels_of_plugin(Import& import, const Element& plugin) {
  return PluginReader(import, plugin).run();
}

}  // namespace protobeam::urdf
