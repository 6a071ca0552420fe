// view: the window, until it is closed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>

#include "app/commands.h"
#include "app/console.h"
#include "app/extern_options.h"
#include "app/log.h"
#include "app/window.h"
#include "app/world_options.h"
#include "base/stop.h"

namespace protobeam {
namespace {

struct ViewArguments : WorldArguments {
  double speed = 1;
  bool paused = false;
  WindowArguments window;
  ExternArguments externs;
};

/// When a file was written last; the same for none.
std::filesystem::file_time_type written_at(const std::filesystem::path& file) {
  std::error_code none;
  return std::filesystem::last_write_time(file, none);
}

/// Null, and told in `problem`, when it cannot be loaded.
std::unique_ptr<Simulation> try_to_load(const ViewArguments& arguments, std::string& problem) {
  try {
    Diagnostics problems;
    auto simulation = load_simulation(arguments, &problems);
    problem = problems.to_string();
    return simulation;
  } catch (const std::exception& trouble) {  // a broken plugin
    log_error(trouble.what());
    problem = trouble.what();
    return nullptr;
  }
}

/// A page in a browser shows what is wrong with the world until it is mended; null when nobody
/// waits for that.
std::unique_ptr<Simulation> load_when_mended(const ViewArguments& arguments, ViewerBridge& bridge) {
  constexpr auto kLook = std::chrono::milliseconds(300);
  for (;;) {
    const auto seen = written_at(arguments.world);
    std::string problem;
    auto simulation = try_to_load(arguments, problem);
    bridge.report_problem(simulation ? "" : problem);
    if (simulation) return simulation;
    log_note("the page shows the world once its file is mended, or Reload is pressed");
    ViewerBridge::Command order{};
    do {
      order = bridge.wait_for_order(kLook);
      if (order == ViewerBridge::Command::kEnd || stop::requested()) return nullptr;
    } while (order == ViewerBridge::Command::kStep && written_at(arguments.world) == seen);
  }
}

int view_world(const ViewArguments& arguments, ViewerBridge& bridge) {
  // A file that is not there has a mistyped name rather than a mistake that is mended.
  const bool waits = !arguments.window.web.empty() && std::filesystem::exists(arguments.world);
  auto simulation = waits ? load_when_mended(arguments, bridge) : load_simulation(arguments);
  if (!simulation) return stop::requested() ? kExitInterrupted : kExitData;
  Console console({});
  // Outlives the simulation that is loaded in the loop.
  const auto externs =
      make_extern_server(arguments.externs, console, [&bridge] { return bridge.step_unwanted(); });
  simulation->accept_programs(*externs, extern_limit(arguments));
  if (bridge.shows_windows()) simulation->open_windows();
  simulation->start_controllers(console.controller_lines());
  bridge.publish_world(*simulation);
  std::size_t seen_broken = 0;  // bodies
  while (!stop::requested()) {
    const ViewerBridge::Command order = bridge.wait_for_step(*simulation);
    if (order == ViewerBridge::Command::kEnd) break;
    if (order == ViewerBridge::Command::kReload) {
      std::string problem;
      std::unique_ptr<Simulation> fresh = try_to_load(arguments, problem);
      bridge.report_problem(fresh ? "" : problem);
      if (!fresh) continue;  // the old world runs on
      simulation->finish();
      simulation = std::move(fresh);
      console.forget_failures();
      simulation->accept_programs(*externs, extern_limit(arguments));
      if (bridge.shows_windows()) simulation->open_windows();
      simulation->start_controllers(console.controller_lines());
      bridge.publish_world(*simulation);
      continue;
    }
    simulation->step();
    bridge.publish_state(*simulation);
    console.report_failures(*simulation);
    console.check_lidars(*simulation);
    const auto broken = simulation->broken_bodies().size();
    if (!console.check_bodies(*simulation) && broken > seen_broken) {
      bridge.report_problem(
          fmt::format("the state of body '{}' is no longer finite: edit the world and press R",
                      simulation->broken_bodies().back()));
      bridge.set_paused(true);
    }
    seen_broken = broken;
  }
  simulation->finish();
  return stop::requested() ? kExitInterrupted : kExitGood;
}

int view(const ViewArguments& arguments) {
  stop::catch_signals();
  return show_while(arguments.window, {arguments.paused, arguments.speed, true},
                    [&](ViewerBridge& bridge) { return view_world(arguments, bridge); });
}

}  // namespace

void add_view(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<ViewArguments>();
  CLI::App* command = app.add_subcommand("view", "Run a world in a window");
  add_world_arguments(*command, *arguments, false);
  add_run_arguments(*command, *arguments);
  command
      ->add_option("--speed", arguments->speed,
                   "Simulated seconds a second (default 1); 0: as fast as it can")
      ->check(nonnegative_argument());
  command->add_flag("--paused", arguments->paused, "Starts paused");
  add_window_arguments(*command, arguments->window);
  add_extern_arguments(*command, arguments->externs);
  command->callback([&chosen, arguments] { chosen = [arguments] { return view(*arguments); }; });
}

}  // namespace protobeam
