#include "app/window.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <exception>
#include <thread>

#include "app/commands.h"
#include "app/log.h"
#include "app/world_options.h"
#ifdef PROTOBEAM_HAS_VIEWER
#include "base/stop.h"
#include "viewer/window/window.h"
#endif

namespace protobeam {

bool parse_size(const std::string& text, int& width, int& height) {
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, width);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != 'x') return false;
  const auto second = std::from_chars(first.ptr + 1, end, height);
  constexpr int kMost = 8192;
  return second.ec == std::errc{} && second.ptr == end && width >= 1 && height >= 1 &&
         width <= kMost && height <= kMost;
}

void add_window_arguments(CLI::App& command, WindowArguments& arguments) {
  command.add_option("--window-size", arguments.size, "Of the window (default 1280x720)")
      ->check([](const std::string& text) {
        int width = 0, height = 0;
        return parse_size(text, width, height)
                   ? std::string{}
                   : "'" + text + "' is no size from 1x1 to 8192x8192, as 1280x720";
      });
  command.add_option("--screenshots", arguments.screenshots,
                     "Folder where the key P writes (default: here)");
  command.add_option("--cloud", arguments.cloud, "What colours the points (default height)")
      ->check(CLI::IsMember({"range", "height", "ring", "intensity", "return"}));
  command.add_option("--point-size", arguments.point_size, "Pixels (default 2)")
      ->check(range_argument(1, 20));
  command
      .add_option("--past-sweeps", arguments.past_sweeps,
                  "Sweeps that stay beside the newest one (default 0)")
      ->check(CLI::Range(0, 1000));
}

#ifdef PROTOBEAM_HAS_VIEWER

int show_while(const WindowArguments& arguments, const ViewerBridge::Settings& settings,
               const std::function<int(ViewerBridge&)>& world) {
  if (const std::string why = viewer::why_no_window(); !why.empty()) {
    log_error(why);
    return kExitData;
  }
  viewer::WindowSettings window;
  parse_size(arguments.size, window.width, window.height);
  window.draw.point_size = arguments.point_size;
  window.draw.past_sweeps = arguments.past_sweeps;
  if (const auto color = viewer::cloud_color(arguments.cloud)) window.draw.color = *color;
  window.screenshots = arguments.screenshots;
  window.keep_running = arguments.keep_running;
  window.interrupted = stop::requested;

  ViewerBridge bridge(settings);
  int exit = kExitGood;
  std::exception_ptr problem;
  // The kernel ends a controller with the thread that started it, so that one thread has it all.
  std::thread runner([&] {
    try {
      exit = world(bridge);
    } catch (...) {
      problem = std::current_exception();
    }
    bridge.report_end();
  });
  std::string broken;
  try {
    const viewer::WindowReport shown = viewer::show(bridge, window);
    if (shown.seconds > 0 && shown.frames > 0) {
      log_note(fmt::format("the window showed {} pictures, {:.1f} a second", shown.frames,
                           static_cast<double>(shown.frames) / shown.seconds));
    }
  } catch (const std::exception& trouble) {
    broken = trouble.what();  // the window alone is lost: a run goes on when it may
    if (arguments.keep_running) {
      bridge.detach();
    } else {
      bridge.request_end();
    }
  }
  runner.join();
  if (problem) std::rethrow_exception(problem);
  if (!broken.empty()) log_error(broken);
  return exit == kExitGood && !broken.empty() ? kExitData : exit;
}

#else

int show_while(const WindowArguments&, const ViewerBridge::Settings&,
               const std::function<int(ViewerBridge&)>&) {
  log_error(
      "this build has no viewer (PROTOBEAM_VIEWER is OFF); `snapshot` makes pictures without it");
  return kExitData;
}

#endif

}  // namespace protobeam
