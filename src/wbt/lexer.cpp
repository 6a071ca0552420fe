#include "wbt/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace protobeam::wbt {
namespace {

enum : std::uint8_t { kBlank = 1, kWord = 2, kDigit = 4, kInName = 8 };

// Longer than any name or number that a person writes; keeps searches for similar names short.
constexpr std::uint32_t kMaxName = 255;

constexpr std::array<std::uint8_t, 256> kClass = [] {
  std::array<std::uint8_t, 256> table{};
  for (unsigned char c : {' ', '\t', '\n', '\r', '\f', '\v', ','}) table[c] = kBlank;
  for (unsigned char c = 'a'; c <= 'z'; ++c) table[c] = kWord;
  for (unsigned char c = 'A'; c <= 'Z'; ++c) table[c] = kWord;
  for (unsigned char c = '0'; c <= '9'; ++c) table[c] = kWord | kDigit;
  for (unsigned char c : {'_', '-', '+', '.'}) table[c] = kWord;
  for (unsigned c = 0x80; c < table.size(); ++c) table[c] = kWord;  // letters of other alphabets
  // VRML's names may begin with these, too, but a message about a stray one is of more use. "%<>"
  // delimit templates.
  for (unsigned char c : std::string_view("!$&()*/:;=?@^`|~")) table[c] = kInName;
  return table;
}();

bool is(char c, std::uint8_t kind) { return (kClass[static_cast<unsigned char>(c)] & kind) != 0; }

/// Length of the blank beyond ASCII that `text` begins with, 0 if none: no-break and em spaces, the
/// wide space of Chinese and Japanese.
std::uint32_t wide_blank(std::string_view text) {
  if (text.empty() || static_cast<unsigned char>(text[0]) < 0x80) return 0;
  if (text.substr(0, 2) == "\u00a0" || text.substr(0, 2) == "\u0085") return 2;
  const std::string_view three = text.substr(0, 3);
  const bool is_blank = three == "\u1680" || (three >= "\u2000" && three <= "\u200a") ||
                        three == "\u2028" || three == "\u2029" || three == "\u202f" ||
                        three == "\u205f" || three == "\u3000";
  return is_blank ? 3 : 0;
}

bool begins_like_number(std::string_view word) {
  std::size_t i = word[0] == '-' || word[0] == '+' ? 1 : 0;
  if (i < word.size() && word[i] == '.') ++i;
  return i < word.size() && is(word[i], kDigit);
}

}  // namespace

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (is(c, kBlank)) {
      ++at_;
    } else if (const std::uint32_t wide = wide_blank(text_.substr(at_))) {
      at_ += wide;
    } else if (c == '#') {
      const auto end = text_.find('\n', at_);
      at_ = static_cast<std::uint32_t>(end == std::string_view::npos ? text_.size() : end);
    } else {
      break;
    }
  }
}

Token Lexer::next() {
  skip_blanks();
  if (at_ >= text_.size()) {
    return {TokenKind::kEnd, static_cast<std::uint32_t>(text_.size()), 0, 0};
  }
  const auto punctuation = [this](TokenKind kind) { return Token{kind, at_++, 1, 0}; };
  switch (text_[at_]) {
    case '{':
      return punctuation(TokenKind::kOpenBrace);
    case '}':
      return punctuation(TokenKind::kCloseBrace);
    case '[':
      return punctuation(TokenKind::kOpenBracket);
    case ']':
      return punctuation(TokenKind::kCloseBracket);
    case '"':
      return quoted();
    default:
      break;
  }
  if (is(text_[at_], kWord)) return word();
  const std::uint32_t begin = at_;
  while (at_ < text_.size() && !is(text_[at_], kBlank | kWord) &&
         std::string_view("{}[]\"#").find(text_[at_]) == std::string_view::npos) {
    ++at_;
  }
  return {TokenKind::kBadCharacter, begin, at_ - begin, 0};
}

Token Lexer::word() {
  const std::uint32_t begin = at_;
  const auto is_part = [this](std::uint8_t kinds) {
    return at_ < text_.size() && is(text_[at_], kinds) && wide_blank(text_.substr(at_)) == 0;
  };
  while (is_part(kWord)) ++at_;
  if (!begins_like_number(text_.substr(begin, at_ - begin))) {
    while (is_part(kWord | kInName)) ++at_;
  }
  Token token{TokenKind::kName, begin, at_ - begin, 0};
  if (token.length > kMaxName) return {TokenKind::kBadCharacter, begin, token.length, 0};
  const std::string_view word = text_.substr(begin, token.length);
  if (!begins_like_number(word)) return token;
  const char* first = word.data() + (word[0] == '+' ? 1 : 0);
  const char* last = word.data() + word.size();
  const auto [end, error] = std::from_chars(first, last, token.number);
  if (end != last) {
    token.kind = TokenKind::kBadNumber;
  } else if (error == std::errc::result_out_of_range) {
    // The same error stands for too small, which is as good as zero.
    const auto exponent = word.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos && word[exponent + 1] == '-';
    token.kind = tiny ? TokenKind::kNumber : TokenKind::kHugeNumber;
    token.number = 0;
  } else {
    token.kind = TokenKind::kNumber;
  }
  return token;
}

Token Lexer::quoted() {
  const std::uint32_t begin = at_++;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') break;
    ++at_;
    if (c == '"') return {TokenKind::kString, begin, at_ - begin, 0};
    if (c == '\\' && at_ < text_.size() && text_[at_] != '\n') ++at_;
  }
  return {TokenKind::kOpenString, begin, at_ - begin, 0};
}

std::string Lexer::string(const Token& token) const {
  std::string_view raw = text(token).substr(1);
  if (token.kind == TokenKind::kString) {
    raw.remove_suffix(1);
  } else if (!raw.empty() && raw.back() == '\r') {
    raw.remove_suffix(1);
  }
  std::string out;
  out.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 == raw.size()) {
      out += raw[i];
      continue;
    }
    switch (raw[++i]) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case '"':
        out += '"';
        break;
      case '\\':
        out += '\\';
        break;
      default:
        (out += '\\') += raw[i];
        break;
    }
  }
  return out;
}

bool is_not_finite_word(std::string_view word) {
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.remove_prefix(1);
  const auto equals = [word](std::string_view name) {
    return std::equal(word.begin(), word.end(), name.begin(), name.end(), [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
  };
  return equals("nan") || equals("inf") || equals("infinity");
}

}  // namespace protobeam::wbt
