// What all VehicleDrives are as devices: their sample, set-points and facts.
#pragma once

#include "base/device_type.h"

namespace protobeam {

/// Commands of a drive, in the order of the declaration.
enum class DriveCommandIndex : std::size_t { kTwist, kSpeed, kTorques };
/// Channels, likewise.
enum class DriveChannel : std::size_t {
  kOdometryTwist,
  kOdometryPose,
  kTrueTwist,
  kTruePose,
  kCollision,
  kWheels,  ///< columns: base/vehicle_data.h
};

/// The device type of a drive whose own fields and base are `node`.
DeviceType drive_type(const NodeSchema& node);

}  // namespace protobeam
