// The viewer as the commands see it, in a window or in a browser; in a build without it each call
// says so.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "sim/scene/viewer_bridge.h"

namespace protobeam {

inline constexpr const char* kWebAddress = "127.0.0.1:8090";  ///< of --web without another one

struct WindowArguments {
  std::string web;  ///< "127.0.0.1:8090", where a browser finds it; "": in a window
  std::string size = "1280x720";
  std::string screenshots = ".";
  std::string cloud;  ///< range, height, ring, intensity, return; "": height
  double point_size = 2;
  int past_sweeps = 0;
  bool keep_running = false;
};

/// --window-size, --screenshots, --cloud, --point-size, --past-sweeps, --web.
CLI::Option* add_window_arguments(CLI::App& command, WindowArguments& arguments);

/// Opens the window, or serves the page, on the calling thread and runs `world` on another one,
/// which returns the exit code. Without a display, or with a port that is taken: says so, runs
/// nothing, returns 1.
int show_while(const WindowArguments& arguments, const ViewerBridge::Settings& settings,
               const std::function<int(ViewerBridge&)>& world);

/// "8090", "0.0.0.0:8090" or "[::1]:8090": an address, the loopback interface without one, and a
/// port. Nothing when it is none.
std::optional<std::pair<std::string, int>> parse_web_address(const std::string& text);

/// "1280x720"; false when it is no size from 1x1 to 8192x8192.
bool parse_size(const std::string& text, int& width, int& height);

}  // namespace protobeam
