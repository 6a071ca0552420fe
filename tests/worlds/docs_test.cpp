// The pages of docs/nodes are what the program writes today; that of the lidars has them all.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/pattern.h"
#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

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

/// Each word of the lines, without times, which are the machine's.
std::string without_times(const std::string& text) {
  static const Pattern times(R"((\d+\.\d{3})(?=\n|$)|simulated in \S+ s: \S+x|wrote .*)");
  return Pattern(" +").replace(times.replace(text, ""), " ");
}

TEST(Readme, ShowsWhatTheYardPrints) {
  const std::string page = read_bytes(fs::path(source_dir()) / "README.md");
  const std::size_t begin = page.find("[rover] rover: ");
  ASSERT_NE(begin, std::string::npos);
  const std::string shown = page.substr(begin, page.find("wrote cloud.pcd", begin) - begin);
  const Outcome outcome = protobeam({"run", "worlds/yard.wbt"});
  EXPECT_EQ(without_times(outcome.out), without_times(shown));
}

TEST(NodePages, AreThoseThatInfoNodesWrites) {
  const TemporaryFolder folder;
  Surroundings run;
  run.environment = {"PROTOBEAM_PLUGIN_PATH="};  // a user's own nodes have no page here
  const Outcome outcome = protobeam({"info", "nodes", "--markdown", folder.path().string()}, run);
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto written = files_of(folder.path());
  const auto kept = files_of(fs::path(source_dir()) / "docs/nodes");
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

TEST(InfoNodes, ShowsProtosAsTheyAreWritten) {
  const Outcome page = protobeam({"info", "nodes", "VelodyneVLP-16"});
  EXPECT_EQ(page.exit, 0) << page.err;
  EXPECT_NE(page.out.find("protos/lidars/VelodyneVLP-16.proto"), std::string::npos);
  EXPECT_NE(page.out.find("16 layers, 3600 points a layer"), std::string::npos);
  EXPECT_NE(page.out.find("SFFloat"), std::string::npos);
  const Outcome json = protobeam({"info", "nodes", "VelodyneVLP-16", "--json"});
  const auto rows = nlohmann::json::parse(json.out);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["fields"][0]["name"], "translation");
  EXPECT_EQ(rows[0]["fields"][0]["type"], "SFVec3f");
  const Outcome typo = protobeam({"info", "nodes", "Jackl"});
  EXPECT_EQ(typo.exit, 1);
  EXPECT_EQ(typo.err,
            "protobeam: error: there is no node type and no PROTO 'Jackl'; did you mean 'Jackal'?\n");
}

TEST(LidarPage, HasEachProductWithItsFiguresAndAPicture) {
  const fs::path docs = fs::path(source_dir()) / "docs";
  const std::string page = read_bytes(docs / "lidars.md");
  const auto devices = nlohmann::json::parse(protobeam({"info", "devices", "--json"}).out);
  EXPECT_GT(devices.size(), 20u);
  for (const auto& device : devices) {
    const std::string name = device["name"];
    const std::string row = "| [" + name + "](../protos/lidars/" + name + ".proto) | " +
                            std::to_string(device["layers"].get<int>()) + " | " +
                            std::to_string(device["points_per_layer"].get<int>()) + " |";
    EXPECT_NE(page.find(row), std::string::npos) << "docs/lidars.md has no row " << row;
    EXPECT_NE(page.find("(pictures/lidars/" + name + ".png)"), std::string::npos) << name;
    EXPECT_TRUE(fs::exists(docs / "pictures/lidars" / (name + ".png")))
        << "run docs/make_lidar_pictures.sh " << name;
  }
}

}  // namespace
}  // namespace protobeam::test
