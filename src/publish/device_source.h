// The messages of a device.
#pragma once

#include <memory>

#include "publish/publisher.h"
#include "publish/robot_topics.h"

namespace protobeam {

/// Null for a device that publishes nothing. Throws std::invalid_argument, with its place in front, for
/// a Topic that asks for what the device has not.
std::unique_ptr<Source> make_device_source(const Simulation& simulation, const RobotInfo& robot,
                                           const Device& device, const RobotTopics& topics,
                                           StreamTable& table);

/// What a device publishes, with its settings: for `show --topics`.
std::vector<DeviceTopic> topics_of(const RobotInfo& robot, const Device& device,
                                   const RobotTopics& topics);

}  // namespace protobeam
