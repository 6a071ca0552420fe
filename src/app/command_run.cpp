// run: the world and its controllers, headless, then a summary.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/channel_output.h"
#include "app/commands.h"
#include "app/console.h"
#include "app/drive_options.h"
#include "app/log.h"
#include "app/output_options.h"
#include "app/run_files.h"
#include "app/standard_streams.h"
#include "app/window.h"
#include "app/world_options.h"
#include "base/stop.h"
#include "base/text.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

struct RunArguments : WorldArguments {
  double duration = 10;
  std::string out;
  PointOptions points;
  bool realtime = false;
  bool view = false;
  WindowArguments window;
  OutputArguments outputs;
  ChannelArguments channels;
  DriveArguments drive;
};

/// Mean of the finite ranges in a lidar's last sweep; NaN when it has none.
double mean_range(const Device& device) {
  const auto* lidar = dynamic_cast<const BeamSensor*>(device.model.get());
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

/// What acts is listed when somebody looks at its samples; what measures, always.
bool has_samples(const Device& device) {
  const DeviceType& type = device.model->type();
  const bool acts = type.forces || type.coupled_by_name;
  return !type.channels.empty() && (!acts || device.frames > 0);
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

nlohmann::json outputs_json(const Publisher& publisher) {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& queue : publisher.table().queues()) {
    out.push_back({{"text", queue->sink().text()},
                   {"messages", queue->written()},
                   {"lost", queue->lost()},
                   {"most_waiting_bytes", queue->most_waiting()}});
  }
  return out;
}

void print_summary(Simulation& simulation, double wall) {
  print_out("\n{:<28} {:<16} {:>8} {:>12} {:>11} {:>10}\n", "device", "type", "frames", "points",
             "mean range", "ms/frame");
  for (const RobotInfo& robot : simulation.model().robots) {
    for (const Device& device : robot.devices) {
      if (!has_samples(device) || device.frames == 0) continue;
      const double mean = mean_range(device);
      print_out("{:<28} {:<16} {:>8} {:>12} {:>11} {:>10.3f}\n", printable(robot.name + "/" + device.name),
                 device.proto.empty() ? device.type : device.proto, device.frames,
                 device.points ? std::to_string(device.points) : "",
                 std::isnan(mean) ? std::string{} : fmt::format("{:.2f} m", mean),
                 device.wall_seconds * 1000 / static_cast<double>(device.frames));
    }
  }
  for (const ControllerReport& report : simulation.controllers()) {
    print_out("controller '{}' of {} {}\n", printable(report.name), printable(report.robot),
               report.what_happened.empty() ? "ran" : report.what_happened);
  }
  print_out("{:.3f} s simulated in {:.3f} s: {:.2f}x real time; state hash {:016x}\n",
             simulation.time(), wall, wall > 0 ? simulation.time() / wall : 0.0,
             simulation.state_hash());
}

bool can_write_into(const std::string& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (!problem && access(folder.c_str(), W_OK) == 0) return true;
  log_error(fmt::format("cannot write into the folder '{}': {}", folder,
                        problem ? problem.message() : "permission denied"));
  return false;
}

/// The whole run on the calling thread; `bridge` leads to the window that shows it, or null.
int run_world(const RunArguments& arguments, ViewerBridge* bridge) {
  mvsim::Recordings asked;
  auto simulation = load_simulation(arguments, nullptr, &asked);
  if (!simulation) return kExitData;
  stop::catch_signals();  // before, there is nothing to save
  auto vehicles =
      std::make_unique<VehicleRun>(*simulation, arguments.drive, asked, arguments.out);
  std::unique_ptr<PacketOutput> packets;
  if (arguments.outputs.packets.wanted()) {
    packets = std::make_unique<PacketOutput>(*simulation, arguments.outputs.packets);
  }
  std::unique_ptr<Publisher> publisher = make_publisher(*simulation, arguments.outputs);
  std::unique_ptr<ChannelOutput> channels;
  if (arguments.channels.wanted()) {
    channels = std::make_unique<ChannelOutput>(*simulation, arguments.channels, arguments.out);
  }
  Console console({arguments.json, arguments.json ? 0 : arguments.duration});
  simulation->start_controllers(console.controller_lines());
  if (bridge) bridge->publish_world(*simulation);

  const double step = simulation->model().basic_time_step;
  const auto steps =
      static_cast<std::int64_t>(std::llround(std::ceil(arguments.duration / step - 1e-9)));
  const auto begin = std::chrono::steady_clock::now();
  const auto wall = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  int exit = kExitGood;
  bool closed = false;  // the window, and with it the run
  bool broken = false;  // a body: the others go on
  // A file that cannot be written any more ends the run; no part of it is left.
  const auto write_to = [&](auto& output, auto what) {
    if (!output) return;
    try {
      (output.get()->*what)();
    } catch (const std::exception& error) {
      console.clear_progress();
      log_error(error.what());
      output.reset();
      if (exit == kExitGood) exit = kExitData;
    }
  };
  for (std::int64_t i = 0; i < steps; ++i) {
    if (bridge && bridge->wait_for_step(*simulation) == ViewerBridge::Command::kEnd) closed = true;
    if (closed || exit != kExitGood) break;
    if (vehicles) vehicles->before_step();
    if (publisher) publisher->before_step();
    if (stop::requested() || !simulation->step()) {
      exit = kExitInterrupted;
      break;
    }
    write_to(vehicles, &VehicleRun::after_step);
    if (bridge) bridge->publish_state(*simulation);
    broken = !console.check_bodies(*simulation);
    write_to(packets, &PacketOutput::after_step);
    write_to(publisher, &Publisher::after_step);
    write_to(channels, &ChannelOutput::after_step);
    console.report_failures(*simulation);
    console.show_progress(simulation->time(), wall());
    if (arguments.realtime && !bridge) {
      const double ahead = simulation->time() - wall();
      if (ahead > 0) std::this_thread::sleep_for(std::chrono::duration<double>(ahead));
    }
  }
  const double wall_time = wall();
  simulation->finish();
  console.report_failures(*simulation);
  console.clear_progress();
  write_to(packets, &PacketOutput::finish);
  write_to(publisher, &Publisher::finish);
  write_to(channels, &ChannelOutput::finish);
  write_to(vehicles, &VehicleRun::finish);
  if (exit == kExitInterrupted || closed) {
    log_note(fmt::format("{} at {:.3f} s", exit == kExitInterrupted ? "interrupted" : "closed",
                         simulation->time()));
  }
  if (broken && exit == kExitGood) exit = kExitData;
  for (const ControllerReport& report : simulation->controllers()) {
    if (report.failed && exit == kExitGood) exit = kExitController;
  }
  bool wrote = false;  // a full disk must not take the summary with it
  try {
    if (!arguments.out.empty()) write_run_files(*simulation, arguments.out, arguments.points);
    wrote = !arguments.out.empty();
  } catch (const std::exception& error) {
    log_error(error.what());
    if (exit != kExitInterrupted) exit = kExitData;
  }
  if (arguments.json) {
    nlohmann::json out = summary_json(*simulation, wall_time);
    if (publisher) out["outputs"] = outputs_json(*publisher);
    if (packets) out["packets"] = {{"recorded", packets->recorded()}, {"sent", packets->sent()}};
    print_out("{}\n", out.dump());
  } else {
    print_summary(*simulation, wall_time);
    if (wrote) print_out("wrote {}\n", run_files_text(*simulation, arguments.out));
    if (packets) print_out("{}\n", packets->text());
    if (publisher) print_out("{}\n", publisher->text());
    if (channels) print_out("{}\n", channels->text());
    if (vehicles && !vehicles->text().empty()) print_out("{}\n", vehicles->text());
  }
  return exit;
}

int run(RunArguments arguments) {
  arguments.points.shape();
  split_packet_arguments(arguments.outputs);
  for (const std::string& folder : {arguments.out, arguments.drive.log}) {
    if (!folder.empty() && !can_write_into(folder)) return kExitData;
  }
  if (!arguments.view) return run_world(arguments, nullptr);
  const double speed = arguments.realtime ? 1 : 0;
  return show_while(arguments.window, {false, speed, false},
                    [&](ViewerBridge& bridge) { return run_world(arguments, &bridge); });
}

}  // namespace

void add_run(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Run a world and its controllers, headless");
  add_world_arguments(*command, *arguments);
  add_run_arguments(*command, *arguments);
  command->add_option("--duration", arguments->duration, "Simulated seconds (default 10)")
      ->check(seconds_argument());
  CLI::Option* out = command->add_option("--out", arguments->out,
                                         "Folder for cloud.pcd, ranges.png and scene.png");
  for (CLI::Option* option : add_point_options(*command, arguments->points)) option->needs(out);
  add_output_arguments(*command, arguments->outputs);
  add_channel_arguments(*command, arguments->channels, out);
  add_drive_arguments(*command, arguments->drive);
  command->add_flag("--realtime", arguments->realtime, "Not faster than the clock on the wall");
  CLI::Option* view =
      command->add_flag("--view", arguments->view, "Show it in a window meanwhile (see `view`)");
  add_window_arguments(*command, arguments->window);
  command
      ->add_flag("--keep-running", arguments->window.keep_running,
                 "Closing the window does not end the run")
      ->needs(view);
  command->callback([&chosen, arguments] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace protobeam
