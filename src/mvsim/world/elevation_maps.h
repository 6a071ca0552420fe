// <element class="elevation_map">.
#pragma once

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

/// Null, with an error, for one without heights. Its surface goes to the terrain.
wbt::NodePtr elevation_map(Import& import, const Element& element);

}  // namespace protobeam::mvsim
