// Triangles of a plane polygon with holes.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/math.h"

namespace protobeam {

/// `ends`: where the outline ends among the corners, then each hole. Corners are numbered as they
/// stand; triangles turn as the outline. Empty: it is no such polygon, or one of too many corners.
std::vector<std::array<std::size_t, 3>> triangles_with_holes(std::span<const Vec3> corners,
                                                             std::span<const std::size_t> ends);

}  // namespace protobeam
