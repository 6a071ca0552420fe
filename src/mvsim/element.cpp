#include "mvsim/element.h"

namespace protobeam::mvsim {

const Text* Element::attribute(std::string_view name) const {
  for (const auto& one : attributes) {
    if (one.name == name) return &one.text;
  }
  return nullptr;
}

const Element* Element::child(std::string_view tag) const {
  for (const auto& one : children) {
    if (one.tag == tag) return &one;
  }
  return nullptr;
}

std::vector<const Element*> Element::all(std::string_view tag) const {
  std::vector<const Element*> found;
  for (const auto& one : children) {
    if (one.tag == tag) found.push_back(&one);
  }
  return found;
}

}  // namespace protobeam::mvsim
