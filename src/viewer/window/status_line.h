// The line at the bottom of the window.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/robot_driver.h"
#include "sim/scene/viewer_bridge.h"

namespace protobeam::viewer {

struct StatusFacts {
  double time = 0;  ///< s, simulated
  RunStatus run;
  std::size_t points = 0;
  double fps = 0;
  bool keys_to_controllers = false;
  std::string following;  ///< name of a Solid, or ""
  std::vector<ControllerReport> controllers;
};
std::string status_line(const StatusFacts& facts);

/// "1x", "0.5x", "as fast as it can".
std::string speed_name(double speed);

}  // namespace protobeam::viewer
