// Schedules played onto the vehicles of a run.
#pragma once

#include <string>
#include <vector>

#include "app/schedule.h"
#include "sim/simulation.h"

namespace protobeam {

class VehicleReplay {
 public:
  /// Throws std::invalid_argument for a schedule that is no schedule, that names no vehicle of this
  /// world, or whose set-points a vehicle cannot apply.
  VehicleReplay(Simulation& simulation, const std::vector<std::string>& schedules);

  /// Sets the set-point of each vehicle, in every step: schedules do not expire.
  void before_step();

 private:
  struct Track {
    VehicleHost* vehicle = nullptr;
    std::vector<double> times;
    std::vector<DriveCommand> commands;
    std::size_t next = 0;  ///< the first one that is not due
  };
  void add(const Schedule& schedule, VehicleHost& vehicle);

  Simulation& simulation_;
  std::vector<Track> tracks_;
};

}  // namespace protobeam
