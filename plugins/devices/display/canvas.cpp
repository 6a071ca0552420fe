#include "canvas.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "geometry/dot_font.h"

namespace protobeam {
namespace {

/// Farther than this nothing can be seen: keeps sums and products of what programs ask for in
/// range.
constexpr int kFar = 1 << 20;

int near(int value) { return std::clamp(value, -kFar, kFar); }

/// `share` of 255 parts of `to`, the others of `from`; whole numbers, without rounding, as in
/// Webots.
std::uint8_t mixed(unsigned from, unsigned to, unsigned share) {
  return static_cast<std::uint8_t>(((255 - share) * from + share * to) / 255);
}

}  // namespace

Picture::Picture(int w, int h, std::array<std::uint8_t, 4> fill) : width(w), height(h) {
  pixels.resize(4 * static_cast<std::size_t>(w) * static_cast<std::size_t>(h));
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = fill[i % 4];
}

void composite(const std::uint8_t* over, const std::uint8_t* under, std::uint8_t* out) {
  const unsigned alpha = over[3], sum = std::min(255u, alpha + under[3]);
  for (int c = 0; c < 3; ++c) out[c] = mixed(under[c], over[c], alpha);
  out[3] = static_cast<std::uint8_t>(sum);
}

void Canvas::uncover() {
  for (std::size_t i = 0; i < picture_.pixels.size(); i += 4) {
    std::uint8_t* at = picture_.pixels.data() + i;
    if (at[0] == 0 && at[1] == 0 && at[2] == 0) at[3] = at[3] == 255 ? 0 : at[3];
  }
}

void Canvas::set_alpha(double alpha) { alpha_ = static_cast<std::uint8_t>(alpha * 255); }
void Canvas::set_opacity(double opacity) { opacity_ = static_cast<std::uint8_t>(opacity * 255); }

void Canvas::pixel(int x, int y) {
  if (!picture_.holds(x, y)) return;
  std::uint8_t* at = picture_.at(x, y);
  for (int c = 0; c < 3; ++c) at[c] = mixed(at[c], rgb_ >> (16 - 8 * c) & 0xffu, opacity_);
  at[3] = mixed(at[3], alpha_, opacity_);
}

void Canvas::span(int x1, int x2, int y) {
  if (y < 0 || y >= picture_.height) return;
  for (int x = std::max(x1, 0); x <= std::min(x2, picture_.width - 1); ++x) pixel(x, y);
}

void Canvas::line(int x1, int y1, int x2, int y2) {
  x1 = near(x1), y1 = near(y1), x2 = near(x2), y2 = near(y2);
  const int dx = std::abs(x2 - x1), dy = -std::abs(y2 - y1);
  const int sx = x1 < x2 ? 1 : -1, sy = y1 < y2 ? 1 : -1;
  for (int error = dx + dy;;) {
    pixel(x1, y1);
    if (x1 == x2 && y1 == y2) return;
    const int twice = 2 * error;
    if (twice >= dy) {
      error += dy;
      x1 += sx;
    }
    if (twice <= dx) {
      error += dx;
      y1 += sy;
    }
  }
}

void Canvas::rectangle(int x, int y, int width, int height, bool filled) {
  if (width <= 0 || height <= 0) return;
  x = near(x), y = near(y);
  const int right = x + near(width) - 1, bottom = y + near(height) - 1;
  if (filled) {
    const bool erases = alpha_ == 0 && opacity_ == 255;  // what it leaves has no colour either
    const std::uint32_t color = std::exchange(rgb_, erases ? 0 : rgb_);
    for (int row = std::max(y, 0); row <= std::min(bottom, picture_.height - 1); ++row) {
      span(x, right, row);
    }
    rgb_ = color;
    return;
  }
  span(x, right, y);
  if (bottom > y) span(x, right, bottom);
  for (int row = std::max(y + 1, 0); row < std::min(bottom, picture_.height); ++row) {
    pixel(x, row);
    if (right > x) pixel(right, row);
  }
}

// A pixel belongs to it that is the nearest one to the ellipse in its row or in its column. Each
// pixel of the outline is drawn once, so that an opacity counts once.
void Canvas::oval(int cx, int cy, int a, int b, bool filled) {
  if (a < 0 || b < 0) return;
  cx = near(cx), cy = near(cy), a = near(a), b = near(b);
  const auto half = [&](double offset) {  // of the ellipse's width
    const double t = b > 0 ? offset / b : 0;
    return a * std::sqrt(std::max(0.0, 1 - t * t));
  };
  const auto reach = [&](int row) {  // the farthest pixel from the middle
    const int by_row = static_cast<int>(std::floor(half(row) + 0.5));
    return row == 0 ? by_row : std::max(by_row, static_cast<int>(std::floor(half(row - 0.5))));
  };
  const int first = std::max(cy - b, 0), last = std::min(cy + b, picture_.height - 1);
  for (int y = first; y <= last; ++y) {
    const int x = reach(std::abs(y - cy));
    if (filled) {
      span(cx - x, cx + x, y);
      continue;
    }
    // From where the row above, farther from the middle, has ended.
    const int out = std::abs(y - cy) + 1;
    const int inner = out > b ? 0 : std::min(reach(out) + 1, x);
    span(cx - x, cx - inner, y);
    span(std::max(cx + inner, cx - inner + 1), cx + x, y);
  }
}

void Canvas::polygon(std::span<const std::array<int, 2>> corners, bool filled) {
  if (corners.empty()) return;
  std::vector<std::array<int, 2>> p;
  for (const auto& corner : corners) p.push_back({near(corner[0]), near(corner[1])});
  if (filled) {
    // Even-odd rule; an edge counts for the rows from its upper end to above its lower one.
    const auto low =
        std::min_element(p.begin(), p.end(), [](auto& l, auto& r) { return l[1] < r[1]; });
    const auto high =
        std::max_element(p.begin(), p.end(), [](auto& l, auto& r) { return l[1] < r[1]; });
    const int first = std::max((*low)[1], 0), last = std::min((*high)[1], picture_.height - 1);
    for (int y = first; y <= last; ++y) {
      std::vector<double> crossings;
      for (std::size_t i = 0; i < p.size(); ++i) {
        auto from = p[i], to = p[(i + 1) % p.size()];
        if (from[1] > to[1]) std::swap(from, to);
        if (y < from[1] || y >= to[1]) continue;
        crossings.push_back(from[0] + static_cast<double>(to[0] - from[0]) * (y - from[1]) /
                                          (to[1] - from[1]));
      }
      std::stable_sort(crossings.begin(), crossings.end());
      for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
        span(static_cast<int>(std::ceil(crossings[i])),
             static_cast<int>(std::floor(crossings[i + 1])), y);
      }
    }
    if (opacity_ < 255) return;  // a second time would change the pixels of the outline
  }
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto& to = p[(i + 1) % p.size()];
    line(p[i][0], p[i][1], to[0], to[1]);
  }
}

