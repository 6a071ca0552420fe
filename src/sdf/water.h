// Water of gz-sim's buoyancy plugin, as Fluids, and the water that links move.
#pragma once

#include <vector>

#include "sdf/context.h"

namespace protobeam::sdf {

bool is_buoyancy(const Element& plugin);
/// Reads the plugin of a world and adds its Fluid to the nodes.
Water read_water(Context& context, const Element& plugin, std::vector<NodePtr>& nodes);
/// 36 numbers by rows of the <fluid_added_mass> of a link's <inertial>, in the link; empty: none.
std::vector<double> read_added_mass(Context& context, const Element& link);

}  // namespace protobeam::sdf
