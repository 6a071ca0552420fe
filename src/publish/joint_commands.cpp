#include "publish/joint_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "message/control_msgs.h"
#include "message/sensor_msgs.h"
#include "message/std_msgs.h"
#include "publish/controller_manager.h"
#include "publish/gripper_server.h"
#include "publish/motor_commands.h"
#include "publish/trajectory_follower.h"

namespace protobeam {
namespace {

bool is_motor(const Device& device) {
  const auto takes = [&](const char* name) {
    return std::ranges::any_of(device.model->type().commands, [&](const CommandSpec& command) {
      return command.name == std::string_view(name) && command.arguments.size() == 1;
    });
  };
  return device.model && takes("position") && takes("velocity") && takes("effort");
}

constexpr std::array kKinds = {"position", "velocity", "effort"};
constexpr const char* kTrajectory = "trajectory";
constexpr const char* kGripper = "gripper";
constexpr const char* kTrajectoryType = "trajectory_msgs/JointTrajectory";

/// Motors that messages move.
struct MotorGroup {
  Topic topic;
  /// Of the controller that follows trajectories; "": there is none.
  std::string state_topic;
  double state_rate = 0;
  MotorCommands::Kind kind = MotorCommands::Kind::kPosition;
  bool one_for_all = false;
  std::vector<Device*> motors;
  TopicSettings settings;
  bool told = false;  ///< it has moved motors since its controller is active
};

MotorGroup group_of(const TopicSettings& setting, const RobotInfo& robot,
                    const std::map<std::string, Device*>& motors, const RobotTopics& topics) {
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(
        fmt::format("{}robot '{}': {}", place_prefix(setting.place), robot.name, why));
  };
  MotorGroup out;
  const auto kind = std::ranges::find(kKinds, setting.message);
  const bool follows = setting.message == kTrajectory, grips = setting.message == kGripper;
  const bool numbers = kind != kKinds.end();
  if (!numbers && !follows && !grips)
    refuse(
        fmt::format("the message of a Topic with motors is position, velocity, effort, trajectory "
                    "or gripper, not '{}'",
                    setting.message));
  if (numbers) out.kind = static_cast<MotorCommands::Kind>(kind - kKinds.begin());
  out.settings = setting;
  out.one_for_all = numbers && setting.type == "std_msgs/Float64";
  if (grips && !setting.type.empty() && setting.type != kGripperType &&
      setting.type != kParallelGripperType)
    refuse(fmt::format("the type of a gripper's action is {} or {}, not '{}'", kGripperType,
                       kParallelGripperType, setting.type));
  if (follows && !setting.type.empty() && setting.type != kTrajectoryType)
    refuse(fmt::format("the type of trajectories is {}, not '{}'", kTrajectoryType, setting.type));
  if (numbers && !out.one_for_all && !setting.type.empty() &&
      setting.type != "std_msgs/Float64MultiArray")
    refuse(
        fmt::format("the type of a Topic with motors is std_msgs/Float64MultiArray or "
                    "std_msgs/Float64, not '{}'",
                    setting.type));
  if (setting.name.empty()) refuse("a Topic with motors needs a name");
  std::vector<std::string> names;
  for (const auto& [name, motor] : motors) names.push_back(name);
  for (const std::string& name : setting.motors) {
    const auto found = motors.find(name);
    if (found == motors.end())
      refuse(fmt::format("there is no motor '{}'{}", name, hint(name, names)));
    out.motors.push_back(found->second);
  }
  const auto check_count = [&](const char* field, const std::vector<double>& numbers) {
    if (numbers.size() > 1 && numbers.size() != out.motors.size())
      refuse(fmt::format("field '{}' has {} numbers for {} motors: one each, or one for all", field,
                         numbers.size(), out.motors.size()));
  };
  check_count("pathTolerance", setting.tolerances.path);
  check_count("goalTolerance", setting.tolerances.goal);
  out.topic.name = topics.name(robot, setting.name);
  for (ControllerSettings one : robot.ros2_controllers) {
    one.manager = topics.name(robot, one.manager);
    if (follows && std::ranges::find(one.topics, setting.name) != one.topics.end() &&
        one.state_rate > 0)
      out.state_topic = state_topic(one), out.state_rate = one.state_rate;
  }
  out.topic.type = grips             ? nullptr
                   : follows         ? &message::type_of<message::JointTrajectory>()
                   : out.one_for_all ? &message::type_of<message::Float64>()
                                     : &message::type_of<message::Float64MultiArray>();
  return out;
}

class JointCommands final : public Source {
 public:
  JointCommands(const Simulation& simulation, const RobotInfo& robot,
                std::map<std::string, Device*> motors, std::string topic,
                std::vector<MotorGroup> groups, StreamTable& table,
                const std::function<void(const std::string&)>& note)
      : robot_name_(robot.name), motors_(std::move(motors)), out_(simulation, robot, note) {
    for (const auto& [name, motor] : motors_) names_.push_back(name);
    commands_.name = std::move(topic);
    commands_.type = &message::type_of<message::JointState>();
    table.subscribe(commands_, robot_name_);
    for (MotorGroup& group : groups) {
      if (group.topic.type) table.subscribe(group.topic, robot_name_);
      const TopicSettings& settings = group.settings;
      if (settings.message == kTrajectory)
        tasks_.push_back(follower(group, table));
      else if (settings.message == kGripper)
        tasks_.push_back(make_gripper_server(out_, table.services(), group.topic.name,
                                             settings.type, std::move(group.motors), settings));
      else
        groups_.push_back(std::move(group));
    }
  }

