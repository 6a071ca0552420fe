#include "base/text.h"

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

}  // namespace protobeam
