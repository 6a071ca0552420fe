// What other readers of Collada take and Assimp refuses; nobody but the reader includes it.
#pragma once

#include <string>

namespace protobeam {

/// Changes a Collada text so that Assimp takes it, within its length: numbers of colours after
/// white space, and cameras and lights, which are not read, of the same name.
void mend_collada(std::string& text);

}  // namespace protobeam
