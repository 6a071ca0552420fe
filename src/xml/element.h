// An XML text as a tree in which every name and value knows its place. Values are as written:
// nothing is substituted here, and no entities but XML's own are expanded.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/place.h"

namespace protobeam::xml {

/// A value with its blanks cut off at both ends and its entities (&lt; ...) decoded.
struct Text {
  std::string value;
  Place place;
  /// Character n of the value is character n of the place: nothing was decoded.
  bool verbatim = true;
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
  Text text;  ///< of all pieces between the children, a blank between them
  std::vector<Element> children;

  /// Null when there is none.
  const Text* attribute(std::string_view name) const;
  const Element* child(std::string_view tag) const;
  std::vector<const Element*> all(std::string_view tag) const;
  /// The child at the end of a path of tags, null when one is missing.
  const Element* find(std::initializer_list<std::string_view> path) const;
};

}  // namespace protobeam::xml
