// What a model file must not do to the library that parses it; nobody but the reader includes it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace protobeam {

/// Why a file must not be passed to Assimp, or "". Assimp recurses as deep as the file says,
/// so nesting without end and Collada nodes that instantiate themselves would exhaust the stack.
/// `extension` is lower case, with its dot.
std::string reason_to_refuse(std::string_view extension, std::string_view bytes);

/// Triangles that the meshes of a binary glTF file declare, once each: Assimp drops faces with
/// impossible indices silently. Call only when there is no such reason.
std::size_t declared_glb_triangles(std::string_view bytes);

}  // namespace protobeam
