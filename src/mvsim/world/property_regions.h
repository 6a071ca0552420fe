// <element class="property_region">
#pragma once

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

/// Null, with a warning, for a property that means nothing.
wbt::NodePtr property_region(Import& import, const Element& element);

}  // namespace protobeam::mvsim
