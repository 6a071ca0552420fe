#include "publish/joint_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "message/sensor_msgs.h"
#include "message/std_msgs.h"
#include "message/trajectory_msgs.h"
#include "publish/joint_trajectory.h"

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
constexpr std::size_t kTarget = 0, kSpeed = 1;
constexpr const char* kTrajectory = "trajectory";
constexpr const char* kTrajectoryType = "trajectory_msgs/JointTrajectory";

/// Motors that messages of numbers move.
struct MotorGroup {
  Topic topic;
  std::size_t kind = 0;  ///< of kKinds
  bool one_for_all = false;
  bool follows = false;  ///< trajectories
  std::vector<Device*> motors;
  std::optional<TrajectoryOfJoints> trajectory;  ///< under way
  std::vector<std::size_t> moved;                ///< indices of motors, in its order
};

/// The motor is of that joint. Those of a URDF that are coupled are called `master::joint`.
bool moves_joint(const Device& motor, const std::string& joint) {
  const std::string& name = motor.name;
  return name == joint || name.ends_with("::" + joint);
}

MotorGroup group_of(const TopicSettings& setting, const RobotInfo& robot,
                    const std::map<std::string, Device*>& motors, const RobotTopics& topics) {
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(
        fmt::format("{}robot '{}': {}", place_prefix(setting.place), robot.name, why));
  };
  MotorGroup out;
  const auto kind = std::ranges::find(kKinds, setting.message);
  out.follows = setting.message == kTrajectory;
  if (kind == kKinds.end() && !out.follows)
    refuse(fmt::format(
        "the message of a Topic with motors is position, velocity, effort or trajectory, not '{}'",
        setting.message));
  out.kind = out.follows ? kTarget : static_cast<std::size_t>(kind - kKinds.begin());
  out.one_for_all = !out.follows && setting.type == "std_msgs/Float64";
  if (out.follows && !setting.type.empty() && setting.type != kTrajectoryType)
    refuse(fmt::format("the type of trajectories is {}, not '{}'", kTrajectoryType, setting.type));
  if (!out.follows && !out.one_for_all && !setting.type.empty() &&
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
  out.topic.name = topics.name(robot, setting.name);
  out.topic.type = out.follows       ? &message::type_of<message::JointTrajectory>()
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
      : simulation_(simulation),
        robot_(robot),
        robot_name_(robot.name),
        motors_(std::move(motors)),
        groups_(std::move(groups)),
        note_(note) {
    for (const auto& [name, motor] : motors_) names_.push_back(name);
    commands_.name = std::move(topic);
    commands_.type = &message::type_of<message::JointState>();
    table.subscribe(commands_, robot_name_);
    for (const MotorGroup& group : groups_) table.subscribe(group.topic, robot_name_);
  }

  void receive(const Received& received) override {
    for (MotorGroup& group : groups_) {
      if (received.topic != group.topic.name) continue;
      if (group.follows)
        begin(group, received);
      else
        command(group, received);
    }
    if (received.topic != commands_.name) return;
    try {
      command(message::from_cdr<message::JointState>(received.cdr));
    } catch (const std::runtime_error&) {
      complain(commands_, "a message is no JointState");
    }
  }
  void after_step() override {
    for (MotorGroup& group : groups_) {
      if (group.trajectory) follow(group);
    }
  }
  std::string key() const override { return "commands of " + robot_name_; }
  void take_over(Source& before) override {
    const auto& other = dynamic_cast<JointCommands&>(before);
    at_speed_ = other.at_speed_;
    told_ = other.told_;
    for (MotorGroup& group : groups_) {
      const auto same = [&](const MotorGroup& one) { return one.topic.name == group.topic.name; };
      const auto old = std::ranges::find_if(other.groups_, same);
      if (old == other.groups_.end() || old->motors.size() != group.motors.size()) continue;
      group.trajectory = old->trajectory;
      group.moved = old->moved;
    }
  }

 private:
  TrajectoryOfJoints::State state_of(const Device& motor) const {
    const physics::World& bodies = *simulation_.model().physics;
    return {bodies.joint_position(motor.joint, motor.axis),
            bodies.joint_velocity(motor.joint, motor.axis)};
  }

  /// A trajectory takes the place of the one under way.
  void begin(MotorGroup& group, const Received& received) {
    try {
      const auto wanted = message::from_cdr<message::JointTrajectory>(received.cdr);
      std::vector<std::size_t> moved;
      std::vector<TrajectoryOfJoints::State> from;
      for (const std::string& joint : wanted.joint_names) {
        const auto motor = std::ranges::find_if(
            group.motors, [&](const Device* one) { return moves_joint(*one, joint); });
        const auto index = static_cast<std::size_t>(motor - group.motors.begin());
        if (motor == group.motors.end() || std::ranges::find(moved, index) != moved.end())
          return complain(group.topic,
                          fmt::format("'{}' is none of its joints, or there twice", joint));
        moved.push_back(index);
        from.push_back(state_of(**motor));
      }
      if (moved.empty()) return complain(group.topic, "a trajectory names no joints");
      TrajectoryOfJoints trajectory(wanted, simulation_.time(), from);
      if (group.trajectory) hold_others(group, moved);
      group.trajectory = std::move(trajectory);
      group.moved = std::move(moved);
      follow(group);
    } catch (const std::runtime_error&) {
      complain(group.topic, "a message is no " + group.topic.type->ros2_name);
    } catch (const std::invalid_argument& problem) {
      complain(group.topic, problem.what());
    }
  }

  /// Those under way that the next trajectory does not name.
  void hold_others(const MotorGroup& group, const std::vector<std::size_t>& next) {
    for (const std::size_t index : group.moved) {
      Device& motor = *group.motors[index];
      if (std::ranges::find(next, index) == next.end())
        send(group.topic, motor, kTarget, state_of(motor).position);
    }
  }

  /// Tells motors what brings them to where they ought to be after the coming step. A target alone
  /// would leave them behind.
  void follow(MotorGroup& group) {
    constexpr double kGain = 10;  // 1/s, as controlPID of motors
    const double step = simulation_.model().basic_time_step;
    const double now = simulation_.time();
    const bool over = now >= group.trajectory->end();
    for (std::size_t i = 0; i < group.moved.size(); ++i) {
      Device& motor = *group.motors[group.moved[i]];
      const auto wanted = group.trajectory->at(now, i);
      if (over) {
        send(group.topic, motor, kTarget, wanted.position);
        continue;
      }
      const double way = group.trajectory->at(now + step, i).position - wanted.position;
      send(group.topic, motor, kSpeed,
           way / step + kGain * (wanted.position - state_of(motor).position));
    }
    if (over) group.trajectory.reset();
  }

  void command(const MotorGroup& group, const Received& received) {
    std::vector<double> numbers;
    try {
      if (group.one_for_all)
        numbers.assign(group.motors.size(), message::from_cdr<message::Float64>(received.cdr).data);
      else
        numbers = message::from_cdr<message::Float64MultiArray>(received.cdr).data;
    } catch (const std::runtime_error&) {
      return complain(group.topic, "a message is no " + group.topic.type->ros2_name);
    }
    if (numbers.size() != group.motors.size())
      return complain(group.topic, fmt::format("{} motors have {} numbers", group.motors.size(),
                                               numbers.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (std::isfinite(numbers[i])) send(group.topic, *group.motors[i], group.kind, numbers[i]);
    }
  }

  void command(const message::JointState& wanted) {
    const std::size_t count = wanted.name.size();
    const std::array<const std::vector<double>*, 3> rows = {&wanted.position, &wanted.velocity,
                                                            &wanted.effort};
    for (const auto* row : rows) {
      if (row->empty() || row->size() == count) continue;
      // Which numbers are whose cannot be told.
      return complain(commands_,
                      fmt::format("{} names have {} numbers of a kind", count, row->size()));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto found = motors_.find(wanted.name[i]);
      if (found == motors_.end()) {
        complain(commands_, fmt::format("there is no motor '{}'{}", wanted.name[i],
                                        hint(wanted.name[i], names_)));
        continue;
      }
      const auto finite = std::ranges::find_if(rows, [&](const std::vector<double>* row) {
        return !row->empty() && std::isfinite((*row)[i]);
      });
      if (finite == rows.end()) continue;
      send(commands_, *found->second, static_cast<std::size_t>(finite - rows.begin()),
           (**finite)[i]);
    }
  }

  void send(const Topic& topic, Device& motor, std::size_t kind, double number) {
    if (robot_.battery.has_run_down && !motor.model->keeps_commands()) return;
    // A speed is kept only where there is no target, and would be the limit on the way to the next.
    if (kind == kSpeed) {
      motor.model->send_command("position", {std::numeric_limits<double>::infinity()});
      at_speed_.insert(motor.name);
    } else if (kind == kTarget && at_speed_.erase(motor.name) > 0) {
      const Properties& facts = motor.model->facts();
      const auto fastest = facts.find("maxVelocity");
      if (fastest != facts.end())
        motor.model->send_command("velocity", {std::get<double>(fastest->second)});
    }
    const std::string problem = motor.model->send_command(kKinds.at(kind), {number});
    if (!problem.empty()) complain(topic, fmt::format("'{}': {}", motor.name, problem));
  }

  void complain(const Topic& topic, const std::string& problem) {
    constexpr std::size_t kMost = 20;
    if (!note_ || told_.size() >= kMost || !told_.insert(topic.name + problem).second) return;
    // A motor says it of its limits itself.
    const bool says_so = problem.ends_with("(said once)");
    note_(fmt::format("{}: {}{}", topic.name, problem, says_so ? "" : " (said once)"));
  }

  const Simulation& simulation_;
  const RobotInfo& robot_;
  std::string robot_name_;
  std::map<std::string, Device*> motors_;
  std::vector<std::string> names_;  ///< of the motors
  std::vector<MotorGroup> groups_;
  std::function<void(const std::string&)> note_;
  Topic commands_;
  std::set<std::string> at_speed_;  ///< motors whose last command here was a speed
  std::set<std::string> told_;
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
