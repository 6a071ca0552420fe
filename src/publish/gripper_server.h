// Grippers that take goals, as the GripperActionControllers of ros2_control do (ros2_controllers,
// gripper_controllers and parallel_gripper_controller): a position, and how hard to press.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "output/publish_settings.h"
#include "publish/motor_commands.h"
#include "publish/service_table.h"

namespace protobeam {

constexpr const char* kGripperType = "control_msgs/GripperCommand";
constexpr const char* kParallelGripperType = "control_msgs/ParallelGripperCommand";

/// `action` is its name: "/gripper/gripper_cmd"; `type` is one of the above. All motors get the
/// same position. All must outlive it.
std::unique_ptr<MotorTask> make_gripper_server(MotorCommands& commands, ServiceTable& services,
                                               const std::string& action, const std::string& type,
                                               std::vector<Device*> motors,
                                               const TopicSettings& settings);

}  // namespace protobeam
