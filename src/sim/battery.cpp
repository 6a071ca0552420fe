#include "sim/battery.h"

#include <algorithm>

#include "sim/model.h"

namespace protobeam {
namespace {

Vec3 origin_of(const WorldModel& model, const RobotInfo& robot) {
  const SolidInfo& solid = model.solids[static_cast<std::size_t>(robot.solid)];
  return solid.body == physics::kWorldBody ? solid.X_BS.p
                                           : model.physics->pose(solid.body) * solid.X_BS.p;
}

void charge(const WorldModel& model, Charger& charger, std::deque<RobotInfo>& robots, double dt) {
  const Pose X_WC = charger.body == physics::kWorldBody
                        ? charger.X_BC
                        : model.physics->pose(charger.body) * charger.X_BC;
  for (RobotInfo& robot : robots) {
    Battery& battery = robot.battery;
    // A list of fewer than three numbers is a battery that cannot be charged.
    if (!battery.there || battery.charging < 0) continue;
    if ((origin_of(model, robot) - X_WC.p).norm() > charger.radius) continue;
    const double given = std::min(
        {battery.charging * dt, charger.energy, std::max(0.0, battery.capacity - battery.energy)});
    charger.energy -= given;
    battery.energy += given;
    return;
  }
}

}  // namespace

Battery battery_of(const std::vector<double>& numbers, double cpu) {
  const auto number = [&](std::size_t i) { return i < numbers.size() ? numbers[i] : -1; };
  return {.there = !numbers.empty(),
          .energy = numbers.empty() ? 0 : numbers[0],
          .capacity = number(1),
          .charging = number(2),
          .cpu = cpu};
}

void pass_energy(WorldModel& model, double dt) {
  for (RobotInfo& robot : model.robots) {
    Battery& battery = robot.battery;
    if (!battery.there || battery.empty()) continue;
    double power = battery.cpu;
    for (const Device& device : robot.devices) power += device.model->power();
    battery.energy =
        std::clamp(battery.energy - power * dt, 0.0, std::max(battery.capacity, battery.energy));
    battery.drained = battery.empty();
  }
  for (Charger& charger : model.chargers) {
    charger.energy =
        std::min(charger.energy + charger.filling * dt, std::max(charger.capacity, charger.energy));
    charge(model, charger, model.robots, dt);
  }
}

}  // namespace protobeam
