// Actors of Gazebo, which walk along their trajectories.
#pragma once

#include <string_view>

#include "sdf/context.h"

namespace protobeam::sdf {

/// The <script> of an <actor> that has become a <model>; no name of XML.
inline constexpr std::string_view kActorScript = "(script)";

/// Makes an <actor> a <model> that stands, with its script and its skin as a link. Where the file
/// of the skin is not here, a capsule of a person's size stands for it.
void make_model(Element& actor, Resources& resources, Ignored& ignored, Diagnostics& diagnostics);

/// The node of a model; a KeyframeAnimation around it if the model was an actor with a trajectory.
NodePtr moved_by_script(Context& context, const Element& model, NodePtr node);

}  // namespace protobeam::sdf
