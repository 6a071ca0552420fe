#include "render/range_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "render/color.h"
#include "render/legend.h"
#include "render/text.h"

namespace protobeam::render {
namespace {

constexpr int kMinWidth = 900, kMaxWidth = 1800;
const Color kNoReturn(0.23f, 0.23f, 0.24f);

ColorScale scale_of(std::span<const float> ranges, double max_range) {
  std::vector<double> returns;
  std::copy_if(ranges.begin(), ranges.end(), std::back_inserter(returns),
               [](float range) { return std::isfinite(range) && range > 0; });
  const bool limited = std::isfinite(max_range) && max_range > 0;
  return percentile_scale(std::move(returns)).value_or(ColorScale{0, limited ? max_range : 1});
}

/// Near is red, far is blue; the dark ends of the colour map stay out.
Color range_color(double fraction) { return turbo(static_cast<float>(0.95 - 0.87 * fraction)); }

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
  const int row_height = std::clamp(320 / layers, 8, 160);

  Image image;
  // A few columns, each many pixels wide, may not give the width exactly; the rest is margin.
  image.width = std::max(kMinWidth, cells * enlarge) + 2 * kLegendMargin;
  image.height = layers * row_height + 2 * kLegendMargin;
  image.channels = 3;
  image.pixels.resize(static_cast<std::size_t>(image.width) *
                      static_cast<std::size_t>(image.height) * 3);
  fill_rectangle(image, 0, 0, image.width, image.height, kLegendBackground);

  const ColorScale scale = scale_of(ranges, max_range);
  for (int layer = 0; layer < layers; ++layer) {
    const auto row = ranges.subspan(static_cast<std::size_t>(layer) * columns, columns);
    for (int cell = 0; cell < cells; ++cell) {
      float nearest = std::numeric_limits<float>::infinity();
      for (int i = cell * shrink; i < std::min(columns, (cell + 1) * shrink); ++i) {
        if (row[i] < nearest) nearest = row[i];
      }
      fill_rectangle(image, kLegendMargin + cell * enlarge, kLegendMargin + layer * row_height,
                     enlarge, row_height,
                     std::isfinite(nearest) ? range_color(scale.fraction(nearest)) : kNoReturn);
    }
  }
  return with_legend(image, {scale, range_color, "range m", kNoReturn});
}

}  // namespace protobeam::render
