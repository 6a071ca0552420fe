// What an Imu is declared as, and its checked fields as the model needs them.
#pragma once

#include "base/device_type.h"
#include "base/fields.h"
#include "imu_noise.h"
#include "vibration.h"

namespace protobeam {

DeviceType imu_declaration();

/// Fields of one triad, accelerometer or gyro.
struct ImuTriad {
  TriadNoise noise;
  Mat3 gain = Mat3::Identity();  ///< reading / true value: scale errors and misalignment
  double range = -1;             ///< saturates at +-range; -1: never
  double resolution = -1;        ///< -1: none
  Vibration vibration;

  double limited(double value) const;  ///< saturated and quantised
};

/// `prefix`: "accelerometer" or "gyro". Throws std::invalid_argument with a message for whoever
/// wrote the world.
ImuTriad read_triad(const Fields& fields, const char* prefix);

/// rad/s for each m/s^2: field gyroGSensitivity.
Mat3 read_g_sensitivity(const Fields& fields);

}  // namespace protobeam
