#include "output/publish_settings.h"

#include <fmt/format.h>

#include <algorithm>

namespace protobeam {

void add_output_schemas(SchemaRegistry& schemas) {
  using enum FieldType;
  const Range at_least_0 = Range::at_least(0);
  schemas.add({"Output",
               "",
               "A place where messages go: a file, a network. What stands in a world is one of the types "
               "that extend it.",
               {{"topics", kMFString, "[ ]", "", {},
                 "Names of the topics that it takes, * for any text in them; none: all"},
                {"without", kMFString, "[ ]", "", {},
                 "Names of topics that it does not take, * for any text in them"},
                {"memory", kFloat, "256", "MB", Range::positive(),
                 "What messages may take that wait for the disk or the network"}}});
  schemas.add(
      {"Topic",
       "",
       "How messages of a device of its robot are published, where that is not as it would be.",
       {{"device",
         kString,
         "\"\"",
         "",
         {},
         "Name of the device; outside of robots ROBOT/DEVICE. Empty, with the message tf: the "
         "robot itself, whose base has the name that frame says; with base_pose_ground_truth: "
         "where "
         "the robot is"},
        {"message",
         kString,
         "\"\"",
         "",
         {},
         "Which of its messages, as `show --topics` lists them; empty: the first"},
        {"name",
         kString,
         "\"\"",
         "",
         {},
         "Name of the topic; with / in front it is whole, otherwise the robot's prefix stands "
         "before it. Several Topics of a message are other names of it"},
        {"motors",
         kMFString,
         "[ ]",
         "",
         {},
         "Instead of a device: motors of the robot that messages of numbers move, one number each "
         "(std_msgs/Float64MultiArray) or one for all (std_msgs/Float64); message: position, "
         "velocity or effort. Or trajectory, for trajectory_msgs/JointTrajectory and the action "
         "follow_joint_trajectory; or gripper, for the action control_msgs/GripperCommand"},
        {"goalTime", kFloat, "0", "s", at_least_0,
         "Message trajectory: after its end a goal must be reached in this time; 0: in any"},
        {"stoppedVelocity", kFloat, "0.01", "rad/s or m/s", at_least_0,
         "Message trajectory: motors that are slower have stopped; 0: at any speed"},
        {"pathTolerance", kMFFloat, "[ ]", "rad or m", at_least_0,
         "Message trajectory: a goal fails when a motor is farther off on the way; of each motor, "
         "or one for all; 0 or none: any distance"},
        {"goalTolerance", kMFFloat, "[ ]", "rad or m", at_least_0,
         "The same at the end; of a gripper, for which none stands for 0.01"},
        {"allowStalling",
         kBool,
         "FALSE",
         "",
         {},
         "Message gripper: one that something stops has reached its goal"},
        {"frame",
         kString,
         "\"\"",
         "",
         {},
         "Name of the frame in which all data of the device say they are; empty: its own. Of what "
         "tells odometry: what odom is called"},
        {"childFrame",
         kString,
         "\"\"",
         "",
         {},
         "Messages odom and base_pose_ground_truth: the fixed part of the robot whose pose it "
         "tells; empty: base_link, or what "
         "is called so"},
        {"framePrefix",
         kString,
         "\"\"",
         "",
         {},
         "Message tf: what stands, with a / behind it, before the names of all frames of the "
         "robot, odom among them; ~ at its begin is the namespace of the robot's topics"},
        {"type", kString, "\"\"", "", {}, "Another type of message that the device has"},
        {"format", kString, "\"\"", "", {}, "Of points (docs/point-formats.md) and images"},
        {"stamp",
         kString,
         "\"\"",
         "",
         {},
         "Whether the time of a sweep is that of its first or its last beam",
         "|start|end"},
        {"rate", kFloat, "0", "Hz", at_least_0, "At most so many messages; 0: each sample"},
        {"enabled", kBool, "TRUE", "", {}, "FALSE: not published"}}});
  schemas.add(
      {"Ros2Controller",
       "",
       "A controller of ros2_control that its robot has: spawners and tools find it at its "
       "controller "
       "manager, and may deactivate it.",
       {{"name", kString, "\"\"", "", {}, "Its name"},
        {"type",
         kString,
         "\"\"",
         "",
         {},
         "Name of its class, as joint_trajectory_controller/JointTrajectoryController"},
        {"manager",
         kString,
         "\"controller_manager\"",
         "",
         {},
         "Node of the controller manager; with / in front it is a whole name, otherwise the "
         "robot's "
         "prefix stands before it"},
        {"commands", kMFString, "[ ]", "", {}, "Command interfaces that it claims: JOINT/position"},
        {"states", kMFString, "[ ]", "", {}, "State interfaces that it reads"},
        {"topics",
         kMFString,
         "[ ]",
         "",
         {},
         "Names of topics and actions that do nothing while it is not active"},
        {"stateRate", kFloat, "50", "Hz", at_least_0,
         "Of the controller_state of one that follows trajectories, steers, or drives mecanum "
         "wheels; 0: none"}}});
  schemas.add(
      {"Ros2Hardware",
       "",
       "A hardware component of ros2_control, as controller managers list it.",
       {{"name", kString, "\"\"", "", {}, "Its name"},
        {"type", kString, "\"system\"", "", {}, "What it is", "system|actuator|sensor"},
        {"plugin", kString, "\"\"", "", {}, "Name of its class"},
        {"manager", kString, "\"controller_manager\"", "", {}, "As that of a Ros2Controller"},
        {"commands", kMFString, "[ ]", "", {}, "Command interfaces: JOINT/position"},
        {"states", kMFString, "[ ]", "", {}, "State interfaces"}}});
  schemas.add(
      {"Publishing",
       "",
       "What all outputs of a world have in common.",
       {{"clockRate", kFloat, "250", "Hz", at_least_0,
         "At most so many messages of /clock; 0: none"},
        {"stateRate", kFloat, "50", "Hz", at_least_0,
         "Of odometry, true poses and transforms; 0: none of them"},
        {"robots", kMFString, "[ ]", "", {}, "Names of the robots that are published; none: all"},
        {"prefix",
         kString,
         "\"auto\"",
         "",
         {},
         "Whether names of topics begin with that of their robot; auto: when there are several",
         "auto|always|never"},
        {"fakeLocalization",
         kBool,
         "TRUE",
         "",
         {},
         "Vehicles have amcl_pose, particlecloud and the transform from map to odom"},
        {"logTopics",
         kBool,
         "FALSE",
         "",
         {},
         "What the logs of vehicles have is published, too, number by number"},
        {"mapResolution", kFloat, "0", "m", at_least_0,
         "Size of a cell of /map, which has what is in the way of robots; 0: no map"},
        {"mapHeights",
         kVec2f,
         "0.2 0.5",
         "m",
         {},
         "What is seen between them is in the way: the lower one and the upper one"},
        {"topics", kMFNode, "[ ]", "", {}, "Devices that are published in another way", "Topic"},
        {"namedPoses",
         kMFNode,
         "[ ]",
         "",
         {},
         "Places of the world that programs of ROS 2 ask for by /get_named_poses",
         "NamedPose"}}});
  schemas.add(
      {"NamedPose",
       "",
       "A place of the world with a name: where robots may be spawned, park or drive to. Programs "
       "ask for it by the service /get_named_poses.",
       {{"name", kString, "\"\"", "", {}, "Its name, which no other one has"},
        {"description", kString, "\"\"", "", {}, "For people, as: near the charging station"},
        {"tags", kMFString, "[ ]", "", {}, "What it is for, as: spawn, parking, navigation_goal"},
        {"translation", kVec3f, "0 0 0", "m", {}, "Where it is in the world"},
        {"rotation", kRotation, "0 0 1 0", "rad", {}, "How it is turned there"},
        {"boundsMin",
         kVec3f,
         "0 0 0",
         "m",
         {},
         "A corner of the box that is free around it, along its own axes; the same as boundsMax: "
         "it has no bounds"},
        {"boundsMax", kVec3f, "0 0 0", "m", {}, "The opposite corner"}}});
}

TopicSettings topic_settings(const Fields& topic) {
  TopicSettings out;
  out.device = topic.string("device");
  out.message = topic.string("message");
  for (const auto& motor : topic.strings("motors")) out.motors.emplace_back(motor);
  out.name = topic.string("name");
  out.frame = topic.string("frame");
  out.frame_prefix = topic.string("framePrefix");
  out.child_frame = topic.string("childFrame");
  out.type = topic.string("type");
  out.format = topic.string("format");
  out.stamp = topic.string("stamp");
  out.tolerances.goal_time = topic.number("goalTime");
  out.tolerances.stopped_velocity = topic.number("stoppedVelocity");
  out.tolerances.path = topic.numbers("pathTolerance");
  out.tolerances.goal = topic.numbers("goalTolerance");
  out.allow_stalling = topic.boolean("allowStalling");
  out.rate = topic.number("rate");
  out.enabled = topic.boolean("enabled");
  out.place = topic.place("device");
  return out;
}

ControllerSettings controller_settings(const Fields& controller) {
  ControllerSettings out;
  out.name = controller.string("name");
  out.type = controller.string("type");
  out.manager = controller.string("manager");
  out.commands = controller.strings("commands");
  out.states = controller.strings("states");
  out.topics = controller.strings("topics");
  out.state_rate = controller.number("stateRate");
  out.place = controller.place("name");
  return out;
}

HardwareSettings hardware_settings(const Fields& hardware) {
  return {hardware.string("name"),    hardware.string("type"),      hardware.string("plugin"),
          hardware.string("manager"), hardware.strings("commands"), hardware.strings("states")};
}

NamedPoseSettings named_pose_settings(const Fields& pose) {
  return {pose.string("name"),    pose.string("description"),
          pose.strings("tags"),   {pose.rotation("rotation"), pose.vec3("translation")},
          pose.vec3("boundsMin"), pose.vec3("boundsMax"),
          pose.place("name")};
}

std::optional<FieldProblem> problem_with(const Fields& pose,
                                         const std::vector<NamedPoseSettings>& others) {
  const std::string name = pose.string("name");
  if (name.empty()) return FieldProblem{"name", "a NamedPose needs a name"};
  const auto same = std::ranges::find(others, name, &NamedPoseSettings::name);
  if (same != others.end())
    return FieldProblem{"name", fmt::format("there is a NamedPose '{}' already, at {}", name,
                                            same->place.to_string())};
  const Vec3 least = pose.vec3("boundsMin"), most = pose.vec3("boundsMax");
  for (int axis = 0; axis < 3; ++axis) {
    if (least[axis] <= most[axis]) continue;
    // Of a pose with one of the two, it is that one that is wrong.
    return FieldProblem{
        pose.is_set("boundsMin") ? "boundsMin" : "boundsMax",
        fmt::format("boundsMin of NamedPose '{}' is not below its boundsMax: {} is {} and {}", name,
                    "xyz"[axis], least[axis], most[axis])};
  }
  return std::nullopt;
}

PublishSettings publish_settings(const Fields& publishing) {
  PublishSettings out;
  out.clock_rate = publishing.number("clockRate");
  out.state_rate = publishing.number("stateRate");
  out.robots = publishing.strings("robots");
  out.prefix = publishing.string("prefix");
  out.fake_localization = publishing.boolean("fakeLocalization");
  out.log_topics = publishing.boolean("logTopics");
  out.map_resolution = publishing.number("mapResolution");
  out.map_heights = publishing.vec2("mapHeights");
  return out;
}

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  if (name.starts_with('/')) name.remove_prefix(1);
  // Where a star was last, and what it has taken so far.
  std::size_t p = 0, n = 0, star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return std::ranges::all_of(pattern.substr(p), [](char c) { return c == '*'; });
}

TopicFilter::TopicFilter(const Fields& output)
    : topics_(output.strings("topics")), without_(output.strings("without")) {}

bool TopicFilter::takes(const std::string& name) const {
  const auto in = [&name](const std::vector<std::string>& patterns) {
    return std::ranges::any_of(patterns,
                               [&](const std::string& pattern) { return matches(pattern, name); });
  };
  return (topics_.empty() || in(topics_)) && !in(without_);
}

}  // namespace protobeam
