#include "render/range_picture.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/libm.h"
#include "render/color.h"
#include "render/text.h"

namespace protobeam::render {
namespace {

constexpr int kMinWidth = 900, kMaxWidth = 1800;
constexpr int kMargin = 12, kBarHeight = 16, kTextScale = 2;
const Color kBackground(0.09f, 0.09f, 0.1f), kNoReturn(0.23f, 0.23f, 0.24f);
const Color kText(0.9f, 0.9f, 0.9f);

/// The least of `factors` (ascending, 1 to 10) times a power of ten that is at least `value`.
double round_up(double value, std::initializer_list<double> factors) {
  const double power = libm::pow(10, std::floor(libm::log10(value)));
  for (const double factor : factors) {
    if (value <= factor * power * (1 + 1e-9)) return factor * power;
  }
  return 10 * power;
}

/// Where the colours end: behind the farthest return, unless only a few are that far.
double end_of_scale(std::span<const float> ranges, double max_range) {
  std::vector<float> returns;
  std::copy_if(ranges.begin(), ranges.end(), std::back_inserter(returns),
               [](float range) { return std::isfinite(range) && range > 0; });
  const bool limited = std::isfinite(max_range) && max_range > 0;
  if (returns.empty()) return limited ? max_range : 1;
  std::sort(returns.begin(), returns.end());
  const double most = returns[(returns.size() - 1) * 95 / 100];
  const double end =
      round_up(std::min<double>(returns.back(), 2 * most), {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8});
  return limited ? std::min(end, max_range) : end;
}

/// Near is red, far is blue; the dark ends of the colour map stay out.
Color range_color(double fraction) { return turbo(static_cast<float>(0.95 - 0.87 * fraction)); }

std::string number(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, std::round(value * 1e4) / 1e4).ptr};
}

void draw_color_bar(Image& image, int y, double end, bool clipped) {
  const int swatch = text_width("no return", kTextScale) + kBarHeight + 8;
  const int left = kMargin, width = image.width - 2 * kMargin - swatch - 40;
  for (int x = 0; x < width; ++x) {
    fill_rectangle(image, left + x, y, 1, kBarHeight, range_color((x + 0.5) / width));
  }
  const double step = round_up(end / 10, {1, 2, 5});
  const int text_y = y + kBarHeight + 8;
  for (int i = 0; i * step <= end * (1 + 1e-9); ++i) {
    const int x = left + static_cast<int>(std::lround(i * step / end * width));
    fill_rectangle(image, x, y + kBarHeight, 1, 5, kText);
    const bool last = (i + 1) * step > end * (1 + 1e-9);
    std::string label = number(i * step);
    if (last && clipped) label += '+';
    if (last) label.append(" m");
    const int centred = x - text_width(number(i * step), kTextScale) / 2;
    draw_text(image, std::max(left, centred), text_y, label, kText, kTextScale);
  }
  const int x = image.width - kMargin - swatch;
  fill_rectangle(image, x, y, kBarHeight, kBarHeight, kNoReturn);
  draw_text(image, x + kBarHeight + 8, y + 1, "no return", kText, kTextScale);
}

}  // namespace

Image draw_ranges(int layers, int columns, std::span<const float> ranges, double max_range) {
  if (layers <= 0 || columns <= 0 ||
      ranges.size() != static_cast<std::size_t>(layers) * static_cast<std::size_t>(columns)) {
    throw std::invalid_argument("a range image of " + std::to_string(layers) + " x " +
                                std::to_string(columns) + " beams does not have " +
                                std::to_string(ranges.size()) + " ranges");
  }
  const int shrink = (columns + kMaxWidth - 1) / kMaxWidth;
  const int cells = (columns + shrink - 1) / shrink;
  const int enlarge = std::max(1, (kMinWidth + cells - 1) / cells);
  const int row_height = std::clamp(320 / layers, 8, 48);

  Image image;
  // A few columns, each many pixels wide, may not give the width exactly; the rest is margin.
  image.width = std::max(kMinWidth, cells * enlarge) + 2 * kMargin;
  image.height = layers * row_height + 3 * kMargin + kBarHeight + 8 + text_height(kTextScale);
  image.channels = 3;
  image.pixels.resize(static_cast<std::size_t>(image.width) *
                      static_cast<std::size_t>(image.height) * 3);
  fill_rectangle(image, 0, 0, image.width, image.height, kBackground);

  const double end = end_of_scale(ranges, max_range);
  bool clipped = false;
  for (int layer = 0; layer < layers; ++layer) {
    const auto row = ranges.subspan(static_cast<std::size_t>(layer) * columns, columns);
    for (int cell = 0; cell < cells; ++cell) {
      float nearest = std::numeric_limits<float>::infinity();
      for (int i = cell * shrink; i < std::min(columns, (cell + 1) * shrink); ++i) {
        if (row[i] < nearest) nearest = row[i];
      }
      clipped = clipped || (std::isfinite(nearest) && nearest > end);
      fill_rectangle(
          image, kMargin + cell * enlarge, kMargin + layer * row_height, enlarge, row_height,
          std::isfinite(nearest) ? range_color(std::clamp(nearest / end, 0.0, 1.0)) : kNoReturn);
    }
  }
  draw_color_bar(image, layers * row_height + 2 * kMargin, end, clipped);
  return image;
}

}  // namespace protobeam::render
