#include "viewer/overlay/panels.h"

#include <algorithm>

namespace protobeam::viewer {
namespace {

constexpr int kPadding = 10;
constexpr int kBaseLine = 5;  ///< of a text above the bottom of its line

}  // namespace

void draw_status(Canvas& canvas, const Fonts& fonts, Screen screen, const std::string& line) {
  if (line.empty() || screen.height < kStatusHeight) return;
  const std::string shown = fonts.fitted(printable(line), {}, screen.width - 2 * kPadding);
  if (shown.empty()) return;
  canvas.box({0, 0, screen.width, kStatusHeight}, kPaper);
  canvas.box({0, kStatusHeight - 1, screen.width, kStatusHeight}, kRule);
  canvas.text(fonts, kPadding, 8, shown, {});
}

void draw_note(Canvas& canvas, const Fonts& fonts, Screen screen, const std::string& line) {
  constexpr int kHeight = 28;
  const TextStyle style{Face::kSans, 14};
  const int top = screen.height - kMargin;
  if (line.empty() || top - kHeight < kStatusHeight) return;
  const int space_left = screen.width - 2 * (kMargin + kPadding);
  const std::string shown = fonts.fitted(printable(line), style, space_left, true);
  if (shown.empty()) return;
  const int width = fonts.width(shown, style) + 2 * kPadding;
  const int left = (screen.width - width) / 2;
  canvas.sheet({left, top - kHeight, left + width, top}, kThickPaper);
  canvas.text(fonts, left + kPadding, top - kHeight + 9, shown, style);
}

void draw_panel(Canvas& canvas, const Fonts& fonts, Screen screen, const std::string& title,
                const std::vector<std::pair<std::string, std::string>>& rows) {
  if (title.empty()) return;
  constexpr int kGap = 14, kHead = 24, kWidest = 460;
  const TextStyle head{Face::kBold, 14}, name{Face::kSans, 13, kFaint}, value{};
  const int space_left = std::min(kWidest, screen.width - 2 * kMargin) - 2 * kPadding;
  const int height_left = screen.height - kStatusHeight - 2 * kMargin - kHead - kPadding;
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
  const int shown = std::min(static_cast<int>(rows.size()), (height_left - kPadding) / kLineHeight);
  const Rect sheet{screen.width - kMargin - inside - 2 * kPadding,
                   screen.height - kMargin - kHead - shown * kLineHeight - kPadding,
                   screen.width - kMargin, screen.height - kMargin};
  canvas.sheet(sheet);
  const int left = sheet.x0 + kPadding;
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

}  // namespace protobeam::viewer
