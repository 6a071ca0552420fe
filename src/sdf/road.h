// <road>: a strip along points.
#pragma once

#include "sdf/context.h"

namespace protobeam::sdf {

/// A Shape, which is seen and collides with nothing, as in Gazebo Classic; null with a message.
NodePtr road_node(Context& context, const Element& road);

}  // namespace protobeam::sdf
