#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace protobeam {

std::string printable(std::string_view text, bool lines) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool kept = lines && (byte == '\n' || byte == '\t');
    // U+0080 to U+009F in UTF-8: the second byte alone would be a character of its own.
    const bool late = byte == 0xc2 && i + 1 < text.size() &&
                      static_cast<unsigned char>(text[i + 1]) >= 0x80 &&
                      static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (!late && (kept || (byte >= 0x20 && byte != 0x7f))) {
      out += text[i];
      continue;
    }
    const auto code = late ? static_cast<unsigned char>(text[++i]) : byte;
    out += {'\\', 'x', kDigits[code >> 4], kDigits[code & 15]};
  }
  return out;
}

std::string shell_word(std::string_view text) {
  const bool plain = std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) || (c != 0 && std::strchr("/._-+=,:@%", c)) || c >= 0x80;
  });
  if (plain && !text.empty()) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace protobeam
