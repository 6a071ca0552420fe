// The commands of the program. Each adds itself to the parser and returns its exit code:
// 0 good, 1 the user's text or data is wrong, 2 usage, 3 a controller or plugin failed, 130 Ctrl-C.
#pragma once

#include <CLI/App.hpp>
#include <functional>

namespace protobeam {

inline constexpr int kExitGood = 0, kExitData = 1, kExitUsage = 2, kExitController = 3,
                     kExitInterrupted = 130;

/// What main() runs after parsing.
using Command = std::function<int()>;

void add_run(CLI::App& app, Command& chosen);
void add_view(CLI::App& app, Command& chosen);
void add_snapshot(CLI::App& app, Command& chosen);
void add_scan(CLI::App& app, Command& chosen);
void add_map(CLI::App& app, Command& chosen);
void add_check(CLI::App& app, Command& chosen);
void add_calibration(CLI::App& app, Command& chosen);
void add_fetch(CLI::App& app, Command& chosen);
void add_controller(CLI::App& app, Command& chosen);
void add_show(CLI::App& app, Command& chosen);
void add_info(CLI::App& app, Command& chosen);
void add_bench(CLI::App& app, Command& chosen);
void add_new(CLI::App& app, Command& chosen);
void add_import(CLI::App& app, Command& chosen);
void add_package(CLI::App& app, Command& chosen);
void add_python(CLI::App& app, Command& chosen);
void add_sweep(CLI::App& app, Command& chosen);
void add_test(CLI::App& app, Command& chosen);
void add_webots(CLI::App& app, Command& chosen);

}  // namespace protobeam
