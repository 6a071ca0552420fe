#include "render/text.h"

#include <algorithm>

#include "geometry/dot_font.h"

namespace protobeam::render {
int text_width(std::string_view text, int scale) {
  return text.empty() ? 0 : (static_cast<int>(text.size()) * kGlyphAdvance - 1) * scale;
}

void fill_rectangle(Image& image, int x, int y, int width, int height, const Color& srgb) {
  const std::uint8_t bytes[3] = {to_byte(srgb.x()), to_byte(srgb.y()), to_byte(srgb.z())};
  for (int row = std::max(0, y); row < std::min(image.height, y + height); ++row) {
    for (int column = std::max(0, x); column < std::min(image.width, x + width); ++column) {
      const auto pixel = static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                         static_cast<std::size_t>(column);
      std::copy(bytes, bytes + 3, image.pixels.begin() + static_cast<std::ptrdiff_t>(pixel * 3));
    }
  }
}

void draw_text(Image& image, int x, int y, std::string_view text, const Color& srgb, int scale) {
  for (const char character : text) {
    const Glyph& glyph = glyph_of(character);
    for (int row = 0; row < kGlyphHeight; ++row) {
      for (int column = 0; column < kGlyphAdvance; ++column) {
        if (!glyph.dot(column, row)) continue;
        fill_rectangle(image, x + column * scale, y + row * scale, scale, scale, srgb);
      }
    }
    x += kGlyphAdvance * scale;
  }
}

}  // namespace protobeam::render
