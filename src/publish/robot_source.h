// Where a robot is, what it is made of and what surrounds it: odometry, truth, transforms, its URDF
// and its joints, and the commands of a vehicle.
#pragma once

#include <memory>

#include "publish/publisher.h"
#include "publish/robot_topics.h"

namespace protobeam {

std::unique_ptr<Source> make_robot_source(Simulation& simulation, const RobotInfo& robot,
                                          const RobotTopics& topics,
                                          const PublishSettings& settings, StreamTable& table,
                                          const MeshFile& mesh_file);

}  // namespace protobeam
