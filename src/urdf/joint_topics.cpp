#include "urdf/joint_topics.h"

#include <fmt/format.h>

#include <algorithm>

#include "urdf/ros_names.h"
#include "urdf/wheels.h"

namespace protobeam::urdf {
namespace {

/// What a plugin of Gazebo gives its joints, and the end of its topic (gz-sim, src/systems).
struct JointPlugin {
  const char* file;
  const char* interface;
  const char* topic;
};
constexpr JointPlugin kPlugins[] = {
    {"joint_position_controller", "position", "cmd_pos"},
    {"joint_controller", "velocity", "cmd_vel"},
    {"apply_joint_force", "effort", "cmd_force"},
};

const JointPlugin* joint_plugin(const Element& plugin) {
  const auto found = std::ranges::find_if(
      kPlugins, [&](const JointPlugin& one) { return file_has(plugin, one.file); });
  return found == std::end(kPlugins) ? nullptr : &*found;
}

class TopicMaker {
 public:
  TopicMaker(Import& import, const Control& control) : import_(import), control_(control) {}

  void add_plugin(const Element& plugin, const JointPlugin& kind) {
    for (const char* tag :
         {"use_actuator_msg", "joint_index", "initial_position", "initial_velocity"}) {
      const Element* one = plugin.child(tag);
      if (one && one->text.value != "0" && one->text.value != "false")
        import_.ignored.add(fmt::format("<{}> of Gazebo's plugins for joints", tag), one->place);
    }
    std::vector<std::string> joints;
    for (const Element* name : plugin.all("joint_name")) joints.push_back(name->text.value);
    if (joints.empty()) return;
    const std::string model = "/model/" + import_.robot.name;
    std::string topic = child_text(plugin, "topic");
    if (const std::string sub = child_text(plugin, "sub_topic"); topic.empty() && !sub.empty())
      topic = model + "/" + sub;
    // Without Gazebo's number of the axis: no part of a name of ROS is a number.
    if (topic.empty()) topic = fmt::format("{}/joint/{}/{}", model, joints.front(), kind.topic);
    add(joints, kind.interface, topic, "std_msgs/Float64", plugin.place);
  }

  void add(const std::vector<std::string>& joints, const std::string& interface,
           const std::string& topic, const std::string& type, const Place& place,
           const GoalRules& rules = {}) {
    std::vector<std::string> motors;
    for (const std::string& name : joints) {
      const auto joint = std::ranges::find(import_.robot.joints, name, &Joint::name);
      if (joint == import_.robot.joints.end() || !control_.has_motor(*joint) ||
          !turns_or_slides(*joint)) {
        import_.diagnostics.warning(
            place,
            fmt::format("'{}' has no effect: there is no joint '{}' with a motor", topic, name));
        return;
      }
      motors.push_back(control_.motor_name(*joint));
    }
    if (!is_topic(topic)) {
      import_.diagnostics.warning(place, fmt::format("'{}' is no name of a topic", topic));
      return;
    }
    NodeMaker made("Topic", {place, nullptr});
    made.texts("motors", motors).text("message", interface).text("name", topic);
    if (!type.empty()) made.text("type", type);
    if (rules.goal_time) made.number("goalTime", *rules.goal_time);
    if (rules.stopped_velocity) made.number("stoppedVelocity", *rules.stopped_velocity);
    if (!rules.path.empty()) made.numbers("pathTolerance", rules.path);
    if (!rules.goal.empty()) made.numbers("goalTolerance", rules.goal);
    if (rules.allow_stalling) made.flag("allowStalling", true);
    nodes_.push_back(made.take());
  }

  std::vector<wbt::NodePtr> take() { return std::move(nodes_); }

 private:
  Import& import_;
  const Control& control_;
  std::vector<wbt::NodePtr> nodes_;
};

}  // namespace

bool is_joint_plugin(const Element& plugin) { return joint_plugin(plugin) != nullptr; }

std::vector<wbt::NodePtr> joint_topics(Import& import, const Control& control,
                                       const Drives& drives) {
  TopicMaker out(import, control);
  for (const Element* plugin : all_plugins(import.robot)) {
    if (const JointPlugin* kind = joint_plugin(*plugin)) out.add_plugin(*plugin, *kind);
  }
  for (const Forwarder& one : drives.forwarders())
    out.add(one.joints, one.interface, one.topic, one.type, one.place, one.rules);
  return out.take();
}

}  // namespace protobeam::urdf
