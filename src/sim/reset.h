// Robots that are made anew while their controllers go on.
#pragma once

#include <vector>

#include "sim/model.h"

namespace protobeam {

/// The robot was made anew: its devices go on where those `before` were, and stand at the same
/// addresses. False when the controller's memory does not fit them any more.
bool go_on(RobotInfo& robot, std::vector<Device> before);

}  // namespace protobeam
