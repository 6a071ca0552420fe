// test: runs the tests of the build that this program belongs to.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "app/log.h"
#include "sim/build_config.h"
#include "sim/paths.h"

namespace protobeam {
namespace {

struct TestArguments {
  std::string label, name;
  bool json = false;
};

int test(const TestArguments& arguments) {
  if (!installed_paths().source_tree) {
    log_error("an installation has no tests; run ./protobeam test in a source tree");
    return kExitData;
  }
  const std::string jobs = std::to_string(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  std::vector<std::string> words = {"ctest", "--test-dir", kBinaryDir, "--output-on-failure", "--parallel", jobs};
  if (!arguments.label.empty()) words.insert(words.end(), {"-L", arguments.label});
  if (!arguments.name.empty()) words.insert(words.end(), {"-R", arguments.name});
  std::vector<char*> raw;
  for (auto& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  execvp("ctest", raw.data());
  log_error("cannot start ctest (package cmake)");
  return kExitData;
}

}  // namespace

void add_test(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<TestArguments>();
  CLI::App* command = app.add_subcommand("test", "Build and run the tests");
  command->add_option("NAME", arguments->name, "Only tests whose name matches this expression");
  command->add_option("-L,--label", arguments->label, "Only tests with this label (unit, plugins, worlds, ...)");
  command->callback([&chosen, arguments] { chosen = [arguments] { return test(*arguments); }; });
}

}  // namespace protobeam
