// What is published under which names: the nodes Publishing and Topic of a world, or of a file of
// settings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/field_table.h"
#include "base/fields.h"

namespace protobeam {

/// Of motors that follow trajectories, as `constraints` of ros2_control's controllers; 0: any.
struct TrajectoryTolerances {
  double goal_time = 0;            ///< s after the end, at which it must be reached; 0: any time
  double stopped_velocity = 0.01;  ///< rad/s or m/s at the end
  std::vector<double> path;        ///< rad or m on the way, of each motor, or one for all
  std::vector<double> goal;        ///< at the end
};

/// Node Topic: one stream of a device in another way than it would be.
struct TopicSettings {
  /// "DEVICE" of the robot that the node stands in, or "ROBOT/DEVICE"; "": the robot itself.
  std::string device;
  std::string message;  ///< which of its streams; "": the first one
  std::string name;     ///< "" : as it would be
  std::vector<std::string> motors;  ///< that numbers move, instead of a device
  std::string frame;    ///< of all data of the device; "": its own
  std::string frame_prefix;         ///< of all frames of the robot; ~: the robot's namespace
  std::string child_frame;          ///< whose pose odometry tells; "": the robot's base
  std::string type, format, stamp;  ///< "": as the device thinks best
  TrajectoryTolerances tolerances;
  bool allow_stalling = false;  ///< a gripper that is stopped has reached its goal
  double rate = 0;      ///< Hz at most; 0: each sample
  bool enabled = true;
  Place place;
};

/// Node Ros2Controller: a controller of ros2_control that the robot has.
struct ControllerSettings {
  std::string name, type;
  std::string manager;                        ///< node that lists it
  std::vector<std::string> commands, states;  ///< interfaces: "elbow/position"
  std::vector<std::string> topics;            ///< and actions, which are dead while it is inactive
  double state_rate = 50;                     ///< Hz, of its controller_state; 0: none
  Place place;
};

/// Node Ros2Hardware: a <ros2_control> of the robot.
struct HardwareSettings {
  std::string name, type, plugin;
  std::string manager;
  std::vector<std::string> commands, states;
};

/// Node NamedPose: a place of the world that programs may ask for.
struct NamedPoseSettings {
  std::string name, description;
  std::vector<std::string> tags;
  Pose X_WN;
  Vec3 bounds_min = Vec3::Zero(), bounds_max = Vec3::Zero();  ///< m, along its axes; equal: none
  Place place;

  bool bounded() const { return bounds_min != bounds_max; }
};

/// Node Publishing.
struct PublishSettings {
  double clock_rate = 250;  ///< Hz at most, of /clock; 0: none
  double state_rate = 50;   ///< Hz, of poses and transforms
  std::vector<std::string> robots;  ///< that are published; none: all
  std::string prefix = "auto";
  bool fake_localization = true;
  bool log_topics = false;
  double map_resolution = 0;   ///< m, of the map of the world; 0: none
  Vec2 map_heights{0.2, 0.5};  ///< m, of what is in the way there
  std::vector<TopicSettings> topics;
  std::vector<NamedPoseSettings> named_poses;
};

/// "Output", which all outputs extend, "Publishing", "Topic", "NamedPose" and those of
/// ros2_control.
void add_output_schemas(SchemaRegistry& schemas);

TopicSettings topic_settings(const Fields& topic);
ControllerSettings controller_settings(const Fields& controller);
HardwareSettings hardware_settings(const Fields& hardware);
NamedPoseSettings named_pose_settings(const Fields& pose);
/// What is wrong with a node: the place of the field is that of the message.
struct FieldProblem {
  std::string field, text;
};
/// Nothing, or what is wrong with one that is to follow `others`.
std::optional<FieldProblem> problem_with(const Fields& pose,
                                         const std::vector<NamedPoseSettings>& others);
/// All but the nodes in it.
PublishSettings publish_settings(const Fields& publishing);

/// What an Output takes of all topics.
class TopicFilter {
 public:
  explicit TopicFilter(const Fields& output);
  bool takes(const std::string& name) const;

 private:
  std::vector<std::string> topics_, without_;
};

/// `pattern` has * for any text. A name and a pattern mean the same with and without '/' in front.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace protobeam
