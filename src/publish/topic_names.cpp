#include "publish/topic_names.h"

#include <fmt/format.h>

#include <cctype>

namespace protobeam {

std::string ros_name(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool starts_part = out.empty() || out.back() == '/';
    if (c == '/') {
      if (!starts_part) out += '/';
      continue;
    }
    const auto letter = static_cast<unsigned char>(c);
    if (starts_part && std::isdigit(letter)) out += 'n';
    out += letter < 128 && (std::isalnum(letter) || c == '_') ? c : '_';
  }
  while (!out.empty() && out.back() == '/') out.pop_back();
  if (out.empty()) out = "unnamed";
  return out;
}

std::string TopicNames::add(std::string_view name) {
  const std::string plain = fmt::format("/{}", ros_name(name));
  std::string unique = plain;
  for (int i = 2; !taken_.insert(unique).second; ++i) unique = fmt::format("{}_{}", plain, i);
  return unique;
}

}  // namespace protobeam