  void receive(const Received& received) override {
    for (MotorGroup& group : groups_) {
      if (received.topic == group.topic.name) command(group, received);
    }
    for (const auto& task : tasks_) {
      if (received.topic == task->name()) task->receive(received.cdr);
    }
    if (received.topic != commands_.name) return;
    try {
      command(message::from_cdr<message::JointState>(received.cdr));
    } catch (const std::runtime_error&) {
      out_.complain(commands_, "a message is no JointState");
    }
  }
  void after_step() override {
    for (const auto& task : tasks_) task->after_step();
  }
  void set_alive(const std::string& topic, bool alive) override {
    for (const auto& task : tasks_)
      if (task->name() == topic) task->set_alive(alive);
    for (MotorGroup& group : groups_) {
      // Motors that others move are theirs.
      if (alive || group.topic.name != topic || !std::exchange(group.told, false)) continue;
      for (Device* motor : group.motors) halt(group, *motor);
    }
  }
  std::string key() const override { return "commands of " + robot_name_; }
  void take_over(Source& before) override {
    auto& other = dynamic_cast<JointCommands&>(before);
    out_.take_over(other.out_);
    for (MotorGroup& group : groups_)
      for (const MotorGroup& old : other.groups_)
        if (old.topic.name == group.topic.name) group.told = old.told;
    for (const auto& old : other.tasks_) {
      const auto same =
          std::ranges::find(tasks_, old->name(), [](const auto& one) { return one->name(); });
      if (same != tasks_.end())
        (*same)->take_over(*old);
      else
        old->end("the robot has changed");
    }
  }
  void end(const std::string& why) override {
    for (const auto& task : tasks_) task->end(why);
  }

 private:
  std::unique_ptr<TrajectoryFollower> follower(MotorGroup& group, StreamTable& table) {
    auto made = std::make_unique<TrajectoryFollower>(
        out_, table.services(), group.topic, std::move(group.motors), group.settings.tolerances);
    if (!group.state_topic.empty())
      made->publish_state_on(
          table.add(group.state_topic, message::type_of<message::JointTrajectoryControllerState>()),
          group.state_rate);
    return made;
  }

  /// As Gazebo holds joints that no controller commands.
  void halt(const MotorGroup& group, Device& motor) {
    using enum MotorCommands::Kind;
    if (group.kind == kPosition)
      out_.hold(group.topic, motor);
    else
      out_.send(group.topic, motor, kVelocity, 0);
  }

  void command(MotorGroup& group, const Received& received) {
    std::vector<double> numbers;
    try {
      if (group.one_for_all)
        numbers.assign(group.motors.size(), message::from_cdr<message::Float64>(received.cdr).data);
      else
        numbers = message::from_cdr<message::Float64MultiArray>(received.cdr).data;
    } catch (const std::runtime_error&) {
      return out_.complain(group.topic, "a message is no " + group.topic.type->ros2_name);
    }
    if (numbers.size() != group.motors.size())
      return out_.complain(group.topic, fmt::format("{} motors have {} numbers",
                                                    group.motors.size(), numbers.size()));
    group.told = true;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (std::isfinite(numbers[i]))
        out_.send(group.topic, *group.motors[i], group.kind, numbers[i]);
    }
  }

  void command(const message::JointState& wanted) {
    const std::size_t count = wanted.name.size();
    const std::array<const std::vector<double>*, 3> rows = {&wanted.position, &wanted.velocity,
                                                            &wanted.effort};
    for (const auto* row : rows) {
      if (row->empty() || row->size() == count) continue;
      // Which numbers are whose cannot be told.
      return out_.complain(commands_,
                           fmt::format("{} names have {} numbers of a kind", count, row->size()));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto found = motors_.find(wanted.name[i]);
      if (found == motors_.end()) {
        out_.complain(commands_, fmt::format("there is no motor '{}'{}", wanted.name[i],
                                             hint(wanted.name[i], names_)));
        continue;
      }
      const auto finite = std::ranges::find_if(rows, [&](const std::vector<double>* row) {
        return !row->empty() && std::isfinite((*row)[i]);
      });
      if (finite == rows.end()) continue;
      out_.send(commands_, *found->second, static_cast<MotorCommands::Kind>(finite - rows.begin()),
                (**finite)[i]);
    }
  }

  std::string robot_name_;
  std::map<std::string, Device*> motors_;
  std::vector<std::string> names_;  ///< of the motors
  MotorCommands out_;
  std::vector<MotorGroup> groups_;
  std::vector<std::unique_ptr<MotorTask>> tasks_;
  Topic commands_;
};

}  // namespace

std::unique_ptr<Source> make_joint_commands(Simulation& simulation, const RobotInfo& robot,
                                            const RobotTopics& topics, StreamTable& table,
                                            const std::function<void(const std::string&)>& note) {
  std::map<std::string, Device*> motors;
  for (Device& device : simulation.model().robots[static_cast<std::size_t>(robot.index)].devices) {
    if (is_motor(device)) motors.emplace(device.name, &device);
  }
  std::vector<MotorGroup> groups;
  for (const TopicSettings& setting : robot.topics) {
    if (!setting.motors.empty() && setting.enabled)
      groups.push_back(group_of(setting, robot, motors, topics));
  }
  if (motors.empty()) return nullptr;
  return std::make_unique<JointCommands>(simulation, robot, std::move(motors),
                                         topics.name(robot, "joint_commands"), std::move(groups),
                                         table, note);
}

}  // namespace protobeam
