// webots: the command line of Webots, for launch files, build servers and scripts that start it.
// Its options: docs/guide/starting-webots.md and src/webots/gui/WbGuiApplication.cpp of
// github.com/cyberbotics/webots, R2025a.
#include <fmt/format.h>
#include <sys/utsname.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/commands.h"
#include "app/run_arguments.h"
#include "app/standard_streams.h"
#include "app/webots_convert.h"
#include "link/library_place.h"
#include "sim/build_config.h"

namespace protobeam {
namespace {

constexpr const char* kRelease = "R2025a";  // whose place it takes, as in the home's version.txt

struct WebotsArguments {
  std::vector<std::string> worlds;
  std::string mode, stream, heartbeat, performance;
  int port = link::kDefaultPort;
  bool no_rendering = false, fullscreen = false, minimize = false;
  bool urls = false, version = false, home = false, system = false;
  ConvertArguments convert;
  bool as_always = false;  ///< what options ask for that need not be asked for here
};

/// Of this machine, in the lines of Webots.
std::string system_text() {
  utsname system{};
  ::uname(&system);
  std::string processor = system.machine, line;
  std::ifstream description("/proc/cpuinfo");
  while (std::getline(description, line)) {
    if (!line.starts_with("model name")) continue;
    processor = line.substr(std::min(line.find(": "), line.size() - 2) + 2);
    break;
  }
  return fmt::format("System: {} {} {}\nProcessor: {}\nNumber of cores: {}\n", system.sysname,
                     system.release, system.machine, processor,
                     std::thread::hardware_concurrency());
}

/// Dots on stdout until it goes: what shows a watchdog that the program lives.
class Heartbeat {
 public:
  explicit Heartbeat(std::chrono::milliseconds period)
      : thread_([this, period](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          while (!wake_.wait_for(lock, stop, period, [&] { return stop.stop_requested(); })) {
            print_out(".");
            flush(stdout);
          }
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // ends before the others go
};

/// Greater than 0; 0 for what is none.
int whole_number(const std::string& text) {
  std::size_t read = 0;
  int number = 0;
  try {
    number = std::stoi(text, &read);
  } catch (const std::exception&) {
  }
  return number > 0 && read == text.size() ? number : 0;
}

/// ms.
int period_of(const std::string& heartbeat) {
  const int period = whole_number(heartbeat);
  if (period == 0)
    throw std::invalid_argument("--heartbeat=" + heartbeat + " is no time in milliseconds");
  return period;
}

/// "FILE" or "FILE,STEPS".
PerformanceArguments performance_of(const WebotsArguments& asked) {
  PerformanceArguments out;
  const auto comma = asked.performance.rfind(',');
  out.file = asked.performance.substr(0, comma);
  if (comma != std::string::npos) {
    // As in Webots, blanks are nothing.
    std::string steps = asked.performance.substr(comma + 1);
    std::erase(steps, ' ');
    out.steps = whole_number(steps);
  }
  if (out.file.empty() || (comma != std::string::npos && out.steps == 0))
    throw std::invalid_argument("--log-performance=" + asked.performance +
                                " is no FILE, nor FILE,STEPS with a number of steps");
  if (asked.system) out.system = system_text();
  return out;
}

/// Where a window could be shown.
bool has_display() {
#ifndef PROTOBEAM_HAS_VIEWER
  return false;
#endif
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

RunArguments run_arguments(const WebotsArguments& asked) {
  RunArguments run;
  run.world = asked.worlds.front();
  run.duration = std::numeric_limits<double>::infinity();
  // Webots goes on with what it can read, takes files from everywhere, waits for controllers as
  // long as they need, and does not end with them.
  run.lenient = true;
  run.allow_path = {"/"};
  run.controller_timeout = 1e9;
  run.failures_count = false;
  run.externs.port = asked.port;
  run.print_urls = asked.urls;
  if (!asked.stream.empty()) run.window.web = kWebAddress;
  run.view = run.window.web.empty() && has_display() && !asked.no_rendering && !asked.minimize;
  run.view_paused = asked.mode == "pause";
  run.realtime = asked.mode.empty() ? !asked.minimize : asked.mode == "realtime";
  return run;
}

int start(const WebotsArguments& asked) {
  if (asked.home) {
    print_out("{}\n", (link::controller_library_dir() / "protobeam/webots").string());
    return kExitGood;
  }
  if (asked.version) {
    print_out("Webots version: {} (Protobeam {} in its place)\n", kRelease, kVersion);
    return kExitGood;
  }
  if (asked.system && asked.performance.empty()) {
    print_out("{}", system_text());
    return kExitGood;
  }
  if (asked.worlds.empty()) throw std::invalid_argument("which world? webots [OPTIONS] WORLD");
  if (asked.worlds.front() == "convert") {
    if (asked.worlds.size() != 2)
      throw std::invalid_argument("which PROTO? webots convert [OPTIONS] FILE.proto");
    ConvertArguments convert = asked.convert;
    convert.proto = asked.worlds[1];
    return convert_proto(convert);
  }
  if (asked.worlds.size() > 1)
    throw std::invalid_argument("one world at a time, not '" + asked.worlds[1] + "' too");
  RunArguments arguments = run_arguments(asked);
  if (asked.mode == "pause" && !arguments.view && arguments.window.web.empty())
    throw std::invalid_argument(
        "--mode=pause waits for somebody to press a button, and there is no window, nor --stream; "
        "--mode=realtime or --mode=fast runs at once");
  if (!asked.performance.empty()) arguments.performance = performance_of(asked);
  std::optional<Heartbeat> heartbeat;
  if (!asked.heartbeat.empty())
    heartbeat.emplace(std::chrono::milliseconds(period_of(asked.heartbeat)));
  const int exit = run(arguments);
  // Ctrl-C is how its users end it, and those who launch it.
  return exit == kExitInterrupted ? kExitGood : exit;
}

}  // namespace

void add_webots(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<WebotsArguments>();
  CLI::App* command = app.add_subcommand(
      "webots",
      "Run a world as Webots does, or convert a PROTO, by the options of its command line");
  command->add_option("WORLD", arguments->worlds, "The world file; or `convert` and a PROTO file");
  command
      ->add_option("--mode", arguments->mode,
                   "pause, realtime or fast (default realtime; fast with --minimize)")
      ->check(CLI::IsMember({"pause", "stop", "realtime", "run", "fast"}));
  command->add_flag("--no-rendering", arguments->no_rendering,
                    "No window, where there is a display");
  command->add_flag("--minimize", arguments->minimize, "The same");
  command->add_flag("--fullscreen", arguments->fullscreen, "A window of the usual size");
  command->add_flag("--batch", arguments->as_always, "As always: nobody is asked anything");
  command->add_flag("--stdout", arguments->as_always, "As always: what controllers print");
  command->add_flag("--stderr", arguments->as_always, "As always: what controllers print");
  command
      ->add_option("--port", arguments->port,
                   "Where programs for robots with controller \"<extern>\" connect (default 1234)")
      ->check(CLI::Range(0, 65535));
  command->add_flag("--extern-urls", arguments->urls,
                    "Print WEBOTS_CONTROLLER_URL of each robot with controller \"<extern>\"");
  command->add_flag("--heartbeat{1000}", arguments->heartbeat,
                    "Print a dot each second, or each so many milliseconds");
  command->add_flag("--stream{x3d}", arguments->stream,
                    "In a browser instead of a window (see `run --web`)");
  command
      ->add_option("--log-performance", arguments->performance,
                   "FILE[,STEPS]: append how long loading, steps and devices took, of all steps or "
                   "the first so many")
      ->type_name("FILE[,STEPS]");
  command->add_flag("--sysinfo", arguments->system, "Of this machine");
  ConvertArguments& convert = arguments->convert;
  command->add_option("-t", convert.type, "convert: URDF (default) or WBO, on stdout");
  command->add_option("-o", convert.output, "convert: the file to write, .urdf or .wbo");
  command->add_option("-p", convert.parameters, "convert: NAME=VALUE of a parameter of the PROTO")
      ->allow_extra_args(false);
  command->add_flag("--version", arguments->version, "Of the Webots whose place it takes");
  command->add_flag("--home", arguments->home, "The folder for WEBOTS_HOME");
  command->callback([&chosen, arguments] {
    // Launch files leave out options by empty words.
    std::erase(arguments->worlds, "");
    if (arguments->mode == "stop") arguments->mode = "pause";
    chosen = [arguments] { return start(*arguments); };
  });
}

}  // namespace protobeam
