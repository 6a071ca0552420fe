// import: an MVSim world as Webots text.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "app/commands.h"
#include "app/log.h"
#include "app/standard_streams.h"
#include "app/world_options.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

struct ImportArguments {
  std::string world, out;
  std::uint64_t seed = 0;
  bool allow_shell = false;
};

int import_world(const ImportArguments& arguments) {
  if (!is_mvsim_file(arguments.world)) {
    log_error(fmt::format("'{}' is no .xml file: import reads worlds of MVSim", arguments.world));
    return kExitData;
  }
  const fs::path out = arguments.out;
  if (out.extension() != ".wbt") {
    log_error(fmt::format("--out '{}' must end in .wbt", arguments.out));
    return kExitData;
  }
  Diagnostics diagnostics;
  const auto world = read_mvsim_world(arguments.world, {arguments.seed, arguments.allow_shell},
                                      fs::absolute(out).parent_path(), diagnostics);
  write_to(stderr, diagnostics.to_string(color_stderr()));
  if (!world) return kExitData;
  std::ofstream file(out, std::ios::binary);
  file << wbt::to_text(world->document);
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
  CLI::App* command = app.add_subcommand("import", "An MVSim world as Webots text");
  command->add_option("WORLD", arguments->world, "The world file (.xml)")->required();
  command->add_option("--out", arguments->out, "The .wbt file to write")->required();
  command->add_option("--seed", arguments->seed, "Seed of the world's random numbers (default 0)");
  add_shell_argument(*command, arguments->allow_shell);
  command->callback(
      [&chosen, arguments] { chosen = [arguments] { return import_world(*arguments); }; });
}

}  // namespace protobeam
