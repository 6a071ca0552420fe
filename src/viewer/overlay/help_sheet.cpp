// All keys, in as many columns as the screen needs.
#include <algorithm>

#include "viewer/overlay/keys.h"
#include "viewer/overlay/panels.h"

namespace protobeam::viewer {
namespace {

constexpr int kHelpPadding = 16, kHelpHead = 34, kColumnGap = 36, kGap = 14, kGroupGap = 10;

const TextStyle kHelpTitle{Face::kBold, 15}, kGroupStyle{Face::kBold, 13, kAccent},
    kKeyStyle{Face::kBold, 13}, kHelpStyle{Face::kSans, 13, kInk}, kHint{Face::kSans, 13, kFaint};

struct Group {
  std::string title;
  std::vector<HelpRow> rows;
  int height() const { return (1 + static_cast<int>(rows.size())) * kLineHeight + kGroupGap; }
};

std::vector<Group> groups() {
  std::vector<Group> out;
  for (HelpRow& row : help_rows()) {
    auto group = std::ranges::find(out, row.group, &Group::title);
    if (group == out.end()) group = out.insert(out.end(), {row.group, {}});
    group->rows.push_back(std::move(row));
  }
  return out;
}

/// Groups dealt to columns from left to right, none higher than `height`; empty: they do not fit.
std::vector<std::vector<Group>> columns_of(const std::vector<Group>& all, int count, int height) {
  std::vector<std::vector<Group>> columns(1);
  int used = 0;
  for (const Group& group : all) {
    if (used + group.height() > height && !columns.back().empty()) {
      columns.emplace_back();
      used = 0;
    }
    if (group.height() > height || static_cast<int>(columns.size()) > count) return {};
    columns.back().push_back(group);
    used += group.height();
  }
  return columns;
}

}  // namespace

void draw_help(Canvas& canvas, const Fonts& fonts, Screen screen) {
  std::vector<Group> all = groups();
  int keys = 0, texts = 0;
  for (const Group& group : all) {
    for (const HelpRow& row : group.rows) {
      keys = std::max(keys, fonts.width(row.keys, kKeyStyle));
      texts = std::max(texts, fonts.width(row.help, kHelpStyle));
    }
  }
  const int column = keys + kGap + texts;
  const int room_x = screen.width - 2 * (kMargin + kHelpPadding);
  const int room_y = screen.height - kStatusHeight - 2 * kMargin - kHelpHead - kHelpPadding;
  const int most = (room_x + kColumnGap) / (column + kColumnGap);
  if (room_y < 3 * kLineHeight || room_x < 120) return;

  // The fewest columns that hold everything, then as low as these can be.
  std::vector<std::vector<Group>> columns;
  for (int count = 1; count <= most && columns.empty(); ++count) {
    for (int height = 2 * kLineHeight; height <= room_y && columns.empty(); height += kLineHeight) {
      columns = columns_of(all, count, height);
    }
  }
  int left_out = 0;
  if (columns.empty()) {  // one column, as far as it goes
    columns.emplace_back();
    int height = kLineHeight;  // of the line that says what is missing
    for (Group& group : all) {
      Group part{group.title, {}};
      for (HelpRow& row : group.rows) {
        part.rows.push_back(row);
        if (height + part.height() <= room_y) continue;
        part.rows.pop_back();
        ++left_out;
      }
      if (part.rows.empty()) continue;
      height += part.height();
      columns.back().push_back(std::move(part));
    }
  }

  int height = 0;
  for (const auto& groups_of_column : columns) {
    int used = -kGroupGap;
    for (const Group& group : groups_of_column) used += group.height();
    height = std::max(height, used);
  }
  if (left_out > 0) height += kLineHeight;
  const int count = static_cast<int>(columns.size());
  const int inside = std::min(room_x, count * column + (count - 1) * kColumnGap);
  const int left = (screen.width - inside) / 2;
  const int top = (screen.height + kStatusHeight + height + kHelpHead + kHelpPadding) / 2;
  const Rect sheet{left - kHelpPadding, top - kHelpHead - height - kHelpPadding,
                   left + inside + kHelpPadding, top};
  canvas.sheet(sheet, kThickPaper);
  canvas.text(fonts, left, top - 23, fonts.fitted("Keys", kHelpTitle, inside), kHelpTitle);
  const std::string hint = "H closes this";
  const int hint_width = fonts.width(hint, kHint);
  if (hint_width + 80 < inside) {
    canvas.text(fonts, left + inside - hint_width, top - 23, hint, kHint);
  }
  for (int i = 0; i < count; ++i) {
    const int x = left + i * (column + kColumnGap);
    const int help_x = x + std::min(keys, inside / 2) + kGap;
    int y = top - kHelpHead;
    for (const Group& group : columns[static_cast<std::size_t>(i)]) {
      y -= kLineHeight;
      canvas.text(fonts, x, y + 5, fonts.fitted(group.title, kGroupStyle, inside), kGroupStyle);
      for (const HelpRow& row : group.rows) {
        y -= kLineHeight;
        canvas.text(fonts, x, y + 5, fonts.fitted(row.keys, kKeyStyle, inside / 2), kKeyStyle);
        canvas.text(fonts, help_x, y + 5,
                    fonts.fitted(row.help, kHelpStyle, left + inside - help_x), kHelpStyle);
      }
      y -= kGroupGap;
    }
  }
  if (left_out > 0) {
    canvas.text(fonts, left, sheet.y0 + kHelpPadding / 2,
                fonts.fitted("... " + std::to_string(left_out) + " more", kHint, inside), kHint);
  }
}

}  // namespace protobeam::viewer
