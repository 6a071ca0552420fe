// What a packet encoder knows about its device before the first sweep (packets.h).
#pragma once

#include <string>
#include <vector>

#include "base/math.h"
#include "output/sweep.h"

namespace protobeam {

enum class ReturnMode { kStrongest, kLast, kDual };

struct BeamTable {
  std::vector<double> elevations_deg, azimuths_deg;  ///< azimuths counter-clockwise
  std::vector<double> times;                         ///< s
  std::vector<Vec3> origins;                         ///< m
  double firing_period = 0;                          ///< s
  double frequency = 0;                              ///< Hz
  ReturnMode return_mode = ReturnMode::kStrongest;

  int lasers() const { return static_cast<int>(times.size()); }
  /// Of a beam, with the head at azimuth 0.
  Vec3 direction(int laser) const;
};

/// Throws std::invalid_argument that names the device and the property.
BeamTable beam_table(const SweepSource& source);

/// "lidar 'top' of robot 'car' (VelodyneVLP-16): " for messages.
std::string description_of(const SweepSource& source);

/// A text among the properties, or `otherwise`.
std::string text_property(const SweepSource& source, const std::string& name,
                          const std::string& otherwise);

}  // namespace protobeam
