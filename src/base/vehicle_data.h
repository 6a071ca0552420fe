// A VehicleDrive's sample in shared memory: doubles, in this order. Simulator and controller
// library share it. V is the vehicle's frame: x forward, y left, origin as docs/vehicles.md says.
#pragma once

#include <cstddef>

namespace protobeam::vehicle_data {

inline constexpr std::size_t kOdometryTwist = 0;  ///< vx, vy (m/s, in V), yaw rate (rad/s)
inline constexpr std::size_t kOdometryPose = 3;   ///< x, y (m), yaw (rad), from where it started
inline constexpr std::size_t kTrueTwist = 6;      ///< as the odometry's
inline constexpr std::size_t kTruePose = 9;  ///< x, y, z (m), roll, pitch, yaw (rad), in the world
inline constexpr std::size_t kCollision = 15;  ///< 1: touched something since the last sample
inline constexpr std::size_t kWheels = 16;     ///< from here kWheelSize doubles for each wheel

// Of a wheel:
inline constexpr std::size_t kSteering = 0;   ///< rad, left
inline constexpr std::size_t kAngle = 1;      ///< rad, turned since the start, forward positive
inline constexpr std::size_t kSpin = 2;       ///< rad/s
inline constexpr std::size_t kTorque = 3;     ///< N m, of its motor
inline constexpr std::size_t kLoad = 4;       ///< N, on the ground
inline constexpr std::size_t kContact = 5;    ///< 1: it touches the ground
inline constexpr std::size_t kSlipRatio = 6;  ///< see Slip in vehicle/tyre.h
inline constexpr std::size_t kSlipAngle = 7;  ///< rad
inline constexpr std::size_t kWheelSize = 8;

inline constexpr std::size_t values(std::size_t wheels) { return kWheels + wheels * kWheelSize; }
inline constexpr std::size_t of_wheel(std::size_t wheel) { return kWheels + wheel * kWheelSize; }

}  // namespace protobeam::vehicle_data
