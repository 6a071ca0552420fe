// Polygons with holes in Collada files, which Assimp refuses.
#pragma once

#include <string>

namespace protobeam {

/// Makes triangles of each <ph>, a polygon with holes, in <polygons>. One that says nothing of use
/// stays as it is.
void cut_holes(std::string& text);

}  // namespace protobeam
