// `run --record`, `--publish` and `--outputs` as a user has them.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace protobeam::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

Outcome yard(std::vector<std::string> more, const Surroundings& run = {}) {
  std::vector<std::string> words{"run", "worlds/yard.wbt", "--duration", "1", "--json"};
  words.insert(words.end(), more.begin(), more.end());
  return protobeam(words, run);
}

/// A world with a robot that has a GPS, and something at its top level.
fs::path small_world(const TemporaryFolder& folder, const std::string& more) {
  return folder.write("small.wbt", "#VRML_SIM R2025a utf8\nWorldInfo { }\nRobot { controller \"<none>\" "
                                   "children [ GPS { samplingPeriod 32 } ] }\n" + more);
}

TEST(Outputs, ChangeNothingInTheRunTheyRecord) {
  const TemporaryFolder folder;
  const json plain = json::parse(yard({}).out);
  const Outcome outcome =
      yard({"--record", (folder / "a.mcap").string(), "--record", (folder / "a.bag").string()});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const json recorded = json::parse(outcome.out);
  EXPECT_EQ(recorded["state_hash"], plain["state_hash"]);
  EXPECT_FALSE(plain.contains("outputs"));
  ASSERT_EQ(recorded["outputs"].size(), 2u);
  for (const json& output : recorded["outputs"]) {
    EXPECT_GT(output["messages"], 500);
    EXPECT_EQ(output["lost"], 0);
    EXPECT_THAT(output["text"], StartsWith("wrote " + folder.path().string()));
  }
  EXPECT_THAT(read_bytes(folder / "a.mcap"), AllOf(StartsWith("\x89MCAP0\r\n"), EndsWith("\x89MCAP0\r\n")));
  EXPECT_THAT(read_bytes(folder / "a.bag"), StartsWith("#ROSBAG V2.0\n"));
}

// A head that fires at a fixed rate has half as many columns at twice the speed.
TEST(Outputs, HaveOrganisedSweepsWhateverTheFrequency) {
  const TemporaryFolder folder;
  folder.write("controllers/p/p.py", R"(from controller import Robot
robot = Robot()
lidar = robot.getDevice("lidar")
lidar.enable(8)
while robot.step(8) != -1:
    if robot.getTime() > 0.45:
        lidar.setFrequency(10)
)");
  const auto world = folder.write("worlds/w.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 8 }
Solid { children [ Shape { geometry Box { size 9 9 9 } } ] }
Robot { name "a" controller "p" children [ Lidar { maxRange 50 scanLaw "spinning"
  beamElevations_deg [ -1 1 ] firingPeriod 0.001 defaultFrequency 5 minFrequency 5 } ] })");
  const Outcome outcome =
      protobeam({"run", world.string(), "--duration", "1.1", "--out", (folder / "out").string(),
                 "--sweeps", "--sweep-format", "pcd", "--point-format", "ouster"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const fs::path sweeps = folder / "out/a_lidar/velodyne";
  EXPECT_THAT(read_bytes(sweeps / "000000.pcd"), HasSubstr("\nWIDTH 200\nHEIGHT 2\n"));
  EXPECT_THAT(read_bytes(sweeps / "000005.pcd"), HasSubstr("\nWIDTH 100\nHEIGHT 2\n"));
}

TEST(Outputs, AreAsAFileOfSettingsSays) {
  const TemporaryFolder folder;
  const auto settings = folder.write("outputs.yaml", R"(
publishing:
  clockRate: 10
  topics:
    - {device: rover/gps, name: position, rate: 5}
outputs:
  - type: CsvRecorder
    folder: )" + (folder / "tables").string() + R"(
    topics: [/clock, "*position"]
  - type: TumRecorder
    folder: )" + (folder / "paths").string() + R"(
  - type: CloudRecorder
    folder: )" + (folder / "clouds").string() + "\n");
  const Outcome outcome = yard({"--outputs", settings.string()});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto lines = [&](const std::string& file) {
    const std::string text = read_bytes(folder / file);
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines("tables/clock.csv"), 11);
  EXPECT_EQ(lines("tables/position.csv"), 6);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "tables"), {}), 2);
  EXPECT_EQ(lines("paths/base_pose_ground_truth.txt"), 51);  // and what its columns are
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "clouds/Velodyne_VLP_16_points"), {}), 10);
}

