// The expanded tree: what an MVSim world says once includes, variables, loops, conditions and
// classes are resolved. Every name and value knows where it was written.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/place.h"

namespace protobeam::mvsim {

struct Text {
  std::string value;  ///< without blanks at its ends
  Place place;
  bool computed = false;  ///< something was put in: the place shows another text
  bool broken = false;    ///< its mistake was reported; the value is meaningless
};

struct Attribute {
  std::string name;
  Place place;  ///< of the name
  Text text;
};

struct Element {
  std::string tag;
  Place place;  ///< of the tag's name
  /// The includes, loops and classes that brought it here, innermost first.
  std::shared_ptr<const Instantiation> chain;
  std::shared_ptr<const std::filesystem::path> folder;  ///< of its file; absolute
  std::vector<Attribute> attributes;
  Text text;
  std::vector<Element> children;

  /// Null when there is none.
  const Text* attribute(std::string_view name) const;
  const Element* child(std::string_view tag) const;
  std::vector<const Element*> all(std::string_view tag) const;
};

}  // namespace protobeam::mvsim
