// Worlds full of robots with lidars, for measurements.
#pragma once

#include <string>
#include <vector>

namespace protobeam::bench {

/// `robots` robots without bodies on the crossings and streets of a city, each with the same
/// `lidars` (products of the catalogue) one above the other, with a step of 10 ms.
std::string lidar_robots_world(int robots, const std::vector<std::string>& lidars);

}  // namespace protobeam::bench
