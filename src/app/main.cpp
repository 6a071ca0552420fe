// protobeam COMMAND ...: a world in text becomes bodies, rays and controller processes.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string_view>

#include "app/commands.h"
#include "app/log.h"
#include "app/standard_streams.h"
#include "base/child_process.h"
#include "base/strays.h"
#include "sim/build_config.h"
#include "sim/plugins.h"

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
  add_check(app, chosen);
  add_show(app, chosen);
  add_controller(app, chosen);
  add_calibration(app, chosen);
  add_info(app, chosen);
  add_bench(app, chosen);
  add_new(app, chosen);
  add_import(app, chosen);
  add_test(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return close_standard_streams(app.exit(error) == 0 ? kExitGood : kExitUsage);
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
  return close_standard_streams(exit);
}
