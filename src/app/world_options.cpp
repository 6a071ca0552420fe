#include "app/world_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "app/diagnostics_json.h"
#include "app/standard_streams.h"
#include "base/file_names.h"
#include "base/memory_budget.h"
#include "base/named_files.h"
#include "wbt/field_settings.h"

namespace protobeam {
namespace {

std::string check_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  return error == std::errc() && end == text.data() + text.size()
             ? ""
             : "'" + text + "' is no whole number from 0 to 18446744073709551615";
}

constexpr double kMostSeconds = 1e9;  // 30 years: nobody waits for more; step numbers can hold it

/// NaN where there is no number.
double number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc() && end == text.data() + text.size();
  return good ? value : std::numeric_limits<double>::quiet_NaN();
}

std::string check_seconds(const std::string& text) {
  const double seconds = number_in(text);
  return seconds > 0 && seconds <= kMostSeconds
             ? ""
             : "'" + text + "' is no number of seconds greater than 0 and up to 1e9";
}

std::string check_moment(const std::string& text) {
  const double seconds = number_in(text);
  return seconds >= 0 && seconds <= kMostSeconds
             ? ""
             : "'" + text + "' is no number of seconds from 0 to 1e9";
}

}  // namespace

CLI::Validator seconds_argument() { return {check_seconds, "SECONDS"}; }

CLI::Validator moment_argument() { return {check_moment, "SECONDS"}; }

CLI::Validator range_argument(double least, double most) {
  return {[least, most](const std::string& text) {
            const double value = number_in(text);
            return value >= least && value <= most
                       ? ""
                       : fmt::format("'{}' is no number from {:g} to {:g}", text, least, most);
          },
          fmt::format("FLOAT in [{:g} - {:g}]", least, most)};
}

CLI::Validator positive_argument() {
  return {[](const std::string& text) {
            const double value = number_in(text);
            return value > 0 && std::isfinite(value)
                       ? ""
                       : "'" + text + "' is no finite number greater than 0";
          },
          "POSITIVE"};
}

CLI::Validator nonnegative_argument() {
  return {[](const std::string& text) {
            const double value = number_in(text);
            return value >= 0 && std::isfinite(value)
                       ? ""
                       : "'" + text + "' is no finite number from 0 on";
          },
          "NONNEGATIVE"};
}

CLI::Validator ending_argument(std::vector<std::string> endings) {
  return {[endings](const std::string& file) -> std::string {
            const std::string ending = extension_of(file);
            if (std::find(endings.begin(), endings.end(), ending) != endings.end()) return "";
            return fmt::format("'{}' must end in {}", file, fmt::join(endings, " or "));
          },
          "FILE"};
}

CLI::Validator world_argument(bool protos) {
  return {[protos](const std::string& file) -> std::string {
            if (is_world_file(file) || (protos && extension_of(file) == ".proto")) return "";
            return fmt::format(
                "'{}' is no world by its name: worlds end in .wbt, those of MVSim in .xml, "
                "those of Gazebo in .sdf or .world, robots in .urdf{}",
                file, protos ? ", PROTOs in .proto" : "");
          },
          "FILE"};
}

void add_world_arguments(CLI::App& command, WorldArguments& arguments, bool json) {
  command
      .add_option(
          "WORLD", arguments.world,
          "The world file (.wbt, .xml of MVSim, .sdf or .world of Gazebo, or a robot in .urdf)")
      ->required()
      ->check(world_argument());
  add_proto_path(command, arguments.proto_path);
  add_allow_path(command, arguments.allow_path);
  add_packages(command, arguments.packages);
  add_controllers(command, arguments.controllers);
  command.add_flag("--lenient", arguments.lenient,
                   "Go on without what is unknown or missing: PROTOs, meshes, fields");
  add_shell_argument(command, arguments.allow_shell);
  command
      .add_option("--memory", arguments.memory,
                  "GB that loading the world may take (default: half of the machine's memory)")
      ->check(positive_argument());
  if (json) command.add_flag("--json", arguments.json, "One JSON object on stdout, nothing else");
}

