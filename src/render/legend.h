// Which value has which colour in a picture: a scale, and the colour bar beside it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geometry/material.h"
#include "render/color.h"

namespace protobeam::render {

/// Values between `low` and `high` have colours of their own, others that of the nearer end.
struct ColorScale {
  double low = 0, high = 1;           ///< low < high
  bool below = false, above = false;  ///< there are values beyond the ends

  double fraction(double value) const;  ///< 0..1
};

/// From the 2nd to the 98th percentile (nearest rank), so that a few outliers do not take the
/// colours of the rest. Values that are not finite do not count; none without others.
std::optional<ColorScale> percentile_scale(std::vector<double> values);

inline constexpr int kLegendMargin = 12;  ///< around and between, pixels
extern const Color kLegendBackground;

struct Legend {
  ColorScale scale;
  Color (*color)(double fraction) = nullptr;  ///< sRGB
  std::string title;  ///< what the values are, with their unit; letters that text.h has
  std::optional<Color> no_return;  ///< gets a swatch of its own
};

/// The picture and, to its right, the colour bar with its labels: high values on top. A label
/// with < or > says that there are values beyond that end. A picture less than 160 pixels high
/// gets a margin below.
Image with_legend(const Image& picture, const Legend& legend);

}  // namespace protobeam::render