void Canvas::text(std::string_view text, int x, int y) {
  x = near(x), y = near(y);
  const int height = std::clamp(font_height_, 1, 1 << 12);
  const int advance = std::max(1, (height * kGlyphAdvance + kGlyphHeight / 2) / kGlyphHeight);
  int left = x;
  for (const char character : text) {
    if (character == '\n') {
      left = x;
      y = near(y + height);
      continue;
    }
    if (left > picture_.width) continue;
    const Glyph& glyph = glyph_of(character);
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < advance; ++column) {
        // The dot in whose middle the pixel is.
        const int dot_y = (2 * row + 1) * kGlyphHeight / (2 * height);
        const int dot_x = (2 * column + 1) * kGlyphAdvance / (2 * advance);
        if (glyph.dot(dot_x, dot_y)) pixel(left + column, y + row);
      }
    }
    left += advance;
  }
}

Picture part_of(const Picture& picture, int x, int y, int width, int height) {
  const auto begin = [](int at) { return std::max(at, 0); };
  const auto end = [](int at, int size, int most) {
    return static_cast<int>(std::min<long long>(static_cast<long long>(at) + size, most));
  };
  const int left = begin(x), top = begin(y);
  const int right = end(x, width, picture.width), bottom = end(y, height, picture.height);
  if (right <= left || bottom <= top) return {};
  Picture out(right - left, bottom - top);
  for (int row = 0; row < out.height; ++row) {
    std::copy_n(picture.at(left, top + row), 4 * static_cast<std::size_t>(out.width),
                out.at(0, row));
  }
  return out;
}

void Canvas::paste(const Picture& image, int x, int y, bool blend) {
  x = near(x), y = near(y);
  for (int row = 0; row < image.height; ++row) {
    for (int column = 0; column < image.width; ++column) {
      if (!picture_.holds(x + column, y + row)) continue;
      const std::uint8_t* from = image.at(column, row);
      std::uint8_t* to = picture_.at(x + column, y + row);
      if (blend) {
        composite(from, to, to);
      } else {
        std::copy_n(from, 4, to);
      }
    }
  }
}

}  // namespace protobeam
