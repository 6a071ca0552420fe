// What frames of ROS are called that hang on a robot: those of its odometry, and its own.
#pragma once

#include <string>

#include "urdf/import.h"
#include "urdf/wheels.h"

namespace protobeam::urdf {

/// "" each where it is as it would be: odom, base_link, and the robot's own.
struct FrameNames {
  std::string odometry;
  std::string root;   ///< of the root link
  std::string child;  ///< link whose pose odometry tells
  std::string prefix;  ///< of all frames of the robot
};

/// The root is called base_footprint where it is that or what is driven is, and as in the text
/// where another link is base_link or odometry is the root's. What is no name for a frame of this
/// robot is a warning.
FrameNames frame_names(Import& import, const SaidFrames& said, const Place& place);

}  // namespace protobeam::urdf
