#include "app/silent_sensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <vector>

#include "base/text.h"
#include "sim/simulation.h"

namespace protobeam {
namespace {

/// What acts, or shows something, is sampled for the curious only.
bool measures(const DeviceType& type) {
  return !type.forces && !type.emits && !type.draws && !type.coupled_by_name &&
         (type.commands.empty() || type.inputs.bits != 0);
}

}  // namespace

std::string silent_sensors(const Simulation& simulation, const StreamTable& table) {
  std::vector<std::string> origins;
  for (const auto& stream : table.streams()) {
    if (stream->wanted() && stream->sent() == 0) origins.push_back(stream->origin());
  }
  std::vector<std::string> silent;
  for (const RobotInfo& robot : simulation.model().robots) {
    for (const Device& device : robot.devices) {
      const std::string path = robot.name + "/" + device.name;
      if (device.frames > 0 || !measures(device.model->type())) continue;
      const bool wanted = std::ranges::any_of(
          origins, [&](const auto& one) { return one.starts_with(path + ": "); });
      if (wanted) silent.push_back(printable(path));
    }
  }
  if (silent.empty()) return "";
  constexpr std::size_t kShown = 3;
  const auto shown = std::span(silent).first(std::min(kShown, silent.size()));
  return fmt::format(
      "nothing is published of {}{}: no sample was taken; a controller enables a "
      "sensor, or samplingPeriod in its node (--set \"{}.samplingPeriod=100\")",
      fmt::join(shown, ", "),
      silent.size() > kShown ? fmt::format(" and {} more", silent.size() - kShown) : "",
      silent.front());
}

std::string why_log_is_empty(const StreamTable& table) {
  bool offered = false;
  for (const auto& stream : table.streams()) {
    if (stream->origin().empty() || !stream->wanted()) continue;
    if (stream->sent() > 0) return "";
    offered = true;
  }
  return offered ? "--log: no sensor was switched on; a controller does that, or samplingPeriod in "
                   "the sensor's node"
                 : "--log: no robot of this world has a sensor whose samples fit into a table";
}

}  // namespace protobeam
