// The map of a world: nav_msgs/OccupancyGrid on /map, latched.
#pragma once

#include <memory>

#include "publish/publisher.h"

namespace protobeam {

/// Throws std::invalid_argument for a map that cannot be made.
std::unique_ptr<Source> make_map_source(const Simulation& simulation,
                                        const PublishSettings& settings, StreamTable& table);

/// Throws std::invalid_argument for settings of which no map can be made.
void check_map(const Simulation& simulation, const PublishSettings& settings);

}  // namespace protobeam
