// Robots that are made anew while their controllers go on.
#pragma once

#include <vector>

#include "sim/model.h"

namespace protobeam {

/// Whether the controller's memory fits the robot's devices as it did those `before`.
bool fits(const RobotInfo& robot, const std::vector<Device>& before);

/// The robot was made anew: its devices go on where those `before` were, and stand at the same
/// addresses. With `states` they remember what those did, but for those that push: their bodies do.
/// False when the controller's memory does not fit them any more.
bool go_on(RobotInfo& robot, std::vector<Device> before, bool states);

}  // namespace protobeam
