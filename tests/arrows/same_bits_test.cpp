// What gives other numbers on other machines or with another standard library stays out of the code
// that results pass through: docs/conventions.md, "Numbers".
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/pattern.h"
#include "tests/unit/support/paths.h"

namespace {
namespace fs = std::filesystem;
using protobeam::test::Pattern;

struct Ban {
  Pattern pattern;
  std::string cure;
  std::set<std::string> allowed;  ///< files, and folders with a slash at the end
};

const char* const kTranscendental =
    "(?:sincos|sinh?|cosh?|tanh?|asinh?|acosh?|atanh?|atan2|exp|exp2|exp10|expm1|log|log2|log10|"
    "log1p|"
    "pow|cbrt|hypot|erfc?|[lt]gamma)[fl]?\\s*\\(";

std::vector<Ban> bans() {
  const std::string functions = kTranscendental;
  return {
      {Pattern("(?:\\bstd::|[^:\\w.>]::)" + functions + "|(?:^|[^:\\w.>])" + functions),
       "use libm:: (base/libm.h)",
       {"src/viewer/", "src/base/libm.cpp", "src/base/libm.h", "src/base/libm_symbols.cpp",
        "src/urdf/robot.cpp"}},  // log(): messages of console_bridge
      {Pattern("AngleAxis[df]\\s*[({]|AngleAxis[df]\\s+\\w+\\s*[({]|Rotation2D[df]|[.>]slerp\\(|"
               "angularDistance|eulerAngles"),
       "Eigen asks <cmath> for angles: use base/turn.h or axis_angle of base/math.h",
       {"src/viewer/", "src/base/turn.cpp", "src/base/turn.h"}},
      {Pattern("std::\\w+_distribution\\b|std::shuffle\\b|std::sample\\b|std::random_device\\b|"
               "std::default_random_engine\\b"),
       "every standard library draws other numbers: use base/rng.h",
       {"src/sim/build/build_world.cpp"}},
      {Pattern("std::hash\\b"), "every standard library hashes in another way", {"src/viewer/"}},
      {Pattern("\\bfor\\s*\\([^;)]*:\\s*\\w*unordered"), "the order is that of a hash", {}},
      {Pattern(
          "std::(?:partial_sort|nth_element|push_heap|pop_heap|make_heap|priority_queue)\\b"),
       "what is equal comes in any order: use std::stable_sort or an order without ties",
       {"src/viewer/", "src/app/bench/", "src/app/bench_bodies.cpp", "src/app/bench_vehicles.cpp",
        "src/raycast/triangle_clusters.cpp"}},  // numbers break its ties
  };
}

/// Calls of std::sort whose order has no ties, or whose ties nobody can tell apart.
const std::set<std::string> kSortsWithoutTies = {
    "src/app/command_info.cpp",                   // names of files
    "src/app/new_command.cpp",                    // names of files
    "src/base/field_table.cpp",                   // names
    "src/geometry/mass.cpp",                      // equal points get one number; edges are counted
    "src/raycast/triangle_clusters.cpp",          // numbers
    "src/mvsim/world/lidars.cpp",                 // numbers
    "src/mvsim/world/outline.cpp",                // points, of which equal ones are dropped
    "src/mvsim/world/terrain.cpp",                // numbers
    "src/mvsim/xml_tags.cpp",                     // places in a text
    "src/physics/compound_children.cpp",          // pairs of shapes, each once
    "src/physics/world_rays.cpp",                 // body and shape, each once
    "src/render/legend.cpp",                      // numbers
    "src/sim/plugins.cpp",                        // names
    "src/wbt/resolve.cpp",                        // paths
    "plugins/devices/lidar/beam_table.cpp",       // the beam's number comes last
    "plugins/devices/lidar/signal/waveform.cpp",  // all members
};

/// Without comments and texts.
std::string without_text(const std::string& line) {
  std::string out;
  bool text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (text && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      text = !text;
    } else if (!text && line.compare(i, 2, "//") == 0) {
      break;
    } else if (!text) {
      out += line[i];
    }
  }
  return out;
}

bool allowed(const std::string& file, const std::set<std::string>& list) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& entry) {
    return entry.back() == '/' ? file.rfind(entry, 0) == 0 : file == entry;
  });
}

std::vector<std::string> wrong_lines(const std::string& file, std::istream& in) {
  static const std::vector<Ban> all = bans();
  static const Pattern sort("std::sort\\b");
  std::vector<std::string> wrong;
  int number = 0;
  bool comment = false;
  for (std::string line; std::getline(in, line);) {
    const std::string place = file + ":" + std::to_string(++number) + ": ";
    if (line.find("/*") != std::string::npos) comment = true;
    const bool skip = comment;
    if (line.find("*/") != std::string::npos) comment = false;
    if (skip) continue;
    const std::string code = without_text(line);
    for (const Ban& ban : all) {
      if (!ban.pattern.find(code).empty() && !allowed(file, ban.allowed)) {
        wrong.push_back(place + ban.cure);
      }
    }
    if (!sort.find(code).empty() && file.rfind("src/viewer/", 0) != 0 &&
        !allowed(file, kSortsWithoutTies)) {
      wrong.push_back(place +
                      "std::sort leaves ties in any order: use std::stable_sort, or say in "
                      "same_bits_test.cpp why there are none");
    }
  }
  return wrong;
}

TEST(SameBits, NothingDependsOnTheMachine) {
  const fs::path root = protobeam::source_dir();
  int seen = 0;
  for (const char* top : {"src", "plugins", "controllers"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp" && extension != ".hpp" && extension != ".c")
        continue;
      const std::string file = entry.path().lexically_relative(root).generic_string();
      if (file.find("_test.cpp") != std::string::npos) continue;
      ++seen;
      std::ifstream in(entry.path());
      for (const std::string& line : wrong_lines(file, in)) ADD_FAILURE() << line;
    }
  }
  EXPECT_GT(seen, 300);
}

TEST(SameBits, TheScanFindsWhatItLooksFor) {
  for (const char* line :
       {"double y = std::sin(x);", "y = sin(x);", "y = ::pow(x, 2);", "return std::hypotf(x, y);",
        "const Quat q(Eigen::AngleAxisd(angle, axis));", "a.slerp(0.5, b)", "std::sort(a, b);",
        "std::normal_distribution<double> noise;", "for (auto& x : unordered_names)"}) {
    std::istringstream in(line);
    EXPECT_EQ(wrong_lines("src/sim/some.cpp", in).size(), 1u) << line;
  }
  for (const char* line :
       {"double y = libm::sin(x);", "// sin(x)", "const char* text = \"sin(x)\";", "y = pb_sin(x);",
        "Eigen::AngleAxisd turn = axis_and_angle(R);", "log.info();", "spin(x);", "my.exp(3);"}) {
    std::istringstream in(line);
    EXPECT_TRUE(wrong_lines("src/sim/some.cpp", in).empty()) << line;
  }
}

}  // namespace
