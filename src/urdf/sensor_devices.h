// A <sensor> of Gazebo as devices.
#pragma once

#include <vector>

#include "urdf/import.h"

namespace protobeam::urdf {

/// The devices of a <sensor> of a link, with their Topics, for the children of its Solid; what has
/// no effect goes into import.ignored.
std::vector<wbt::NodePtr> sensor_devices(Import& import, const Link& link, const Element& sensor);
/// Of a force_torque sensor of the joint above a link, in the link's frame.
std::vector<wbt::NodePtr> joint_sensor_devices(Import& import, const Link& child,
                                               const JointSensor& sensor);

}  // namespace protobeam::urdf
