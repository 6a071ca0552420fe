// Set-points of vehicles by simulated time, as `run --schedule` takes them.
//
//   [ROBOT=]t:vx,w;t:vx,w;...        twists: m/s forward, rad/s to the left
//   [ROBOT=]raw:t:a,b,...;...        torques in N m, with MVSim's sign: negative ones drive
//   forward;
//                                    behind those of a steered drive the central angle in degrees
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vehicle/drive_command.h"

namespace protobeam {

struct SetPoint {
  double time = 0;             ///< s, simulated, from when on it holds
  std::vector<double> values;  ///< as written
};

struct Schedule {
  std::string robot;  ///< empty: all vehicles
  bool raw = false;
  std::vector<SetPoint> points;  ///< by time, at least one
};

/// Throws std::invalid_argument that says at which character what is wrong.
Schedule parse_schedule(std::string_view text);

/// The command of a set-point for a drive of that node type, which takes `inputs` torques. Throws
/// std::invalid_argument when it has too many numbers or too few.
DriveCommand command_of(const SetPoint& point, bool raw, std::string_view drive);

}  // namespace protobeam
