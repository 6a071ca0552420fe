// How the topics of each robot are called.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "device/topics.h"
#include "output/publish_settings.h"
#include "sim/model.h"

namespace protobeam {

/// What stands in front of robots' topics, by their names; kept while they come and go. Nothing
/// before those of a robot that is the only one at first.
using RobotNames = std::map<std::string, std::string>;

class RobotTopics {
 public:
  /// Throws std::invalid_argument, with its place in front, for a Topic that is of no device, and for
  /// robots that are not there.
  static void check(const WorldModel& model, const PublishSettings& settings);
  /// The same of the Topics in one robot.
  static void check(const RobotInfo& robot);
  /// Gives robots that are not in `names` theirs; all live longer.
  RobotTopics(const WorldModel& model, const PublishSettings& settings, RobotNames& names);

  /// Whether this robot is published.
  bool wanted(const RobotInfo& robot) const;
  /// A whole name: "odom" of the only robot is "/odom", of one among several "/car/odom", as is
  /// "car/odom"; "/x" is "/x".
  std::string name(const RobotInfo& robot, const std::string& relative) const;
  /// What stands before the names of all frames of the robot: "r1/", or nothing.
  std::string frame_prefix(const RobotInfo& robot) const;
  /// The settings that are of this device.
  std::vector<TopicSettings> of(const RobotInfo& robot, const Device& device) const;

 private:
  const WorldModel& model_;
  const PublishSettings& settings_;
  const RobotNames& names_;
};

/// What Topics of the robot itself call its transforms.
constexpr const char* kTransforms = "tf";
/// ... and where it is.
constexpr const char* kTruth = "base_pose_ground_truth";
/// What Topics of a device that tells the robot's odometry call that, and its transform.
constexpr const char* kOdometry = "odom";
constexpr const char* kOdometryTransform = "odom_tf";

/// "; did you mean 'x'?" or "; there are x, y".
std::string hint(const std::string& word, const std::vector<std::string>& names);
/// "worlds/a.wbt:3:5: ", or "".
std::string place_prefix(const Place& place);

/// What frames of robots hang on, unless a Topic says otherwise.
constexpr const char* kBaseFrame = "base_link";
/// That without pitch and roll, of robots that have no part with that name.
constexpr const char* kFootprintFrame = "base_footprint";
constexpr const char* kMapFrame = "map";
constexpr const char* kWorldFrame = "world";
constexpr const char* kOdometryFrame = "odom";

/// How a robot's own Topic says that where it is is published; what it would be without one.
TopicSettings truth_of(const RobotInfo& robot);

/// What the frame of the robot itself is called, without the prefix of its frames.
std::string base_frame_of(const RobotInfo& robot);

/// The name with the prefix of a robot's frames, which it may have already.
std::string with_prefix(const std::string& prefix, const std::string& frame);

/// Its frame, "front_lidar", without that prefix: the device's name as a name of ROS, with a number
/// where another device or the robot's base has it.
std::string frame_of(const RobotInfo& robot, const Device& device);

}  // namespace protobeam
