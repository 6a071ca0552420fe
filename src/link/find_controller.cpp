#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "link/controller_host.h"
#include "link/library_place.h"
#include "link/runtime_ini.h"

namespace protobeam::link {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> from_environment(const std::string& variable) {
  const char* value = std::getenv(variable.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

RuntimeIni read_runtime_ini(const fs::path& folder) {
  const fs::path path = folder / "runtime.ini";
  std::ifstream in(path, std::ios::binary);
  if (!in) return {};
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return parse_runtime_ini(text, path, from_environment);
}

/// "first:rest" without empty entries.
std::string join_paths(const std::string& first, const std::string& rest) {
  return first.empty() || rest.empty() ? first + rest : first + ":" + rest;
}

std::string value_of(const std::map<std::string, std::string>& environment,
                     const std::string& name) {
  const auto found = environment.find(name);
  return found != environment.end() ? found->second : from_environment(name).value_or("");
}

/// How to build a controller of which there is only the source, or "".
std::string build_hint(const std::string& name, const fs::path& folder) {
  for (const char* ending : {".c", ".cpp", ".cc"}) {
    const fs::path source = folder / (name + ending);
    if (!fs::is_regular_file(source)) continue;
    const bool c = ending == std::string_view(".c");
    const std::string library = controller_library_dir().string();
    return "controller '" + name +
           "' is not built; build it with: " + (c ? "cc" : "c++ -std=c++17") + " -o " +
           (folder / name).string() + " " + source.string() + " -I" +
           controller_include_dir().string() + " -L" + library + " -Wl,-rpath," + library +
           (c ? "" : " -lCppController") + " -lController -lm";
  }
  return {};
}

}  // namespace

LaunchSpec find_controller(const std::string& controller, const std::vector<std::string>& arguments,
                           const std::vector<fs::path>& controller_dirs,
                           const std::vector<fs::path>& build_dirs) {
  if (controller.empty() || controller == "." || controller == ".." ||
      controller.find('/') != std::string::npos) {
    throw std::runtime_error("'" + controller +
                             "' is no name of a controller: it is the name of a "
                             "folder in 'controllers', without '/'");
  }
  std::string tried, hint;
  const auto runs = [&](const fs::path& program) {
    tried.append("\n  ").append(program.string());
    if (!fs::is_regular_file(program)) return false;
    if (access(program.c_str(), X_OK) == 0) return true;
    hint = program.string() + " is not executable; chmod +x it";
    return false;
  };

  // The folder of the source, and the program or script in it or in a build folder.
  fs::path folder, program, script;
  const auto look_in = [&](const fs::path& source_folder) {
    folder = source_folder;
    if (runs(folder / controller)) {
      program = folder / controller;
      return true;
    }
    for (const auto& build : build_dirs) {
      if (!runs(build / controller / controller)) continue;
      program = fs::absolute(build / controller / controller);
      if (!fs::is_directory(folder)) folder = build / controller;
      return true;
    }
    tried.append("\n  ").append((folder / (controller + ".py")).string());
    if (fs::is_regular_file(folder / (controller + ".py"))) {
      script = controller + ".py";
      return true;
    }
    if (hint.empty()) hint = build_hint(controller, folder);
    return false;
  };
  bool found = false;
  // Folders that have the controller come first: a build folder's program belongs to its source.
  for (const bool existing : {true, false}) {
    for (const auto& dir : controller_dirs) {
      if (found || fs::is_directory(dir / controller) != existing) continue;
      found = look_in(dir / controller);
    }
  }
  if (!found) {
    if (!hint.empty()) throw std::runtime_error(hint);
    throw std::runtime_error("there is no controller '" + controller + "'; tried" + tried);
  }

  folder = fs::absolute(folder).lexically_normal();
  RuntimeIni ini = read_runtime_ini(folder);
  LaunchSpec launch;
  launch.working_directory = folder;
  launch.environment = std::move(ini.environment);
  if (const auto library = value_of(launch.environment, "WEBOTS_LIBRARY_PATH"); !library.empty()) {
    launch.environment["LD_LIBRARY_PATH"] =
        join_paths(library, value_of(launch.environment, "LD_LIBRARY_PATH"));
  }
  if (!program.empty()) {
    launch.argv.push_back(fs::absolute(program).lexically_normal());
  } else {
    launch.argv.push_back(ini.python_command);
    launch.argv.insert(launch.argv.end(), ini.python_options.begin(), ini.python_options.end());
    launch.argv.push_back(script);
    const fs::path library = controller_library_dir();
    launch.environment["PYTHONPATH"] =
        join_paths(library.empty() ? "" : library / "protobeam/python",
                   value_of(launch.environment, "PYTHONPATH"));
    launch.environment.emplace("PYTHONIOENCODING", "UTF-8");
    launch.environment.emplace("PYTHONUNBUFFERED", "1");  // lines when they are printed
  }
  launch.argv.insert(launch.argv.end(), arguments.begin(), arguments.end());
  return launch;
}

}  // namespace protobeam::link
