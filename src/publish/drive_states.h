// What controllers of wheels tell of themselves: `controller_state` of those that steer
// (ros2_controllers, steering_controllers_library.cpp) and of mecanum_drive_controller.
#pragma once

#include <memory>
#include <vector>

#include "publish/publisher.h"
#include "publish/robot_topics.h"

namespace protobeam {

/// For each controller of the robot that tells its state and whose joints its drive moves. All must
/// outlive them.
std::vector<std::unique_ptr<Source>> make_drive_states(const Simulation& simulation,
                                                       const RobotInfo& robot,
                                                       const RobotTopics& topics,
                                                       StreamTable& table);

}  // namespace protobeam
