// The colour map of the clouds, for shaders. The same one for C++ is map_colour (layers.h).
#pragma once

#include <string>

namespace protobeam::viewer {

/// GLSL text of `vec3 map_colour(float t)`, made of the same numbers as the C++ function.
std::string map_colour_glsl();

}  // namespace protobeam::viewer
