#include "urdf/joint_topics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "urdf/ros2_control.h"
#include "urdf/ros_names.h"
#include "urdf/values.h"
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
    {"joint_trajectory_controller", "trajectory", "joint_trajectory"},
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
    for (const char* tag : {"use_actuator_msg", "joint_index", "disable_braking"}) {
      const Element* one = plugin.child(tag);
      if (one && one->text.value != "0" && one->text.value != "false")
        import_.ignored.add(fmt::format("<{}> of Gazebo's plugins for joints", tag), one->place);
    }
    const bool trajectory = kind.interface == std::string("trajectory");
    std::vector<std::string> joints;
    for (const Element* name : plugin.all("joint_name")) joints.push_back(name->text.value);
    if (joints.empty() && trajectory) {
      for (const Joint& joint : import_.robot.joints)
        if (turns_or_slides(joint) && joint.has_one_axis()) joints.push_back(joint.name);
    }
    if (joints.empty()) return;
    const std::string model = "/model/" + import_.robot.name;
    std::string topic = child_text(plugin, "topic");
    if (const std::string sub = child_text(plugin, "sub_topic"); topic.empty() && !sub.empty())
      topic = model + "/" + sub;
    // Without Gazebo's number of the axis: no part of a name of ROS is a number.
    if (topic.empty() && trajectory) topic = fmt::format("{}/{}", model, kind.topic);
    if (topic.empty()) {
      topic = fmt::format("{}/joint/{}/{}", model, joints.front(), kind.topic);
      // Names of joints in nested models; ROS has no such topics.
      for (auto at = topic.find("::"); at != std::string::npos; at = topic.find("::"))
        topic.replace(at, 2, "/");
    }
    if (trajectory) {
      note_laws(plugin);
      Forwarder made{joints, kind.interface, topic, "", {}, {}};
      made.controller.facts.place = plugin.place;
      add(made);
    } else if (wbt::NodePtr servo = servo_of(plugin, kind, joints, topic)) {
      const std::string name = servo->find("name")->value.strings.at(0);
      nodes_.push_back(std::move(servo));
      nodes_.push_back(NodeMaker("Topic", {plugin.place, nullptr})
                           .text("device", name)
                           .text("message", "set_point")
                           .text("name", topic)
                           .take());
    }
  }

  /// Motors follow trajectories by themselves.
  void note_laws(const Element& plugin) {
    for (const Element& child : plugin.children) {
      if (child.tag == "initial_position" || child.tag.starts_with("position_") ||
          child.tag.starts_with("velocity_")) {
        import_.ignored.add("the gains, limits and initial positions of a <plugin> of trajectories",
                            child.place, "motors go through the points");
        return;
      }
    }
  }

  /// The law by which the plugin moves its joints (gz-sim, src/systems). Null with a warning.
  wbt::NodePtr servo_of(const Element& plugin, const JointPlugin& kind,
                        const std::vector<std::string>& joints, const std::string& topic) {
    auto motors = motors_of(joints, topic, plugin.place);
    if (!motors) return nullptr;
    add_followers(joints, *motors);
    const auto number = [&](const char* tag, double otherwise) {
      return child_number(plugin, tag, import_.diagnostics).value_or(otherwise);
    };
    const auto flag = [&](const char* tag) {
      const std::string text = child_text(plugin, tag);
      return text == "true" || text == "1";
    };
    const std::string quantity = kind.interface;
    const bool position = quantity == "position", velocity = quantity == "velocity";
    NodeMaker made("JointServo", {plugin.place, nullptr});
    const std::string name = fmt::format("{} {}", joints.front(), kind.topic);
    const int before = names_[name]++;
    made.text("name", before == 0 ? name : fmt::format("{} {}", name, before + 1))
        .texts("motors", *motors)
        .text("quantity", quantity);
    if (position || velocity)
      made.number("setPoint", number(position ? "initial_position" : "initial_velocity", 0));
    const bool by_velocity =
        position ? flag("use_velocity_commands") : velocity && !flag("use_force_commands");
    if (by_velocity) {
      made.text("by", "velocity");
      if (const double most = number("cmd_max", 0); position && most > 0)
        made.number("maxVelocity", most);
    } else if (position || velocity) {
      made.vec3("controlPID", {number("p_gain", 1), number("i_gain", position ? 0.1 : 0),
                               number("d_gain", position ? 0.01 : 0)})
          .number("offset", number("cmd_offset", 0));
      // Those that are the wrong way around are none, as in gz-math.
      const auto limits = [&](const char* field, const char* ends, double most) {
        const double least = number(fmt::format("{}_min", ends).c_str(), -most);
        const double greatest = number(fmt::format("{}_max", ends).c_str(), most);
        made.numbers(field,
                     greatest >= least ? std::vector{least, greatest} : std::vector<double>());
      };
      limits("integralLimits", "i", 1);
      limits("outputLimits", "cmd", 1000);
    }
    return made.take();
  }

  void add(const Forwarder& one) {
    const auto& [joints, interface, topic, type, rules, controller] = one;
    const Place& place = controller.facts.place;
    const auto motors = motors_of(joints, topic, place);
    if (!motors) return;
    NodeMaker made("Topic", {place, nullptr});
    made.texts("motors", *motors).text("message", interface).text("name", topic);
    if (!type.empty()) made.text("type", type);
    if (rules.goal_time) made.number("goalTime", *rules.goal_time);
    if (rules.stopped_velocity) made.number("stoppedVelocity", *rules.stopped_velocity);
    if (!rules.path.empty()) made.numbers("pathTolerance", rules.path);
    if (!rules.goal.empty()) made.numbers("goalTolerance", rules.goal);
    if (rules.allow_stalling) made.flag("allowStalling", true);
    nodes_.push_back(made.take());
    if (!controller.facts.name.empty()) nodes_.push_back(controller_node(controller, {topic}));
  }

  std::vector<wbt::NodePtr> take() { return std::move(nodes_); }

 private:
  /// The motors of mimic joints, which scale what they are told by themselves.
  void add_followers(const std::vector<std::string>& leaders,
                     std::vector<std::string>& motors) const {
    for (const Joint& joint : import_.robot.joints) {
      if (!joint.mimic || !control_.has_motor(joint)) continue;
      const std::string motor = control_.motor_name(joint);
      const bool follows = std::ranges::any_of(
          leaders, [&](const std::string& leader) { return motor.starts_with(leader + "::"); });
      if (follows && std::ranges::find(motors, motor) == motors.end()) motors.push_back(motor);
    }
  }

  /// Nothing with a warning, also where the topic has no name that ROS takes.
  std::optional<std::vector<std::string>> motors_of(const std::vector<std::string>& joints,
                                                    const std::string& topic, const Place& place) {
    std::vector<std::string> motors;
    for (const std::string& name : joints) {
      const auto joint = std::ranges::find(import_.robot.joints, name, &Joint::name);
      if (joint == import_.robot.joints.end() || !control_.has_motor(*joint) ||
          !turns_or_slides(*joint)) {
        import_.diagnostics.warning(
            place,
            fmt::format("'{}' has no effect: there is no joint '{}' with a motor", topic, name));
        return std::nullopt;
      }
      motors.push_back(control_.motor_name(*joint));
    }
    if (!is_topic(topic)) {
      import_.diagnostics.warning(place, fmt::format("'{}' is no name of a topic", topic));
      return std::nullopt;
    }
    return motors;
  }

  Import& import_;
  const Control& control_;
  std::vector<wbt::NodePtr> nodes_;
  std::map<std::string, int> names_;  ///< how many servos have it
};

}  // namespace

bool is_joint_plugin(const Element& plugin) { return joint_plugin(plugin) != nullptr; }

std::vector<wbt::NodePtr> joint_topics(Import& import, const Control& control,
                                       const Drives& drives) {
  TopicMaker out(import, control);
  for (const Element* plugin : all_plugins(import.robot)) {
    if (const JointPlugin* kind = joint_plugin(*plugin)) out.add_plugin(*plugin, *kind);
  }
  for (const Forwarder& one : drives.forwarders()) out.add(one);
  return out.take();
}

}  // namespace protobeam::urdf
