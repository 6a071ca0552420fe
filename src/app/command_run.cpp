// run: the world and its controllers, headless, then a summary.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/commands.h"
#include "app/log.h"
#include "app/run_files.h"
#include "app/world_options.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

struct RunArguments : WorldArguments {
  double duration = 10;
  std::string out;
  bool realtime = false;
};

/// Simulated and wall time on one line that is written over; only on a terminal.
class Progress {
 public:
  Progress(double duration, bool wanted)
      : duration_(duration), on_(wanted && isatty(STDERR_FILENO)) {}
  void show(double time, double wall) {
    if (!on_ || wall - last_ < 0.1) return;
    last_ = wall;
    constexpr int kWidth = 30;
    const int done = static_cast<int>(kWidth * std::min(1.0, time / duration_));
    fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {:6.2f} s of {:.2f} s  {:5.2f}x real time ", "", done,
               "", kWidth - done, time, duration_, wall > 0 ? time / wall : 0.0);
    std::fflush(stderr);
    shown_ = true;
  }
  void clear() {
    if (shown_) std::fputs("\r\033[K", stderr);
    shown_ = false;
  }

 private:
  double duration_, last_ = -1;
  bool on_, shown_ = false;
};

/// Mean of the finite ranges in a lidar's last sweep; NaN when it has none.
double mean_range(const Device& device) {
  const auto* lidar = dynamic_cast<const BeamSensor*>(device.sensor.get());
  if (!lidar || device.frames == 0) return std::nan("");
  const auto* range = reinterpret_cast<const float*>(device.data.data());
  const std::size_t count =
      static_cast<std::size_t>(lidar->layers()) * static_cast<std::size_t>(lidar->columns());
  double sum = 0;
  std::size_t hits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(range[i])) continue;
    sum += range[i];
    ++hits;
  }
  return hits ? sum / static_cast<double>(hits) : std::nan("");
}

bool has_samples(const Device& device) {
  return device.sensor || device.kind == DeviceKind::kPositionSensor;
}

nlohmann::json summary_json(Simulation& simulation, double wall) {
  nlohmann::json out;
  out["sim_time_s"] = simulation.time();
  out["wall_time_s"] = wall;
  out["real_time_factor"] = wall > 0 ? simulation.time() / wall : 0.0;
  out["devices"] = nlohmann::json::array();
  for (const RobotInfo& robot : simulation.model().robots) {
    for (const Device& device : robot.devices) {
      if (!has_samples(device)) continue;
      const double mean = mean_range(device);
      out["devices"].push_back(
          {{"robot", robot.name},
           {"device", device.name},
           {"type", device.type},
           {"proto", device.proto},
           {"frames", device.frames},
           {"points", device.points},
           {"mean_range_m", std::isnan(mean) ? nlohmann::json(nullptr) : nlohmann::json(mean)},
           {"ms_per_frame", device.frames
                                ? device.wall_seconds * 1000 / static_cast<double>(device.frames)
                                : 0.0}});
    }
  }
  out["controllers"] = nlohmann::json::array();
  for (const ControllerReport& report : simulation.controllers()) {
    out["controllers"].push_back({{"robot", report.robot},
                                  {"name", report.name},
                                  {"exit", report.exit},
                                  {"failed", report.failed},
                                  {"what", report.what_happened}});
  }
  out["state_hash"] = fmt::format("{:016x}", simulation.state_hash());
  return out;
}

void print_summary(Simulation& simulation, double wall) {
  fmt::print("\n{:<28} {:<16} {:>8} {:>12} {:>11} {:>10}\n", "device", "type", "frames", "points",
             "mean range", "ms/frame");
  for (const RobotInfo& robot : simulation.model().robots) {
    for (const Device& device : robot.devices) {
      if (!has_samples(device) || device.frames == 0) continue;
      const double mean = mean_range(device);
      fmt::print("{:<28} {:<16} {:>8} {:>12} {:>11} {:>10.3f}\n", robot.name + "/" + device.name,
                 device.proto.empty() ? device.type : device.proto, device.frames,
                 device.points ? std::to_string(device.points) : "",
                 std::isnan(mean) ? std::string{} : fmt::format("{:.2f} m", mean),
                 device.wall_seconds * 1000 / static_cast<double>(device.frames));
    }
  }
  for (const ControllerReport& report : simulation.controllers()) {
    fmt::print("controller '{}' of {} {}\n", report.name, report.robot,
               report.what_happened.empty() ? "ran" : report.what_happened);
  }
  fmt::print("{:.3f} s simulated in {:.3f} s: {:.2f}x real time; state hash {:016x}\n",
             simulation.time(), wall, wall > 0 ? simulation.time() / wall : 0.0,
             simulation.state_hash());
}

