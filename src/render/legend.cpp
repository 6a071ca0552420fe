#include "render/legend.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/libm.h"
#include "render/text.h"

namespace protobeam::render {

const Color kLegendBackground(0.09f, 0.09f, 0.1f);

namespace {

constexpr int kTextScale = 2, kBarWidth = 16, kTick = 5, kGap = 8;
constexpr int kLeastHeight = 160;
const Color kText(0.9f, 0.9f, 0.9f);

/// 1, 2 or 5 times a power of ten, the least that is not below `value`.
double round_step(double value) {
  const double power = libm::pow(10, std::floor(libm::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (value <= factor * power * (1 + 1e-9)) return factor * power;
  }
  return 10 * power;
}

/// With as many digits as tell `step` apart.
std::string number(double value, double step) {
  const int digits = std::clamp(static_cast<int>(std::ceil(-libm::log10(step) - 1e-9)), 0, 9);
  const double finest = libm::pow(10.0, -static_cast<double>(digits));
  if (std::abs(value) < finest / 2) value = 0;  // no "-0.0"
  char text[64];
  auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits);
  if (end.ec != std::errc()) {  // more digits than anybody reads
    end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 2);
  }
  return {text, end.ptr};
}

struct Label {
  double value;
  std::string text;
};

/// The ends, and what lies between them with room around it (pixels).
std::vector<Label> labels_of(const ColorScale& scale, int height) {
  const int room = text_height(kTextScale) + 6;
  const double span = scale.high - scale.low;
  const double step = round_step(span * std::max(room, height / 8) / height);
  const double fine = step / 10;  // the ends are not round
  std::vector<Label> labels{
      {scale.low, std::string(scale.below ? "<" : "").append(number(scale.low, fine))},
      {scale.high, std::string(scale.above ? ">" : "").append(number(scale.high, fine))}};
  const double free = span * room / height;
  for (double i = std::ceil(scale.low / step); i * step < scale.high; ++i) {
    const double value = i * step;
    if (value - scale.low < free || scale.high - value < free) continue;
    labels.push_back({value, number(value, step)});
  }
  return labels;
}

}  // namespace

double ColorScale::fraction(double value) const {
  return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

std::optional<ColorScale> percentile_scale(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  ColorScale scale{values[last * 2 / 100], values[last - last * 2 / 100]};
  scale.below = values.front() < scale.low;
  scale.above = values.back() > scale.high;
  // All the same, or nearly: a scale without width has no colours.
  const double least = std::max(1e-3, 1e-3 * std::abs(scale.high));
  if (scale.high - scale.low < least) {
    const double middle = (scale.low + scale.high) / 2;
    scale.low = middle - least / 2;
    scale.high = middle + least / 2;
  }
  return scale;
}

Image with_legend(const Image& picture, const Legend& legend) {
  const int line = text_height(kTextScale);
  const int top = kLegendMargin + line + kLegendMargin;
  const int below = legend.no_return ? line + 2 * kLegendMargin : kLegendMargin + line / 2;
  const int height = std::max(picture.height, kLeastHeight + (legend.no_return ? line : 0));
  const int bar = height - top - below;
  const std::vector<Label> labels = labels_of(legend.scale, bar);

  int width = text_width(legend.title, kTextScale);
  for (const Label& label : labels) {
    width = std::max(width, kBarWidth + kTick + kGap + text_width(label.text, kTextScale));
  }
  const std::string nothing = "no return";
  if (legend.no_return) {
    width = std::max(width, kBarWidth + kGap + text_width(nothing, kTextScale));
  }

  Image image;
  image.width = picture.width + width + 2 * kLegendMargin;
  image.height = height;
  image.channels = 3;
  image.pixels.resize(static_cast<std::size_t>(image.width) *
                      static_cast<std::size_t>(image.height) * 3);
  fill_rectangle(image, 0, 0, image.width, image.height, kLegendBackground);
  for (int row = 0; row < picture.height; ++row) {
    std::copy_n(picture.pixels.begin() + std::ptrdiff_t{row} * picture.width * 3, picture.width * 3,
                image.pixels.begin() + std::ptrdiff_t{row} * image.width * 3);
  }

  const int left = picture.width + kLegendMargin;
  draw_text(image, left, kLegendMargin, legend.title, kText, kTextScale);
  for (int y = 0; y < bar; ++y) {
    fill_rectangle(image, left, top + y, kBarWidth, 1, legend.color(1 - (y + 0.5) / bar));
  }
  for (const Label& label : labels) {
    const int y =
        top + static_cast<int>(std::lround((1 - legend.scale.fraction(label.value)) * (bar - 1)));
    fill_rectangle(image, left + kBarWidth, y, kTick, 1, kText);
    draw_text(image, left + kBarWidth + kTick + kGap, y - line / 2, label.text, kText, kTextScale);
  }
  if (legend.no_return) {
    const int y = height - kLegendMargin - line;
    fill_rectangle(image, left, y - 1, kBarWidth, kBarWidth, *legend.no_return);
    draw_text(image, left + kBarWidth + kGap, y, nothing, kText, kTextScale);
  }
  return image;
}

}  // namespace protobeam::render
