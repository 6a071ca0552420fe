// Text to tokens. Blanks and commas separate, `#` comments to the end of the line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace protobeam::wbt {

enum class TokenKind : std::uint8_t {
  kEnd,
  kName,  ///< node types, field names and keywords; may hold what VRML's names may but % < >
  kNumber,
  kString,
  kOpenBrace,
  kCloseBrace,
  kOpenBracket,
  kCloseBracket,
  kBadNumber,     ///< begins like a number but is none ("1.2.3", "0x1f")
  kHugeNumber,    ///< a number that no double can hold
  kOpenString,    ///< a string whose line ends before the closing quote
  kBadCharacter,  ///< a run of characters that no token begins with
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  double number = 0;  ///< of kNumber
};

class Lexer {
 public:
  /// Tokens of text[begin, end).
  Lexer(std::string_view text, std::uint32_t begin, std::uint32_t end)
      : text_(text.substr(0, end)), at_(begin) {}

  Token next();
  std::string_view text(const Token& token) const {
    return text_.substr(token.offset, token.length);
  }
  /// What a string token says, escapes resolved.
  std::string string(const Token& token) const;

 private:
  void skip_blanks();
  Token word();
  Token quoted();

  std::string_view text_;
  std::uint32_t at_;
};

/// "nan", "inf", "-infinity", ...: numbers to a person, but no values of a field.
bool is_not_finite_word(std::string_view word);

}  // namespace protobeam::wbt
