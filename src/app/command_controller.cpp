// controller: starts a program that drives a robot with controller "<extern>".
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "app/commands.h"
#include "app/world_options.h"
#include "link/controller_host.h"
#include "link/controller_url.h"
#include "sim/paths.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

struct ControllerArguments {
  std::string robot, host, protocol;
  int port = 0;
  double timeout = 60;
  std::vector<std::string> program;  ///< and its arguments
};

/// "" when nothing was asked for: what the environment says holds, or the only robot there is.
std::string url_of(const ControllerArguments& arguments) {
  link::ControllerUrl url;
  url.robot = arguments.robot;
  url.port = arguments.port;
  const bool tcp =
      arguments.protocol == "tcp" || (arguments.protocol.empty() && !arguments.host.empty());
  if (!tcp && !arguments.host.empty()) {
    throw std::invalid_argument("--ip-address is for --protocol tcp");
  }
  if (tcp) {
    url.protocol = link::ControllerUrl::Protocol::kTcp;
    url.host = arguments.host.empty() ? "127.0.0.1" : arguments.host;
    if (url.port == 0) url.port = link::kDefaultPort;
  }
  return link::to_string(url);
}

link::LaunchSpec find_program(const ControllerArguments& arguments) {
  const std::string& name = arguments.program.front();
  if (name.front() == '-') {
    throw std::invalid_argument("the option '" + name +
                                "' is unknown (see `protobeam controller --help`)");
  }
  const std::vector<std::string> rest(arguments.program.begin() + 1, arguments.program.end());
  if (fs::is_regular_file(name)) return link::launch_file(name, rest);
  if (name.find('/') != std::string::npos) {
    if (!fs::is_directory(name)) throw std::runtime_error("there is no program '" + name + "'");
    const fs::path folder = (fs::absolute(name) / "x").lexically_normal().parent_path();
    return link::find_controller(folder.filename().string(), rest, {folder.parent_path()},
                                 {installed_paths().controllers});
  }
  return link::find_controller(name, rest, {"controllers", "."}, {installed_paths().controllers});
}

void set(const std::string& name, const std::string& value) {
  setenv(name.c_str(), value.c_str(), 1);
}

int start(const ControllerArguments& arguments) {
  link::LaunchSpec launch = find_program(arguments);
  link::add_library_environment(launch.environment);
  for (const auto& [name, value] : launch.environment) set(name, value);
  if (const std::string url = url_of(arguments); !url.empty()) set(link::kUrlVariable, url);
  set(link::kPatienceVariable, fmt::format("{}", arguments.timeout));
  if (!launch.working_directory.empty()) fs::current_path(launch.working_directory);
  // It takes our place: signals, terminal and exit code are its own.
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_DFL);
  std::vector<char*> words;
  for (std::string& word : launch.argv) words.push_back(word.data());
  words.push_back(nullptr);
  execvp(words[0], words.data());
  throw std::system_error(errno, std::generic_category(), "cannot start '" + launch.argv[0] + "'");
}

}  // namespace

void add_controller(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<ControllerArguments>();
  CLI::App* command = app.add_subcommand(
      "controller",
      "Start a program that drives a robot with controller \"<extern>\": PROGRAM ARGS...");
  command->add_option("--robot,--robot-name", arguments->robot,
                      "Its name (default: the only one of the only simulation)");
  command
      ->add_option("--port", arguments->port,
                   "That of the simulation (default: that of the only one)")
      ->check(CLI::Range(1, 65535));
  command->add_option("--protocol", arguments->protocol, "ipc on this machine (default), or tcp")
      ->check(CLI::IsMember({"ipc", "tcp"}));
  command->add_option("--ip-address", arguments->host,
                      "The simulation's machine, for tcp (default 127.0.0.1)");
  command
      ->add_option("--timeout", arguments->timeout,
                   "Seconds to wait for the simulation (default 60)")
      ->check(seconds_argument());
  command->footer("PROGRAM is a program, a Python script, or the folder or name of a controller.");
  command->prefix_command();
  command->callback([&chosen, command, arguments] {
    arguments->program = command->remaining();
    if (!arguments->program.empty() && arguments->program.front() == "--") {
      arguments->program.erase(arguments->program.begin());
    }
    if (arguments->program.empty() || arguments->program.front().empty()) {
      throw CLI::RequiredError("PROGRAM");
    }
    chosen = [arguments] { return start(*arguments); };
  });
}

}  // namespace protobeam
