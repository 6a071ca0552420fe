#include "mvsim/values.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "mvsim/expression.h"

namespace protobeam::mvsim {
namespace {

constexpr const char* kValueBlanks = " \t\r\n\v\f";

double radians(double degrees) { return degrees * (kPi / 180); }

std::string shown(std::string_view text) {
  constexpr std::size_t kShown = 60;
  std::string out = "'";
  out += text.substr(0, kShown);
  return out + (text.size() > kShown ? "...'" : "'");
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char l = static_cast<char>(c | 0x20);
  return l >= 'a' && l <= 'f' ? l - 'a' + 10 : -1;
}

}  // namespace

std::nullopt_t ValueReader::wants(const Text& text, const char* what, std::string hint) const {
  if (!text.broken) {
    diagnostics_.error(text.place,
                       subject_ + " wants " + what + ", got " +
                           (text.value.empty() ? "nothing" : shown(text.value)),
                       std::move(hint), chain_);
  }
  return std::nullopt;
}

void ValueReader::ignored(const Text& text, std::size_t end, const char* what) const {
  const auto rest = text.value.find_first_not_of(kValueBlanks, end);
  if (rest == std::string::npos) return;
  Place place = text.place;
  if (!text.computed && rest < place.length) {
    place.offset += static_cast<std::uint32_t>(rest);
    place.length -= static_cast<std::uint32_t>(rest);
  }
  diagnostics_.warning(
      place,
      "what follows " + std::string(what) + " of " + subject_ +
          " is ignored, as in MVSim: " + shown(std::string_view(text.value).substr(rest)),
      {}, chain_);
}

std::optional<double> ValueReader::number(const Text& text) const {
  std::size_t end = 0;
  const auto value = text.broken ? std::nullopt : scan_number(text.value, end);
  if (!value) return wants(text, "a number");
  ignored(text, end, "the number");
  return value;
}

std::optional<int> ValueReader::integer(const Text& text) const {
  std::size_t end = 0;
  const auto value = text.broken ? std::nullopt : scan_number(text.value, end);
  if (!value) return wants(text, "a whole number");
  const double whole = std::trunc(*value);
  if (std::abs(whole) > std::numeric_limits<int>::max()) {
    return wants(text, "a whole number of at most 2147483647");
  }
  ignored(text, end, "the number");
  if (whole != *value && !text.computed) {
    diagnostics_.warning(text.place,
                         subject_ + " wants a whole number; " + shown(text.value) + " is cut to " +
                             to_text(whole) + ", as in MVSim",
                         {}, chain_);
  }
  const bool octal = text.value.size() > 1 && text.value[0] == '0' && whole == *value &&
                     std::all_of(text.value.begin(), text.value.end(),
                                 [](unsigned char c) { return std::isdigit(c) != 0; });
  if (octal && whole >= 8) {
    diagnostics_.warning(text.place,
                         subject_ + " is " + to_text(whole) + " here; MVSim reads " +
                             shown(text.value) + " as an octal number",
                         "write it without the leading zero", chain_);
  }
  return static_cast<int>(whole);
}

std::optional<double> ValueReader::degrees(const Text& text) const {
  std::size_t end = 0;
  const auto value = text.broken ? std::nullopt : scan_number(text.value, end);
  if (!value) return wants(text, "an angle in degrees");
  ignored(text, end, "the number");
  return radians(*value);
}

std::optional<bool> ValueReader::boolean(const Text& text) const {
  std::string word = text.value;
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!text.broken && (word == "true" || word == "1")) return true;
  if (!text.broken && (word == "false" || word == "0")) return false;
  return wants(text, "true or false");
}

std::optional<Color> ValueReader::color(const Text& text) const {
  const std::string& value = text.value;
  if (text.broken || value.empty() || value[0] != '#') {
    return wants(text, "a color such as #ff8000 or #ff800080");
  }
  std::size_t digits = 0;
  while (digits + 1 < value.size() && hex_digit(value[digits + 1]) >= 0) ++digits;
  if (digits != 6 && digits != 8) return wants(text, "a color such as #ff8000 or #ff800080");
  const auto byte = [&](std::size_t n) {
    return static_cast<std::uint8_t>(hex_digit(value[1 + 2 * n]) * 16 +
                                     hex_digit(value[2 + 2 * n]));
  };
  ignored(text, digits + 1, "the color");
  return Color{byte(0), byte(1), byte(2), digits == 8 ? byte(3) : std::uint8_t{255}};
}

std::optional<std::vector<double>> ValueReader::counted(const Text& text, std::size_t least,
                                                        std::size_t most, const char* what) const {
  std::vector<double> found;
  std::size_t end = 0;
  while (!text.broken && found.size() < most) {
    std::size_t used = 0;
    const auto value = scan_number(std::string_view(text.value).substr(end), used);
    if (!value) break;
    end += used;
    found.push_back(*value);
    // "1,2" and "1.2.3" are no two numbers.
    if (end < text.value.size() &&
        std::string_view(kValueBlanks).find(text.value[end]) == std::string_view::npos) {
      break;
    }
  }
  if (found.size() < least) {
    const bool commas = text.value.find(',') != std::string::npos;
    return wants(text, what, commas ? "put blanks between the numbers, not commas" : "");
  }
  ignored(text, end, "the numbers");
  return found;
}

