// <block> as Solids.
#pragma once

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

wbt::NodePtr block_node(Import& import, const Element& block);

}  // namespace protobeam::mvsim
