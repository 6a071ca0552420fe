#include "app/window.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <exception>
#include <thread>

#include "app/commands.h"
#include "app/log.h"
#include "app/world_options.h"
#include "base/stop.h"
#include "web/live.h"
#ifdef PROTOBEAM_HAS_VIEWER
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

std::optional<std::pair<std::string, int>> parse_web_address(const std::string& text) {
  const auto colon = text.rfind(':');
  std::string address = colon == std::string::npos ? "127.0.0.1" : text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']'))
    address = address.substr(1, address.size() - 2);
  const std::string digits = colon == std::string::npos ? text : text.substr(colon + 1);
  int port = -1;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  const bool is_port = read.ec == std::errc{} && read.ptr == digits.data() + digits.size() &&
                       port >= 0 && port <= 65535;
  if (!is_port || address.empty()) return std::nullopt;
  return std::pair{address, port};
}

CLI::Option* add_window_arguments(CLI::App& command, WindowArguments& arguments) {
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
  return command
      .add_flag(std::string("--web{") + kWebAddress + "}", arguments.web,
                "In a browser: --web, or --web=PORT, or --web=ADDRESS:PORT for others, too")
      ->check([](const std::string& text) {
        return parse_web_address(text)
                   ? std::string{}
                   : "'" + text + "' is no port or ADDRESS:PORT, as 8090 or 0.0.0.0:8090";
      });
}

namespace {

/// Runs the world on a thread of its own, and `viewer` on this one meanwhile. What happens to the
/// viewer is not the run's matter, unless it may not go on without.
int run_beside(const WindowArguments& arguments, ViewerBridge& bridge,
               const std::function<int(ViewerBridge&)>& world,
               const std::function<void()>& viewer) {
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
    viewer();
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

int show_in_browser(const WindowArguments& arguments, ViewerBridge::Settings settings,
                    const std::function<int(ViewerBridge&)>& world) {
  settings.shows_windows = true;
  ViewerBridge bridge(settings);
  std::optional<web::Live> live;
  try {
    const auto place = parse_web_address(arguments.web);
    live.emplace(bridge, place->first, place->second);
  } catch (const std::exception& trouble) {
    log_error(trouble.what());
    return kExitData;
  }
  log_note(fmt::format("open {} in a browser", live->address()));
  return run_beside(arguments, bridge, world, [&] {
    live->run(stop::requested);
    // Whoever waits for a page's button is woken by Ctrl-C.
    if (stop::requested()) bridge.request_end();
  });
}

}  // namespace

#ifdef PROTOBEAM_HAS_VIEWER

int show_while(const WindowArguments& arguments, const ViewerBridge::Settings& settings,
               const std::function<int(ViewerBridge&)>& world) {
  if (!arguments.web.empty()) return show_in_browser(arguments, settings, world);
  if (const std::string why = viewer::why_no_window(); !why.empty()) {
    log_error(why + "; --web shows the world in a browser");
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
  return run_beside(arguments, bridge, world, [&] {
    const viewer::WindowReport shown = viewer::show(bridge, window);
    if (shown.seconds > 0 && shown.frames > 0) {
      log_note(fmt::format("the window showed {} pictures, {:.1f} a second", shown.frames,
                           static_cast<double>(shown.frames) / shown.seconds));
    }
  });
}

#else

int show_while(const WindowArguments& arguments, const ViewerBridge::Settings& settings,
               const std::function<int(ViewerBridge&)>& world) {
  if (!arguments.web.empty()) return show_in_browser(arguments, settings, world);
  log_error(
      "this build has no viewer (PROTOBEAM_VIEWER is OFF); `snapshot` makes pictures without it, "
      "and "
      "--web shows the world in a browser");
  return kExitData;
}

#endif

}  // namespace protobeam
