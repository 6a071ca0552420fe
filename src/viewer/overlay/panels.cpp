#include "viewer/overlay/panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viewer/layers/color_scale.h"

namespace protobeam::viewer {
namespace {

constexpr int kPanelPadding = 10;
constexpr int kBaseLine = 5;  ///< of a text above the bottom of its line

}  // namespace

void draw_status(Canvas& canvas, const Fonts& fonts, Screen screen, const std::string& line) {
  if (line.empty() || screen.height < kStatusHeight) return;
  const std::string shown = fonts.fitted(printable(line), {}, screen.width - 2 * kPanelPadding);
  if (shown.empty()) return;
  canvas.box({0, 0, screen.width, kStatusHeight}, kPaper);
  canvas.box({0, kStatusHeight - 1, screen.width, kStatusHeight}, kRule);
  canvas.text(fonts, kPanelPadding, 8, shown, {});
}

void draw_note(Canvas& canvas, const Fonts& fonts, Screen screen, const std::string& line) {
  constexpr int kHeight = 28;
  const TextStyle style{Face::kSans, 14};
  const int top = screen.height - kMargin;
  if (line.empty() || top - kHeight < kStatusHeight) return;
  const int space_left = screen.width - 2 * (kMargin + kPanelPadding);
  const std::string shown = fonts.fitted(printable(line), style, space_left, true);
  if (shown.empty()) return;
  const int width = fonts.width(shown, style) + 2 * kPanelPadding;
  const int left = (screen.width - width) / 2;
  canvas.sheet({left, top - kHeight, left + width, top}, kThickPaper);
  canvas.text(fonts, left + kPanelPadding, top - kHeight + 9, shown, style);
}

void draw_labels(Canvas& canvas, const Fonts& fonts, Screen screen,
                 std::span<const render::PictureLabel> labels) {
  constexpr int kLargest = 256;  // pixels: a font's glyphs share a texture
  for (const render::PictureLabel& label : labels) {
    // Of a line as high as the label's size: the letters, and what is above its base line.
    const double line = label.size * screen.height;
    const int letters = std::min(static_cast<int>(std::lround(line * 0.85)), kLargest);
    if (letters < 1) continue;
    const render::Color& c = label.color;
    const TextStyle style{
        Face::kSans, letters,
        osg::Vec4(c.x(), c.y(), c.z(), static_cast<float>(1 - label.transparency))};
    double base = screen.height * (1 - label.y) - 0.8 * line;
    for (std::size_t from = 0; from <= label.text.size();) {
      const std::size_t end = std::min(label.text.find('\n', from), label.text.size());
      canvas.text(
          fonts,
          static_cast<int>(std::lround(label.x * screen.width + render::kLabelMargin * line)),
          static_cast<int>(std::lround(base)), printable(label.text.substr(from, end - from)),
          style);
      base -= line;
      from = end + 1;
    }
  }
}

void draw_panel(Canvas& canvas, const Fonts& fonts, Screen screen, const std::string& title,
                const std::vector<std::pair<std::string, std::string>>& rows) {
  if (title.empty()) return;
  constexpr int kGap = 14, kHead = 24, kWidest = 460;
  const TextStyle head{Face::kBold, 14}, name{Face::kSans, 13, kFaint}, value{};
  const int space_left = std::min(kWidest, screen.width - 2 * kMargin) - 2 * kPanelPadding;
  const int height_left = screen.height - kStatusHeight - 2 * kMargin - kHead - kPanelPadding;
  if (space_left < 80 || height_left < kLineHeight) return;

  int names = 0, values = 0;
  for (const auto& [left, right] : rows) {
    names = std::max(names, fonts.width(printable(left), name));
    values = std::max(values, fonts.width(printable(right), value));
  }
  names = std::min(names, space_left / 2);
  values = std::min(values, space_left - names - kGap);
  const int inside = std::clamp(
      std::max(names + kGap + values, fonts.width(printable(title), head)), 80, space_left);
  const int shown =
      std::min(static_cast<int>(rows.size()), (height_left - kPanelPadding) / kLineHeight);
  const Rect sheet{screen.width - kMargin - inside - 2 * kPanelPadding,
                   screen.height - kMargin - kHead - shown * kLineHeight - kPanelPadding,
                   screen.width - kMargin, screen.height - kMargin};
  canvas.sheet(sheet);
  const int left = sheet.x0 + kPanelPadding;
  canvas.text(fonts, left, sheet.y1 - kHead + 5, fonts.fitted(printable(title), head, inside),
              head);
  for (int i = 0; i < shown; ++i) {
    const int y = sheet.y1 - kHead - (i + 1) * kLineHeight + kBaseLine - 2;
    const auto& row = rows[static_cast<std::size_t>(i)];
    canvas.text(fonts, left, y, fonts.fitted(printable(row.first), name, names), name);
    canvas.text(fonts, left + names + kGap, y,
                fonts.fitted(printable(row.second), value, inside - names - kGap, true), value);
  }
}

namespace {

constexpr int kBarHeight = 12, kTickHeight = 4;

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
  canvas.text(fonts, sheet.x0 + kPanelPadding, sheet.y1 - 17,
              fonts.fitted(printable(title), title_style, width - 2 * kPanelPadding), title_style);

  const Rect bar{sheet.x0 + 2 * kPanelPadding, sheet.y1 - 24 - kBarHeight,
                 sheet.x1 - 2 * kPanelPadding, sheet.y1 - 24};
  const double steps = legend.high - legend.low + 1;
  const bool boxes = legend.steps && steps >= 1 && 2 * steps <= bar.width();
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
