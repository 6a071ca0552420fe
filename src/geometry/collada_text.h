// Tags in the text of a Collada file.
#pragma once

#include <string_view>

namespace protobeam::collada {

inline constexpr std::string_view kSpace = " \t\r\n";

/// `at` is behind a '<': it is a tag of that name.
inline bool is_tag(std::string_view text, std::size_t at, std::string_view name) {
  if (text.substr(at, name.size()) != name) return false;
  const std::size_t end = at + name.size();
  return end < text.size() && (text[end] == '>' || kSpace.find(text[end]) != kSpace.npos);
}

/// The tag at `begin` without its end, which is before the next one in any case.
inline std::string_view tag_at(std::string_view text, std::size_t begin) {
  return text.substr(begin, text.find_first_of("<>", begin + 1) - begin);
}

/// The tag at `begin` is the whole element.
inline bool is_empty(std::string_view text, std::size_t begin) {
  return tag_at(text, begin).ends_with('/');
}

/// An attribute of the tag at `begin`; "" without it.
inline std::string_view attribute(std::string_view text, std::size_t begin, std::string_view name) {
  const std::string_view tag = tag_at(text, begin);
  for (std::size_t at = tag.find(name); at != tag.npos; at = tag.find(name, at + 1)) {
    const std::size_t sign = tag.find_first_not_of(kSpace, at + name.size());
    if (sign == tag.npos || tag[sign] != '=' || kSpace.find(tag[at - 1]) == kSpace.npos) continue;
    const std::size_t quote = tag.find_first_not_of(kSpace, sign + 1);
    if (quote == tag.npos || (tag[quote] != '"' && tag[quote] != '\'')) return {};
    const std::size_t end = tag.find(tag[quote], quote + 1);
    return end == tag.npos ? std::string_view() : tag.substr(quote + 1, end - quote - 1);
  }
  return {};
}

}  // namespace protobeam::collada
