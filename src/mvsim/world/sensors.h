// <sensor> as devices of a robot that are sampled without a controller.
#pragma once

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

std::vector<wbt::NodePtr> sensor_nodes(Import& import, const Element& sensor);
/// A <sensor> of the world itself: a robot without a body.
wbt::NodePtr lone_sensor_node(Import& import, const Element& sensor);
/// s
double sensor_period(Import& import, const Element& sensor);

wbt::NodePtr laser_node(Import& import, const Element& sensor);
wbt::NodePtr lidar_node(Import& import, const Element& sensor);

/// A device of that node type with its name, pose and period. `part` is what the name gets at its
/// end when an MVSim sensor becomes several devices.
NodeMaker device(Import& import, const Element& sensor, const char* type, const Pose& X,
                 const char* part = "");

}  // namespace protobeam::mvsim
