// protobeam COMMAND ...: a world in text becomes bodies, rays and controller processes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands.h"
#include "app/diagnostics_json.h"
#include "app/log.h"
#include "app/standard_streams.h"
#include "base/child_process.h"
#include "base/diagnostics.h"
#include "base/strays.h"
#include "sim/build_config.h"
#include "sim/plugins.h"

namespace protobeam {
namespace {

/// What is wrong with the command line, with the command or option that was probably meant.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error, const char* first) {
  std::vector<std::string> commands, options;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    commands.push_back(command->get_name());
    if (!command->parsed()) continue;
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    }
  }
  const bool chosen = !options.empty();
  const auto* extras = dynamic_cast<const CLI::ExtrasError*>(&error);
  std::string hint;
  if (!chosen && first != nullptr) {
    hint = did_you_mean(first, commands);
    return fmt::format(
        "there is no command '{}'; {}", first,
        hint.empty() ? fmt::format("there are {}", fmt::join(commands, ", ")) : hint);
  }
  const std::string what = error.what();
  if (extras != nullptr) {
    const std::string last = what.substr(what.rfind(' ') + 1);
    hint = did_you_mean(last.substr(0, last.find('=')), options);
  }
  return fmt::format("{}; {}", what, hint.empty() ? "--help says more" : hint);
}

/// The command that was chosen takes --json, and has it.
bool wants_json(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (!command->parsed()) continue;
    const CLI::Option* json = command->get_option_no_throw("--json");
    if ((json && json->count() > 0) || wants_json(*command)) return true;
  }
  return false;
}

/// Whoever reads the one object gets one, too, of a command that could not do its work.
void print_errors_as_json() {
  if (!has_printed()) print_out("{}\n", json_text(logged_errors()));
}

}  // namespace
}  // namespace protobeam

int main(int argc, char** argv) {
  using namespace protobeam;
  open_standard_streams();
  // `controller` becomes another program, which counts on the usual limit.
  if (argc < 2 || std::string_view(argv[1]) != "controller") raise_descriptor_limit();
  std::signal(SIGPIPE, SIG_IGN);  // a controller or a pager that has ended must not end the program
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is one that cannot be written
  CLI::App app{"Protobeam: range sensors and vehicles from text, without a GPU"};
  app.set_version_flag("--version", std::string("protobeam ") + kVersion);
  app.require_subcommand(1);
  Command chosen;
  add_run(app, chosen);
  add_view(app, chosen);
  add_snapshot(app, chosen);
  add_scan(app, chosen);
  add_map(app, chosen);
  add_check(app, chosen);
  add_fetch(app, chosen);
  add_show(app, chosen);
  add_controller(app, chosen);
  add_calibration(app, chosen);
  add_info(app, chosen);
  add_bench(app, chosen);
  add_new(app, chosen);
  add_import(app, chosen);
  add_package(app, chosen);
  add_python(app, chosen);
  add_sweep(app, chosen);
  add_webots(app, chosen);
  add_test(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      log_error(usage_error(app, error, argc > 1 ? argv[1] : nullptr));
      if (wants_json(app)) print_errors_as_json();
      return close_standard_streams(kExitUsage);
    }
    app.exit(error);  // --help, --version
    return close_standard_streams(kExitGood);
  }
  int exit = kExitData;
  try {
    exit = chosen();
  } catch (const PluginError& error) {
    log_error(error.what());
    exit = kExitController;
  } catch (const std::exception& error) {
    log_error(error.what());
  }
  end_strays();
  if (exit != kExitGood && wants_json(app)) print_errors_as_json();
  return close_standard_streams(exit);
}
