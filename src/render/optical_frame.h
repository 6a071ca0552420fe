// The axes that calibrations of cameras use.
#pragma once

#include "base/math.h"

namespace protobeam::render {

/// x right, y down, z forward, in a frame of x forward, y left, z up.
inline Pose optical_frame() { return Pose::rotation(Quat(0.5, -0.5, 0.5, -0.5)); }

}  // namespace protobeam::render
