// Shapes of the same contents as one object, whoever made them: worlds of one file then have their
// meshes, and all that is kept by the address of a shape, in common.
#pragma once

#include <memory>

#include "geometry/geometry.h"

namespace protobeam {

/// A shape with just these contents, bit by bit, that somebody else may use, too. Any number of
/// threads may call it.
std::shared_ptr<const Geometry> shared_geometry(Geometry geometry);

}  // namespace protobeam
