#include "mvsim/world/elements.h"

namespace protobeam::mvsim {

wbt::NodePtr element_node(Import& import, const Element& element) {
  const auto kind = import.attributes(element).text("class");
  import.unsimulated.add("<element> of class '" + kind.value + "'", element);
  return nullptr;
}

wbt::NodePtr actor_node(Import& import, const Element& actor) {
  import.unsimulated.add("<actor>", actor);
  return nullptr;
}

}  // namespace protobeam::mvsim