int run(const RunArguments& arguments) {
  if (!arguments.out.empty()) {
    std::error_code problem;
    fs::create_directories(arguments.out, problem);
    if (problem || access(arguments.out.c_str(), W_OK) != 0) {
      log_error(fmt::format("cannot write into the folder '{}': {}", arguments.out,
                            problem ? problem.message() : "permission denied"));
      return kExitData;
    }
  }
  auto simulation = load_simulation(arguments);
  if (!simulation) return kExitData;
  catch_interrupts();
  Progress progress(arguments.duration, !arguments.json);
  std::mutex terminal;
  simulation->start_controllers(
      [&](const std::string& robot, bool is_stderr, std::string_view line) {
        const std::lock_guard lock(terminal);
        progress.clear();
        fmt::print(is_stderr || arguments.json ? stderr : stdout, "[{}] {}\n", robot, line);
        std::fflush(is_stderr || arguments.json ? stderr : stdout);
      });
  std::vector<std::string> told;  // failures are told when they happen, once
  const auto tell_failures = [&] {
    for (const ControllerReport& report : simulation->controllers()) {
      const std::string key = report.robot;
      if (!report.failed || std::find(told.begin(), told.end(), key) != told.end()) continue;
      told.push_back(key);
      const std::lock_guard lock(terminal);
      progress.clear();
      log_error(report.started ? fmt::format("controller '{}' of robot '{}' {}", report.name,
                                             report.robot, report.what_happened)
                               : fmt::format("robot '{}': {}", report.robot, report.what_happened));
    }
  };

  const double step = simulation->model().basic_time_step;
  const auto steps =
      static_cast<std::int64_t>(std::llround(std::ceil(arguments.duration / step - 1e-9)));
  const auto begin = std::chrono::steady_clock::now();
  const auto wall = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  int exit = kExitGood;
  for (std::int64_t i = 0; i < steps; ++i) {
    if (interrupted()) {
      exit = kExitInterrupted;
      break;
    }
    simulation->step();
    const std::string broken = simulation->broken_body();
    if (!broken.empty()) {
      progress.clear();
      log_error(fmt::format(
          "the state of body '{}' is no longer finite at {:.3f} s: look at its mass, its motors "
          "and a smaller basicTimeStep",
          broken, simulation->time()));
      exit = kExitData;
      break;
    }
    tell_failures();
    {
      const std::lock_guard lock(terminal);
      progress.show(simulation->time(), wall());
    }
    if (arguments.realtime) {
      const double ahead = simulation->time() - wall();
      if (ahead > 0) std::this_thread::sleep_for(std::chrono::duration<double>(ahead));
    }
  }
  const double wall_time = wall();
  simulation->finish();
  tell_failures();
  progress.clear();
  if (exit == kExitInterrupted)
    log_note(fmt::format("interrupted at {:.3f} s", simulation->time()));
  for (const ControllerReport& report : simulation->controllers()) {
    if (report.failed && exit == kExitGood) exit = kExitController;
  }
  if (!arguments.out.empty()) write_run_files(*simulation, arguments.out);
  if (arguments.json) {
    fmt::print("{}\n", summary_json(*simulation, wall_time).dump());
  } else {
    print_summary(*simulation, wall_time);
    if (!arguments.out.empty())
      fmt::print("wrote {}\n", run_files_text(*simulation, arguments.out));
  }
  return exit;
}

}  // namespace

void add_run(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Run a world and its controllers, headless");
  add_world_arguments(*command, *arguments);
  add_run_arguments(*command, *arguments);
  command->add_option("--duration", arguments->duration, "Simulated seconds (default 10)")
      ->check(CLI::PositiveNumber);
  command->add_option("--out", arguments->out, "Folder for cloud.pcd, ranges.png and scene.png");
  command->add_flag("--realtime", arguments->realtime, "Not faster than the clock on the wall");
  command->callback([&chosen, arguments] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace protobeam
