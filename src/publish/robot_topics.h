// How the topics of each robot are called.
#pragma once

#include <string>
#include <vector>

#include "device/topics.h"
#include "output/publish_settings.h"
#include "sim/model.h"

namespace protobeam {

class RobotTopics {
 public:
  /// Throws std::invalid_argument, with its place in front, for a Topic that is of no device, and for
  /// robots that are not there.
  static void check(const WorldModel& model, const PublishSettings& settings);
  /// The only robot that is published; "" when the names of all are in front of their topics.
  static std::string plain_robot(const WorldModel& model, const PublishSettings& settings);
  RobotTopics(const WorldModel& model, const PublishSettings& settings, std::string plain_robot);

  /// Whether this robot is published.
  bool wanted(const RobotInfo& robot) const { return wanted(robot, settings_); }
  /// A whole name: "odom" of the plain robot is "/odom", of another one "/car/odom"; "/x" is "/x".
  std::string name(const RobotInfo& robot, const std::string& relative) const;
  /// The settings that are of this device.
  std::vector<TopicSettings> of(const RobotInfo& robot, const Device& device) const;

 private:
  static bool wanted(const RobotInfo& robot, const PublishSettings& settings);

  const WorldModel& model_;
  const PublishSettings& settings_;
  std::string plain_robot_;
};

/// "; did you mean 'x'?" or "; there are x, y".
std::string hint(const std::string& word, const std::vector<std::string>& names);
/// "worlds/a.wbt:3:5: ", or "".
std::string place_prefix(const Place& place);

/// Its frame: "front_lidar".
/// What frames of robots hang on; base_footprint is one as well.
constexpr const char* kBaseFrame = "base_link";
constexpr const char* kWorldFrames[] = {"map", "odom", "base_footprint"};

/// The device's name as a name of ROS, with a number where another device or the robot's base has
/// it.
std::string frame_of(const RobotInfo& robot, const Device& device);

}  // namespace protobeam
