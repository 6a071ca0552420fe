// Worlds full of vehicles, for measurements.
#pragma once

#include <string>

namespace protobeam::bench {

/// `vehicles` robots of 23 kg with two driven wheels, 4 m apart, each driving a circle by its wheel
/// speeds (TwistPid), with a step of 5 ms: MVSim's "small_robot". On a plane or on a grid of hills.
std::string fleet_world(int vehicles, bool terrain);

}  // namespace protobeam::bench
