#include "wbt/templates/pieces.h"

#include "wbt/template.h"

namespace protobeam::wbt {
namespace {

/// Walks over text outside template code: knows when it is inside a string or a comment.
class TextScanner {
 public:
  explicit TextScanner(std::string_view body) : body_(body) {}

  /// The next `%` that is followed by `next` and not in a comment, from `from` on; npos: none.
  std::size_t find_tag(std::size_t from, char next) {
    for (std::size_t i = from; i < body_.size(); ++i) {
      const char c = body_[i];
      if (c == '%' && i + 1 < body_.size() && body_[i + 1] == next) return i;
      if (in_string_) {
        if (c == '\\') ++i;
        if (c == '"' || c == '\n') in_string_ = false;  // a string does not go over its line
      } else if (c == '"') {
        in_string_ = true;
      } else if (c == '#') {
        i = body_.find('\n', i);
        if (i == std::string_view::npos) break;
      }
    }
    return std::string_view::npos;
  }

 private:
  std::string_view body_;
  bool in_string_ = false;
};

}  // namespace

std::vector<TemplatePiece> split_template(std::string_view body) {
  std::vector<TemplatePiece> pieces;
  const auto add = [&](TemplatePiece::Kind kind, std::size_t begin, std::size_t end,
                       std::size_t tag, bool closed = true) {
    pieces.push_back({kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                      static_cast<std::uint32_t>(tag), closed});
  };
  TextScanner scanner(body);
  std::size_t at = 0;
  while (at < body.size()) {
    const std::size_t tag = scanner.find_tag(at, '<');
    const std::size_t text_end = tag == std::string_view::npos ? body.size() : tag;
    if (text_end > at) add(TemplatePiece::kText, at, text_end, at);
    if (tag == std::string_view::npos) break;
    const bool expression = body.substr(tag).starts_with("%<=");
    const std::size_t begin = tag + (expression ? 3 : 2);
    const std::size_t close = body.find(">%", begin);
    const bool closed = close != std::string_view::npos;
    const std::size_t end = closed ? close : body.size();
    add(expression ? TemplatePiece::kExpression : TemplatePiece::kStatements, begin, end, tag,
        closed);
    at = closed ? close + 2 : body.size();
  }
  return pieces;
}

bool has_javascript(std::string_view body) {
  return TextScanner(body).find_tag(0, '<') != std::string_view::npos;
}

bool has_lua(std::string_view body) {
  return TextScanner(body).find_tag(0, '{') != std::string_view::npos;
}

}  // namespace protobeam::wbt
