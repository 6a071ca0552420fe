// In which frame an <imu> of Gazebo tells its orientation.
#pragma once

#include "urdf/import.h"

namespace protobeam::urdf {

/// Adds to an Imu what the <sensor> says of it.
void add_imu_orientation(Import& import, const Element& sensor, NodeMaker& made);

}  // namespace protobeam::urdf
