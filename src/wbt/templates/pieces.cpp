#include "wbt/templates/pieces.h"

#include <algorithm>

namespace protobeam::wbt {
namespace {

/// Walks over text outside template code: knows when it is inside a string or a comment.
class TextScanner {
 public:
  explicit TextScanner(std::string_view body) : body_(body) {}

  /// The next `tag` that is not in a comment, from `from` on; npos: none.
  std::size_t find_tag(std::size_t from, std::string_view tag) {
    for (std::size_t i = from; i < body_.size(); ++i) {
      const char c = body_[i];
      if (body_.substr(i, tag.size()) == tag) return i;
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

TemplateTags tags_of(TemplateLanguage language) {
  return language == TemplateLanguage::kLua ? TemplateTags{"%{", "}%"} : TemplateTags{"%<", ">%"};
}

std::vector<TemplatePiece> split_template(std::string_view body, TemplateLanguage language) {
  std::vector<TemplatePiece> pieces;
  const auto add = [&](TemplatePiece::Kind kind, std::size_t begin, std::size_t end,
                       std::size_t tag, bool closed = true) {
    pieces.push_back({kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                      static_cast<std::uint32_t>(tag), closed});
  };
  const TemplateTags tags = tags_of(language);
  TextScanner scanner(body);
  std::size_t at = 0;
  while (at < body.size()) {
    const std::size_t tag = scanner.find_tag(at, tags.open);
    const std::size_t text_end = tag == std::string_view::npos ? body.size() : tag;
    if (text_end > at) add(TemplatePiece::kText, at, text_end, at);
    if (tag == std::string_view::npos) break;
    std::size_t begin = tag + tags.open.size();
    const bool expression = body.substr(begin).starts_with('=');
    if (expression) ++begin;
    const std::size_t close = body.find(tags.close, begin);
    const bool closed = close != std::string_view::npos;
    const std::size_t end = closed ? close : body.size();
    add(expression ? TemplatePiece::kExpression : TemplatePiece::kStatements, begin, end, tag,
        closed);
    at = closed ? close + tags.close.size() : body.size();
  }
  return pieces;
}

std::optional<TemplateLanguage> template_language(std::string_view body,
                                                  std::string_view declared) {
  const auto first = [&](TemplateLanguage language) {
    return TextScanner(body).find_tag(0, tags_of(language).open);
  };
  const std::size_t javascript = first(TemplateLanguage::kJavaScript);
  const std::size_t lua = first(TemplateLanguage::kLua);
  if (std::min(javascript, lua) == std::string_view::npos) return std::nullopt;
  // Each may have the other's tag in its code: a pattern of Lua, "%<", a text of JavaScript, "%{".
  if (declared == "javascript" && javascript != std::string_view::npos)
    return TemplateLanguage::kJavaScript;
  if (declared == "lua" && lua != std::string_view::npos) return TemplateLanguage::kLua;
  return javascript < lua ? TemplateLanguage::kJavaScript : TemplateLanguage::kLua;
}

}  // namespace protobeam::wbt
