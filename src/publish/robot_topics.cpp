#include "publish/robot_topics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/diagnostics.h"
#include "publish/topic_names.h"

namespace protobeam {
namespace {

[[noreturn]] void no_device(const TopicSettings& topic, const std::vector<std::string>& names) {
  throw std::invalid_argument(fmt::format("{}a Topic is of no device '{}'{}", place_prefix(topic.place),
                                          topic.device, hint(topic.device, names)));
}

/// One without a device.
void check_of_robot(const RobotInfo& robot, const TopicSettings& topic) {
  if (topic.message == kTransforms && !(topic.frame.empty() && topic.frame_prefix.empty())) return;
  if (topic.message == kTruth) return;
  throw std::invalid_argument(
      fmt::format("{}robot '{}': a Topic has a device, motors, or the message tf with a frame or "
                  "a framePrefix, or {}",
                  place_prefix(topic.place), robot.name, kTruth));
}

}  // namespace

void RobotTopics::check(const WorldModel& model, const PublishSettings& settings) {
  std::vector<std::string> robots;
  for (const RobotInfo& robot : model.robots) robots.push_back(robot.name);
  for (const std::string& name : settings.robots) {
    if (std::ranges::find(robots, name) != robots.end()) continue;
    throw std::invalid_argument(
        fmt::format("field 'robots' of Publishing: there is no robot '{}'{}", name, hint(name, robots)));
  }
  std::vector<std::string> all;
  for (const RobotInfo& robot : model.robots) {
    for (const Device& device : robot.devices) all.push_back(robot.name + "/" + device.name);
    check(robot);
  }
  for (const TopicSettings& topic : settings.topics) {
    if (std::ranges::find(all, topic.device) == all.end()) no_device(topic, all);
  }
}

void RobotTopics::check(const RobotInfo& robot) {
  std::vector<std::string> own;
  for (const Device& device : robot.devices) own.push_back(device.name);
  for (const TopicSettings& topic : robot.topics) {
    if (!topic.motors.empty()) continue;  // JointCommands
    if (topic.device.empty()) {
      check_of_robot(robot, topic);
      continue;
    }
    if (std::ranges::find(own, topic.device) == own.end()) no_device(topic, own);
  }
}

RobotTopics::RobotTopics(const WorldModel& model, const PublishSettings& settings,
                         RobotNames& names)
    : model_(model), settings_(settings), names_(names) {
  const auto published =
      std::ranges::count_if(model.robots, [this](const RobotInfo& robot) { return wanted(robot); });
  const bool alone = names.empty() && published == 1;
  std::set<std::string> taken;
  for (const auto& [robot, in_front] : names) taken.insert(in_front);
  for (const RobotInfo& robot : model.robots) {
    if (!wanted(robot) || names.contains(robot.name)) continue;
    std::string& name = names[robot.name];
    if (settings.prefix == "never" || (settings.prefix == "auto" && alone)) continue;
    const std::string plain = fmt::format("/{}", ros_name(robot.name));
    name = plain;
    for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", plain, i);
  }
}

bool RobotTopics::wanted(const RobotInfo& robot) const {
  return !robot.removed &&
         (settings_.robots.empty() ||
          std::ranges::find(settings_.robots, robot.name) != settings_.robots.end());
}

std::string RobotTopics::name(const RobotInfo& robot, const std::string& relative) const {
  if (relative.starts_with('/')) return fmt::format("/{}", ros_name(relative));
  const std::string& in_front = names_.at(robot.name);
  const std::string own = fmt::format("/{}", ros_name(relative));
  // Texts of robots in fleets have the namespace in them: <topic>r1/scan</topic>.
  return !in_front.empty() && own.starts_with(in_front + "/") ? own : in_front + own;
}

std::string RobotTopics::frame_prefix(const RobotInfo& robot) const {
  const auto named = std::ranges::find_if(robot.topics, [](const TopicSettings& topic) {
    return topic.device.empty() && topic.message == kTransforms && !topic.frame_prefix.empty();
  });
  if (named == robot.topics.end()) return "";
  const std::string& text = named->frame_prefix;
  // As a topic would be called there: texts of fleets may have the namespace in them already.
  const std::string below =
      text.starts_with('~') ? text.substr(text.starts_with("~/") ? 2 : 1) : "/" + text;
  const std::string topic = name(robot, below.empty() ? "x" : below + "/x");
  return topic.substr(1, topic.size() - 2);
}

std::vector<TopicSettings> RobotTopics::of(const RobotInfo& robot, const Device& device) const {
  std::vector<TopicSettings> out;
  // The first that fits counts: what stands outside of the robot overrides what stands in it.
  for (const TopicSettings& topic : settings_.topics) {
    if (topic.device == robot.name + "/" + device.name) out.push_back(topic);
  }
  for (const TopicSettings& topic : robot.topics) {
    if (topic.device == device.name) out.push_back(topic);
  }
  return out;
}

std::string hint(const std::string& word, const std::vector<std::string>& names) {
  const std::string near = did_you_mean(word, names);
  if (!near.empty()) return "; " + near;
  return names.empty() ? std::string() : fmt::format("; there are {}", fmt::join(names, ", "));
}

std::string place_prefix(const Place& place) {
  std::string text = place.to_string();
  if (!text.empty()) text += ": ";
  return text;
}

std::string base_frame_of(const RobotInfo& robot) {
  const auto named = std::ranges::find_if(robot.topics, [](const TopicSettings& topic) {
    return topic.device.empty() && topic.message == kTransforms && !topic.frame.empty();
  });
  return named == robot.topics.end() ? kBaseFrame : ros_name(named->frame);
}

std::string with_prefix(const std::string& prefix, const std::string& frame) {
  return frame.starts_with(prefix) ? frame : prefix + frame;
}

TopicSettings truth_of(const RobotInfo& robot) {
  const auto named = std::ranges::find_if(robot.topics, [](const TopicSettings& topic) {
    return topic.device.empty() && topic.message == kTruth;
  });
  return named == robot.topics.end() ? TopicSettings() : *named;
}

std::string frame_of(const RobotInfo& robot, const Device& device) {
  std::set<std::string> taken = {kMapFrame, kOdometryFrame, kFootprintFrame, kBaseFrame,
                                 base_frame_of(robot)};
  for (const Device& one : robot.devices) {
    const bool has_frame = one.solid >= 0;  // those of joints have no place of their own
    if (!has_frame && &one != &device) continue;
    const std::string name = ros_name(one.name);
    std::string unique = name;
    for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
    if (&one == &device) return unique;
  }
  return ros_name(device.name);
}

}  // namespace protobeam
