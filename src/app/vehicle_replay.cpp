#include "app/vehicle_replay.h"

#include <fmt/format.h>

#include <stdexcept>

namespace protobeam {
namespace {

ScheduledVehicle scheduled(const WorldModel& model, const VehicleHost& vehicle) {
  const RobotInfo& robot = model.robots[static_cast<std::size_t>(vehicle.robot())];
  const Properties& facts = robot.devices[static_cast<std::size_t>(vehicle.device())].model->facts();
  const auto text = [&](const char* name) { return std::get<std::string>(facts.at(name)); };
  const auto number = [&](const char* name) { return std::get<double>(facts.at(name)); };
  return {vehicle.name(),
          text("drive"),
          text("controller"),
          text("takes"),
          static_cast<std::size_t>(number("inputs")),
          number("maxSteering") > 0};
}

}  // namespace

VehicleReplay::VehicleReplay(Simulation& simulation, const std::vector<std::string>& schedules)
    : simulation_(simulation) {
  for (const std::string& text : schedules) {
    const Schedule schedule = parse_schedule(text);
    bool any = false;
    for (const auto& vehicle : simulation.model().vehicles) {
      if (!schedule.robot.empty() && vehicle->name() != schedule.robot) continue;
      add(schedule, *vehicle);
      any = true;
    }
    if (any) continue;
    std::vector<std::string> names;
    for (const auto& vehicle : simulation.model().vehicles) names.push_back(vehicle->name());
    throw std::invalid_argument(
        names.empty() ? "--schedule: this world has no vehicle"
                      : fmt::format("--schedule: no vehicle '{}' in this world; its vehicles: {}",
                                    schedule.robot, fmt::join(names, ", ")));
  }
}

void VehicleReplay::add(const Schedule& schedule, VehicleHost& vehicle) {
  const ScheduledVehicle who = scheduled(simulation_.model(), vehicle);
  Track track{&vehicle, {}, {}, 0};
  for (const SetPoint& point : schedule.points) {
    track.times.push_back(point.time);
    track.commands.push_back(command_of(schedule, point, who));
    const std::string refused = vehicle.command(track.commands.back());
    if (refused.empty()) continue;
    const bool wrong_kind = schedule.raw == (who.takes == "twist");
    refuse_schedule(schedule.text, point.at,
                    fmt::format("{} refuses the set-point of {} s: {}{}", who.name, point.time,
                                refused, wrong_kind ? "; write " + form_of(who) : ""));
  }
  vehicle.reset();  // nothing was meant yet
  tracks_.push_back(std::move(track));
}

void VehicleReplay::before_step() {
  const double now = simulation_.time();
  for (Track& track : tracks_) {
    while (track.next < track.times.size() && track.times[track.next] <= now + 1e-9) ++track.next;
    if (track.next > 0) track.vehicle->command(track.commands[track.next - 1]);
  }
}

}  // namespace protobeam
