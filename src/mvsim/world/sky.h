// <element class="skybox">.
#pragma once

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

/// The Background of a world; it has pictures when there is a sky box.
wbt::NodePtr background_node(Import& import, const Element& world);

}  // namespace protobeam::mvsim
