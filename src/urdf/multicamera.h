// Sensors of Gazebo with several cameras.
#pragma once

#include <vector>

#include "urdf/import.h"

namespace protobeam::urdf {

/// For each <camera> of a sensor of type multicamera one with that camera alone, which is called
/// SENSOR_CAMERA, and whose topics are CAMERA/... behind those of the sensor, as gazebo_ros_pkgs
/// have them.
std::vector<Element> single_cameras(Import& import, const Element& sensor);

}  // namespace protobeam::urdf
