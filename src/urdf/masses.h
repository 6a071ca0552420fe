// Which Solid weighs how much.
#pragma once

#include <optional>
#include <vector>

#include "urdf/import.h"

namespace protobeam::urdf {

struct Masses {
  /// By link: what its Physics says, in the link's frame; nothing: it has no Physics.
  std::vector<std::optional<Inertial>> of_link;
  /// The root has no Physics: the robot does not move as a whole.
  bool fixed_to_world = false;
};

/// Links that fixed joints join are one body. Their masses stay with their links where a Solid can
/// have them; where one without a mass carries one with, the first link of the body gets all of it.
/// A body without any mass that moves gets a small one, with a warning; a root body without one
/// stands still.
Masses masses_of(Import& import);

/// It switches gravity of a link off or on: <gravity> or <turnGravityOff> of <gazebo>.
bool is_about_gravity(const Element& element);
/// Gravity pulls at the link's own mass.
bool has_gravity(const Robot& robot, const Link& link);

}  // namespace protobeam::urdf
