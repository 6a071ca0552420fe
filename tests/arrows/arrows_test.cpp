// The include graph against the table of allowed arrows in docs/architecture.md.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/support/paths.h"

namespace {
namespace fs = std::filesystem;

using Arrows = std::map<std::string, std::set<std::string>>;

/// The table of docs/architecture.md: each room with the rooms that it knows.
Arrows read_table(const fs::path& file) {
  const std::regex row(R"re(^\| \[`(?:src/)?([a-z]+)/?`\]\([^)]*\) \|.*\|([^|]*)\|$)re");
  Arrows arrows;
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    std::istringstream words(match[2]);
    auto& known = arrows[match[1]];
    for (std::string word; words >> word;) known.insert(word);
  }
  return arrows;
}

// Libraries that only one room may see.
const std::map<std::string, std::string> kHome = {
    {"btBulletDynamicsCommon.h", "physics"}, {"BulletCollision/", "physics"}, {"BulletDynamics/", "physics"},
    {"LinearMath/", "physics"},              {"embree3/", "raycast"},          {"assimp/", "geometry"},
    {"JavaScriptCore/", "wbt"},            {"osg", "viewer"},             {"EGL/", "viewer"},
    {"pugixml", "mvsim"},                    {"muParser", "mvsim"},
    {"yaml-cpp/", "geometry"}};

std::string room_of(const fs::path& file, const fs::path& root) {
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
      const bool ours = extension == ".h" || extension == ".cpp" || extension == ".hpp" || extension == ".c";
      const bool skeleton = entry.path().string().find("/skeletons/") != std::string::npos;
      if (ours && !skeleton) files.push_back(entry.path());
    }
  }
  return files;
}

TEST(ArchitectureTable, NamesOnlyRoomsThatExist) {
  const fs::path root = protobeam::source_dir();
  const Arrows allowed = read_table(root / "docs/architecture.md");
  EXPECT_GT(allowed.size(), 10u);
  for (const auto& [room, known] : allowed) {
    EXPECT_TRUE(fs::is_directory(root / "src" / room) || fs::is_directory(root / room)) << room;
    for (const auto& other : known) EXPECT_TRUE(allowed.count(other)) << room << " -> " << other;
  }
}

TEST(IncludeGraph, HasOnlyAllowedArrows) {
  const fs::path root = protobeam::source_dir();
  const Arrows allowed = read_table(root / "docs/architecture.md");
  const std::regex include(R"re(^\s*#\s*include\s*["<]([^">]+)[">])re");
  std::vector<std::string> wrong;
  int seen = 0;
  for (const auto& file : sources(root)) {
    const std::string room = room_of(file, root);
    ASSERT_TRUE(allowed.count(room)) << "docs/architecture.md does not know the folder of " << file;
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      ++seen;
      const std::string target = match[1];
      const std::string to = target.substr(0, target.find('/'));
      const std::string arrow = file.lexically_relative(root).string() + " -> " + target;
      const bool header_of_room = allowed.count(to) && target.find('/') != std::string::npos &&
                                  fs::exists(root / "src" / target);
      if (header_of_room && to != room && !allowed.at(room).count(to)) wrong.push_back(arrow);
      if (room == "plugins" && target.rfind("plugins/", 0) == 0) wrong.push_back(arrow);
      for (const auto& [library, home] : kHome) {
        if (target.rfind(library, 0) == 0 && room != home) wrong.push_back(arrow);
      }
    }
  }
  EXPECT_GT(seen, 100);
  for (const auto& arrow : wrong) ADD_FAILURE() << arrow;
}

}  // namespace
