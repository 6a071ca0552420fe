// <element>, <actor> and <joint>.
#pragma once

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

/// Null for one that nothing stands for in the tree; property regions go to `regions`. What it says
/// about the height of the ground goes to the terrain.
wbt::NodePtr element_node(Import& import, const Element& element,
                          std::vector<wbt::NodePtr>& regions);
/// The PROTOs of protos/elements that the nodes are of.
inline constexpr const char* kElementProtos[] = {"ElevationMap",    "GroundGrid",
                                                 "HorizontalPlane", "OccupancyGridMap",
                                                 "Pedestrian",      "VerticalPlane"};
wbt::NodePtr actor_node(Import& import, const Element& actor);
wbt::NodePtr joint_node(Import& import, const Element& joint);

}  // namespace protobeam::mvsim
