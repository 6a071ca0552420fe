// Commands for the motors of a robot: sensor_msgs/JointState on `joint_commands`, as ros2_control's
// joint_state_topic_hardware_interface sends them, and Isaac Sim takes them.
//
// Of each joint that is named the first finite number of position, velocity and effort counts: a
// target, a speed, a torque or force. They go to the motor as a controller's would, before what the
// robot's controller says in the coming step, if it has one.
//
// Topics with `motors` take numbers for these motors, as controllers of ros2_control
// (forward_command_controller) and plugins of Gazebo (JointPositionController) do, trajectories and
// their action as joint_trajectory_controller does, or the action of a gripper.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "publish/publisher.h"
#include "publish/robot_topics.h"

namespace protobeam {

/// Null for a robot without motors. Throws std::invalid_argument, with its place in front, for a
/// Topic of motors that are not there. `note` gets, once each, what is wrong with messages.
std::unique_ptr<Source> make_joint_commands(Simulation& simulation, const RobotInfo& robot,
                                            const RobotTopics& topics, StreamTable& table,
                                            const std::function<void(const std::string&)>& note);

}  // namespace protobeam
