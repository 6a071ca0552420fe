// Pixels that are drawn on: a Display's picture.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace protobeam {

/// Red, green, blue, alpha; row 0 on top. Colours are not multiplied by alpha.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;

  Picture() = default;
  Picture(int w, int h, std::array<std::uint8_t, 4> fill = {0, 0, 0, 0});
  bool holds(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
  std::uint8_t* at(int x, int y) {
    return pixels.data() + 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                static_cast<std::size_t>(x));
  }
  const std::uint8_t* at(int x, int y) const { return const_cast<Picture*>(this)->at(x, y); }
};

/// Points in pixels: (0, 0) is the upper left one. What lies outside is left out.
class Canvas {
 public:
  Canvas(int width, int height) : picture_(width, height, {0, 0, 0, 255}) {}

  const Picture& picture() const { return picture_; }
  /// Pixels that are black, as all are in the beginning, become transparent.
  void uncover();

  // How the next pixels are drawn.
  void set_color(std::uint32_t rgb) { rgb_ = rgb; }         ///< 0xRRGGBB; white before
  void set_alpha(double alpha);                             ///< of the pixels drawn, 0..1; 1 before
  void set_opacity(double opacity);  ///< share of new colours and alphas, 0..1; 1 before
  void set_font_size(int height) { font_height_ = height; }  ///< pixels; 8 before

  void pixel(int x, int y);
  void line(int x1, int y1, int x2, int y2);  ///< both ends included (Bresenham)
  void rectangle(int x, int y, int width, int height, bool filled);
  void oval(int cx, int cy, int a, int b, bool filled);  ///< half axes along x and y
  void polygon(std::span<const std::array<int, 2>> corners, bool filled);
  void text(std::string_view text, int x, int y);  ///< its upper left corner

  /// `blend`: over what is there, as composite() does; else instead of it.
  void paste(const Picture& image, int x, int y, bool blend);

 private:
  void span(int x1, int x2, int y);

  Picture picture_;
  std::uint32_t rgb_ = 0xffffff;
  std::uint8_t alpha_ = 255, opacity_ = 255;
  int font_height_ = 8;
};

/// What of the rectangle is in the picture; an empty one if nothing is.
Picture part_of(const Picture& picture, int x, int y, int width, int height);

/// `over` on top of `under`, as Webots blends (WbDisplay::imagePaste): colours by the alpha of
/// `over` alone, whatever that of `under`; alphas add up.
void composite(const std::uint8_t* over, const std::uint8_t* under, std::uint8_t* out);

}  // namespace protobeam
