// Materials of <visual>.
#pragma once

#include "sdf/context.h"

namespace protobeam::sdf {

/// Null for a mesh without a material: it has its own looks.
NodePtr appearance_of(Context& context, const Element& visual, bool is_mesh);

}  // namespace protobeam::sdf
