// Each class of a device or of a vehicle's controller says what it keeps (base/state_archive.h); one that
// does not keeps its worlds from being saved.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "tests/support/pattern.h"
#include "tests/unit/support/paths.h"

namespace {
namespace fs = std::filesystem;

// The picture on it, and the images that its program has made.
const std::set<std::string> kCannotBeSaved = {"Display"};

TEST(States, AreNamedByEachDeviceAndController) {
  const protobeam::test::Pattern head("class (\\w+) (?:final )?: public (?:DeviceModel|BeamSensor|DriveController)\\b([^{]*)");
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(protobeam::source_dir()) / "plugins")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (const auto& found : head.find_all(text)) {
      ++seen;
      const std::string &name = found.groups[1], &bases = found.groups[2];
      const bool says = bases.find("KeepsState") != std::string::npos ||
                        bases.find("Stateless") != std::string::npos;
      EXPECT_EQ(says, kCannotBeSaved.count(name) == 0) << entry.path() << ": " << name;
    }
  }
  EXPECT_GT(seen, 35);
}

}  // namespace
