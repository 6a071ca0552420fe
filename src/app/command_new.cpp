// new: a working skeleton to edit.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/log.h"
#include "app/new_command.h"
#include "app/standard_streams.h"
#include "sim/build_config.h"
#include "sim/paths.h"
#include "sim/simulation.h"

namespace protobeam {
namespace {

struct NewArguments {
  std::string kind, name, folder;
  bool json = false;
};

int make_new(const NewArguments& arguments) {
  namespace fs = std::filesystem;
  // Inside the source tree a skeleton goes where its kind lives; elsewhere into a folder of its
  // own.
  const bool inside = installed_paths().source_tree && arguments.folder.empty() &&
                      fs::weakly_canonical(fs::current_path()) == fs::weakly_canonical(kSourceDir);
  const fs::path target =
      arguments.folder.empty() ? fs::current_path() : fs::path(arguments.folder);
  PluginLoader plugins;
  SchemaRegistry schemas;
  fill_schemas(schemas, plugins);
  std::string message;
  const int result = new_command(arguments.kind, arguments.name, target,
                                 installed_paths().skeletons, inside, message, &schemas);
  if (result != kExitGood) {
    log_error(message);
  } else if (arguments.json) {
    print_out("{}\n", nlohmann::json{{"exit", result}, {"message", message}}.dump());
  } else {
    print_out("{}\n", message);
  }
  return result;
}

}  // namespace

void add_new(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<NewArguments>();
  CLI::App* command = app.add_subcommand("new", "A working skeleton to edit");
  command
      ->add_option(
          "KIND", arguments->kind,
          "device, controller (controller_c, controller_cpp, controller_java, controller_python), "
          "world or project")
      ->required()
      ->check(CLI::IsMember({"device", "controller", "controller_c", "controller_cpp",
                             "controller_java", "controller_python", "world", "project"}));
  command->add_option("NAME", arguments->name, "Letters, digits and _")->required();
  command->add_flag("--json", arguments->json, "One JSON object on stdout");
  command->add_option("--in", arguments->folder, "The folder to make it in (default: here)");
  command->callback(
      [&chosen, arguments] { chosen = [arguments] { return make_new(*arguments); }; });
}

}  // namespace protobeam
