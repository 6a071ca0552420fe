// Where a robot is and what surrounds it: odometry, truth, transforms, and the commands of a vehicle.
#pragma once

#include <memory>

#include "publish/publisher.h"
#include "publish/robot_topics.h"

namespace protobeam {

std::unique_ptr<Source> make_robot_source(Simulation& simulation, const RobotInfo& robot,
                                          const RobotTopics& topics, const PublishSettings& settings,
                                          StreamTable& table);

}  // namespace protobeam
