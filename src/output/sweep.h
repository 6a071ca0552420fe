// A finished sweep of a lidar on its way to files, recorders and publishers.
#pragma once

#include <string>
#include <vector>

#include "base/device_data.h"
#include "base/math.h"

namespace protobeam {

/// Where a sweep comes from: what stays the same for a device.
struct SweepSource {
  std::string robot, device;
  std::string product;  ///< PROTO name ("VelodyneVLP-16"); "" for a bare Lidar
  int layers = 0, columns = 0;
  double min_range = 0, max_range = 0;  ///< m
  double resolution = 0;                ///< m; 0: none
  Properties properties;                ///< as the sensor reports them
};

struct TimedSweep {
  double start_time = 0, end_time = 0;  ///< s of simulated time: of the first and the last beam
  Pose X_WS_start;                      ///< of the sensor, for the beams at start_time
  Pose X_WS;                            ///< of the sensor, at end_time
  /// All beams, misses too, in no particular order of time. `azimuth` is that of the beam (the
  /// encoder's plus the beam's offset).
  std::vector<BeamReturn> beams;
};

/// With the times of its beams; those whose time is no number do not count. The pose is that of the
/// whole sweep: of a sensor at rest, or until somebody knows better.
TimedSweep timed_sweep(std::vector<BeamReturn> beams, const Pose& X_WS);

/// s of simulated time that the device's driver writes into its message: the start of the sweep
/// when the device's property `headerTime` is "start", otherwise its end.
double header_time(const TimedSweep& sweep, const SweepSource& source);

/// "lidar 'top' of robot 'car'" for messages.
std::string name_of(const SweepSource& source);

}  // namespace protobeam
