#include "app/device_sweep.h"

#include <algorithm>

namespace protobeam {
namespace {

double number(const Properties& properties, const char* name) {
  const auto it = properties.find(name);
  const double* value = it == properties.end() ? nullptr : std::get_if<double>(&it->second);
  return value ? *value : 0;
}

}  // namespace

SweepSource source_of(const Simulation& simulation, const Device& device) {
  const auto& lidar = dynamic_cast<const BeamSensor&>(*device.model);
  SweepSource source;
  source.robot = simulation.model().robots[static_cast<std::size_t>(device.robot)].name;
  source.device = device.name;
  source.product = device.proto;
  source.layers = lidar.layers();
  source.columns = lidar.columns();
  source.properties = lidar.properties();
  source.min_range = number(source.properties, "minRange");
  source.max_range = lidar.max_range();
  source.resolution = std::max(0.0, number(source.properties, "resolution"));
  return source;
}

TimedSweep sweep_of(const Simulation& simulation, const Device& device) {
  const auto& lidar = dynamic_cast<const BeamSensor&>(*device.model);
  return timed_sweep(lidar.beams(device.data), simulation.pose_of(device));
}

}  // namespace protobeam
