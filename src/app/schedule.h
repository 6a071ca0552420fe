// Set-points of vehicles by simulated time, as `run --schedule` takes them.
//
//   [ROBOT=]t:vx,w;t:vx,w;...        twists: m/s forward, rad/s to the left
//   [ROBOT=]raw:t:a,b,...;...        what the controller itself takes: torques in N m, with MVSim's
//                                    sign (negative ones drive forward), behind those of a steered
//                                    drive the central angle in degrees, to the left; or, of a
//                                    FrontSteer, the speed in m/s and that angle
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "vehicle/drive_command.h"

namespace protobeam {

struct SetPoint {
  double time = 0;             ///< s, simulated, from when on it holds
  std::vector<double> values;  ///< as written
  std::size_t at = 0;          ///< of its first value in the text
};

struct Schedule {
  std::string text;   ///< as written, for messages
  std::string robot;  ///< empty: all vehicles
  bool raw = false;
  std::vector<SetPoint> points;  ///< by time, at least one
};

/// Throws std::invalid_argument that says at which character what is wrong.
Schedule parse_schedule(std::string_view text);

/// Who gets a set-point.
struct ScheduledVehicle {
  std::string name;
  std::string drive, controller;  ///< node types
  std::string takes;              ///< "twist", "speed" or "torques", as its device tells it
  std::size_t inputs = 0;         ///< torques that its drive takes
  bool steers = false;
};

/// How a set-point of that vehicle is written: "t:vx,w".
std::string form_of(const ScheduledVehicle& vehicle);

/// The command of a set-point for that vehicle. Throws std::invalid_argument, with the character,
/// when it has too many numbers or too few.
DriveCommand command_of(const Schedule& schedule, const SetPoint& point,
                        const ScheduledVehicle& vehicle);

/// Throws std::invalid_argument that points at a character of the text, counted from 0.
[[noreturn]] void refuse_schedule(std::string_view text, std::size_t at, const std::string& why);

}  // namespace protobeam
