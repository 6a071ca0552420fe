// What a packet encoder knows about its device before the first sweep (packets.h).
#pragma once

#include <string>
#include <vector>

#include "base/math.h"
#include "output/sweep.h"

namespace protobeam {

enum class PacketReturnMode { kStrongest, kLast, kDual };

struct LaserTable {
  std::vector<double> elevations_deg, azimuths_deg;  ///< azimuths counter-clockwise
  std::vector<double> times;                         ///< s
  std::vector<Vec3> origins;                         ///< m
  double firing_period = 0;                          ///< s
  double frequency = 0;                              ///< Hz
  PacketReturnMode return_mode = PacketReturnMode::kStrongest;

  int lasers() const { return static_cast<int>(times.size()); }
  /// Of a beam, with the head at azimuth 0.
  Vec3 direction(int laser) const;
};

/// Throws std::invalid_argument that names the device and the property.
LaserTable laser_table(const SweepSource& source);

/// "lidar 'top' of robot 'car' (VelodyneVLP-16): " for messages.
std::string description_of(const SweepSource& source);

/// A text among the properties, or `otherwise`.
std::string text_property(const SweepSource& source, const std::string& name,
                          const std::string& otherwise);

}  // namespace protobeam
