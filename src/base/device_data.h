// What a device says to a controller program and back, as values: simulator, link and controller
// libraries share them. Samples lie in shared memory as the device's type declares its channels
// (base/device_type.h); properties go once, at start; commands go with each step.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace protobeam {

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
  /// What was hit, where labels are recorded: class in the lower 16 bits, instance in the upper
  /// ones, as SemanticKITTI has them. 0: nothing, unknown, or weather.
  std::uint32_t label = 0;
};

/// Whether it is one, not a beam that has none.
inline bool is_return(const BeamReturn& beam) { return std::isfinite(beam.range); }

/// Constant facts about a device, told to the controller once ("fov", "maxRange", "lookupTable").
/// Names are the PROTO field names where there is one.
using Property = std::variant<double, std::string, std::vector<double>>;
using Properties = std::map<std::string, Property>;

/// What every device with a sample understands; the commands that its type declares are numbered
/// from kFirstCommand on, in the order of the declaration.
namespace device_op {
inline constexpr std::uint16_t kEnable = 0;   ///< period in ms: the first sample one period later
inline constexpr std::uint16_t kDisable = 1;  ///< -
inline constexpr std::uint16_t kFirstCommand = 2;
}  // namespace device_op

struct DeviceCommand {
  std::uint16_t tag = 0;  ///< device, from 1; 0 is the robot itself (base/robot_commands.h)
  std::uint16_t op = device_op::kEnable;
  std::vector<double> numbers;
  std::string bytes;
};

/// Data of any length from a device to its controller program: a radio packet.
struct DeviceMessage {
  std::uint16_t tag = 0;  ///< the device
  std::string bytes;
  std::vector<double> numbers;  ///< as the type says
};

}  // namespace protobeam
