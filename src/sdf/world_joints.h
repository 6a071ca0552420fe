// <joint>s of a <world>, which join models.
#pragma once

#include <vector>

#include "sdf/context.h"

namespace protobeam::sdf {

/// Models that hang together by joints of the world. A static one stands alone: what it is joined
/// to is joined to the world.
struct JoinedModels {
  std::vector<const Element*> models;  ///< first one that is no child of the joints
  std::vector<const Element*> joints;
};
/// All models of a world, in the order of its text.
std::vector<JoinedModels> join_models(const Context& context, const Element& world);

}  // namespace protobeam::sdf
