// What a device says to a controller program and back: the layouts that simulator, link and
// controller libraries share. Data lies in shared memory; properties go once, at start; commands
// go with each step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace protobeam {

/// Webots' node type numbers for devices (WbNodeType of R2025a): source compatibility only.
enum class DeviceKind : std::int32_t {
  kNone = 0, kRobot = 34, kAccelerometer = 35, kBrake = 37, kDistanceSensor = 42, kEmitter = 43,
  kGps = 44, kGyro = 45, kInertialUnit = 46, kLidar = 48, kLinearMotor = 50, kPositionSensor = 52,
  kReceiver = 56, kRotationalMotor = 57, kTouchSensor = 60,
  kCustom = 1000,  ///< a sensor plugin that Webots has no number for
  kVehicle = 1001,  ///< a VehicleDrive
};

/// One lidar point, laid out as WbLidarPoint (20 bytes). Sensor frame, metres, x forward, z up.
struct LidarPoint {
  float x, y, z;
  std::int32_t layer_id;
  float time;  ///< seconds of simulated time
};
static_assert(sizeof(LidarPoint) == 20);

/// One return of a finished sweep, or a beam that has none; for files, packets and pictures.
struct BeamReturn {
  std::int32_t layer, column;  ///< cell of the range image
  float azimuth, elevation;    ///< rad, sensor frame, of the beam
  float range;                 ///< m, +inf: none
  float x, y, z;               ///< m, sensor frame; infinite for a miss
  double time;                 ///< s of simulated time when the beam was fired
  float intensity;             ///< 0..1 of the device's full scale; 0 where the model has none
  std::int32_t return_number = 1;  ///< 1, 2, ... as the device delivers the returns of one beam
  std::int32_t beam = 0;       ///< laser id: its place in the device's beam table
  std::int32_t ring = 0;       ///< as the device's driver numbers it
  float signal = 0;            ///< photons that came back, where the device reports it
  float ambient = 0;           ///< near-infrared of the surroundings, where the device reports it
};

/// A device's sample in shared memory:
/// - Lidar: float range[layers][columns] (m, +inf: no return), then LidarPoint[layers][columns]
///   (written only while the point cloud is enabled; a miss has infinite x, y, z).
/// - every other sensor: double values[n]:
///     Accelerometer 3 (m/s^2), Gyro 3 (rad/s), DistanceSensor 1, PositionSensor 1 (rad or m),
///     TouchSensor 3, GPS 7 (position 3, speed 1, velocity 3), InertialUnit 7 (roll, pitch, yaw,
///     quaternion x, y, z, w), RotationalMotor and LinearMotor 1 (force or torque feedback),
///     VehicleDrive: see base/vehicle_data.h, plugins of users: as many as they say.
inline std::size_t lidar_data_size(std::size_t layers, std::size_t columns) {
  return layers * columns * (sizeof(float) + sizeof(LidarPoint));
}

/// Constant facts about a device, sent to the controller once ("fov", "maxRange", "lookupTable").
/// Names are the PROTO field names where there is one.
using Property = std::variant<double, std::string, std::vector<double>>;
using Properties = std::map<std::string, Property>;

/// What a controller asks of a device. Numbers are doubles, in the order given here.
enum class DeviceOp : std::uint8_t {
  kEnable = 1,         ///< period_ms; sampling starts, first value one period later
  kDisable,            ///< -
  kLidarPointCloud,    ///< 0 or 1
  kLidarFrequency,     ///< Hz
  kMotorPosition,      ///< target, +inf: velocity control
  kMotorVelocity,      ///< wanted velocity
  kMotorAcceleration,  ///< limit, -1: none
  kMotorEffort,        ///< direct force or torque
  kMotorAvailableEffort,
  kMotorPid,           ///< p, i, d
  kMotorFeedback,      ///< period_ms, 0: off
  kBrakeDamping,       ///< constant
  kEmitterSend,        ///< bytes
  kEmitterChannel,     ///< channel
  kEmitterRange,       ///< m
  kReceiverChannel,    ///< channel
  kCustomData,         ///< tag 0 (the robot): bytes of the new customData
  kKeyboard,           ///< tag 0: period_ms, 0: off
  kVehicleTwist,       ///< vx, vy (m/s), yaw rate (rad/s)
  kVehicleSpeed,       ///< speed (m/s), steering (rad, left)
  kVehicleTorques,     ///< steering (rad, left), then a torque (N m) for each input of the drive
  kUser = 64,          ///< from here on: plugins of users
};

struct DeviceCommand {
  std::uint16_t tag = 0;  ///< device, from 1; 0 is the robot itself
  DeviceOp op = DeviceOp::kEnable;
  std::vector<double> numbers;
  std::string bytes;
};

/// A radio packet to a controller's receiver.
struct RadioPacket {
  std::uint16_t tag = 0;  ///< the receiver
  std::string bytes;
  double signal_strength = 0;         ///< 1 / distance^2
  double direction[3] = {0, 0, 0};    ///< unit vector to the emitter, receiver frame
};

}  // namespace protobeam
