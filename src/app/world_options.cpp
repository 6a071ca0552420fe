#include "app/world_options.h"
#include "app/standard_streams.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace protobeam {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;
timespec g_first{};

void on_signal(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!g_interrupted) {
    g_first = now;
    g_interrupted = 1;
    return;
  }
  // Some senders signal the process and its group: the same request twice at once counts once.
  const double since = static_cast<double>(now.tv_sec - g_first.tv_sec) +
                       1e-9 * static_cast<double>(now.tv_nsec - g_first.tv_nsec);
  if (since < 0.3) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void add_world_arguments(CLI::App& command, WorldArguments& arguments, bool json) {
  command.add_option("WORLD", arguments.world, "The world file (.wbt, or .xml of MVSim)")
      ->required();
  command.add_option("--proto-path", arguments.proto_path,
                     "Folders with PROTOs, asked before the catalogue");
  command.add_flag("--lenient", arguments.lenient,
                   "Unknown nodes and fields are warnings, not errors");
  add_shell_argument(command, arguments.allow_shell);
  if (json) command.add_flag("--json", arguments.json, "One JSON object on stdout, nothing else");
}

void add_shell_argument(CLI::App& command, bool& allow_shell) {
  command.add_flag("--allow-shell", allow_shell, "MVSim worlds may run commands: $(...)");
}

void add_run_arguments(CLI::App& command, WorldArguments& arguments) {
  command.add_option("--seed", arguments.seed, "Noise seed instead of WorldInfo.randomSeed");
  command
      .add_option("--threads", arguments.threads, "Threads of the ray caster (default: one a core)")
      ->check(CLI::Range(1, 256));
  command.add_option("--ray-engine", arguments.ray_engine, "embree, or bullet: the slow reference")
      ->check(CLI::IsMember({"embree", "bullet"}));
  command
      .add_option("--controller-timeout", arguments.controller_timeout,
                  "Seconds of wall time that a controller may take for one step (default 10)")
      ->check(CLI::PositiveNumber);
}

std::unique_ptr<Simulation> load_simulation(const WorldArguments& arguments, std::string* problems,
                                            mvsim::Recordings* recordings) {
  SimulationOptions options;
  options.read = [&](const std::filesystem::path& file, const wbt::LoadOptions& load,
                     Diagnostics& diagnostics) {
    return read_world(file, {arguments.seed.value_or(0), arguments.allow_shell}, load, diagnostics,
                      recordings);
  };
  for (const auto& folder : arguments.proto_path) options.proto_path.emplace_back(folder);
  options.lenient = arguments.lenient;
  options.build.threads = arguments.threads;
  options.build.bullet_rays = arguments.ray_engine == "bullet";
  options.build.seed = arguments.seed;
  options.controller_limit =
      std::chrono::milliseconds(static_cast<std::int64_t>(arguments.controller_timeout * 1000));
  Diagnostics diagnostics;
  auto simulation = Simulation::load(arguments.world, options, diagnostics);
  write_to(stderr, diagnostics.to_string(color_stderr()));
  if (problems) *problems = diagnostics.to_string();
  return simulation;
}

std::string no_such_device(const Simulation& simulation, const std::string& path) {
  const auto names = simulation.device_paths();
  const std::string hint = did_you_mean(path, names);
  return fmt::format("no device '{}' in this world; {}", path,
                     hint.empty() ? fmt::format("its devices: {}", fmt::join(names, ", ")) : hint);
}

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupted() { return g_interrupted != 0; }

bool color_stderr() { return isatty(STDERR_FILENO) && !std::getenv("NO_COLOR"); }

}  // namespace protobeam
