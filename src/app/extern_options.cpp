#include "app/extern_options.h"

#include <CLI/CLI.hpp>

#include "app/log.h"

namespace protobeam {

void add_extern_arguments(CLI::App& command, ExternArguments& arguments) {
  command
      .add_option(
          "--port", arguments.port,
          "Where programs for robots with controller \"<extern>\" connect (default 1234; the next "
          "free one when it is taken; 0: any)")
      ->check(CLI::Range(0, 65535));
  CLI::Option* remote = command.add_flag("--allow-remote-controllers", arguments.remote,
                                         "They may connect by TCP too, from this machine only; "
                                         "whoever can connect may drive the robots");
  command
      .add_option("--listen", arguments.listen,
                  "The address for TCP, instead of 127.0.0.1; 0.0.0.0: from everywhere")
      ->needs(remote);
}

std::unique_ptr<link::ExternServer> make_extern_server(const ExternArguments& arguments,
                                                       Console& console,
                                                       std::function<bool()> interrupted) {
  link::ExternOptions options;
  options.port = arguments.port;
  options.remote = arguments.remote;
  if (!arguments.listen.empty()) options.address = arguments.listen;
  const auto tell = [&console](const std::string& line) {
    console.clear_progress();
    log_note(line);
  };
  return std::make_unique<link::ExternServer>(std::move(options), tell, std::move(interrupted));
}

std::chrono::milliseconds extern_limit(const WorldArguments& arguments) {
  constexpr double kForever = 1e9;  // s: 30 years
  return std::chrono::milliseconds(
      static_cast<std::int64_t>(arguments.controller_timeout.value_or(kForever) * 1000));
}

}  // namespace protobeam
