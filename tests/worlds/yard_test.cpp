// The README's first command, and what it promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const json* device(const json& out, const std::string& name) {
  for (const auto& row : out["devices"]) {
    if (row["device"] == name || row["proto"] == name) return &row;
  }
  return nullptr;
}

json run_yard(std::vector<std::string> more, const std::string& duration) {
  std::vector<std::string> words = {"run", "worlds/yard.wbt", "--duration", duration, "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome outcome = protobeam(words);
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  return outcome.exit == 0 ? json::parse(outcome.out) : json{};
}

TEST(Yard, TheRoverDrivesByItsLidarsAndTouchesNothing) {
  const json out = run_yard({}, "10");
  ASSERT_FALSE(out.empty());
  EXPECT_NEAR(out["sim_time_s"].get<double>(), 10, 0.05);
  // Its controller exits with an error when it touched a wall or came less than 5 m far.
  for (const auto& controller : out["controllers"])
    EXPECT_EQ(controller["exit"], 0) << controller.dump();
  const json* vlp = device(out, "VelodyneVLP-16");
  const json* lms = device(out, "SickLms291");
  ASSERT_NE(vlp, nullptr);
  ASSERT_NE(lms, nullptr);
  for (const json* lidar : {vlp, lms}) {
    EXPECT_GE((*lidar)["frames"].get<int>(), 40) << lidar->dump();
    EXPECT_GT((*lidar)["points"].get<double>() / (*lidar)["frames"].get<double>(), 100)
        << lidar->dump();
  }
}

TEST(Yard, TheStateHashDependsOnTheSeedAndOnNothingElse) {
  const std::string first = run_yard({}, "2")["state_hash"];
  EXPECT_EQ(first, run_yard({}, "2")["state_hash"]);
  for (const char* threads : {"1", "2", "4"}) {
    EXPECT_EQ(first, run_yard({"--threads", threads}, "2")["state_hash"]) << threads;
  }
  EXPECT_NE(first, run_yard({"--seed", "77"}, "2")["state_hash"]);
}

TEST(Yard, OutFolderHoldsCloudAndPictures) {
  const TemporaryFolder folder;
  const auto out = folder.path() / "out";
  const Outcome outcome =
      protobeam({"run", "worlds/yard.wbt", "--duration", "1", "--out", out.string()});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(read_bytes(out / "cloud.pcd"), HasSubstr("FIELDS x y z"));
  for (const char* picture : {"ranges.png", "scene.png"}) {
    EXPECT_EQ(read_bytes(out / picture).substr(1, 3), "PNG") << picture;
  }
}

TEST(Yard, OutFolderHoldsNoPicturesThatNobodyWants) {
  const TemporaryFolder folder;
  const std::string out = folder.path().string();
  const Outcome outcome =
      protobeam({"run", "worlds/yard.wbt", "--duration", "0.2", "--out", out, "--no-pictures"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::HasSubstr("wrote cloud.pcd in " + out));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_THAT(entry.path().filename().string(), testing::AnyOf("cloud.pcd", "cloud.pcd.json"));
    ++files;
  }
  EXPECT_EQ(files, 2);
}

TEST(Run, AFullDiskIsToldAndLeavesNoHalfFile) {
  const TemporaryFolder folder;
  Surroundings run;
  run.file_size_limit = 20000;
  const auto out = folder.path() / "out";
  const Outcome outcome =
      protobeam({"run", "worlds/yard.wbt", "--duration", "1", "--out", out.string()}, run);
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write"));
  for (const auto& entry : std::filesystem::directory_iterator(out)) {
    EXPECT_GT(entry.file_size(), 0u);
    EXPECT_LT(entry.file_size(), 20000u) << entry.path();
    EXPECT_THAT(entry.path().extension().string(), testing::AnyOf(".pcd", ".json", ".png"));
  }
}

TEST(Run, APluginThatCannotBeUsedIsNamedWithItsReason) {
  const TemporaryFolder folder;
  folder.write("Lidar.so",
               "no shared object at all, only text that is long enough to look like a file");
  Surroundings run;
  run.environment = {"PROTOBEAM_PLUGIN_PATH=" + folder.path().string()};
  Outcome outcome = protobeam({"run", "worlds/yard.wbt", "--duration", "1"}, run);
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err, HasSubstr(folder.path().string() + "/Lidar.so cannot be loaded"));
  EXPECT_THAT(outcome.err, testing::Not(HasSubstr("unknown node")));
  // A plugin under another's name.
  std::filesystem::copy(build_dir() + "/lib/protobeam/plugins/GPS.so", folder.path() / "Lidar.so",
                        std::filesystem::copy_options::overwrite_existing);
  outcome = protobeam({"run", "worlds/yard.wbt", "--duration", "1"}, run);
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err, HasSubstr("holds the node type 'GPS'"));
}

TEST(Run, AWorldInTheCurrentFolderNeedsNoPath) {
  const TemporaryFolder folder;
  folder.write("here.wbt", "#VRML_SIM R2025a utf8\nWorldInfo { }\nRobot { }\n");
  Surroundings run;
  run.directory = folder.path();
  const Outcome outcome = protobeam({"run", "here.wbt", "--duration", "0.1"}, run);
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
}

TEST(Run, AWorldThatIsNotThereIsExitOneAndAWrongOptionIsExitTwo) {
  Outcome outcome = protobeam({"run", "worlds/nowhere.wbt"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("worlds/nowhere.wbt"));
  EXPECT_EQ(protobeam({"run", "worlds/yard.wbt", "--durtion", "1"}).exit, 2);
  EXPECT_EQ(protobeam({"run", "worlds/yard.wbt", "--duration", "-1"}).exit, 2);
  EXPECT_EQ(protobeam({}).exit, 2);
}

}  // namespace
}  // namespace protobeam::test
