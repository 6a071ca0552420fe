// Numbers that many tests compute with.
#pragma once

#include "base/math.h"

namespace protobeam {

inline constexpr double kGravity = 9.81;  // m/s^2, as WorldInfo's default

}  // namespace protobeam
