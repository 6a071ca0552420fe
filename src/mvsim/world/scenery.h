// The surroundings: walls, lights, markers, the view.
#pragma once

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

wbt::NodePtr walls_node(Import& import, const Element& walls, int number);
wbt::NodePtr marker_node(Import& import, const Element& marker);
/// <lights>; MVSim's own light when there is none. Old worlds have its values in <gui>.
wbt::NodePtr light_node(Import& import, const Element& world);
/// <gui>; null when it says nothing about the view.
wbt::NodePtr viewpoint_node(Import& import, const Element& gui);

}  // namespace protobeam::mvsim
