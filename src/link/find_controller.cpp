#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "base/text.h"
#include "link/controller_host.h"
#include "link/environment.h"
#include "link/interpreters.h"
#include "link/library_place.h"
#include "link/runtime_ini.h"

namespace protobeam::link {
namespace {

namespace fs = std::filesystem;

RuntimeIni read_runtime_ini(const fs::path& folder) {
  const fs::path path = folder / "runtime.ini";
  std::ifstream in(path, std::ios::binary);
  if (!in) return {};
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return parse_runtime_ini(text, path, from_environment);
}

/// The folder that is like the one of Webots.
fs::path webots_home() { return controller_library_dir() / "protobeam/webots"; }

/// Whether its Makefile is one for Webots.
bool has_rules_of_webots(const fs::path& folder) {
  std::ifstream in(folder / "Makefile", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return text.find("/resources/Makefile.include") != std::string::npos;
}

/// Both names of our folder: many Makefiles make the second one out of the first by a rule that
/// make 4.3 and later read in another way.
std::string make_command(const fs::path& folder) {
  std::string escaped = webots_home().string();
  for (std::size_t at = 0; (at = escaped.find(' ', at)) != std::string::npos; at += 2)
    escaped.insert(at, "\\");
  return "make -C " + shell_word(folder.string()) +
         " WEBOTS_HOME=" + shell_word(webots_home().string()) +
         " WEBOTS_HOME_PATH=" + shell_word(escaped);
}

/// How to build a controller of which there is only the source, or "".
std::string build_hint(const std::string& name, const fs::path& folder) {
  const std::string not_built = "controller '" + name + "' is not built; build it with: ";
  if (has_rules_of_webots(folder)) return not_built + make_command(folder);
  for (const char* ending : {".c", ".cpp", ".cc"}) {
    const fs::path source = folder / (name + ending);
    if (!fs::is_regular_file(source)) continue;
    const bool c = ending == std::string_view(".c");
    const std::string library = shell_word(controller_library_dir().string());
    return not_built + (c ? "cc" : "c++ -std=c++17") + " -o " +
           shell_word((folder / name).string()) + " " + shell_word(source.string()) + " -I" +
           shell_word(controller_include_dir().string()) + " -L" + library + " -Wl,-rpath," +
           library + (c ? "" : " -lCppController") + " -lController -lm";
  }
  if (fs::is_regular_file(folder / (name + ".java"))) {
    return not_built + java_build_command(folder);
  }
  return {};
}

/// "macOS", "Windows" or "another kind of processor" for a program that this machine cannot run,
/// else nothing: a shell would take it for a script.
std::string foreign_home(const fs::path& program) {
  std::ifstream in(program, std::ios::binary);
  std::array<unsigned char, 20> head{};
  in.read(reinterpret_cast<char*>(head.data()), head.size());
  const auto begins = [&](std::initializer_list<unsigned char> bytes) {
    return std::equal(bytes.begin(), bytes.end(), head.begin());
  };
  // Mach-O of 32 and 64 bits, and for several processors.
  if (begins({0xce, 0xfa, 0xed, 0xfe}) || begins({0xcf, 0xfa, 0xed, 0xfe}) ||
      begins({0xca, 0xfe, 0xba, 0xbe})) {
    return "macOS";
  }
  if (begins({'M', 'Z'})) return "Windows";
  constexpr unsigned char kX86Of64Bits = 62;  // EM_X86_64, elf.h
  if (begins({0x7f, 'E', 'L', 'F'}) && head[18] != kX86Of64Bits) return "another kind of processor";
  return {};
}

/// The command of a program, or of a file that something else runs, relative to the folder or
/// absolute.
LaunchSpec launch_spec(const fs::path& folder, const fs::path& program,
                       const std::vector<std::string>& arguments) {
  const RuntimeIni ini = read_runtime_ini(folder);
  LaunchSpec launch;
  launch.environment = ini.environment;
  if (const auto library = value_of(launch.environment, "WEBOTS_LIBRARY_PATH"); !library.empty()) {
    launch.environment["LD_LIBRARY_PATH"] =
        join_paths(library, value_of(launch.environment, "LD_LIBRARY_PATH"));
  }
  if (is_interpreted(program)) {
    interpret(folder, program, ini, launch);
  } else {
    launch.argv = {program};
  }
  launch.argv.insert(launch.argv.end(), arguments.begin(), arguments.end());
  return launch;
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
    if (const std::string home = foreign_home(program); !home.empty()) {
      hint = program.string() + " is a program for " + home + "; build it on this machine";
      return false;
    }
    if (access(program.c_str(), X_OK) == 0) return true;
    hint = program.string() + " is not executable; chmod +x it";
    return false;
  };

  // The folder of the source, and the program in it or in a build folder.
  fs::path folder, program;
  const auto look_in = [&](const fs::path& source_folder) {
    folder = source_folder;
    if (runs(folder / controller)) {
      program = folder / controller;
      return true;
    }
    for (const char* ending : kInterpreted) {
      const fs::path script = folder / (controller + ending);
      tried.append("\n  ").append(script.string());
      if (!fs::is_regular_file(script)) continue;
      program = script.filename();
      return true;
    }
    // Not before the scripts: a program of ours may have the name of someone's own controller.
    for (const auto& build : build_dirs) {
      if (!runs(build / controller / controller)) continue;
      program = fs::absolute(build / controller / controller);
      if (!fs::is_directory(folder)) folder = build / controller;
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
  LaunchSpec launch = launch_spec(
      folder, is_interpreted(program) ? program : fs::absolute(program).lexically_normal(),
      arguments);
  launch.working_directory = folder;
  return launch;
}

LaunchSpec launch_file(const fs::path& file, const std::vector<std::string>& arguments) {
  const fs::path path = fs::absolute(file).lexically_normal();
  if (is_interpreted(path) || access(path.c_str(), X_OK) == 0)
    return launch_spec(path.parent_path(), path, arguments);
  throw std::runtime_error("'" + file.string() + "' is not executable; chmod +x it");
}

void add_library_environment(std::map<std::string, std::string>& environment) {
  const fs::path library = controller_library_dir();
  if (library.empty()) return;
  environment["WEBOTS_HOME"] = webots_home().string();
  environment["LD_LIBRARY_PATH"] = join_paths(value_of(environment, "LD_LIBRARY_PATH"), library);
}

}  // namespace protobeam::link
