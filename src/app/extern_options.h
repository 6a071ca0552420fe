// What `run` and `view` accept for programs that their users start: controller "<extern>".
#pragma once

#include <CLI/App.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "app/console.h"
#include "app/world_options.h"
#include "link/extern_server.h"

namespace protobeam {

struct ExternArguments {
  int port = link::kDefaultPort;
  bool remote = false;
  std::string listen;  ///< "": 127.0.0.1
};

/// --port, --allow-remote-controllers, --listen.
void add_extern_arguments(CLI::App& command, ExternArguments& arguments);

/// It tells what it has to say by `console`. `interrupted` ends waiting for a program.
std::unique_ptr<link::ExternServer> make_extern_server(const ExternArguments& arguments,
                                                       Console& console,
                                                       std::function<bool()> interrupted);

/// How long the simulation waits for a program and for each of its steps: as long as the user
/// needs, unless --controller-timeout is given.
std::chrono::milliseconds extern_limit(const WorldArguments& arguments);

}  // namespace protobeam