TEST(Outputs, ThatHaveNothingOfASensorSayHowItIsSwitchedOn) {
  const TemporaryFolder folder;
  const auto world = folder.write("quiet.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { }
Robot { name "r" controller "<none>" children [ GPS { } Gyro { samplingPeriod 32 } LED { }
  HingeJoint { device RotationalMotor { } endPoint Solid { } } ] })");
  const auto record = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"run", world.string(), "--duration", "0.3"};
    words.insert(words.end(), more.begin(), more.end());
    return protobeam(words).err;
  };
  const std::string file = (folder / "a.mcap").string();
  EXPECT_THAT(
      record({"--record", file}),
      HasSubstr("nothing is published of r/gps: no sample was taken; a controller enables a "
                "sensor, or samplingPeriod in its node (--set \"r/gps.samplingPeriod=100\")"));
  EXPECT_EQ(record({"--record", file, "--set", "r/gps.samplingPeriod=100"}), "");
  EXPECT_EQ(record({}), "");
}

TEST(Outputs, HaveARobotAsUrdfThatRunsByItself) {
  const TemporaryFolder folder;
  Surroundings own;
  own.environment = {"PROTOBEAM_CACHE=" + (folder / "cache").string()};
  const Outcome described = protobeam({"show", "worlds/vehicles.wbt", "--urdf", "Jackal"}, own);
  ASSERT_EQ(described.exit, 0) << described.err;
  EXPECT_THAT(described.out, HasSubstr("file://" + (folder / "cache/meshes").string()));
  const auto file = folder.write("jackal.urdf", described.out);
  const Outcome checked = protobeam({"check", file.string()});
  EXPECT_EQ(checked.exit, 0) << checked.err;
  EXPECT_THAT(protobeam({"show", "worlds/vehicles.wbt", "--urdf", "Jackl"}).err,
              HasSubstr("--urdf: there is no robot 'Jackl'; did you mean 'Jackal'?"));
  EXPECT_THAT(protobeam({"show", "worlds/vehicles.wbt", "--urdf"}).err,
              HasSubstr("--urdf: of which robot? There are TurtleBot3 Burger, Jackal, "));
}

TEST(Outputs, HaveAMapOfAWorldThatAWorldCanBeMadeOf) {
  const TemporaryFolder folder;
  const auto map = [&](const std::string& world, const std::string& name,
                       std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"map", world, "--out", (folder / name).string()};
    words.insert(words.end(), more.begin(), more.end());
    return protobeam(words);
  };
  const std::vector<std::string> area = {"--area", "-8", "-8", "8", "8", "--heights", "0.3", "0.4"};
  const Outcome made = map("worlds/yard.wbt", "yard.yaml", area);
  ASSERT_EQ(made.exit, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("320 x 320 cells of 0.05 m"));
  // Walls on its occupied cells make the same map.
  const auto again = folder.write("again.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { }
OccupancyGridMap { url "yard.yaml" }
Robot { name "r" controller "<none>" physics Physics { } boundingObject Box { size 0.1 0.1 0.1 } })");
  const Outcome remade = map(again.string(), "again.yaml", area);
  ASSERT_EQ(remade.exit, 0) << remade.err;
  const std::string first = read_bytes(folder / "yard.pgm"),
                    second = read_bytes(folder / "again.pgm");
  ASSERT_EQ(first.size(), second.size());
  const std::size_t width = 320, head = first.size() - width * width;
  std::size_t walls = 0;
  for (std::size_t i = head + width; i < first.size() - width; ++i) {
    const bool edge = std::ranges::any_of(std::array{i - 1, i + 1, i - width, i + width},
                                          [&](std::size_t next) { return first[next] != '\0'; });
    // Walls stand around a row of cells, not within it.
    if (edge || first[i] != '\0') EXPECT_EQ(first[i] == '\0', second[i] == '\0') << i - head;
    walls += first[i] == '\0';
  }
  EXPECT_GT(walls, 100u);
  EXPECT_THAT(map("worlds/yard.wbt", "x.yaml", {"--heights", "50", "60"}).err,
              HasSubstr("error: nothing is seen between the heights 50 and 60 m"));
  EXPECT_THAT(map("worlds/yard.wbt", "x.yaml", {"--heights", "0.5", "0.2"}).err,
              HasSubstr("--heights are the lower one and the upper one"));
}

TEST(Outputs, AreAsAWorldSays) {
  const TemporaryFolder folder;
  const auto world = small_world(folder, "McapRecorder { file \"out.mcap\" topics \"/gps\" }");
  Surroundings run;
  run.directory = folder.path();
  const Outcome outcome = protobeam({"run", world.string(), "--duration", "1"}, run);
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("wrote out.mcap: 32 messages"));
  EXPECT_TRUE(fs::exists(folder / "out.mcap"));
}

