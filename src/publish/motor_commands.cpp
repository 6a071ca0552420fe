#include "publish/motor_commands.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace protobeam {

MotorCommands::State MotorCommands::state_of(const Device& motor) const {
  const physics::World& bodies = *simulation_.model().physics;
  return {bodies.joint_position(motor.joint, motor.axis),
          bodies.joint_velocity(motor.joint, motor.axis)};
}

namespace {

/// As its node has it; 0: nothing is said.
double fastest_of(const Device& motor) {
  const Properties& facts = motor.model->facts();
  const auto found = facts.find("maxVelocity");
  return found == facts.end() ? 0 : std::get<double>(found->second);
}

}  // namespace

void MotorCommands::send(const Topic& topic, Device& motor, Kind kind, double number) {
  static constexpr std::array kNames = {"position", "velocity", "effort"};
  if (robot_.battery.has_run_down && !motor.model->keeps_commands()) return;
  // A speed is kept only where there is no target, and would be the limit on the way to the next.
  if (kind == Kind::kVelocity) {
    motor.model->send_command("position", {std::numeric_limits<double>::infinity()});
    at_speed_.insert(motor.name);
  } else if (kind == Kind::kPosition && at_speed_.erase(motor.name) > 0) {
    if (const double fastest = fastest_of(motor); fastest > 0)
      motor.model->send_command("velocity", {fastest});
  }
  const std::string problem =
      motor.model->send_command(kNames.at(static_cast<std::size_t>(kind)), {number});
  if (!problem.empty()) complain(topic, fmt::format("'{}': {}", motor.name, problem));
}

void MotorCommands::limit(const Topic& topic, Device& motor, double effort, double speed) {
  const double fastest = fastest_of(motor);
  std::string problem = motor.model->send_command("available effort", {effort});
  if (speed <= 0 || (fastest > 0 && speed > fastest)) speed = fastest;
  if (problem.empty() && speed > 0) problem = motor.model->send_command("velocity", {speed});
  if (!problem.empty()) complain(topic, fmt::format("'{}': {}", motor.name, problem));
}

void MotorCommands::complain(const Topic& topic, const std::string& problem) {
  constexpr std::size_t kMost = 20;
  if (!note_ || told_.size() >= kMost || !told_.insert(topic.name + problem).second) return;
  // A motor says it of its limits itself.
  const bool says_so = problem.ends_with("(said once)");
  note_(fmt::format("{}: {}{}", topic.name, problem, says_so ? "" : " (said once)"));
}

}  // namespace protobeam
