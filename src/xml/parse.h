// XML texts to trees.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "xml/element.h"

namespace protobeam::xml {

/// Bounds on what a text may cost. Passing one is an error at its place.
struct Limits {
  std::size_t nesting = 100;       ///< elements in elements
  std::size_t elements = 500'000;  ///< of the text
};

/// `length` characters of the text from `offset` on are to be read as `text`.
struct Edit {
  std::size_t offset = 0, length = 0;
  std::string text;
};

/// What a format adds to plain XML.
struct Dialect {
  Limits limits;
  std::vector<Edit> edits;  ///< by ascending offset, not overlapping; places are of the real text
  std::shared_ptr<const Instantiation> chain;  ///< of its errors
};

/// Appends the elements at the top of a text (UTF-8) to `roots`; false with an error.
bool parse(const std::shared_ptr<const SourceText>& source, const Dialect& dialect,
           Diagnostics& diagnostics, std::vector<Element>& roots);

/// The only element at the top of a text; nothing with an error.
std::optional<Element> parse_only(const std::shared_ptr<const SourceText>& source,
                                  const Dialect& dialect, Diagnostics& diagnostics);

}  // namespace protobeam::xml