void add_proto_path(CLI::App& command, std::vector<std::string>& folders) {
  // One at a time: what follows it are files.
  command
      .add_option("--proto-path", folders,
                  "A folder with PROTOs, asked before the catalogue; may be given several times")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_allow_path(CLI::App& command, std::vector<std::string>& folders) {
  command
      .add_option(
          "--allow-path", folders,
          "A folder whose files the world may name, beside its project and those of PROTOs; "
          "may be given several times")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_packages(CLI::App& command, std::vector<std::string>& packages) {
  const auto check = [](const std::string& text) {
    const auto equals = text.find('=');
    return equals == 0 || equals == std::string::npos || equals + 1 == text.size()
               ? "'" + text + "' is not NAME=FOLDER"
               : std::string();
  };
  command
      .add_option("--package", packages,
                  "Where a ROS package or model is that a robot in URDF or a world in SDF names: "
                  "NAME=FOLDER; may be given "
                  "several times")
      ->allow_extra_args(false)
      ->check(CLI::Validator(check, "NAME=FOLDER"))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_controllers(CLI::App& command, std::vector<std::string>& files) {
  command
      .add_option("--params-file", files,
                  "Parameters of ros2_control (YAML) for a robot in URDF with <ros2_control>, as "
                  "ros2_control_node gets them; may be given several times")
      ->allow_extra_args(false)
      ->check(CLI::ExistingFile)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::map<std::string, std::filesystem::path> packages_of(const std::vector<std::string>& packages) {
  std::map<std::string, std::filesystem::path> out;
  for (const std::string& one : packages) {
    const auto equals = one.find('=');
    out[one.substr(0, equals)] = one.substr(equals + 1);
  }
  return out;
}

void add_shell_argument(CLI::App& command, bool& allow_shell) {
  command.add_flag("--allow-shell", allow_shell, "MVSim worlds may run commands: $(...)");
}

void add_run_arguments(CLI::App& command, WorldArguments& arguments) {
  const auto check = [](const std::string& text) -> std::string {
    try {
      wbt::parse_setting(text, "--set");
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  command
      .add_option("--set", arguments.set,
                  "Another value for a field: DEF.FIELD=VALUE, NAME.FIELD=VALUE or "
                  "ROBOT/DEVICE.FIELD=VALUE; may be given several times")
      ->allow_extra_args(false)
      ->check(CLI::Validator(check, "PATH=VALUE"))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--seed", arguments.seed, "Noise seed instead of WorldInfo.randomSeed")
      ->check(CLI::Validator(check_seed, "UINT"));
  command
      .add_option("--threads", arguments.threads, "Threads of the ray caster (default: one a core)")
      ->check(CLI::Range(1, 256));
  command
      .add_option("--ray-engine", arguments.ray_engine,
                  "auto; embree: no rays by the beam caster; bullet: the slow reference")
      ->check(CLI::IsMember({"auto", "embree", "bullet"}));
  command
      .add_option("--controller-timeout", arguments.controller_timeout,
                  "Seconds of wall time that a controller may take for one step (default 10; no limit for "
                  "\"<extern>\" ones)")
      ->check(seconds_argument());
}

std::unique_ptr<Simulation> load_simulation(const WorldArguments& arguments, Diagnostics* problems,
                                            mvsim::Recordings* recordings) {
  for (const auto& folder : arguments.allow_path) allow_files_below(folder);
  set_memory_budget(arguments.memory > 0 ? arguments.memory * 1e9 : default_memory_budget());
  SimulationOptions options;
  options.read = [&](const std::filesystem::path& file, const wbt::LoadOptions& load,
                     Diagnostics& diagnostics) {
    wbt::LoadOptions with_settings = load;
    for (const std::string& one : arguments.set) {
      with_settings.settings.push_back(wbt::parse_setting(one, "--set"));
    }
    return read_world(file,
                      {arguments.seed.value_or(0),
                       arguments.allow_shell,
                       packages_of(arguments.packages),
                       {arguments.controllers.begin(), arguments.controllers.end()}},
                      with_settings, diagnostics, recordings);
  };
  for (const auto& folder : arguments.proto_path) options.proto_path.emplace_back(folder);
  options.lenient = arguments.lenient;
  options.build.threads = arguments.threads;
  options.build.bullet_rays = arguments.ray_engine == "bullet";
  options.build.beam_caster = arguments.ray_engine == "auto";
  options.build.seed = arguments.seed;
  options.controller_limit =
      std::chrono::milliseconds(static_cast<std::int64_t>(arguments.controller_timeout.value_or(10) * 1000));
  Diagnostics own;
  Diagnostics& diagnostics = problems ? *problems : own;
  auto simulation = Simulation::load(arguments.world, options, diagnostics);
  write_to(stderr, diagnostics.to_string(color_stderr()));
  if (!simulation && arguments.json) {
    print_out("{}\n", json_text(diagnostics_json(diagnostics, arguments.world)));
  }
  return simulation;
}

std::string no_such_device(const Simulation& simulation, const std::string& path) {
  const auto names = simulation.device_paths();
  const std::string hint = did_you_mean(path, names);
  return fmt::format("no device '{}' in this world; {}", path,
                     hint.empty() ? fmt::format("its devices: {}", fmt::join(names, ", ")) : hint);
}

std::vector<std::string> lidar_paths(const Simulation& simulation) {
  std::vector<std::string> paths;
  for (const RobotInfo& robot : simulation.model().robots) {
    for (const Device& device : robot.devices) {
      const bool is_lidar = dynamic_cast<const BeamSensor*>(device.model.get()) != nullptr;
      if (is_lidar) paths.push_back(robot.name + "/" + device.name);
    }
  }
  return paths;
}

bool color_stderr() { return isatty(STDERR_FILENO) && !std::getenv("NO_COLOR"); }

}  // namespace protobeam
