// Files of the shapes of robots, for programs that read their URDF.
#pragma once

#include "sim/robot_urdf.h"

namespace protobeam {

/// In the user's cache folder. What cannot be written is left out, and told once.
MeshFile mesh_files();

}  // namespace protobeam
