// The pages of docs/nodes are what the program writes today.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "tests/support/program.h"

namespace protobeam::test {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    out[entry.path().filename().string()] = read_bytes(entry.path());
  }
  return out;
}

TEST(NodePages, AreThoseThatInfoNodesWrites) {
  const TemporaryFolder folder;
  Surroundings run;
  run.environment = {"PROTOBEAM_PLUGIN_PATH="};  // a user's own nodes have no page here
  const Outcome outcome = protobeam({"info", "nodes", "--markdown", folder.path().string()}, run);
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto written = files_of(folder.path());
  const auto kept = files_of(fs::path(PROTOBEAM_SOURCE_DIR) / "docs/nodes");
  const std::string cure = "; run ./protobeam info nodes --markdown docs/nodes";
  EXPECT_GT(written.size(), 40u);
  for (const auto& [name, text] : written) {
    const auto page = kept.find(name);
    if (page == kept.end()) {
      ADD_FAILURE() << "docs/nodes/" << name << " is missing" << cure;
    } else {
      EXPECT_EQ(page->second, text) << "docs/nodes/" << name << " is out of date" << cure;
    }
  }
  for (const auto& [name, text] : kept) {
    EXPECT_TRUE(written.count(name)) << "docs/nodes/" << name << " is about no node; remove it";
  }
}

}  // namespace
}  // namespace protobeam::test
