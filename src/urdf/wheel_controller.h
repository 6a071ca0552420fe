// The controllers of wheels among the parameters of ros2_control, a file of YAML.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace protobeam::urdf {

/// Of a diff_drive_controller/DiffDriveController (ros2_controllers,
/// diff_drive_controller/src/diff_drive_controller_parameter.yaml) or a
/// mecanum_drive_controller/MecanumDriveController.
struct WheelController {
  std::string name;
  bool mecanum = false;
  std::vector<std::string> left, right;  ///< joints; mecanum: front, rear
  double separation = 0, radius = 0;     ///< m, with their multipliers
  double wheelbase = 0;                  ///< m, of mecanum wheels
  double timeout = 0.5;                  ///< s, of commands
  double acceleration = 0;               ///< m/s^2; 0: nothing is said
};

/// The first one in the file; nothing when there is none. What is wrong is an error with its place
/// in the file.
std::optional<WheelController> wheel_controller_of(const std::filesystem::path& file,
                                                   std::size_t most_bytes,
                                                   Diagnostics& diagnostics);

}  // namespace protobeam::urdf
