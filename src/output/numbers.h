// Numbers in text files.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>

namespace protobeam {

/// The shortest text that reads back as the same value.
template <class T>
requires std::floating_point<T> || std::integral<T>
void append_number(std::string& text, T value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

/// Nanoseconds as seconds, exactly: "12.3456789", "-0.5", "3".
inline void append_seconds(std::string& text, std::int64_t ns) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  if (ns < 0) text += '-';
  const std::uint64_t size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  append_number(text, size / kSecond);
  if (size % kSecond == 0) return;
  // Nine digits behind a 1 that keeps their zeros in front.
  std::string digits = std::to_string(kSecond + size % kSecond);
  digits.resize(digits.find_last_not_of('0') + 1);
  digits[0] = '.';
  text += digits;
}

}  // namespace protobeam
