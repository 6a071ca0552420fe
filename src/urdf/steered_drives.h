// Robots whose wheels steer: cars and tricycles.
#pragma once

#include <string>
#include <vector>

#include "urdf/import.h"
#include "urdf/wheels.h"

namespace protobeam::urdf {

std::vector<std::string> names_of(const std::vector<const Joint*>& joints);

/// Of a car in its root: x of its drive is where the wheels that steer are from those that drive,
/// in quarter turns. Some models, as Gazebo's Prius, head along y.
Quat heading_of(const Import& import, const Wheels& wheels);
/// What a car has beside its driven wheels, and the middle between those of them, in the root, that
/// are farthest from the ones that steer. False with a warning.
bool add_steering(Import& import, const Wheels& wheels, const Quat& heading, NodeMaker& made,
                  Vec3& middle);
/// A wheel that drives and steers, ahead of the others by the wheelbase. False with a warning.
bool add_tricycle(Import& import, const Wheels& wheels, NodeMaker& made);

}  // namespace protobeam::urdf
