// The include graph against the table of allowed arrows in docs/architecture.md.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/pattern.h"
#include "tests/unit/support/paths.h"

namespace {
namespace fs = std::filesystem;
using protobeam::test::Pattern;

using Arrows = std::map<std::string, std::set<std::string>>;

/// The table of docs/architecture.md: each module with the modules that it may include.
Arrows read_table(const fs::path& file) {
  const Pattern row(R"re(^\| \[`(?:src/)?([a-z]+)/?`\]\([^)]*\) \|.*\|([^|]*)\|$)re");
  Arrows arrows;
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    const auto match = row.match(line);
    if (match.empty()) continue;
    std::istringstream words(match[2]);
    auto& known = arrows[match[1]];
    for (std::string word; words >> word;) known.insert(word);
  }
  return arrows;
}

// Libraries that only one module may include.
const std::map<std::string, std::string> kHome = {{"btBulletDynamicsCommon.h", "physics"},
                                                  {"BulletCollision/", "physics"},
                                                  {"BulletDynamics/", "physics"},
                                                  {"LinearMath/", "physics"},
                                                  {"embree3/", "raycast"},
                                                  {"assimp/", "geometry"},
                                                  {"JavaScriptCore/", "wbt"},
                                                  {"lua.hpp", "wbt"},
                                                  {"osg", "viewer"},
                                                  {"EGL/", "viewer"},
                                                  {"curl/", "fetch"},
                                                  {"pugixml", "xml"},
                                                  {"muParser", "mvsim"},
                                                  {"urdf_parser/", "urdf"},
                                                  {"urdf_model/", "urdf"},
                                                  {"console_bridge/", "urdf"},
                                                  {"sdf/Root.hh", "sdf"},
                                                  {"ignition/", "sdf"},
                                                  {"yaml-cpp/", "geometry"},
                                                  {"seccomp.h", "worker"},
                                                  {"pybind11/", "python"},
                                                  {"sqlite3.h", "sweep"},
                                                  {"dds/", "plugins"},
                                                  {"fastdds/", "plugins"},
                                                  {"fastcdr/", "plugins"}};

// Files that may include another module's library; the table names them, too.
const std::map<std::string, std::string> kExceptions = {
    {"src/app/bench/bare_bullet.cpp", "btBulletDynamicsCommon.h"},
    {"src/app/bench/bare_trace.cpp", "embree3/"},
    {"src/app/calibration_file.cpp", "yaml-cpp/"},
    {"src/publish/settings_file.cpp", "yaml-cpp/"},
    {"src/sweep/yaml_reader.h", "yaml-cpp/"},
    {"src/urdf/controllers.cpp", "yaml-cpp/"},
    {"plugins/devices/cone_detector/settings.cpp", "yaml-cpp/"}};

std::string module_of(const fs::path& file, const fs::path& root) {
  const fs::path relative = file.lexically_relative(root);
  auto part = relative.begin();
  if (*part == "src") ++part;
  return part->string();
}

std::vector<fs::path> sources(const fs::path& root) {
  std::vector<fs::path> files;
  for (const char* top : {"src", "plugins"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const auto extension = entry.path().extension();
      const bool ours =
          extension == ".h" || extension == ".cpp" || extension == ".hpp" || extension == ".c";
      const bool skeleton = entry.path().string().find("/skeletons/") != std::string::npos;
      if (ours && !skeleton) files.push_back(entry.path());
    }
  }
  return files;
}

TEST(ArchitectureTable, NamesOnlyModulesThatExist) {
  const fs::path root = protobeam::source_dir();
  const Arrows allowed = read_table(root / "docs/architecture.md");
  EXPECT_GT(allowed.size(), 10u);
  for (const auto& [module, known] : allowed) {
    EXPECT_TRUE(fs::is_directory(root / "src" / module) || fs::is_directory(root / module))
        << module;
    for (const auto& other : known) EXPECT_TRUE(allowed.count(other)) << module << " -> " << other;
  }
}

