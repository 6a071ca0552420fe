// Numbers that several parts of the lidar use.
#pragma once

#include <cstdint>
#include <limits>

namespace protobeam {

/// Range of no return.
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
/// Of a whole number of columns, steps or points: what just falls short of it counts as it,
/// whatever the last bits say.
inline constexpr double kLastBits = 1e-6;

// What a saved state must not be beyond.
inline constexpr double kMostSeconds = 1e12;
inline constexpr std::int64_t kMostSteps = std::int64_t{1} << 53;  ///< whole numbers of a double
inline constexpr const char* kWrongTime = "a time beyond all runs";
inline constexpr const char* kWrongFrequency = "a frequency that its lidar cannot have";
inline constexpr const char* kWrongBeams = "another number of beams than its lidar";

}  // namespace protobeam
