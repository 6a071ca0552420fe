#include "link/interpreters.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/text.h"
#include "link/environment.h"
#include "link/library_place.h"

namespace protobeam::link {
namespace {

namespace fs = std::filesystem;

/// Whether there is such a program: in a folder of `path` ("a:b"), or where its '/' says.
bool is_program(const std::string& command, const std::string& path) {
  const auto runs = [](const fs::path& file) {
    return fs::is_regular_file(file) && access(file.c_str(), X_OK) == 0;
  };
  if (command.find('/') != std::string::npos) return runs(command);
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (runs(fs::path(folder) / command)) return true;
  }
  return false;
}

/// The command of a script's first line, "#!/usr/bin/env python3 -u"; nothing when it names no
/// Python that is there. ("python" is not, on Debian, but many scripts begin with it.)
std::vector<std::string> first_line_command(const fs::path& script, const std::string& path) {
  std::ifstream in(script, std::ios::binary);
  std::string line;
  std::getline(in, line);
  if (line.compare(0, 2, "#!") != 0 || line.find("python") == std::string::npos) return {};
  std::istringstream text(line.substr(2));
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  if (fs::path(words[0]).filename() == "env") {
    words.erase(words.begin());
    while (!words.empty() && words[0].front() == '-') words.erase(words.begin());  // -S
  }
  if (words.empty() || !is_program(words[0], path)) return {};
  return words;
}

/// The words that the command begins with: what runtime.ini says in [`section`], else `usual`.
/// Throws std::runtime_error when that is no program, with what `file` `needs` and the `package`
/// that has it.
std::vector<std::string> command_of(const RuntimeIni::Interpreter& ini, const std::string& section,
                                    std::vector<std::string> usual, const fs::path& file,
                                    const std::string& path, const std::string& needs,
                                    const std::string& package) {
  std::vector<std::string> words =
      ini.command.empty() ? std::move(usual) : std::vector{ini.command};
  words.insert(words.end(), ini.options.begin(), ini.options.end());
  if (is_program(words[0], path)) return words;
  const std::string ini_file = (file.parent_path() / "runtime.ini").string();
  if (ini.command.empty()) {
    throw std::runtime_error(file.string() + " needs " + needs + ", and there is no '" + words[0] +
                             "' in PATH; apt-get install " + package +
                             ", or name one by COMMAND in [" + section + "] of " + ini_file);
  }
  throw std::runtime_error(ini_file + ": COMMAND of [" + section + "] is '" + words[0] +
                           "', which is no program; install it or name another");
}

void interpret_python(const fs::path& folder, const fs::path& script, const RuntimeIni& ini,
                      LaunchSpec& launch) {
  const std::string path = value_of(launch.environment, "PATH");
  std::vector<std::string> usual = first_line_command(folder / script, path);
  if (usual.empty()) usual = {"python3"};
  launch.argv = command_of(ini.python, "python", std::move(usual), folder / script, path, "Python",
                           "python3");
  launch.argv.push_back(script);
  const fs::path library = controller_library_dir();
  launch.environment["PYTHONPATH"] = join_paths(library.empty() ? "" : library / "protobeam/python",
                                                value_of(launch.environment, "PYTHONPATH"));
  launch.environment.emplace("PYTHONIOENCODING", "UTF-8");
  launch.environment.emplace("PYTHONUNBUFFERED", "1");    // lines when they are printed
  launch.environment.emplace("PYTHONFAULTHANDLER", "1");  // the line that a crash is in
}

/// The class is called like the file, as in Webots, and stands in the archive or in the folder.
void interpret_java(const fs::path& folder, const fs::path& file, const RuntimeIni& ini,
                    LaunchSpec& launch) {
  const fs::path library = java_library(), place = folder / file;
  if (!fs::exists(library)) {
    throw std::runtime_error(
        place.string() +
        " is in Java, for which this build has no library: apt-get install swig "
        "default-jdk-headless, and build again");
  }
  launch.argv = command_of(ini.java, "java", {"java"}, place, value_of(launch.environment, "PATH"),
                           "Java", "default-jre-headless");
  const fs::path classes = file.extension() == ".jar" ? place : place.parent_path();
  launch.argv.insert(launch.argv.end(), {"-classpath",
                                         join_paths(library.string() + ":" + classes.string(),
                                                    value_of(launch.environment, "CLASSPATH")),
                                         "-Djava.library.path=" + library.parent_path().string(),
                                         file.stem().string()});
}

}  // namespace

bool is_interpreted(const fs::path& file) {
  return std::ranges::any_of(kInterpreted,
                             [&](const char* ending) { return file.extension() == ending; });
}

void interpret(const fs::path& folder, const fs::path& file, const RuntimeIni& ini,
               LaunchSpec& launch) {
  if (file.extension() == ".py") {
    interpret_python(folder, file, ini, launch);
  } else {
    interpret_java(folder, file, ini, launch);
  }
}

fs::path java_library() { return controller_library_dir() / "protobeam/java/Controller.jar"; }

std::string java_build_command(const fs::path& folder) {
  return "javac -cp " + shell_word(java_library().string()) + " " + shell_word(folder.string()) +
         "/*.java";
}

}  // namespace protobeam::link
