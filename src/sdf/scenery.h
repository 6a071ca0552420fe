// What stands around: lights, sky, time steps, the view.
#pragma once

#include <vector>

#include "sdf/context.h"

namespace protobeam::sdf {

/// What a <world> (null: none) says of it; into context.step.
void read_time_step(Context& context, const Element* world);
/// What a <world> (null: none) says of its place; into context.geography.
void read_geography(Context& context, const Element* world);

/// A <light> of a link, in the link's frame; null for one that is off or not known.
NodePtr link_light(Context& context, const Element& light);

/// WorldInfo, Viewpoint, Background and the lights of a <world>; `world` null: of a model alone.
/// WorldInfo has the frictions of models that were read before.
std::vector<NodePtr> scenery(Context& context, const Element* world, const Element& origin,
                             const std::string& title);

}  // namespace protobeam::sdf
