// How far two words are apart.
#pragma once

#include <string_view>

namespace protobeam {

/// Letters inserted, left out, replaced and swapped with their neighbours that make one word of the
/// other, whatever their case (optimal string alignment). A replaced letter counts `replacement`.
int edit_distance(std::string_view one, std::string_view other, int replacement = 1);

}  // namespace protobeam
