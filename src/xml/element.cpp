#include "xml/element.h"

namespace protobeam::xml {

const Text* Element::attribute(std::string_view name) const {
  for (const Attribute& one : attributes) {
    if (one.name == name) return &one.text;
  }
  return nullptr;
}

const Element* Element::child(std::string_view name) const {
  for (const Element& one : children) {
    if (one.tag == name) return &one;
  }
  return nullptr;
}

std::vector<const Element*> Element::all(std::string_view name) const {
  std::vector<const Element*> out;
  for (const Element& one : children) {
    if (one.tag == name) out.push_back(&one);
  }
  return out;
}

const Element* Element::find(std::initializer_list<std::string_view> path) const {
  const Element* at = this;
  for (const std::string_view tag : path) {
    if (at) at = at->child(tag);
  }
  return at;
}

}  // namespace protobeam::xml
