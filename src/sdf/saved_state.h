// Where the models and lights of a world were when Gazebo Classic saved it.
#pragma once

#include "urdf/import.h"

namespace protobeam::sdf {

/// Gives the models and lights of each <world> the poses that its first <state> says, as Gazebo
/// Classic does when it loads the file; Gazebo itself passes over it, and a world with plugins of
/// its own is left as it is. `sdf`: with all that it includes.
void apply_saved_state(urdf::Element& sdf, urdf::Ignored& ignored);

}  // namespace protobeam::sdf
