// <element> and <actor>.
#pragma once

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

wbt::NodePtr element_node(Import& import, const Element& element);
wbt::NodePtr actor_node(Import& import, const Element& actor);

}  // namespace protobeam::mvsim
