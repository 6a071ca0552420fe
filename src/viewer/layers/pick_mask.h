// Who may be picked.
#pragma once

#include <osg/Node>

namespace protobeam::viewer {

/// The traversal mask of intersections with the world. Layers::root() lacks this bit, so that a
/// click goes through clouds and lines to the thing behind them; nodes of the world have it, as all
/// nodes of OSG do by default.
inline constexpr osg::Node::NodeMask kPickMask = 0x1;

}  // namespace protobeam::viewer
