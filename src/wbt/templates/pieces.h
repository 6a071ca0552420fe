// The first cut through a PROTO body: text, statements and expressions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace protobeam::wbt {

/// A run of the body. Offsets count from the begin of the body.
struct TemplatePiece {
  enum Kind : std::uint8_t { kText, kStatements, kExpression } kind;
  std::uint32_t begin, end;  ///< of the text, or of the code between its tags
  std::uint32_t tag;         ///< where the opening tag stands; begin for text
  bool closed = true;        ///< false: no '>%' follows
};

/// Cuts at `%<`, `%<=` and `>%`. A `#` comment of the world language wins over tags, a `#` inside
/// a string is no comment, and tags inside strings are tags. Code ends at the first `>%`, even
/// inside a JavaScript string or comment.
std::vector<TemplatePiece> split_template(std::string_view body);

}  // namespace protobeam::wbt
