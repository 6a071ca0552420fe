// The recorded runs of tests/data/mvsim: files, schedules, and the vehicles in them.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "tests/unit/vehicle/vehicle_plugins.h"

namespace protobeam {

struct SetPoint {
  double time;
  double a, b;  ///< as written
};

struct RecordedRun {
  std::string name;
  double duration = 0;
  bool raw = false;
  std::vector<SetPoint> schedule;

  friend void PrintTo(const RecordedRun& run, std::ostream* out) { *out << run.name; }
};

/// Rows by column name, and the numbers of the comment lines.
struct Recording {
  std::map<std::string, double> facts;
  double bottom = 0, top = 0;  ///< m, of the chassis above the ground
  std::vector<std::map<std::string, double>> rows;
};

/// What stands in the run's world, typed by hand.
struct RecordedVehicle {
  NodeText drive, tyre, controller;
  VehicleLayout layout;
  std::vector<Vec2> chassis;
  double slope = 0;
  double initial_vx = 0;
  /// Drawn by MVSim on a plane, it would tip over: it pushes at the height of its centre of mass.
  bool tips = false;
};

std::vector<RecordedRun> read_runs();
Recording read_recording(const std::string& run);
RecordedVehicle recorded_vehicle(const std::string& run);
/// A row of the schedule as a command for the run's controller: torques positive forward, radians.
DriveCommand command_of(const RecordedRun& run, const SetPoint& point);

}  // namespace protobeam
