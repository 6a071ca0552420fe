// Tags and attributes that have no meaning here: slips, and what is not simulated.
#pragma once

#include "sdf/expand.h"

namespace protobeam::sdf {

/// Notes in `ignored` what of an expanded <sdf> has no meaning.
void note_unknown(Ignored& ignored, const Element& sdf);

}  // namespace protobeam::sdf
