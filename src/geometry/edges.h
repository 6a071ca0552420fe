// A shape by its edges, as drawings show it that are to be seen through.
#pragma once

#include <vector>

#include "geometry/geometry.h"

namespace protobeam {

/// Ends of segments, two each, in the shape's frame. Boxes: their twelve edges. Round shapes:
/// circles, and four lines along the side. A Plane, which has no end for physics: a grid of its
/// size, at least 10 x 10 m. Meshes: edges of one triangle only, and those where two meet at an
/// angle.
std::vector<Vec3> edges_of(const Geometry& geometry);

}  // namespace protobeam
