// Azimuths and elevations of many directions, without a library call for each.
#pragma once

#include <cstddef>

namespace protobeam {

/// rad, of unit directions; n <= 256.
void spherical(const float* x, const float* y, const float* z, std::size_t n, float* azimuth,
               float* elevation);

}  // namespace protobeam
