// The fields that Robots have beyond those of Solids: what changes of them do, and what they are
// now.
#include "sim/simulation.h"
#include "sim/supervisor/supervisor.h"

namespace protobeam {

bool Supervisor::change_robot(RobotInfo& robot, const std::string& field, const wbt::Value& value) {
  const std::string text = value.strings.empty() ? "" : value.strings.front();
  const std::vector<double>& numbers = value.numbers;
  if (field == "customData") {
    robot.custom_data = text;
    simulation_.send_custom_data(robot.index);
  } else if (field == "controllerArgs") {
    robot.controller_arguments = value.strings;
  } else if (field == "controller") {
    robot.controller = text;
    simulation_.restart_controller_soon(robot.index);
  } else if (field == "supervisor") {
    robot.supervisor = numbers.at(0) != 0;
  } else if (field == "synchronization") {
    warn_once(
        "field 'synchronization' of Robot cannot change while the world runs: it counts when the "
        "world is loaded again");
  } else if (field == "battery") {
    const bool has_run_down = robot.battery.has_run_down;
    robot.battery = battery_of(numbers, robot.battery.cpu);
    robot.battery.has_run_down = has_run_down;
  } else if (field == "cpuConsumption") {
    robot.battery.cpu = numbers.at(0);
  } else {
    return false;
  }
  return true;
}

/// Its own controller may have written it.
void Supervisor::sync_custom_data(const wbt::NodePtr& node) {
  for (const RobotInfo& robot : simulation_.model().robots) {
    if (robot.removed || robot.node != node.get()) continue;
    const TreeField field = simulation_.tree().field_of(node, "customData");
    const wbt::Value& before = simulation_.tree().value(field);
    if (!before.strings.empty() && before.strings.front() == robot.custom_data) return;
    wbt::Value text;
    text.kind = wbt::Value::Kind::kStrings;
    text.strings = {robot.custom_data};
    text.offsets = {node->place.offset};
    text.place = node->place;
    write(node, "customData", std::move(text));
  }
}

/// The first number of `battery` is the charge.
void Supervisor::sync_battery(const wbt::NodePtr& node) {
  for (const RobotInfo& robot : simulation_.model().robots) {
    if (robot.removed || robot.node != node.get() || !robot.battery.there) continue;
    const TreeField field = simulation_.tree().field_of(node, "battery");
    const wbt::Value& before = simulation_.tree().value(field);
    std::vector<double> numbers = before.numbers;
    if (numbers.empty() || numbers[0] == robot.battery.energy) return;
    numbers[0] = robot.battery.energy;
    wbt::Value now = number_value(*node, std::move(numbers));
    now.bracketed = before.bracketed;
    write(node, "battery", std::move(now));
  }
}

}  // namespace protobeam
