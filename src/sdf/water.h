// Water of gz-sim's buoyancy plugin, as Fluids.
#pragma once

#include <vector>

#include "sdf/context.h"

namespace protobeam::sdf {

bool is_buoyancy(const Element& plugin);
/// Reads the plugin of a world and adds its Fluid to the nodes.
Water read_water(Context& context, const Element& plugin, std::vector<NodePtr>& nodes);

}  // namespace protobeam::sdf
