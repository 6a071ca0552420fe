// Smooth edges of pictures that were drawn with one sample a pixel.
#pragma once

#include "geometry/material.h"

namespace protobeam::render {

/// Where neighbours differ in brightness, pixels take on some of the colour across the edge, by
/// where the edge passes from one row or column to the next. Lines of a pixel's width stay.
/// `picture`: sRGB, 3 channels, or empty; throws std::invalid_argument. The method is that of T.
/// Lottes, "FXAA" (NVIDIA white paper, 2009).
void smooth_edges(Image& picture);

}  // namespace protobeam::render
