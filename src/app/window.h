// The viewer as the commands see it; in a build without it each call says so.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>

#include "sim/scene/viewer_bridge.h"

namespace protobeam {

struct WindowArguments {
  std::string size = "1280x720";
  std::string screenshots = ".";
  std::string cloud;  ///< range, height, ring, intensity, return; "": height
  double point_size = 2;
  int past_sweeps = 0;
  bool keep_running = false;
};

/// --window-size, --screenshots, --cloud, --point-size, --past-sweeps.
void add_window_arguments(CLI::App& command, WindowArguments& arguments);

/// Opens the window on the calling thread and runs `world` on another one, which returns the exit
/// code. Without a display: says so, runs nothing, returns 1.
int show_while(const WindowArguments& arguments, const ViewerBridge::Settings& settings,
               const std::function<int(ViewerBridge&)>& world);

/// "1280x720"; false when it is no size from 1x1 to 8192x8192.
bool parse_size(const std::string& text, int& width, int& height);

}  // namespace protobeam
