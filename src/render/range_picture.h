// A sweep's ranges in false colours.
#pragma once

#include <span>

#include "geometry/material.h"

namespace protobeam::render {

/// A range image: layer 0 on top, near in warm colours, no return dark grey, a colour bar in
/// metres to the right (legend.h), from the 2nd to the 98th percentile of the returns. Enlarged so
/// that single beams can be seen (at least 8 pixels a layer; 900 to 1800 wide without the bar);
/// where several columns share a pixel, the nearest return shows. Without a return the bar goes
/// from 0 to `max_range`. Throws std::invalid_argument when `ranges` does not have layers * columns
/// elements.
Image draw_ranges(int layers, int columns, std::span<const float> ranges, double max_range);

}  // namespace protobeam::render
