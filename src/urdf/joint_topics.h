// Topics by which other programs move the joints of a robot.
#pragma once

#include <vector>

#include "urdf/drives.h"
#include "urdf/import.h"
#include "urdf/joints.h"

namespace protobeam::urdf {

/// Gazebo's plugins for that: JointPositionController, JointController, ApplyJointForce.
bool is_joint_plugin(const Element& plugin);

/// Topics of these plugins, under Gazebo's names, and of the controllers of ros2_control that
/// forward commands, for the children of the Robot.
std::vector<wbt::NodePtr> joint_topics(Import& import, const Control& control,
                                       const Drives& drives);

}  // namespace protobeam::urdf
