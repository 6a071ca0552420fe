// What is seen and what collides.
#pragma once

#include <vector>

#include "geometry/geometry.h"
#include "urdf/import.h"

namespace protobeam::urdf {

/// The <visual> elements of a link as children of its Solid.
std::vector<wbt::NodePtr> visual_nodes(Import& import, const Link& link);

/// <collision> elements of a link (with `name`: that one only) as a boundingObject; null when there
/// are none.
wbt::NodePtr bounding_object(Import& import, const Link& link, const std::string& name = {});
wbt::NodePtr bounding_object(Import& import, const Link& link,
                             const std::vector<const Shape*>& shapes);

/// Of 1 kg/m^3, in the shape's frame; nothing for what has no volume, or one that is only known
/// when files are read.
std::optional<MassProperties> solid_properties(const Shape& shape);

/// Mass, centre and inertia of the collision shapes of a link, as the simulator weighs them: of
/// `mass` kg, in the link's frame. Mass 0 when they have no volume, or one that is only known when
/// meshes are read.
MassProperties shape_mass(const Link& link, double mass);

/// How far the robot reaches at its positions at the start, m, in the root's frame: its collision
/// shapes, or its visuals when it has none; 0 without both. Meshes are read; what cannot be read
/// does not count here (the simulator says so).
struct Extent {
  double lowest = 0, highest = 0;  ///< z
  double across = 0;               ///< from the root's z axis to the origin of the farthest shape
};
Extent extent_of(Import& import);

/// The picture at an address, which `folder` is as in Import; null with a warning when it is not
/// there.
wbt::NodePtr texture(Resources& resources, const std::filesystem::path& folder, const Text& address,
                     Diagnostics& diagnostics);

/// The pose of a shape's frame in Webots, written around it when it is not the identity.
wbt::NodePtr posed(wbt::NodePtr node, const Pose& X, const Element& element);

}  // namespace protobeam::urdf
