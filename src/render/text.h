// Small texts in pictures, in the font of dots (geometry/dot_font.h).
#pragma once

#include <string_view>

#include "geometry/material.h"
#include "render/color.h"

namespace protobeam::render {

/// Pixels that a text takes at `scale` (a whole number of pixels a dot).
int text_width(std::string_view text, int scale);
inline int text_height(int scale) { return 7 * scale; }

/// Writes with the upper left corner at (x, y); what lies outside an RGB image is left out.
void draw_text(Image& image, int x, int y, std::string_view text, const Color& srgb, int scale);

void fill_rectangle(Image& image, int x, int y, int width, int height, const Color& srgb);

}  // namespace protobeam::render