TEST(Outputs, OfAWorldWriteBelowTheCurrentFolderOnly) {
  const TemporaryFolder folder;
  for (const std::string name : {"../out.mcap", "/tmp/out.mcap"}) {
    const auto world = small_world(folder, "McapRecorder { file \"" + name + "\" }");
    const Outcome outcome = protobeam({"run", world.string(), "--duration", "1"});
    EXPECT_EQ(outcome.exit, 1);
    EXPECT_THAT(outcome.err, HasSubstr("small.wbt:4:21: error: field 'file' of McapRecorder: a world writes "
                                       "below the current folder only, not '" + name + "'"));
  }
}

TEST(Outputs, SayWhatThereIs) {
  EXPECT_THAT(yard({"--record", "a.xyz"}).err, HasSubstr("'a.xyz' must end in .bag, .mcap or .pcap"));
  EXPECT_THAT(yard({"--publish", "ros"}).err, HasSubstr("there is no 'ros'; did you mean 'ros2'?"));
  EXPECT_THAT(yard({"--record", "/no/such/folder/a.mcap"}).err,
              HasSubstr("cannot write /no/such/folder/a.mcap: No such file or directory"));
  EXPECT_THAT(yard({"--publish", "zenoh"}).err, HasSubstr("there are foxglove, ros2 or udp://ADDRESS[:PORT]"));
  EXPECT_EQ(yard({"--record", "a.xyz"}).exit, 2);
  EXPECT_EQ(yard({"--outputs", "/no/such.yaml"}).exit, 2);
  EXPECT_THAT(yard({"--paused"}).err, HasSubstr("--paused: nobody could let it go on"));
}

TEST(Outputs, ThatCannotBeWrittenAnyMoreAreClosedAndEndTheRun) {
  for (const std::string name : {"a.mcap", "a.bag"}) {
    const TemporaryFolder folder;
    Surroundings run;
    run.file_size_limit = 3'000'000;
    const Outcome outcome = yard({"--record", (folder / name).string()}, run);
    EXPECT_EQ(outcome.exit, 1) << name;
    EXPECT_THAT(outcome.err, HasSubstr("cannot write " + (folder / name).string())) << name;
    EXPECT_LE(fs::file_size(folder / name), 3'000'000u);
    EXPECT_THAT(outcome.out, HasSubstr("state_hash")) << "the summary comes nevertheless";
  }
}

TEST(Outputs, AreListedByShow) {
  const Outcome outcome = protobeam({"show", "worlds/yard.wbt", "--topics", "--json"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  bool found = false;
  for (const json& topic : json::parse(outcome.out)) {
    if (topic["name"] != "/Velodyne_VLP_16_points") continue;
    found = true;
    EXPECT_EQ(topic["type"], "sensor_msgs/msg/PointCloud2");
    EXPECT_EQ(topic["of"], "rover/Velodyne VLP-16: points");
    EXPECT_EQ(topic["latched"], false);
  }
  EXPECT_TRUE(found);
}

TEST(Outputs, TellWhatTheyTake) {
  const Outcome outcome = protobeam({"show", "worlds/vehicles.wbt", "--topics", "--json"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  std::vector<std::string> taken;
  for (const json& topic : json::parse(outcome.out)) {
    if (topic.contains("taken")) taken.push_back(topic["name"].get<std::string>());
  }
  EXPECT_THAT(taken, testing::Contains("/Jackal/cmd_vel"));
}

TEST(Outputs, TellWhichActionsMotorsDo) {
  const TemporaryFolder folder;
  const auto world = folder.write("arm.wbt", R"(#VRML_SIM R2023b utf8
WorldInfo { }
Robot { name "r" controller "<none>" children [
  HingeJoint { device RotationalMotor { name "turn" } endPoint Solid { physics Physics { density -1 mass 1 } } }
  Topic { motors "turn" message "trajectory" name "arm/joint_trajectory" }
  Topic { motors "turn" message "gripper" name "hand/gripper_cmd" } ] }
)");
  const Outcome outcome = protobeam({"show", world.string(), "--topics", "--json"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  std::vector<std::string> actions;
  for (const json& topic : json::parse(outcome.out)) {
    if (topic.contains("action"))
      actions.push_back(topic["name"].get<std::string>() + " " + topic["type"].get<std::string>());
  }
  EXPECT_THAT(actions, testing::ElementsAre(
                           "/arm/follow_joint_trajectory control_msgs/action/FollowJointTrajectory",
                           "/hand/gripper_cmd control_msgs/action/GripperCommand"));
}

}  // namespace
}  // namespace protobeam::test
