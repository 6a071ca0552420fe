// scan: one sweep of one lidar as a file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/commands.h"
#include "app/device_sweep.h"
#include "app/log.h"
#include "app/point_options.h"
#include "app/run_files.h"
#include "app/standard_streams.h"
#include "app/world_options.h"
#include "base/diagnostics.h"
#include "base/file_names.h"
#include "base/stop.h"
#include "output/cloud_file.h"

namespace protobeam {
namespace {

struct ScanArguments : WorldArguments {
  std::string device, out;
  double time = -1;
  bool ascii = false, controllers = false;
  PointOptions points;
  bool as_points = false;  ///< any of the point options was given
};

/// Refuses point options for files that hold no points of their own.
void check_points(const ScanArguments& arguments, bool picture, CloudFormat format) {
  if (!arguments.as_points) return;
  if (picture || format == CloudFormat::kCsv || format == CloudFormat::kNpy) {
    throw std::invalid_argument(fmt::format(
        "--point-format, --organised and --destagger are for .pcd and .ply files; {} is none",
        arguments.out));
  }
  arguments.points.shape();
}

std::string no_such_lidar(const Simulation& simulation, const std::string& path) {
  const auto lidars = lidar_paths(simulation);
  const std::string hint = did_you_mean(path, lidars);
  if (!hint.empty()) return fmt::format("no lidar '{}' in this world; {}", path, hint);
  return fmt::format(
      "no lidar '{}' in this world; {}", path,
      lidars.empty() ? "it has none" : fmt::format("its lidars: {}", fmt::join(lidars, ", ")));
}

Device* choose(Simulation& simulation, const std::string& path) {
  if (!path.empty()) {
    Device* device = simulation.find_device(path);
    if (!device) log_error(no_such_lidar(simulation, path));
    return device;
  }
  Device* only = nullptr;
  for (auto& robot : simulation.model().robots) {
    for (auto& device : robot.devices) {
      if (!dynamic_cast<BeamSensor*>(device.model.get())) continue;
      if (only) {
        log_error(fmt::format("this world has several lidars; choose one with --device: {}",
                              fmt::join(lidar_paths(simulation), ", ")));
        return nullptr;
      }
      only = &device;
    }
  }
  if (!only) log_error("this world has no lidar");
  return only;
}

int scan(const ScanArguments& arguments) {
  const std::filesystem::path file = arguments.out;
  const bool picture = extension_of(file) == ".png";
  const CloudFormat format = picture ? CloudFormat::kCsv : cloud_format(file, arguments.ascii);
  check_points(arguments, picture, format);
  auto simulation = load_simulation(arguments);
  if (!simulation) return kExitData;
  Device* device = choose(*simulation, arguments.device);
  if (!device) return kExitData;
  auto* lidar = dynamic_cast<BeamSensor*>(device->model.get());
  if (!lidar) {
    log_error(fmt::format("'{}' is a {}: it has no beams to scan; {}", device->name, device->type,
                          no_such_lidar(*simulation, arguments.device)));
    return kExitData;
  }
  stop::catch_signals();
  if (arguments.controllers) {
    simulation->start_controllers([](const std::string& robot, bool, std::string_view line) {
      print_err("[{}] {}\n", robot, line);
    });
  }
  // A controller may have enabled it already; otherwise we do, at its own rate.
  const double step = simulation->model().basic_time_step;
  const auto rate = device->model->facts().find("defaultFrequency");
  const double hz = rate == device->model->facts().end() ? 10 : std::get<double>(rate->second);
  constexpr double kMostSteps = 1e9;
  const double steps = std::ceil(4 / (hz * step));
  if (steps > kMostSteps) {
    log_error(
        fmt::format("a sweep of '{}' takes {:g} s (field 'defaultFrequency'): too long to wait for",
                    device->name, 1 / hz));
    return kExitData;
  }
  const double start = arguments.time < 0 ? 0 : std::max(0.0, arguments.time - 2 / hz - step);
  while (simulation->time() < start && !stop::requested()) simulation->step();
  if (device->period == 0)
    simulation->enable(*device, lidar->every_step() ? step : std::max(step, 1 / hz));
  const auto limit = simulation->step_number() + static_cast<std::int64_t>(steps) + 1000;
  LidarTrack track(*device);
  while (!stop::requested() && simulation->step_number() < limit) {
    simulation->step();
    if (track.after_step(*simulation) && simulation->time() >= arguments.time - step / 2) break;
  }
  simulation->finish();
  if (stop::requested()) return kExitInterrupted;
  const TimedSweep sweep = track.sweep(*simulation);
  const SweepSource source = source_of(*simulation, *device);
  if (picture) {
    write_range_picture(*device, file);
  } else if (arguments.as_points) {
    write_sweep(file, format, arguments.points, sweep, source);
  } else {
    write_own_sweep(file, format, sweep, source);
  }
  std::size_t returns = 0;
  for (const auto& beam : sweep.beams) returns += std::isfinite(beam.range);
  const auto name =
      simulation->model().robots[static_cast<std::size_t>(device->robot)].name + "/" + device->name;
  if (arguments.json) {
    const nlohmann::json out = {{"device", name},
                                {"time_s", simulation->time()},
                                {"layers", lidar->layers()},
                                {"columns", lidar->columns()},
                                {"returns", returns},
                                {"file", file.string()}};
    print_out("{}\n", out.dump());
  } else {
    print_out("{}: {} x {} beams at {:.3f} s, {} returns: wrote {}\n", name, lidar->layers(),
               lidar->columns(), simulation->time(), returns, file.string());
  }
  return kExitGood;
}

}  // namespace

void add_scan(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<ScanArguments>();
  CLI::App* command =
      app.add_subcommand("scan", "One sweep of a lidar as .pcd .ply .csv .npy or .png");
  add_world_arguments(*command, *arguments);
  add_run_arguments(*command, *arguments);
  command->add_option("--device", arguments->device,
                      "ROBOT/DEVICE (may be left out when there is one lidar)");
  command
      ->add_option("--time", arguments->time, "Simulated seconds; default: the first whole sweep")
      ->check(moment_argument());
  command->add_option("--out", arguments->out, "The file to write")
      ->required()
      ->check(ending_argument({".pcd", ".ply", ".csv", ".npy", ".png"}));
  command->add_flag("--ascii", arguments->ascii, "A .pcd as text");
  const auto point_options = add_point_options(*command, arguments->points);
  command->add_flag("--controllers", arguments->controllers, "Let the controllers drive meanwhile");
  command->callback([&chosen, arguments, point_options] {
    arguments->as_points =
        std::ranges::any_of(point_options, [](const CLI::Option* o) { return o->count() > 0; });
    chosen = [arguments] { return scan(*arguments); };
  });
}

}  // namespace protobeam
