#include "track.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "base/named_files.h"
#include "base/text.h"
#include "read_text.h"

namespace protobeam {
namespace {

constexpr std::size_t kLargestTrack = 16u << 20;
constexpr std::size_t kMostCones = 1 << 16;
constexpr double kFarthest = 1e6;  // m; float keeps 0.1 m there

enum Column : std::size_t {
  kTag,
  kX,
  kY,
  kDirection,
  kXVariance,
  kYVariance,
  kCovariance,
  kColor,
  kColumnCount
};
const std::vector<std::string> kColumns{
    "tag", "x", "y", "direction", "x_variance", "y_variance", "xy_covariance", "color"};
constexpr std::size_t kEufsColumns = kColor;  // the first ones, in EUFS' order

const std::vector<std::string> kTags{"blue",       "yellow",  "orange",
                                     "big_orange", "unknown", "car_start"};
constexpr ConeColor kTagColors[] = {ConeColor::kBlue, ConeColor::kYellow, ConeColor::kOrange,
                                    ConeColor::kBigOrange, ConeColor::kUnknown};

/// Position in the list; its size for none.
std::size_t place_in(const std::vector<std::string>& list, std::string_view word) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), word) - list.begin());
}

std::vector<std::string_view> cells_of(std::string_view row) {
  std::vector<std::string_view> cells;
  while (true) {
    const auto comma = row.find(',');
    cells.push_back(trimmed(row.substr(0, comma)));
    if (comma == row.npos) return cells;
    row.remove_prefix(comma + 1);
  }
}

class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  void row(int line, std::string_view text) {
    line_ = line;
    text = trimmed(text);
    if (text.empty() || text.front() == '#') return;
    const auto cells = cells_of(text);
    if (!header_.empty()) return cone(cells);
    if (place_in(kTags, cells.front()) == kTags.size()) return header(cells);
    // No header row, as FSDS writes it.
    for (std::size_t i = 0; i < kEufsColumns; ++i) header_.push_back(static_cast<Column>(i));
    cone(cells);
  }

  Track take() {
    if (header_.empty()) throw_invalid(name_, ": no header row; write tag,x,y,...");
    if (track_.cones.empty()) throw_invalid(name_, ": no cones");
    return std::move(track_);
  }

 private:
  template <typename... Parts>
  [[noreturn]] void wrong(const Parts&... parts) const {
    throw_invalid(name_, ":", line_, ": ", parts...);
  }
  [[noreturn]] void wrong_word(const char* what, std::string_view word,
                               const std::vector<std::string>& known) const {
    std::string hint = did_you_mean(word, known);
    if (hint.empty()) {
      hint = "there are";
      for (const std::string& name : known) hint += (&name == &known[0] ? " " : ", ") + name;
    }
    wrong("unknown ", what, " '", printable(word), "'; ", hint);
  }

  void header(const std::vector<std::string_view>& names) {
    bool given[kColumnCount] = {};
    for (const std::string_view name : names) {
      const std::size_t column = place_in(kColumns, name);
      if (column == kColumnCount) wrong_word("column", name, kColumns);
      if (given[column]) wrong("column '", name, "' is there twice");
      given[column] = true;
      header_.push_back(static_cast<Column>(column));
    }
    for (const Column column : {kX, kY}) {
      if (!given[column]) wrong("a track needs a column ", kColumns[column]);
    }
    if (given[kTag] == given[kColor]) wrong("a track needs a column tag, or else a column color");
  }

  void cone(const std::vector<std::string_view>& cells) {
    if (cells.size() != header_.size()) {
      wrong(cells.size(), " values in a row that needs ", header_.size());
    }
    double value[kColumnCount] = {};
    std::size_t tag = 0;
    ConeColor color = ConeColor::kUnknown;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (header_[i] == kTag) {
        tag = place_in(kTags, cells[i]);
        if (tag == kTags.size()) wrong_word("tag", cells[i], kTags);
        if (tag < std::size(kTagColors)) color = kTagColors[tag];
      } else {
        value[header_[i]] = number(cells[i], header_[i]);
        if (header_[i] == kColor) color = color_of(value[kColor]);
      }
    }
    if (std::abs(value[kX]) > kFarthest || std::abs(value[kY]) > kFarthest) {
      wrong("x and y must be within ", kFarthest, " m");
    }
    if (tag == std::size(kTagColors)) {  // car_start
      if (track_.start) wrong("car_start is there twice");
      track_.start = {value[kX], value[kY], value[kDirection]};
      return;
    }
    if (track_.cones.size() == kMostCones) wrong("more than ", kMostCones, " cones");
    const double xx = value[kXVariance], yy = value[kYVariance], xy = value[kCovariance];
    if (xx < 0 || yy < 0) wrong("a variance must not be negative");
    // A small excess comes from decimals that were cut off.
    if (xy * xy > xx * yy * 1.0001) wrong("xy_covariance ", xy, " is too large for the variances");
    track_.cones.push_back({{value[kX], value[kY]}, color, xx, xy, yy});
  }

  ConeColor color_of(double number) const {
    if (number != std::floor(number) || number < -1 || number > 3) {
      wrong("color must be -1 (unknown), 0 (orange), 1 (yellow), 2 (blue) or 3 (big orange), got ",
            number);
    }
    return static_cast<ConeColor>(static_cast<std::int32_t>(number));
  }

  double number(std::string_view text, Column column) const {
    if (text.empty()) wrong("no value for ", kColumns[column]);
    const auto value = finite_number(text);
    if (!value) {
      wrong(kColumns[column], " must be a finite number, got '", printable(text), "'");
    }
    return *value;
  }

  std::string name_;
  int line_ = 0;
  std::vector<Column> header_;
  Track track_;
};

}  // namespace

Track read_track(const std::filesystem::path& file) {
  std::string text;
  try {
    text = read_named_file(file, kLargestTrack);
  } catch (const std::runtime_error& problem) {
    throw_invalid(problem.what());
  }
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // byte order mark of spreadsheets
  Reader reader(file.string());
  for (int line = 1; !rest.empty(); ++line) {
    const auto end = rest.find('\n');
    reader.row(line, rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  return reader.take();
}

}  // namespace protobeam
