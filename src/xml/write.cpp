#include "xml/write.h"

#include <pugixml.hpp>
#include <sstream>

namespace protobeam::xml {
namespace {

void append(pugi::xml_node parent, const Tree& tree) {
  pugi::xml_node node = parent.append_child(tree.tag.c_str());
  for (const auto& [name, value] : tree.attributes) {
    node.append_attribute(name.c_str()).set_value(value.c_str());
  }
  for (const Tree& child : tree.children) append(node, child);
}

}  // namespace

std::string write(const Tree& root) {
  pugi::xml_document document;
  document.append_child(pugi::node_declaration).append_attribute("version").set_value("1.0");
  append(document, root);
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace protobeam::xml
