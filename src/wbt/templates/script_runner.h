// Runs templates; only the worker process links it.
#pragma once

#include "wbt/templates/script_messages.h"
#include "wbt/templates/script_output.h"

namespace protobeam::wbt::script {

/// Settings of JavaScriptCore that count from its first use on, and a first run of each language,
/// so that everything that an engine opens when it is needed is open.
void prepare_scripts();

void prepare_javascript();
void run_javascript(const Request& request, Output& output);

struct LuaLimits {
  /// Calls, loops and the like that a template may run; 0: any number. For callers in whose process
  /// it runs: a worker process is killed instead, which also ends functions of Lua's library.
  std::uint64_t instructions = 0;
};
void run_lua(const Request& request, Output& output, const LuaLimits& limits = {});

}  // namespace protobeam::wbt::script
