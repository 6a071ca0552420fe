#include "mvsim/world/number_lines.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/named_files.h"
#include "mvsim/expression.h"

namespace protobeam::mvsim {
namespace {

constexpr std::size_t kMostNumberBytes = 256 << 20;

/// What is no number is cut off after so many characters.
constexpr std::size_t kMostShown = 40;

/// The numbers of a line; nothing when something else is in it, which is `other` then.
std::optional<std::vector<double>> numbers_of(std::string_view line, std::string_view& other) {
  constexpr std::string_view kBetween = " \t\r,";
  std::vector<double> out;
  while (line.find_first_not_of(kBetween) != std::string_view::npos) {
    line.remove_prefix(line.find_first_not_of(kBetween));
    const std::string_view word = line.substr(0, line.find_first_of(kBetween));
    std::size_t end = 0;
    const auto number = scan_number(word, end);
    if (!number || end != word.size()) {
      other = word.substr(0, kMostShown);
      return std::nullopt;
    }
    out.push_back(*number);
    line.remove_prefix(word.size());
  }
  return out;
}

}  // namespace

void read_number_lines(const std::filesystem::path& file, std::size_t count, bool more,
                       const char* what, const std::function<void(std::span<const double>)>& take) {
  const std::string text = read_named_file(file, kMostNumberBytes);
  std::size_t number = 0;
  bool any = false;
  for (std::string_view left = text; !left.empty();) {
    ++number;
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(left.size(), line.size() + 1));
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#' || line[first] == '%') continue;
    std::string_view other;
    const auto n = numbers_of(line, other);
    if (!n || n->size() < count || (n->size() > count && !more)) {
      const std::string got = n ? std::to_string(n->size()) : "'" + std::string(other) + "'";
      throw std::runtime_error(file.string() + ":" + std::to_string(number) + ": a line of " +
                               what + ", got " + got);
    }
    take(std::span(*n).first(count));
    any = true;
  }
  if (!any) throw std::runtime_error(file.string() + ": there are no numbers in it");
}

}  // namespace protobeam::mvsim
