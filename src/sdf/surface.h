// What a <surface> of a <collision> says.
#pragma once

#include <string>

#include "sdf/context.h"
#include "urdf/robot.h"

namespace protobeam::sdf {

/// Its contactMaterial.
std::string material_name(const Surface& surface);
/// What no bit of a <collide_bitmask> lets through is met by nothing.
bool collides(Context& context, const Element& collision);
/// Gives the shape of a <collision> its contactMaterial, and the world that material.
void add_surface(Context& context, const Element& collision, urdf::Shape& shape);
/// Says which <collide_bitmask> keep apart what touches here.
void note_masks(Context& context);

/// Of what says nothing, in Gazebo as here.
constexpr double kOwnFriction = 1;

/// How the materials of models that were read before touch each other and all else.
std::vector<NodePtr> contact_properties(const Context& context, const Element& origin);

}  // namespace protobeam::sdf
