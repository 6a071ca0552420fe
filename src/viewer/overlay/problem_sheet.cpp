// Diagnostics of a text that could not be loaded.
#include <algorithm>
#include <sstream>

#include "viewer/overlay/panels.h"

namespace protobeam::viewer {
namespace {

constexpr int kProblemPadding = 12, kProblemHead = 28;
const TextStyle kProblemTitle{Face::kBold, 14, kAlarm};

/// Tabs become the same number of spaces everywhere, which keeps a caret below its column.
std::string without_tabs(const std::string& line) {
  std::string out;
  for (const char c : line) {
    if (c == '\t') {
      out += "    ";
    } else {
      out += c;
    }
  }
  return out;
}

bool is_caret_line(const std::string& line) {
  const std::size_t caret = line.find_first_not_of(' ');
  return caret != std::string::npos && line[caret] == '^' &&
         line.find_first_not_of('~', caret + 1) == std::string::npos;
}

std::string joined(const std::vector<std::string>& characters, std::size_t from, std::size_t to) {
  std::string out;
  for (std::size_t i = from; i < std::min(to, characters.size()); ++i) out += characters[i];
  return out;
}

void wrap(const std::string& line, std::size_t columns, std::vector<std::string>& out) {
  constexpr std::size_t kIndent = 4;
  const std::vector<std::string> all = characters(line);
  const std::size_t start = line.find_first_not_of(' ');
  std::string indent;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t space_left = columns > indent.size() ? columns - indent.size() : 1;
    std::size_t end = std::min(at + space_left, all.size());
    if (end < all.size()) {
      std::size_t space = end;
      while (space > at && all[space] != " ") --space;
      // A break in the indentation would give an empty line; a long word breaks anywhere.
      if (space > std::max(at, start == std::string::npos ? 0 : start)) end = space;
    }
    out.push_back(indent + joined(all, at, end));
    at = end;
    while (at < all.size() && all[at] == " ") ++at;
    if (columns > 4 * kIndent) indent.assign(kIndent, ' ');
  }
  if (all.empty()) out.emplace_back();
}

/// The part of a line of text and of its caret line that shows the caret.
void cut_pair(const std::string& text, const std::string& caret, std::size_t columns,
              std::vector<std::string>& out) {
  const std::vector<std::string> all = characters(text);
  const std::size_t caret_at = caret.find('^');
  std::size_t skip = 0;
  if (caret_at + 1 > columns) skip = caret_at + 1 + columns / 4 - columns;
  std::string shown = joined(all, skip, skip + columns);
  if (skip > 0 && columns > 1) shown = "…" + joined(all, skip + 1, skip + columns);
  if (all.size() > skip + columns && columns > 1) {
    std::vector<std::string> kept = characters(shown);
    kept.back() = "…";
    shown = joined(kept, 0, kept.size());
  }
  out.push_back(std::move(shown));
  out.push_back(caret.substr(skip, columns));
}

const TextStyle& style_of(const std::string& line) {
  static const TextStyle error{Face::kMono, 13, kAlarm}, warning{Face::kMono, 13, kCaution},
      caret{Face::kMono, 13, kAccent}, plain{Face::kMono, 13, kInk};
  if (is_caret_line(line)) return caret;
  if (line.find(": error: ") != std::string::npos) return error;
  if (line.find(": warning: ") != std::string::npos) return warning;
  return plain;
}

}  // namespace

std::vector<std::string> problem_lines(const std::string& text, int columns) {
  std::vector<std::string> lines, out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(printable(without_tabs(line)));
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  const auto space_left = static_cast<std::size_t>(std::max(1, columns));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i + 1 < lines.size() && is_caret_line(lines[i + 1])) {
      cut_pair(lines[i], lines[i + 1], space_left, out);
      ++i;
    } else {
      wrap(lines[i], space_left, out);
    }
  }
  return out;
}

void draw_problem(Canvas& canvas, const Fonts& fonts, Screen screen, const std::string& text) {
  const int character = std::max(1, fonts.width("0", {Face::kMono, 13}));
  const int space_left = screen.width - 2 * (kMargin + kProblemPadding);
  // The top edge is for notes.
  const int top = screen.height - kMargin - 28 - kMargin;
  const int most = (top - kStatusHeight - kMargin - kProblemHead - kProblemPadding) / kLineHeight;
  if (text.empty() || space_left < 12 * character || most < 1) return;
  std::vector<std::string> lines = problem_lines(text, std::min(space_left / character, 160));
  if (lines.empty()) return;
  if (static_cast<int>(lines.size()) > most) {
    // The line that says how many are missing needs one itself.
    const std::size_t missing = lines.size() - static_cast<std::size_t>(most) + 1;
    lines.resize(static_cast<std::size_t>(most - 1));
    lines.push_back("... " + std::to_string(missing) + " more lines");
  }
  const bool old_world = text.find(": error: ") != std::string::npos;
  const std::string title = fonts.fitted(
      old_world ? "Not loaded: the text has mistakes. The previous world runs on." : "Problem",
      kProblemTitle, space_left);
  int inside = fonts.width(title, kProblemTitle);
  for (const std::string& line : lines) {
    inside = std::max(inside, fonts.width(line, {Face::kMono, 13}));
  }
  inside = std::min(inside, space_left);
  const int bottom =
      top - kProblemHead - static_cast<int>(lines.size()) * kLineHeight - kProblemPadding;
  canvas.sheet({kMargin, bottom, kMargin + inside + 2 * kProblemPadding, top}, kThickPaper, kAlarm);
  const int left = kMargin + kProblemPadding;
  canvas.text(fonts, left, top - 20, title, kProblemTitle);
  int y = top - kProblemHead;
  for (const std::string& line : lines) {
    y -= kLineHeight;
    canvas.text(fonts, left, y + 5, line, style_of(line));
  }
}

}  // namespace protobeam::viewer
