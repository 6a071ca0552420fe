#include "wbt/near_names.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/edit_distance.h"

namespace protobeam::wbt {
namespace {

std::string without_signs(std::string_view name) {
  std::string out(name);
  std::erase_if(out, [](char c) { return c == '-' || c == '_'; });
  return out;
}

std::string digits_of(std::string_view name) {
  std::string out(name);
  std::erase_if(out, [](unsigned char c) { return std::isdigit(c) == 0; });
  return out;
}

}  // namespace

std::string misspelt_type(std::string_view word, std::span<const std::string> names) {
  constexpr int kReplaced = 2;  // a word with another letter is another word
  int best = (word.size() < 7 ? 1 : word.size() < 9 ? 2 : 3) + 1;
  const std::string digits = digits_of(word);
  std::string out;
  for (const std::string& name : names) {
    const int difference = std::abs(static_cast<int>(name.size()) - static_cast<int>(word.size()));
    if (name.empty() || difference >= best || digits_of(name) != digits) continue;
    const int distance = edit_distance(word, name, kReplaced);
    if (distance < best) {
      best = distance;
      out = name;
    }
  }
  return out;
}

std::string same_proto(std::string_view name, std::span<const std::string> names) {
  constexpr std::size_t kLong = 8;
  const std::string plain = without_signs(name);
  const int most = plain.size() < kLong ? 0 : 1;
  std::string out;
  int best = most + 1;
  for (const std::string& other : names) {
    const std::string others = without_signs(other);
    if (std::max(others.size(), plain.size()) - std::min(others.size(), plain.size()) > 1) continue;
    const int distance = edit_distance(plain, others);
    if (distance < best) {
      best = distance;
      out = other;
    }
  }
  return out;
}

}  // namespace protobeam::wbt
