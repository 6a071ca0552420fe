// Temperatures, as gz-sim's thermal-system gives them to visuals and its cameras see them.
#pragma once

#include <optional>
#include <string_view>

#include "urdf/import.h"

namespace protobeam::urdf {

/// A type of a <sensor>.
bool is_thermal_camera(std::string_view type);

/// thermal-system, in a <visual>.
bool is_thermal(const Element& plugin);
/// thermal-sensor-system, in a <sensor>.
bool is_thermal_sensor(const Element& plugin);

/// K, of the first such plugin in a <visual>; nothing without one, and with an error or a warning
/// where it has no temperature for the whole of it (gz-sim, Thermal.cc).
std::optional<double> temperature_of(const Element& visual, Ignored& ignored,
                                     Diagnostics& diagnostics);

/// Adds what the <sensor> says of temperatures to a ThermalCamera (gz-sim, ThermalSensor.cc, and
/// gz-sensors, ThermalCameraSensor.cc).
void add_temperatures(Import& import, const Element& sensor, const Element& camera,
                      NodeMaker& made);

}  // namespace protobeam::urdf
