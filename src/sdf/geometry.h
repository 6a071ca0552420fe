// Shapes of <visual> and <collision>.
#pragma once

#include <optional>

#include "sdf/context.h"
#include "urdf/robot.h"

namespace protobeam::sdf {

/// The shape in its place in the link; nothing for what has none, or with an error or a warning.
std::optional<urdf::Shape> shape_of(Context& context, const Element& owner);

}  // namespace protobeam::sdf
