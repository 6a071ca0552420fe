#include "csv_table.h"

#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "base/named_files.h"
#include "throw_invalid.h"

namespace protobeam {
namespace {

constexpr std::size_t kLargestFile = 16u << 20;

const std::vector<std::string> kColumns{"elevation_deg", "azimuth_deg", "x", "y", "z",
                                        "time",          "ring"};
enum Column { kElevation, kAzimuth, kX, kY, kZ, kTime, kRing, kColumnCount };

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
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
  explicit Reader(const std::filesystem::path& file) : name_(file.string()) {}

  void row(int line, std::string_view text) {
    line_ = line;
    text = trimmed(text);
    if (text.empty() || text.front() == '#') return;
    if (header_.empty()) {
      header(cells_of(text));
    } else {
      beam(cells_of(text));
    }
  }
  CsvBeams take() {
    if (header_.empty())
      throw_invalid(name_, ": no header row; write elevation_deg,azimuth_deg,...");
    if (out_.beams.empty()) throw_invalid(name_, ": no beams, only a header row");
    return std::move(out_);
  }

 private:
  template <typename... Parts>
  [[noreturn]] void wrong(const Parts&... parts) const {
    throw_invalid(name_, ":", line_, ": ", parts...);
  }

  void header(const std::vector<std::string_view>& names) {
    bool given[kColumnCount] = {};
    for (const std::string_view name : names) {
      int column = 0;
      while (column < kColumnCount && kColumns[static_cast<std::size_t>(column)] != name) ++column;
      if (column == kColumnCount) {
        const std::string hint = did_you_mean(name, kColumns);
        wrong("no column '", name, "' in a beam table",
              hint.empty() ? "; it has elevation_deg,azimuth_deg,x,y,z,time,ring" : "; " + hint);
      }
      if (given[column]) wrong("column '", name, "' is there twice");
      given[column] = true;
      header_.push_back(static_cast<Column>(column));
    }
    if (!given[kElevation]) wrong("a beam table needs a column elevation_deg");
    out_.has_rings = given[kRing];
  }

  void beam(const std::vector<std::string_view>& cells) {
    if (cells.size() != header_.size()) {
      wrong(cells.size(), " values in a row, the header has ", header_.size(), " columns");
    }
    double value[kColumnCount] = {};
    for (std::size_t i = 0; i < cells.size(); ++i) value[header_[i]] = number(cells[i], header_[i]);
    Beam beam;
    beam.elevation = value[kElevation] * kDegree;
    beam.azimuth = value[kAzimuth] * kDegree;
    beam.origin = {value[kX], value[kY], value[kZ]};
    beam.time = value[kTime];
    if (value[kRing] != std::floor(value[kRing]) || std::abs(value[kRing]) > 1e6) {
      wrong("ring ", value[kRing], " is not a whole number");
    }
    beam.ring = static_cast<int>(value[kRing]);
    out_.beams.push_back(beam);
    out_.lines.push_back(line_);
  }

  double number(std::string_view text, Column column) const {
    const std::string& name = kColumns[column];
    if (text.empty()) wrong("no value for ", name);
    const std::string_view digits = text.front() == '+' ? text.substr(1) : text;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value)) {
      wrong(name, " must be a number, got '", text, "'");
    }
    return value;
  }

  std::string name_;
  int line_ = 0;
  std::vector<Column> header_;
  CsvBeams out_;
};

}  // namespace

CsvBeams read_beam_csv(const std::filesystem::path& file) {
  std::string text;
  try {
    text = read_named_file(file, kLargestFile);
  } catch (const std::runtime_error& problem) {
    throw_invalid("field 'beamTable' of Lidar: ", problem.what());
  }
  Reader reader(file);
  std::string_view rest = text;
  for (int line = 1; !rest.empty(); ++line) {
    const auto end = rest.find('\n');
    reader.row(line, rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  return reader.take();
}

}  // namespace protobeam
