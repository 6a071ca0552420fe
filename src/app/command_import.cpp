// import: an MVSim world, a world in SDF or a robot in URDF as Webots text.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/commands.h"
#include "app/log.h"
#include "app/standard_streams.h"
#include "app/world_options.h"
#include "assets/asset_store.h"
#include "base/named_files.h"
#include "sdf/to_webots.h"
#include "urdf/to_webots.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

struct ImportArguments {
  std::string world, out;
  std::vector<std::string> packages, controllers, allow_path;
  std::uint64_t seed = 0;
  bool allow_shell = false, lenient = false;
};

/// The name of a PROTO is that of its file, and one of the language.
bool is_proto_name(const std::string& name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '-';
  });
}

urdf::Options model_options(const ImportArguments& arguments) {
  return urdf_options({0,
                       false,
                       packages_of(arguments.packages),
                       {arguments.controllers.begin(), arguments.controllers.end()}},
                      arguments.lenient);
}

std::optional<wbt::Document> import_robot(const ImportArguments& arguments,
                                          Diagnostics& diagnostics) {
  const fs::path out = arguments.out;
  const urdf::Options options = model_options(arguments);
  const auto robot = urdf::read_robot(arguments.world, options, diagnostics);
  if (!robot) return std::nullopt;
  const fs::path folder = fs::absolute(out).parent_path();
  return out.extension() == ".proto"
             ? urdf::to_proto(*robot, out.stem().string(), options, folder, diagnostics)
             : urdf::to_world(*robot, options, folder, diagnostics);
}

int import_world(const ImportArguments& arguments) {
  const bool is_robot = is_urdf_file(arguments.world);
  const fs::path out = arguments.out;
  const bool is_proto = is_robot && out.extension() == ".proto";
  if (out.extension() != ".wbt" && !is_proto) {
    log_error(fmt::format("--out '{}' must end in {}", arguments.out,
                          is_robot ? ".proto or .wbt" : ".wbt"));
    return kExitUsage;
  }
  if (is_proto && !is_proto_name(out.stem().string())) {
    log_error(
        fmt::format("--out '{}': the name of a PROTO has letters, digits, '_' and '-' only, and "
                    "begins with a letter",
                    arguments.out));
    return kExitData;
  }
  for (const auto& folder : arguments.allow_path) allow_files_below(folder);
  Diagnostics diagnostics;
  use_assets_of(arguments.world, diagnostics);
  std::optional<wbt::Document> document;
  if (is_robot) {
    document = import_robot(arguments, diagnostics);
  } else if (is_sdf_file(arguments.world)) {
    document = sdf::read_world(arguments.world, model_options(arguments),
                               fs::absolute(out).parent_path(), diagnostics);
  } else if (auto world =
                 read_mvsim_world(arguments.world, {arguments.seed, arguments.allow_shell, {}, {}},
                                  fs::absolute(out).parent_path(), diagnostics)) {
    document = std::move(world->document);
  }
  write_to(stderr, diagnostics.to_string(color_stderr()));
  if (!document) return kExitData;
  std::ofstream file(out, std::ios::binary);
  file << wbt::to_text(*document);
  file.close();
  if (!file) {
    log_error(fmt::format("cannot write '{}'", arguments.out));
    return kExitData;
  }
  print_out("wrote {}\n", arguments.out);
  return kExitGood;
}

}  // namespace

void add_import(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<ImportArguments>();
  CLI::App* command = app.add_subcommand(
      "import", "A world of MVSim or Gazebo, or a robot in URDF, as Webots text");
  command->add_option("WORLD", arguments->world, "The world (.xml, .sdf, .world) or robot (.urdf)")
      ->required()
      ->check(ending_argument({".xml", ".sdf", ".world", ".urdf", ".xacro"}));
  command->add_option("--out", arguments->out, "The .wbt file to write; of a robot also .proto")
      ->required();
  command->add_option("--seed", arguments->seed, "Seed of the world's random numbers (default 0)");
  add_shell_argument(*command, arguments->allow_shell);
  add_packages(*command, arguments->packages);
  add_controllers(*command, arguments->controllers);
  add_allow_path(*command, arguments->allow_path);
  command->add_flag("--lenient", arguments->lenient, "Go on without files that are missing");
  command->callback(
      [&chosen, arguments] { chosen = [arguments] { return import_world(*arguments); }; });
}

}  // namespace protobeam
