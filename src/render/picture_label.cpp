#include "render/picture_label.h"

#include <algorithm>
#include <cmath>

#include "geometry/dot_font.h"

namespace protobeam::render {
namespace {

/// How much of the pixel at `pixel` the dot at `dot` covers, along one axis: dots of `size` pixels,
/// the first of which begins at `begin`.
double covered(int pixel, int dot, double begin, double size) {
  const double from = begin + dot * size, to = from + size;
  return std::max(0.0, std::min(to, pixel + 1.0) - std::max<double>(from, pixel));
}

/// The pixels of one axis that the dots of a glyph touch, within 0 .. limit - 1.
struct PixelRange {
  int first, end;
  PixelRange(double begin, double length, int limit)
      : first(static_cast<int>(std::clamp<double>(std::floor(begin), 0, limit))),
        end(static_cast<int>(std::clamp<double>(std::ceil(begin + length), 0, limit))) {}
};

/// Pixels that a dot takes.
struct Dot {
  double width, height;
  Dot(const PictureLabel& label, int picture_height)
      : width(label.size * picture_height / kGlyphHeight * 2 / 3), height(1.5 * width) {}
};

void draw_glyph(Image& image, const Glyph& glyph, double x, double y, const Dot& dot,
                const PictureLabel& label) {
  const PixelRange columns(x, kGlyphAdvance * dot.width, image.width),
      rows(y, kGlyphHeight * dot.height, image.height);
  const Color ink = 255 * label.color;
  for (int row = rows.first; row < rows.end; ++row) {
    for (int column = columns.first; column < columns.end; ++column) {
      double share = 0;
      for (int i = 0; i < kGlyphHeight; ++i) {
        const double height = covered(row, i, y, dot.height);
        for (int j = 0; height > 0 && j < kGlyphAdvance; ++j) {
          if (glyph.dot(j, i)) share += height * covered(column, j, x, dot.width);
        }
      }
      const auto opacity = static_cast<float>(std::min(share, 1.0) * (1 - label.transparency));
      if (!(opacity > 0)) continue;
      std::uint8_t* pixel = image.pixels.data() + 3 * (static_cast<std::size_t>(row) *
                                                           static_cast<std::size_t>(image.width) +
                                                       static_cast<std::size_t>(column));
      for (int channel = 0; channel < 3; ++channel) {
        pixel[channel] = static_cast<std::uint8_t>(std::lround(
            (1 - opacity) * static_cast<float>(pixel[channel]) + opacity * ink[channel]));
      }
    }
  }
}

/// Not the first byte of a character of UTF-8.
bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

void draw_label(Image& image, const PictureLabel& label) {
  const Dot dot(label, image.height);
  if (!(dot.width > 0)) return;
  const double line = kGlyphHeight * dot.height, left = label.x * image.width + kLabelMargin * line;
  double x = left, y = label.y * image.height;
  for (const char character : label.text) {
    if (character == '\n') {
      x = left;
      y += line;
    } else if (!continues(character)) {
      if (x < image.width && y < image.height)
        draw_glyph(image, glyph_of(character), x, y, dot, label);
      x += kGlyphAdvance * dot.width;
    }
  }
}

}  // namespace

int width_of(const PictureLabel& label, int picture_height) {
  int longest = 0, line = 0;
  for (const char character : label.text) {
    if (character == '\n') {
      line = 0;
    } else if (!continues(character)) {
      longest = std::max(longest, ++line);
    }
  }
  const double margins = longest > 0 ? 2 * kLabelMargin * label.size * picture_height : 0;
  return static_cast<int>(
      std::lround(longest * kGlyphAdvance * Dot(label, picture_height).width + margins));
}

void draw_labels(Image& image, std::span<const PictureLabel> labels) {
  if (image.channels != 3) return;
  for (const PictureLabel& label : labels) draw_label(image, label);
}

}  // namespace protobeam::render
