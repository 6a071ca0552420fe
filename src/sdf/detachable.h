// Joints of gz-sim's DetachableJoint: Connectors that begin locked, and hold whatever is between
// them.
#pragma once

#include <string>
#include <vector>

#include "sdf/context.h"

namespace protobeam::sdf {

bool is_detachable_joint(const Element& plugin);
/// Those of all models in a <world>; a warning for each whose links are not there.
std::vector<DetachableJoint> read_detachable_joints(Context& context, const Element& world);
/// A link, "model::link", makes and breaks one of them: messages reach it in a Robot.
bool holds_others(const Context& context, const std::string& link);
/// What a link gets for those that it is in.
std::vector<NodePtr> connectors_of(const Context& context, const std::string& link);

}  // namespace protobeam::sdf
