// A URDF as a tree in which every name and value knows its place.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "urdf/options.h"

namespace protobeam::urdf {

/// A text without blanks at its ends, its entities (&lt; ...) decoded.
struct Text {
  std::string value;
  Place place;
};

struct Attribute {
  std::string name;
  Place place;  ///< of the name
  Text text;
};

struct Element {
  std::string tag;
  Place place;  ///< of the tag's name
  std::vector<Attribute> attributes;
  Text text;  ///< the first piece between the children
  std::vector<Element> children;

  /// Null when there is none.
  const Text* attribute(std::string_view name) const;
  const Element* child(std::string_view tag) const;
  std::vector<const Element*> all(std::string_view tag) const;
  /// The child at the end of a path of tags, null when one is missing.
  const Element* find(std::initializer_list<std::string_view> path) const;
};

/// Parses a text; null with an error. Entities other than those of XML itself stay as they are:
/// none is ever expanded.
std::unique_ptr<const Element> parse_xml(const std::shared_ptr<const SourceText>& source,
                                         const Limits& limits, Diagnostics& diagnostics);

}  // namespace protobeam::urdf
