// What other readers of Collada take and Assimp refuses; nobody but the reader includes it.
#pragma once

#include <string>
#include <string_view>

namespace protobeam {

/// The file of an <image> that names none.
inline constexpr std::string_view kNoImage = "?";

/// Changes a Collada text so that Assimp takes it: numbers of colours after white space; cameras
/// and lights, which are not read, of the same name; comments, which it takes for elements in some
/// places; images without a file, which get kNoImage; polygons with holes.
void mend_collada(std::string& text);

}  // namespace protobeam
