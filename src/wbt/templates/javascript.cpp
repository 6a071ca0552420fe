#include "wbt/templates/javascript.h"

#include <algorithm>

namespace protobeam::wbt {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || (static_cast<unsigned char>(c) & 0x80) != 0;
}

class ModuleScanner {
 public:
  explicit ModuleScanner(std::string_view code) : code_(code) {}

  std::vector<JavaScriptPart> scan() {
    scan_until('\0');
    return std::move(parts_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < code_.size() ? code_[at_ + ahead] : '\0';
  }
  bool more() const { return at_ < code_.size(); }

  /// To the end of the code, or behind the `close` that matches (for `${...}` in a template
  /// literal).
  void scan_until(char close) {
    int depth = 0;
    while (more()) {
      const char c = peek();
      if (is_blank(c)) {
        ++at_;
      } else if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
        skip_comment();
      } else if (c == '#' && (is_blank(peek(1)) || peek(1) == '#' || at_ + 1 == code_.size())) {
        parts_.push_back({JavaScriptPart::kComment, here(), here() + 1, {}, {}, {}, {}});
        skip_line();
      } else if (c == '"' || c == '\'') {
        skip_quoted(c);
        value_before_ = true;
      } else if (c == '`') {
        skip_template_literal();
        value_before_ = true;
      } else if (c == '/' && !value_before_) {
        skip_regular_expression();
        value_before_ = true;
      } else if (is_word_char(c)) {
        scan_word();
      } else {
        if (c == '{') ++depth;
        if (c == '}' && depth-- == 0 && close == '}') {
          ++at_;
          return;
        }
        value_before_ = c == ')' || c == ']' || c == '}';
        previous_ = c;
        ++at_;
      }
    }
  }

  void scan_word() {
    const std::size_t begin = at_;
    const std::string_view word = take_word();
    const bool property = previous_ == '.';
    previous_ = 'a';
    value_before_ = word != "return" && word != "typeof" && word != "case" && word != "in" &&
                    word != "of" && word != "else" && word != "do" && word != "void";
    if (property) return;
    if (word == "import") scan_import(begin);
    if (word == "export") scan_export(begin);
  }

  void scan_import(std::size_t begin) {
    skip_blanks_and_comments();
    if (peek() == '(' || peek() == '.') {
      broken(begin, "a template can import modules only as 'import ... from' at the top");
      return;
    }
    JavaScriptPart part{
        JavaScriptPart::kImport, static_cast<std::uint32_t>(begin), 0, {}, {}, {}, {}};
    if (peek() == '*') {
      ++at_;
      skip_blanks_and_comments();
      if (take_word() != "as") return broken(begin, "expected 'as' after 'import *'");
      skip_blanks_and_comments();
      part.name_space = take_word();
      if (part.name_space.empty()) return broken(begin, "expected a name after 'import * as'");
    } else if (peek() == '{') {
      ++at_;
      if (!scan_names(part)) {
        return broken(begin, "expected 'import {name, name as other} from'");
      }
    } else {
      return broken(begin, "expected '* as NAME' or '{names}' after 'import'");
    }
    skip_blanks_and_comments();
    if (take_word() != "from") return broken(begin, "expected 'from' in the import");
    skip_blanks_and_comments();
    const char quote = peek();
    const std::size_t close =
        quote == '"' || quote == '\'' ? code_.find(quote, at_ + 1) : std::string_view::npos;
    if (close == std::string_view::npos) {
      return broken(begin, "expected the module's name in quotes after 'from'");
    }
    part.module = code_.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
    part.end = here();
    parts_.push_back(std::move(part));
    value_before_ = false;
  }

  /// `a, b as c }`
  bool scan_names(JavaScriptPart& part) {
    for (;;) {
      skip_blanks_and_comments();
      if (peek() == '}') break;
      const std::string name(take_word());
      std::string alias = name;
      if (name.empty()) return false;
      skip_blanks_and_comments();
      if (is_word_char(peek())) {
        if (take_word() != "as") return false;
        skip_blanks_and_comments();
        alias = take_word();
        if (alias.empty()) return false;
        skip_blanks_and_comments();
      }
      part.names.emplace_back(name, alias);
      if (peek() == ',')
        ++at_;
      else if (peek() != '}')
        return false;
    }
    ++at_;
    return true;
  }

  void scan_export(std::size_t begin) {
    const std::uint32_t end = here();
    skip_blanks_and_comments();
    const std::size_t declaration = at_;
    if (take_word() == "function") {
      skip_blanks_and_comments();
      const std::string name(take_word());
      parts_.push_back({JavaScriptPart::kExport,
                        static_cast<std::uint32_t>(begin),
                        end,
                        {},
                        {},
                        {{name, name}},
                        {}});
    }
    at_ = declaration;
  }

  void broken(std::size_t begin, const char* message) {
    parts_.push_back({JavaScriptPart::kBroken,
                      static_cast<std::uint32_t>(begin),
                      static_cast<std::uint32_t>(begin + 6),
                      {},
                      {},
                      {},
                      message});
  }

  std::string_view take_word() {
    const std::size_t begin = at_;
    while (more() && is_word_char(peek())) ++at_;
    return code_.substr(begin, at_ - begin);
  }
  void skip_line() {
    while (more() && peek() != '\n') ++at_;
  }
  void skip_comment() {
    if (peek(1) == '/') return skip_line();
    const std::size_t close = code_.find("*/", at_ + 2);
    at_ = close == std::string_view::npos ? code_.size() : close + 2;
  }
  void skip_blanks_and_comments() {
    for (;;) {
      if (more() && is_blank(peek()))
        ++at_;
      else if (peek() == '/' && (peek(1) == '/' || peek(1) == '*'))
        skip_comment();
      else
        return;
    }
  }
  void skip_quoted(char quote) {
    for (++at_; more() && peek() != quote && peek() != '\n'; ++at_) {
      if (peek() == '\\') ++at_;
    }
    if (more()) ++at_;
    at_ = std::min(at_, code_.size());
  }
  void skip_template_literal() {
    ++at_;
    while (more() && peek() != '`') {
      if (peek() == '\\') {
        at_ = std::min(at_ + 2, code_.size());
      } else if (peek() == '$' && peek(1) == '{' && nesting_ < kMaxNesting) {
        at_ += 2;
        ++nesting_;
        scan_until('}');
        --nesting_;
      } else {
        ++at_;
      }
    }
    if (more()) ++at_;
  }
  void skip_regular_expression() {
    bool in_class = false;
    for (++at_; more() && peek() != '\n'; ++at_) {
      const char c = peek();
      if (c == '\\')
        ++at_;
      else if (c == '[')
        in_class = true;
      else if (c == ']')
        in_class = false;
      else if (c == '/' && !in_class)
        break;
    }
    at_ = std::min(at_ + 1, code_.size());
  }
  static constexpr int kMaxNesting = 100;  // of template literals: bounds the recursion

  std::uint32_t here() const { return static_cast<std::uint32_t>(at_); }

  std::string_view code_;
  std::size_t at_ = 0;
  char previous_ = '\0';  ///< last character that means something; 'a' for words
  int nesting_ = 0;
  bool value_before_ = false;  ///< so that '/' divides and does not begin a regular expression
  std::vector<JavaScriptPart> parts_;
};

}  // namespace

std::vector<JavaScriptPart> find_module_parts(std::string_view code) {
  return ModuleScanner(code).scan();
}

}  // namespace protobeam::wbt
