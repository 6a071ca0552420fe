#include "publish/joint_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "message/sensor_msgs.h"

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

class JointCommands final : public Source {
 public:
  JointCommands(const RobotInfo& robot, std::map<std::string, Device*> motors, std::string topic,
                StreamTable& table, const std::function<void(const std::string&)>& note)
      : robot_(robot), robot_name_(robot.name), motors_(std::move(motors)), note_(note) {
    for (const auto& [name, motor] : motors_) names_.push_back(name);
    commands_.name = std::move(topic);
    commands_.type = &message::type_of<message::JointState>();
    table.subscribe(commands_, robot_name_);
  }

  void receive(const Received& received) override {
    if (received.topic != commands_.name) return;
    try {
      command(message::from_cdr<message::JointState>(received.cdr));
    } catch (const std::runtime_error&) {
      complain("a message is no JointState");
    }
  }
  void after_step() override {}
  std::string key() const override { return "commands of " + robot_name_; }
  void take_over(const Source& before) override {
    const auto& other = dynamic_cast<const JointCommands&>(before);
    at_speed_ = other.at_speed_;
    told_ = other.told_;
  }

 private:
  void command(const message::JointState& wanted) {
    const std::size_t count = wanted.name.size();
    const std::array<const std::vector<double>*, 3> rows = {&wanted.position, &wanted.velocity,
                                                            &wanted.effort};
    for (const auto* row : rows) {
      if (row->empty() || row->size() == count) continue;
      // Which numbers are whose cannot be told.
      return complain(fmt::format("{} names have {} numbers of a kind", count, row->size()));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto found = motors_.find(wanted.name[i]);
      if (found == motors_.end()) {
        complain(
            fmt::format("there is no motor '{}'{}", wanted.name[i], hint(wanted.name[i], names_)));
        continue;
      }
      const auto finite = std::ranges::find_if(rows, [&](const std::vector<double>* row) {
        return !row->empty() && std::isfinite((*row)[i]);
      });
      if (finite == rows.end()) continue;
      send(*found->second, static_cast<std::size_t>(finite - rows.begin()), (**finite)[i]);
    }
  }

  void send(Device& motor, std::size_t kind, double number) {
    if (robot_.battery.has_run_down && !motor.model->keeps_commands()) return;
    constexpr std::array kNames = {"position", "velocity", "effort"};
    // A speed is kept only where there is no target, and would be the limit on the way to the next.
    constexpr std::size_t kTarget = 0, kSpeed = 1;
    if (kind == kSpeed) {
      motor.model->send_command("position", {std::numeric_limits<double>::infinity()});
      at_speed_.insert(motor.name);
    } else if (kind == kTarget && at_speed_.erase(motor.name) > 0) {
      const Properties& facts = motor.model->facts();
      const auto fastest = facts.find("maxVelocity");
      if (fastest != facts.end())
        motor.model->send_command("velocity", {std::get<double>(fastest->second)});
    }
    const std::string problem = motor.model->send_command(kNames.at(kind), {number});
    if (!problem.empty()) complain(fmt::format("'{}': {}", motor.name, problem));
  }

  void complain(const std::string& problem) {
    constexpr std::size_t kMost = 20;
    if (!note_ || told_.size() >= kMost || !told_.insert(problem).second) return;
    // A motor says it of its limits itself.
    const bool says_so = problem.ends_with("(said once)");
    note_(fmt::format("{}: {}{}", commands_.name, problem, says_so ? "" : " (said once)"));
  }

  const RobotInfo& robot_;
  std::string robot_name_;
  std::map<std::string, Device*> motors_;
  std::vector<std::string> names_;  ///< of the motors
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
  if (motors.empty()) return nullptr;
  return std::make_unique<JointCommands>(robot, std::move(motors),
                                         topics.name(robot, "joint_commands"), table, note);
}

}  // namespace protobeam
