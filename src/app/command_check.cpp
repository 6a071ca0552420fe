// check: every mistake of worlds and PROTOs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/diagnostics_json.h"
#include "app/standard_streams.h"
#include "app/world_options.h"
#include "base/named_files.h"

namespace protobeam {
namespace {

struct CheckArguments {
  std::vector<std::string> files, proto_path;
  std::vector<std::string> allow_path, packages, controllers;
  bool lenient = false, allow_shell = false, json = false;
};

int check(const CheckArguments& arguments) {
  for (const auto& folder : arguments.allow_path) allow_files_below(folder);
  nlohmann::json out = nlohmann::json::array();
  int errors = 0, warnings = 0;
  for (const auto& file : arguments.files) {
    SchemaRegistry schemas;
    PluginLoader plugins;
    fill_schemas(schemas, plugins);
    wbt::LoadOptions load = project_load_options(file, schemas, plugins);
    load.lenient = arguments.lenient;
    load.proto_path = proto_folders({arguments.proto_path.begin(), arguments.proto_path.end()});
    Diagnostics diagnostics;
    const WorldFileOptions world{0,
                                 arguments.allow_shell,
                                 packages_of(arguments.packages),
                                 {arguments.controllers.begin(), arguments.controllers.end()}};
    const bool is_world = check_any_file(file, world, load, diagnostics);
    plugins.check();
    if (!diagnostics.has_errors() && is_world) {
      // What only shows when the world is built: missing meshes, masses, contradictions.
      SimulationOptions options;
      options.lenient = arguments.lenient;
      options.proto_path.assign(arguments.proto_path.begin(), arguments.proto_path.end());
      options.read = [&](const auto& path, const wbt::LoadOptions& how, Diagnostics& problems) {
        return read_world(path, world, how, problems);
      };
      Diagnostics deeper;
      Simulation::load(file, options, deeper);
      for (const auto& diagnostic : deeper.all()) {
        const bool known = std::any_of(diagnostics.all().begin(), diagnostics.all().end(),
                                       [&](const Diagnostic& d) {
                                         return d.message == diagnostic.message &&
                                                d.place.to_string() == diagnostic.place.to_string();
                                       });
        if (!known) diagnostics.add(diagnostic);
      }
    }
    errors += diagnostics.error_count();
    warnings += diagnostics.warning_count();
    write_to(stderr, diagnostics.to_string(color_stderr()));
    if (!arguments.json) continue;
    for (const auto& d : diagnostics.all()) out.push_back(diagnostic_json(d, file));
  }
  if (arguments.json) {
    print_out("{}\n",
              json_text({{"errors", errors}, {"warnings", warnings}, {"diagnostics", out}}));
  } else if (errors == 0) {
    print_out("{} file{}: no errors, {} warning{}\n", arguments.files.size(),
               arguments.files.size() == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s");
  } else {
    print_err("{} error{}, {} warning{}\n", errors, errors == 1 ? "" : "s", warnings,
               warnings == 1 ? "" : "s");
  }
  return errors ? kExitData : kExitGood;
}

}  // namespace

void add_check(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command =
      app.add_subcommand("check", "Every mistake of worlds and PROTOs, with its place");
  command
      ->add_option(
          "FILE", arguments->files,
          "Worlds (.wbt, .xml of MVSim, .sdf and .world of Gazebo), robots (.urdf), PROTOs "
          "(.proto) and MVSim's "
          "definitions (.xml)")
      ->required()
      ->check(world_argument(true));
  add_proto_path(*command, arguments->proto_path);
  add_allow_path(*command, arguments->allow_path);
  add_packages(*command, arguments->packages);
  add_controllers(*command, arguments->controllers);
  command->add_flag("--lenient", arguments->lenient,
                    "What is unknown or missing (PROTOs, meshes, fields) is a warning");
  add_shell_argument(*command, arguments->allow_shell);
  command->add_flag("--json", arguments->json,
                    "One JSON object on stdout; diagnostics stay on stderr");
  command->callback([&chosen, arguments] { chosen = [arguments] { return check(*arguments); }; });
}

}  // namespace protobeam
