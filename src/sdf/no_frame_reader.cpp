// Of builds without libsdformat.
#include "sdf/frames.h"

namespace protobeam::sdf {

std::unique_ptr<const Frames> Frames::of(const Element& sdf, Diagnostics& diagnostics) {
  diagnostics.error(sdf.place, "this build of protobeam does not read SDF",
                    "install libsdformat-dev and build it again");
  return nullptr;
}

}  // namespace protobeam::sdf
