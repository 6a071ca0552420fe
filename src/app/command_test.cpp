// test: runs the tests of the build that this program belongs to.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/commands.h"
#include "app/log.h"
#include "app/standard_streams.h"
#include "base/child_process.h"
#include "sim/build_config.h"
#include "sim/paths.h"

namespace protobeam {
namespace {

struct TestArguments {
  std::string label, name;
  bool json = false;
};

/// Runs ctest, hands its words to stderr, and says on stdout how it ended.
int summarised(const std::vector<std::string>& words) {
  ChildProcess ctest({.argv = words, .err = ChildProcess::Stream::kOut, .own_group = false});
  const std::unique_ptr<FILE, int (*)(FILE*)> output(fdopen(ctest.out().release(), "r"), fclose);
  int failed = 0, total = 0;
  char buffer[4096];
  while (std::fgets(buffer, sizeof buffer, output.get())) {
    write_to(stderr, buffer);
    int percent = 0, f = 0, t = 0;
    if (std::sscanf(buffer, "%d%% tests passed, %d tests failed out of %d", &percent, &f, &t) ==
        3) {
      failed = f;
      total = t;
    }
  }
  ctest.wait();
  const bool good = ctest.wait_status() == 0 && total > 0;
  print_out(
      "{}\n",
      nlohmann::json{{"passed", total - failed}, {"failed", failed}, {"total", total}}.dump());
  return good ? kExitGood : kExitData;
}

int test(const TestArguments& arguments) {
  if (!installed_paths().source_tree) {
    log_error("an installation has no tests; run ./protobeam test in a source tree");
    return kExitData;
  }
  // Two more than there are processors: many tests wait, for other programs and for time limits.
  const std::string jobs = std::to_string(2 + std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  std::vector<std::string> words = {"ctest",      "--test-dir", kBinaryDir, "--output-on-failure",
                                    "--parallel", jobs};
  if (!arguments.label.empty()) words.insert(words.end(), {"-L", arguments.label});
  if (!arguments.name.empty()) words.insert(words.end(), {"-R", arguments.name});
  try {
    if (arguments.json) return summarised(words);
    ChildProcess ctest({.argv = words,
                        .out = ChildProcess::Stream::kOurs,
                        .err = ChildProcess::Stream::kOurs,
                        .own_group = false});
    ctest.wait();
    return exit_code(ctest.wait_status());
  } catch (const std::system_error&) {
    log_error("cannot start ctest (package cmake)");
    return kExitData;
  }
}

}  // namespace

void add_test(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<TestArguments>();
  CLI::App* command = app.add_subcommand("test", "Build and run the tests");
  command->add_option("NAME", arguments->name, "Only tests whose name matches this expression");
  command->add_flag("--json", arguments->json,
                    "One JSON object on stdout; the tests' words on stderr");
  command->add_option("-L,--label", arguments->label,
                      "Only tests with this label (unit, plugins, worlds, ...)");
  command->callback([&chosen, arguments] { chosen = [arguments] { return test(*arguments); }; });
}

}  // namespace protobeam
