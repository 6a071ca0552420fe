// Batteries of robots that plugins of Gazebo drain.
#pragma once

#include <vector>

#include "urdf/import.h"

namespace protobeam::urdf {

/// gz-sim's linearbatteryplugin-system.
bool is_battery(const Element& plugin);

/// LinearBatteries with their Topics, for the children of the Robot.
std::vector<wbt::NodePtr> battery_nodes(Import& import);

}  // namespace protobeam::urdf