TEST(ArchitectureTable, NamesTheExceptions) {
  const fs::path root = protobeam::source_dir();
  std::ifstream in(root / "docs/architecture.md");
  std::stringstream text;
  text << in.rdbuf();
  for (const auto& [file, library] : kExceptions) {
    EXPECT_TRUE(fs::exists(root / file)) << file;
    EXPECT_NE(text.str().find('`' + file + '`'), std::string::npos) << file;
  }
}

TEST(IncludeGraph, HasOnlyAllowedArrows) {
  const fs::path root = protobeam::source_dir();
  const Arrows allowed = read_table(root / "docs/architecture.md");
  const Pattern include(R"re(^\s*#\s*include\s*["<]([^">]+)[">])re");
  std::vector<std::string> wrong;
  int seen = 0;
  for (const auto& file : sources(root)) {
    const std::string module = module_of(file, root);
    ASSERT_TRUE(allowed.count(module))
        << "docs/architecture.md does not know the folder of " << file;
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
      const auto match = include.find(line);
      if (match.empty()) continue;
      ++seen;
      const std::string target = match[1];
      const std::string to = target.substr(0, target.find('/'));
      const std::string arrow = file.lexically_relative(root).string() + " -> " + target;
      const bool header_of_module = allowed.count(to) && target.find('/') != std::string::npos &&
                                    fs::exists(root / "src" / target);
      // The part of a device type that goes into the controller libraries knows nothing of the
      // simulator.
      const std::string name = file.filename().string();
      const bool api =
          module == "plugins" && (name.ends_with("_api.cpp") || name.ends_with("_access.h"));
      const bool known =
          api ? to == "controller" || to == "base" : allowed.at(module).count(to) > 0;
      if (header_of_module && to != module && !known) wrong.push_back(arrow);
      if (module == "plugins" && target.rfind("plugins/", 0) == 0) wrong.push_back(arrow);
      for (const auto& [library, home] : kHome) {
        const auto exception = kExceptions.find(file.lexically_relative(root).string());
        const bool allowed_here = exception != kExceptions.end() && exception->second == library;
        if (target.rfind(library, 0) == 0 && module != home && !allowed_here)
          wrong.push_back(arrow);
      }
    }
  }
  EXPECT_GT(seen, 100);
  for (const auto& arrow : wrong) ADD_FAILURE() << arrow;
}

/// Node types of the folders of device types.
std::vector<std::string> device_types(const fs::path& root) {
  const Pattern plugin(R"re(protobeam_plugin\((\w+))re");
  std::vector<std::string> names;
  for (const auto& folder : fs::directory_iterator(root / "plugins/devices")) {
    std::ifstream in(folder.path() / "CMakeLists.txt");
    std::string line;
    while (std::getline(in, line)) {
      const auto match = plugin.find(line);
      if (!match.empty()) names.push_back(match[1]);
    }
  }
  return names;
}

// What a device type is stands in its folder: the libraries between plugin and controller follow
// its declaration, whatever its name is.
TEST(DeviceTypes, AreNamedNowhereInTheLibrariesThatServeThem) {
  const fs::path root = protobeam::source_dir();
  const auto types = device_types(root);
  const Pattern comment(R"re(//[^\n]*|/\*[^*]*\*+([^/*][^*]*\*+)*/)re");
  EXPECT_GT(types.size(), 10u);
  for (const char* module : {"base", "device", "link", "sim", "controller"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / "src" / module)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      std::ifstream in(entry.path());
      std::stringstream all;
      all << in.rdbuf();
      const std::string text = comment.replace(all.str(), "");
      for (const std::string& type : types) {
        EXPECT_EQ(text.find('"' + type + '"'), std::string::npos)
            << entry.path() << " names " << type;
      }
      EXPECT_EQ(text.find("DeviceKind"), std::string::npos) << entry.path();
    }
  }
}

}  // namespace
