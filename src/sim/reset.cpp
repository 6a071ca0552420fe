#include "sim/reset.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/state_archive.h"
#include "sim/device_ports.h"
#include "sim/simulation.h"

namespace protobeam {

namespace {

/// What the old one remembers, for the new one. False: it cannot be so with the new one's fields.
bool hand_over(Device& old, Device& now) {
  const DeviceType& type = now.model->type();
  // What motors remember comes with their joints (KeptCommands).
  if (type.forces || std::string_view(type.api) == "Motor") return false;
  auto* from = dynamic_cast<KeepsState*>(old.model.get());
  auto* to = dynamic_cast<KeepsState*>(now.model.get());
  if (!from || !to) return false;
  StateArchive saved;
  from->visit_state(saved);
  const auto bytes = saved.take();
  try {
    StateArchive archive(bytes);
    to->visit_state(archive);
  } catch (const StateError&) {
    return false;
  }
  now.model->renew_facts();
  return true;
}

}  // namespace

bool fits(const RobotInfo& robot, const std::vector<Device>& before) {
  return std::ranges::equal(robot.devices, before, [](const Device& now, const Device& old) {
    return old.type == now.type && old.name == now.name && old.data.size() == now.data.size();
  });
}

bool go_on(RobotInfo& robot, std::vector<Device> before, bool states) {
  if (!fits(robot, before)) return false;
  for (std::size_t i = 0; i < before.size(); ++i) {
    Device& old = before[i];
    Device now = std::move(robot.devices[i]);
    now.period = old.period;
    now.next_sample = old.next_sample;
    now.frames = old.frames;
    now.samples = old.samples;
    now.points = old.points;
    now.wall_seconds = old.wall_seconds;
    const auto* first = old.own_data.data();
    const bool own = old.data.empty() ||
                     (old.data.data() >= first && old.data.data() < first + old.own_data.size());
    if (!own) {
      now.data = old.data;
    } else if (states) {
      std::ranges::copy(old.data, now.data.begin());
    }
    const bool remembers = states && hand_over(old, now);
    if (now.period != 0 && !remembers) now.model->reset();
    now.facts_changed = old.facts_changed || now.model->facts() != old.model->facts();
    old = std::move(now);
  }
  robot.devices = std::move(before);
  for (Device& device : robot.devices)
    static_cast<WorldRobotPort&>(*device.robot_port).follow(robot.devices);
  return true;
}

/// The world is built again from its text.
void Simulation::reset() {
  Diagnostics diagnostics;
  std::map<const wbt::Node*, std::unique_ptr<RobotDriver>> drivers;
  for (RobotInfo& robot : model_.robots) {
    if (robot.removed) continue;
    auto& driver = drivers_[static_cast<std::size_t>(robot.index)];
    if (driver) drivers[robot.node] = std::move(driver);
  }
  drivers_.clear();
  tree_->restore();
  shapes_.forget_nodes();
  WorldModel fresh = build_world(world_, schemas_, plugins_, options_.build, shapes_, diagnostics);
  std::swap(model_, fresh);  // the old devices live until the new ones have their memory
  std::map<const wbt::Node*, std::vector<Device>> devices;
  for (RobotInfo& robot : fresh.robots) {
    if (!robot.removed) devices[robot.node] = std::move(robot.devices);
  }
  ++robot_generation_;
  const std::int64_t steps = std::exchange(step_, 0);
  drivers_.resize(model_.robots.size());
  std::vector<std::size_t> anew;
  for (std::size_t i = 0; i < model_.robots.size(); ++i) {
    RobotInfo& robot = model_.robots[i];
    const auto known = drivers.find(robot.node);
    if (known == drivers.end()) {
      anew.push_back(i);
      continue;
    }
    drivers_[i] = std::move(known->second);
    drivers_[i]->follow(static_cast<int>(i));
    drivers_[i]->begin_again(steps);
    auto& before = devices[robot.node];
    for (Device& device : before) device.next_sample = device.period;
    if (!go_on(robot, std::move(before), false)) {
      drivers_[i]->forget_devices();
      restart_controller_soon(static_cast<int>(i));
    }
  }
  for (auto& [node, driver] : drivers) {
    if (!driver) continue;
    driver->leave();
    leaving_.push_back(std::move(driver));
  }
  begin();
  end_leaving();
  make_drivers();
  for (const std::size_t i : anew) {
    start_controller(i);
    drivers_[i]->before_step(step_, options_.controller_limit);
  }
  for (RobotInfo& robot : model_.robots) {
    for (Device& device : robot.devices) {
      if (device.sampling_period > 0 && device.period == 0) enable(device, device.sampling_period);
    }
  }
}

}  // namespace protobeam
