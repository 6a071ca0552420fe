// Sweeps of a running simulation, for files and packets.
#pragma once

#include "output/sweep.h"
#include "sim/simulation.h"

namespace protobeam {

/// The device must be a lidar.
SweepSource source_of(const Simulation& simulation, const Device& device);
/// Its newest sample, seen from where it is now.
TimedSweep sweep_of(const Simulation& simulation, const Device& device);

}  // namespace protobeam
