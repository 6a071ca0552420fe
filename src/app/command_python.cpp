// python: Debian's Python with the package protobeam of this build or installation.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/log.h"
#include "sim/build_config.h"
#include "sim/paths.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

constexpr const char* kPython = "/usr/bin/python3";  // Debian's: another one has none of its numpy

/// The folder that holds the package; empty when it was not built.
fs::path package_folder() {
  const InstalledPaths& paths = installed_paths();
  std::error_code ignored;
  if (paths.source_tree) {
    const fs::path built = fs::path(kBinaryDir) / "python";
    return fs::is_directory(built / "protobeam", ignored) ? built : fs::path();
  }
  const fs::path libraries = paths.catalogue.parent_path().parent_path().parent_path() / "lib";
  for (const auto& entry : fs::directory_iterator(libraries, ignored)) {
    const fs::path packages = entry.path() / "dist-packages";
    if (fs::is_directory(packages / "protobeam", ignored)) return packages;
  }
  return {};
}

int python(const std::vector<std::string>& arguments) {
  const fs::path package = package_folder();
  if (package.empty()) {
    log_error(
        "the Python module was not built: it needs the packages pybind11-dev, python3-dev and "
        "python3-numpy");
    return kExitData;
  }
  const char* before = std::getenv("PYTHONPATH");
  const std::string path =
      before && *before ? fmt::format("{}:{}", package.string(), before) : package.string();
  setenv("PYTHONPATH", path.c_str(), 1);
  std::vector<char*> words{const_cast<char*>(kPython)};
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(kPython, words.data());
  log_error(fmt::format("cannot start {}: {}", kPython, std::strerror(errno)));
  return kExitData;
}

}  // namespace

void add_python(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand(
      "python", "Debian's Python, which finds the package protobeam: python SCRIPT ARGUMENTS...");
  command->prefix_command();
  command->callback([&chosen, command] {
    const std::vector<std::string> arguments = command->remaining();
    chosen = [arguments] { return python(arguments); };
  });
}

}  // namespace protobeam
