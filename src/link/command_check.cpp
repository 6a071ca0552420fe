// What a controller may ask of which device: what the device's type declares. The library checks
// its caller's arguments first, with a message for the programmer; here a program that speaks the
// protocol on its own is found out.
#include <cmath>
#include <limits>

#include "base/robot_commands.h"
#include "link/messages.h"

namespace protobeam::link {
namespace {

const CommandSpec& enable_spec() {
  static const CommandSpec spec{
      "enable", {{"period", "ms", Range::between(0.1, std::numeric_limits<int>::max())}}, ""};
  return spec;
}

const CommandSpec& disable_spec() {
  static const CommandSpec spec{"disable", {}, ""};
  return spec;
}

/// Null for a command that the device does not know.
const CommandSpec* spec_of(std::uint16_t op, const DeviceRecord* device) {
  const bool sampled = device && device->has_sample();
  if (op == device_op::kEnable) return sampled ? &enable_spec() : nullptr;
  if (op == device_op::kDisable) return sampled ? &disable_spec() : nullptr;
  const std::span<const CommandSpec> commands =
      device ? std::span<const CommandSpec>(device->commands) : robot_commands::specs();
  const std::size_t index = op - device_op::kFirstCommand;
  return index < commands.size() ? &commands[index] : nullptr;
}

}  // namespace

void check(const DeviceCommand& command, const RobotRecord& robot) {
  if (command.tag > robot.devices.size()) {
    throw BrokenMessage("a command goes to device " + std::to_string(command.tag) +
                        ", the robot has " + std::to_string(robot.devices.size()));
  }
  const DeviceRecord* device = command.tag == 0 ? nullptr : &robot.devices[command.tag - 1];
  const std::string name = device ? "'" + device->name + "'" : "the robot";
  for (double number : command.numbers) {
    if (std::isnan(number)) throw BrokenMessage("a command to " + name + " holds NaN");
  }
  const CommandSpec* spec = spec_of(command.op, device);
  if (!spec) {
    throw BrokenMessage("command " + std::to_string(command.op) + " to " + name +
                        (device ? " (" + device->type + ")" : "") + " is unknown");
  }
  const std::string problem = problem_of(*spec, command);
  if (problem.empty()) return;
  throw BrokenMessage("command '" + spec->name + "' to " + name + " " + problem);
}

}  // namespace protobeam::link
