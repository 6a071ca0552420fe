// Columns of the channel "wheels" of a VehicleDrive: a row of doubles for each wheel.
#pragma once

#include <cstddef>

namespace protobeam::vehicle_data {

inline constexpr std::size_t kSteering = 0;   ///< rad, left
inline constexpr std::size_t kAngle = 1;      ///< rad, turned since the start, forward positive
inline constexpr std::size_t kSpin = 2;       ///< rad/s
inline constexpr std::size_t kTorque = 3;     ///< N m, of its motor
inline constexpr std::size_t kLoad = 4;       ///< N, on the ground
inline constexpr std::size_t kContact = 5;    ///< 1: it touches the ground
inline constexpr std::size_t kSlipRatio = 6;  ///< see Slip in vehicle/tyre.h
inline constexpr std::size_t kSlipAngle = 7;  ///< rad
inline constexpr std::size_t kWheelSize = 8;

}  // namespace protobeam::vehicle_data
