// Mass, centre and inertia of a link.
#pragma once

#include <optional>

#include "sdf/context.h"
#include "urdf/robot.h"

namespace protobeam::sdf {

/// What its <inertial> says; with `auto`: of the collisions of `made`. Nothing with an error.
std::optional<urdf::Inertial> inertial_of(Context& context, const Element& link,
                                          const urdf::Link& made);

}  // namespace protobeam::sdf
