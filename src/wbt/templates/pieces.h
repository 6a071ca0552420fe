// The first cut through a PROTO body: text, statements and expressions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wbt/template.h"

namespace protobeam::wbt {

/// A run of the body. Offsets count from the begin of the body.
struct TemplatePiece {
  enum Kind : std::uint8_t { kText, kStatements, kExpression } kind;
  std::uint32_t begin, end;  ///< of the text, or of the code between its tags
  std::uint32_t tag;         ///< where the opening tag stands; begin for text
  bool closed = true;        ///< false: no closing tag follows
};

/// What stands around the code of a language; an '=' behind `open` makes it an expression.
struct TemplateTags {
  std::string_view open, close;
};
TemplateTags tags_of(TemplateLanguage language);

/// Cuts at the tags. A `#` comment of the world language wins over tags, a `#` inside a string is
/// no comment, and tags inside strings are tags. Code ends at the first closing tag, even inside a
/// string or comment of the code; a `#` in it means what its language says.
std::vector<TemplatePiece> split_template(std::string_view body, TemplateLanguage language);

}  // namespace protobeam::wbt
