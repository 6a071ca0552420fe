// Numbers that several parts of the lidar use.
#pragma once

#include <limits>

namespace protobeam {

/// Range of no return.
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
/// Of a whole number of columns, steps or points: what just falls short of it counts as it,
/// whatever the last bits say.
inline constexpr double kLastBits = 1e-6;

}  // namespace protobeam
