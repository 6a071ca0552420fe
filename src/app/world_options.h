// What every command that loads a world accepts, and how it says what is wrong with it.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/world_files.h"
#include "sim/simulation.h"

namespace protobeam {

struct WorldArguments {
  std::string world;
  std::vector<std::string> proto_path;
  std::vector<std::string> allow_path;
  std::vector<std::string> packages;  ///< NAME=FOLDER
  std::vector<std::string> controllers;  ///< files of their parameters
  std::vector<std::string> set;       ///< PATH=VALUE
  std::optional<std::uint64_t> seed;
  int threads = 0;
  std::string ray_engine = "auto";
  std::optional<double> controller_timeout;  ///< s; 10 when it is not given
  double memory = 0;  ///< GB; 0: half of the machine's
  bool lenient = false;
  bool allow_shell = false;
  bool json = false;
};

/// WORLD, --proto-path, --lenient and, unless there is nothing to say in it, --json.
void add_world_arguments(CLI::App& command, WorldArguments& arguments, bool json = true);
/// --seed, --threads, --ray-engine, --controller-timeout.
void add_run_arguments(CLI::App& command, WorldArguments& arguments);

/// Loads the world and prints its diagnostics on stderr; null when it cannot be used, with --json
/// after an object of its diagnostics on stdout. `problems` gets them, too; `recordings` what the
/// world asks to be written. Either may be null.
std::unique_ptr<Simulation> load_simulation(const WorldArguments& arguments,
                                            Diagnostics* problems = nullptr,
                                            mvsim::Recordings* recordings = nullptr);

/// The name of a world or robot that the program reads, by its ending; of a PROTO too with `protos`.
CLI::Validator world_argument(bool protos = false);
/// A file name that ends in one of `endings` (".png").
CLI::Validator ending_argument(std::vector<std::string> endings);
/// A number greater than 0 and at most 1e9: what counts as time.
CLI::Validator seconds_argument();
/// The same with 0: a moment of the simulation.
CLI::Validator moment_argument();
/// As CLI's own Range, PositiveNumber and NonNegativeNumber, for which nan is a number like others.
CLI::Validator range_argument(double least, double most);
CLI::Validator positive_argument();
CLI::Validator nonnegative_argument();

/// --proto-path
void add_proto_path(CLI::App& command, std::vector<std::string>& folders);
/// --allow-path
void add_allow_path(CLI::App& command, std::vector<std::string>& folders);
/// --package
void add_packages(CLI::App& command, std::vector<std::string>& packages);
/// --params-file, of controllers
void add_controllers(CLI::App& command, std::vector<std::string>& files);
/// NAME=FOLDER, as --package takes them, by name.
std::map<std::string, std::filesystem::path> packages_of(const std::vector<std::string>& packages);
/// --allow-shell
void add_shell_argument(CLI::App& command, bool& allow_shell);

/// "no device 'lidr' in this world; did you mean 'lidar'?"
std::string no_such_device(const Simulation& simulation, const std::string& path);

/// "ROBOT/DEVICE" of each sensor of beams: what `scan` takes.
std::vector<std::string> lidar_paths(const Simulation& simulation);

/// True when diagnostics may be coloured: stderr is a terminal and NO_COLOR is not set.
bool color_stderr();

}  // namespace protobeam