std::optional<Pose2d> ValueReader::pose2d(const Text& text) const {
  const auto n = counted(text, 3, 3, "3 numbers (x y yaw in degrees)");
  if (!n) return std::nullopt;
  return Pose2d{(*n)[0], (*n)[1], radians((*n)[2])};
}

std::optional<Pose3d> ValueReader::pose3d(const Text& text) const {
  const auto n = counted(text, 6, 6, "6 numbers (x y z, yaw pitch roll in degrees)");
  if (!n) return std::nullopt;
  return Pose3d{(*n)[0], (*n)[1], (*n)[2], radians((*n)[3]), radians((*n)[4]), radians((*n)[5])};
}

std::optional<Vec3> ValueReader::point3d(const Text& text) const {
  const auto n = counted(text, 2, 3, "2 or 3 numbers (x y z)");
  if (!n) return std::nullopt;
  return Vec3((*n)[0], (*n)[1], n->size() > 2 ? (*n)[2] : 0.0);
}

std::optional<std::vector<double>> ValueReader::numbers(const Text& text) const {
  return counted(text, 1, std::numeric_limits<std::size_t>::max(), "numbers");
}

std::optional<Matrix> ValueReader::matrix(const Text& text) const {
  constexpr const char* kWanted = "a matrix such as [1 2; 3 4]";
  const std::string& value = text.value;
  if (text.broken || value.size() < 2 || value.front() != '[') return wants(text, kWanted);
  const std::size_t close = value.find(']');
  if (close == std::string::npos) return wants(text, kWanted, "']' is missing");
  Matrix rows;
  for (std::size_t begin = 1; begin <= close;) {
    const std::size_t end = std::min(value.find(';', begin), close);
    std::vector<double> row;
    std::string_view left = std::string_view(value).substr(begin, end - begin);
    while (left.find_first_not_of(" \t\r\n\v\f,") != std::string_view::npos) {
      left.remove_prefix(left.find_first_not_of(" \t\r\n\v\f,"));
      std::size_t used = 0;
      const auto number = scan_number(left, used);
      if (!number) return wants(text, kWanted, shown(left.substr(0, 10)) + " is no number");
      row.push_back(*number);
      left.remove_prefix(used);
    }
    if (!row.empty() && !rows.empty() && row.size() != rows[0].size()) {
      return wants(text, kWanted,
                   "row " + std::to_string(rows.size() + 1) + " has " + std::to_string(row.size()) +
                       " numbers, the first one " + std::to_string(rows[0].size()));
    }
    if (!row.empty()) rows.push_back(std::move(row));
    begin = end + 1;
  }
  if (rows.empty()) return wants(text, kWanted);
  ignored(text, close + 1, "the matrix");
  return rows;
}

std::optional<std::vector<Vec2>> ValueReader::shape(const Element& shape, std::size_t least) const {
  std::vector<Vec2> points;
  bool good = true;
  for (const Element* point : shape.all("pt")) {
    const ValueReader reader("<pt> of <shape>", point->chain, diagnostics_);
    const auto xy = reader.counted(point->text, 2, 2, "2 numbers (x y)");
    if (xy) points.emplace_back((*xy)[0], (*xy)[1]);
    good = good && xy;
  }
  if (good && points.size() < least) {
    diagnostics_.error(shape.place,
                       subject_ + " wants at least " + std::to_string(least) + " <pt>, got " +
                           std::to_string(points.size()),
                       {}, chain_);
    return std::nullopt;
  }
  return good ? std::optional(points) : std::nullopt;
}

bool ValueReader::check(ValueKind kind, const Text& text) const {
  switch (kind) {
    case ValueKind::kNumber:
      return number(text).has_value();
    case ValueKind::kInt:
      return integer(text).has_value();
    case ValueKind::kDegrees:
      return degrees(text).has_value();
    case ValueKind::kBool:
      return boolean(text).has_value();
    case ValueKind::kColor:
      return color(text).has_value();
    case ValueKind::kPose2d:
      return pose2d(text).has_value();
    case ValueKind::kPose3d:
      return pose3d(text).has_value();
    case ValueKind::kPoint3d:
      return point3d(text).has_value();
    case ValueKind::kNumbers:
      return numbers(text).has_value();
    case ValueKind::kMatrix:
      return matrix(text).has_value();
    case ValueKind::kText:
    case ValueKind::kUri:
    case ValueKind::kEmpty:
    case ValueKind::kChildren:
      return !text.broken;
  }
  return false;
}

}  // namespace protobeam::mvsim
