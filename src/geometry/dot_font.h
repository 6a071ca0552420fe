// A small font of dots: the printable characters of ASCII, 5 x 7 in a cell of 6 x 8.
#pragma once

#include <array>
#include <cstdint>

namespace protobeam {

inline constexpr int kGlyphHeight = 8, kGlyphAdvance = 6;

struct Glyph {
  std::array<std::uint8_t, 7> rows;  ///< from the top; the leftmost dot is 16

  bool dot(int column, int row) const {
    return column < 5 && row < 7 && (rows[static_cast<std::size_t>(row)] >> (4 - column) & 1) != 0;
  }
};

/// An empty box for what the font does not have.
const Glyph& glyph_of(char character);

}  // namespace protobeam
