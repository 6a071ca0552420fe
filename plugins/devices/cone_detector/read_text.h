// What the readers of tracks and settings share.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace protobeam {

template <typename... Parts>
[[noreturn]] void throw_invalid(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  throw std::invalid_argument(out.str());
}

inline std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// A finite number and nothing else; the decimal point does not depend on the locale.
inline std::optional<double> finite_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) return {};
  return value;
}

}  // namespace protobeam
