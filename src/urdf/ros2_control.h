// What controller managers of ros2_control tell of a robot: its controllers and its hardware.
#pragma once

#include <string>
#include <vector>

#include "urdf/import.h"
#include "urdf/sensors.h"
#include "urdf/wheels.h"

namespace protobeam::urdf {

/// A Ros2Controller whose topics are those.
wbt::NodePtr controller_node(const ManagedController& controller, std::vector<std::string> topics);

/// Those that tell the states of joints or the data of sensors, under a name of their own, and a
/// Ros2Hardware for each <ros2_control>. Nothing for a robot whose joints no plugin gives to
/// ros2_control.
std::vector<wbt::NodePtr> hardware_nodes(Import& import, const Sensors& sensors,
                                         const std::vector<ManagedController>& broadcasters);

/// Two plugins may name the same parameters: their controllers stand there once.
void drop_repeated_controllers(std::vector<wbt::NodePtr>& nodes);

}  // namespace protobeam::urdf
