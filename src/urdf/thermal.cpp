#include "urdf/thermal.h"

#include <fmt/format.h>

#include <algorithm>

#include "urdf/ros_names.h"
#include "urdf/sensor_noise.h"
#include "urdf/values.h"
#include "urdf/wheels.h"

namespace protobeam::urdf {
namespace {

constexpr double kHottest = 65535;     // K, as ThermalCamera has it
constexpr double kFinest = 1e-6;       // K
constexpr double kUsual = 0.01;        // K, a level
constexpr double kUsualOfBytes = 3.0;  // K, instead of less than 1 K

/// K, of a child within its bounds; nothing without it, and with an error.
std::optional<double> kelvin(const Element& owner, const char* tag, double least,
                             Diagnostics& diagnostics) {
  const auto value = child_number(owner, tag, diagnostics);
  if (!value || (*value >= least && *value <= kHottest)) return value;
  diagnostics.error(
      owner.child(tag)->text.place,
      fmt::format("<{}> must be from {} to {} K, got {}", tag, least, kHottest, *value));
  return std::nullopt;
}

}  // namespace

bool is_thermal_camera(std::string_view type) {
  return type == "thermal_camera" || type == "thermal";
}

bool is_thermal(const Element& plugin) { return file_has(plugin, "thermal_system"); }
bool is_thermal_sensor(const Element& plugin) { return file_has(plugin, "thermal_sensor_system"); }

std::optional<double> temperature_of(const Element& visual, Ignored& ignored,
                                     Diagnostics& diagnostics) {
  for (const Element* plugin : visual.all("plugin")) {
    if (!is_thermal(*plugin)) continue;
    if (const Element* signature = plugin->child("heat_signature")) {
      ignored.add("<heat_signature> of a thermal plugin", signature->place,
                  "the shape is as warm as its surroundings");
      return std::nullopt;
    }
    if (plugin->child("temperature")) return kelvin(*plugin, "temperature", 0, diagnostics);
    diagnostics.warning(plugin->place, "a thermal plugin has no effect: it has no <temperature>");
  }
  return std::nullopt;
}

void add_temperatures(Import& import, const Element& sensor, const Element& camera,
                      NodeMaker& made) {
  const Element* image = camera.child("image");
  const std::string format = image ? child_text(*image, "format") : "";
  const bool bytes = format == "L8" || format == "L_INT8";
  double resolution = kUsual;
  for (const Element* plugin : sensor.all("plugin")) {
    if (!is_thermal_sensor(*plugin)) continue;
    resolution = kelvin(*plugin, "resolution", kFinest, import.diagnostics).value_or(kUsual);
    const double least = kelvin(*plugin, "min_temp", 0, import.diagnostics).value_or(0);
    const double most = kelvin(*plugin, "max_temp", 0, import.diagnostics).value_or(kHottest);
    if (least <= most) {
      made.number("minTemperature", least).number("maxTemperature", most);
    } else {
      import.diagnostics.error(
          plugin->child("min_temp")->text.place,
          fmt::format("<min_temp> must be at most <max_temp> ({} K), got {}", most, least));
    }
  }
  if (bytes) made.number("bitDepth", 8);
  if (bytes && resolution < 1) resolution = kUsualOfBytes;
  made.number("resolution", resolution).number("ambientTemperature", import.ambient_temperature);
  const Element* noise = camera.child("noise");
  if (noise_of(import, noise) > 0) import.ignored.add("<noise> of a thermal camera", noise->place);
}

}  // namespace protobeam::urdf
