// A <sensor> of Gazebo as devices.
#pragma once

#include <vector>

#include "urdf/import.h"

namespace protobeam::urdf {

/// The devices of a <sensor> of a link, with their Topics, for the children of its Solid; what has
/// no effect goes into import.ignored.
std::vector<wbt::NodePtr> sensor_devices(Import& import, const Link& link, const Element& sensor);

}  // namespace protobeam::urdf
