// Models as Robots and Solids.
#pragma once

#include <vector>

#include "sdf/context.h"
#include "sdf/world_joints.h"

namespace protobeam::sdf {

/// A model in the world: a Robot or a Solid for each of its trees of links.
std::vector<NodePtr> model_nodes(Context& context, const Element& model, const Pose& X_WM);

/// The same of models that joints of the world hold together: they are as nested models of one that
/// is called as the first one is.
std::vector<NodePtr> joined_nodes(Context& context, const JoinedModels& joined);

/// The lowest point of the shapes of a model whose axes are those of the world, m from its origin.
double lowest_point(Context& context, const Element& model);

}  // namespace protobeam::sdf
