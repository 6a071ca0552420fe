// Masses that an SDF leaves to its reader.
#pragma once

#include <optional>

#include "sdf/context.h"

namespace protobeam::sdf {

/// Whether an <inertial> is that of the collision shapes: <inertial auto="true">.
bool is_auto(const Element& inertial);

/// What the collision shapes of a link weigh by their densities, or scaled to a <mass>. Nothing,
/// with a warning, where one of them has no volume that is known here.
std::optional<urdf::Inertial> auto_inertial(Context& context, const Element& inertial,
                                            const urdf::Link& link);

}  // namespace protobeam::sdf
