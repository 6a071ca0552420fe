// <polyline>: an outline that is raised to a height.
#pragma once

#include "sdf/context.h"

namespace protobeam::sdf {

/// All <polyline>s of a <geometry>, from z = 0 upwards; one inside of another is a hole in it. Null
/// with a message when they have no area.
NodePtr polyline_node(Context& context, const Element& geometry);

}  // namespace protobeam::sdf
