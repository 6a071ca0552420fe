// What the colours of the points mean.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viewer/layers/color_scale.h"
#include "viewer/overlay/panels.h"

namespace protobeam::viewer {
namespace {

constexpr int kPadding = 10, kBarHeight = 12, kTickHeight = 4;

osg::Vec4 color_at(double t) {
  const Eigen::Vector3f rgb = point_color(t);
  return {rgb.x(), rgb.y(), rgb.z(), 1};
}

void draw_bar(Canvas& canvas, const Rect& bar) {
  constexpr int kPieces = 32;
  for (int i = 0; i < kPieces; ++i) {
    const int x0 = bar.x0 + bar.width() * i / kPieces;
    const int x1 = bar.x0 + bar.width() * (i + 1) / kPieces;
    canvas.box({x0, bar.y0, x1, bar.y1}, color_at(static_cast<double>(i) / kPieces),
               color_at(static_cast<double>(i + 1) / kPieces));
  }
}

/// One box a count, as wide as the others.
void draw_steps(Canvas& canvas, const Rect& bar, int count) {
  for (int i = 0; i < count; ++i) {
    const int x0 = bar.x0 + bar.width() * i / count;
    const int x1 = bar.x0 + bar.width() * (i + 1) / count;
    const int gap = x1 - x0 > 6 ? 1 : 0;
    canvas.box({x0, bar.y0, x1 - gap, bar.y1},
               color_at(count > 1 ? static_cast<double>(i) / (count - 1) : 0));
  }
}

}  // namespace

Ticks round_ticks(double low, double high, int most, bool whole) {
  Ticks ticks;
  const double span = high - low;
  if (!std::isfinite(span) || most < 1) return ticks;
  if (!(span > 0)) {
    ticks.values.push_back(low);
    ticks.decimals = whole ? 0 : 2;
    return ticks;
  }
  double step = std::pow(10, std::floor(std::log10(span / most)));
  if (whole) step = std::max(1.0, step);
  const auto count = [&](double s) {
    return std::floor(high / s + 1e-9) - std::ceil(low / s - 1e-9) + 1;
  };
  const double power = step;
  for (const double factor : {1, 2, 5, 10, 20, 50}) {
    step = factor * power;
    if (count(step) <= most) break;
  }
  ticks.decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 9);
  for (double k = std::ceil(low / step - 1e-9); k <= high / step + 1e-9; ++k) {
    ticks.values.push_back(k * step + 0.0);
  }
  return ticks;
}

void draw_legend(Canvas& canvas, const Fonts& fonts, Screen screen, const Legend& legend) {
  constexpr int kWidth = 280, kHeight = 62;
  if (legend.title.empty() || screen.height < kStatusHeight + 2 * kMargin + kHeight) return;
  const int width = std::min(kWidth, screen.width - 2 * kMargin);
  if (width < 120) return;
  const int bottom = kStatusHeight + kMargin;
  const Rect sheet{kMargin, bottom, kMargin + width, bottom + kHeight};
  canvas.sheet(sheet);

  const TextStyle title_style{Face::kBold, 13}, tick_style{Face::kSans, 12, kInk};
  std::string title = legend.title;
  if (!legend.unit.empty()) title += " [" + legend.unit + "]";
  canvas.text(fonts, sheet.x0 + kPadding, sheet.y1 - 17,
              fonts.fitted(printable(title), title_style, width - 2 * kPadding), title_style);

  const Rect bar{sheet.x0 + 2 * kPadding, sheet.y1 - 24 - kBarHeight, sheet.x1 - 2 * kPadding,
                 sheet.y1 - 24};
  const double steps = legend.high - legend.low + 1;
  const bool boxes = legend.steps && steps >= 1 && steps <= bar.width() / 2;
  if (boxes) {
    draw_steps(canvas, bar, static_cast<int>(std::lround(steps)));
  } else {
    draw_bar(canvas, bar);
  }
  const Ticks ticks = round_ticks(legend.low, legend.high, 6, legend.steps);
  const double span = legend.high - legend.low;
  int free_from = sheet.x0 + 2;
  for (const double value : ticks.values) {
    double t = span > 0 ? (value - legend.low) / span : 0.5;
    if (boxes) t = (value - legend.low + 0.5) / steps;
    const int x = std::min(bar.x0 + static_cast<int>(std::lround(t * bar.width())), bar.x1 - 1);
    canvas.box({x, bar.y0 - kTickHeight, x + 1, bar.y0}, kFaint);
    const std::string label = fmt::format("{:.{}f}", value, ticks.decimals);
    const int label_width = fonts.width(label, tick_style);
    const int left = x - label_width / 2;
    if (left < free_from || left + label_width > sheet.x1 - 2) continue;
    canvas.text(fonts, left, bar.y0 - kTickHeight - 12, label, tick_style);
    free_from = left + label_width + 6;
  }
}

}  // namespace protobeam::viewer
