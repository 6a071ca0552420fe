// Numbers in text files.
#pragma once

#include <charconv>
#include <concepts>
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

}  // namespace protobeam
