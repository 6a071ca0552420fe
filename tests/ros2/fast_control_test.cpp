// `run --publish ros2` and a client of simulation_interfaces with the default middleware of ROS 2:
// releases 1.x and 2.x of the package, worlds, misuse, and clients that leave.
#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>

#include "message/simulation_entity_services.h"
#include "plugins/outputs/ros2/test_support.h"
#include "tests/support/program.h"

namespace protobeam::test {
namespace {

namespace sim = message::simulation;
using ros2_test::OwnDomain;
using ros2_test::Program;
using ros2_test::seconds;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kFloorAndBall = R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 8 gravity 0 }
Solid { name "floor" boundingObject Plane { size 100 100 } }
Solid { name "ball" translation 0 0 5 physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 } }
Publishing { namedPoses [ NamedPose { name "dock" tags "parking" translation 1 2 3 } NamedPose { name "door" } ] }
)";

/// Lines that begin with the name of a service.
std::vector<std::string> answers_in(const std::vector<std::string>& lines) {
  std::vector<std::string> out;
  for (const std::string& one : lines)
    if (one.find('_') < one.find(' ')) out.push_back(one);
  return out;
}

const std::string kHashOfRelease2 = message::type_of<sim::GetSpawnables::Response>().ros2_hash;

/// A run, and clients that do what their lines say.
class FastControl : public testing::Test {
 protected:
  FastControl() { world_ = folder_.write("worlds/floor.wbt", kFloorAndBall); }

  using Meanwhile = std::function<void(pid_t)>;
  Outcome run(const Meanwhile& meanwhile, const std::vector<std::string>& more = {}) {
    Surroundings surroundings;
    surroundings.meanwhile = meanwhile;
    std::vector<std::string> arguments = {"run",        world_.string(),   "--publish",
                                          "ros2",       "--ros-domain-id", domain_.text(),
                                          "--realtime", "--duration",      "120"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return protobeam(arguments, surroundings);
  }
  /// What it prints for these lines, the last of which is an answer.
  std::vector<std::string> client(const std::vector<std::string>& lines, int release = 2,
                                  const std::string& hash = kHashOfRelease2) {
    Program client("fast_control_client", {domain_.text(), std::to_string(release), hash});
    for (const std::string& line : lines) client.tell(line);
    for (int i = 0; i < 600 && answers_in(client.all("")).size() < lines.size(); ++i)
      std::this_thread::sleep_for(ros2_test::milliseconds(50));
    EXPECT_EQ(answers_in(client.all("")).size(), lines.size());
    return client.all("");
  }

  TemporaryFolder folder_;
  const OwnDomain domain_;
  std::filesystem::path world_;
};

// ROS 2 Humble (no hashes), Jazzy and Kilted (hashes) have releases 1.x.
TEST_F(FastControl, AnswersClientsOfBothReleases) {
  const std::string older = message::type_of<sim::GetSpawnables::Older::Response>().ros2_hash;
  std::map<std::string, std::vector<std::string>> said;
  run([&](pid_t program) {
    const std::vector<std::string> lines = {"set ball - 1 2 3", "spawnables -", "poses parking"};
    said["humble"] = client(lines, 1, "none");
    said["foxy"] = client(lines, 1, "old none");
    said["jazzy"] = client(lines, 1, older);
    said["without reader"] = client(lines, 1, "old " + older);
    said["lyrical"] = client(lines, 2);
    kill(program, SIGINT);
  });
  for (const auto& [who, lines] : said) {
    EXPECT_THAT(lines, Contains("set_entity_state 1 ")) << who;
    EXPECT_THAT(lines, Contains(StartsWith("spawnable Crate | Crate: a wooden box"))) << who;
    EXPECT_THAT(lines, Contains("get_spawnables 1 ")) << who;
    EXPECT_THAT(lines, Contains("pose dock 1 2 3")) << who;
    EXPECT_THAT(lines, Not(Contains(StartsWith("pose door")))) << who;
  }
  EXPECT_EQ(said.size(), 5u);
}

TEST_F(FastControl, ListsWhatCanBeSpawned) {
  folder_.write("worlds/cart.urdf", "<robot name=\"cart\"><link name=\"a\"/></robot>");
  folder_.write("worlds/nothing.urdf", "<nothing/>");
  folder_.write("protos/Tower.proto",
                "#VRML_SIM R2025a utf8\n# Tower: of two crates.\nPROTO Tower [ field SFVec3f "
                "translation 0 0 0 ]\n{ %< const two = 2; >% DEF IT Crate { translation IS "
                "translation } }\n");
  folder_.write("protos/Part.proto", "#VRML_SIM R2025a utf8\nPROTO Part [ ]\n{ Shape { } }\n");
  folder_.write("more/models/box.sdf",
                "<sdf version=\"1.9\"><model name=\"box\"><link name=\"l\"/></model></sdf>");
  std::vector<std::string> said;
  run([&](pid_t program) {
    said = client({"spawnables ../more", "spawnables nowhere", "spawn t - Tower - 3 0 1",
                   "spawn c - cart.urdf - 5 0 1"});
    kill(program, SIGINT);
  });
  EXPECT_THAT(said, Contains("spawnable Tower | Tower: of two crates."));
  EXPECT_THAT(said, Contains("spawnable cart.urdf | robot in URDF"));
  EXPECT_THAT(said, Contains("spawnable " + (folder_ / "more/models/box.sdf").string() +
                             " | model in SDF"));
  EXPECT_THAT(said, Not(Contains(HasSubstr("nothing.urdf"))));
  EXPECT_THAT(said, Not(Contains(StartsWith("spawnable Part"))));
  EXPECT_THAT(said, Contains(StartsWith("spawnable Jackal | Clearpath Jackal: ")));
  for (const char* not_alone : {"SickLms291", "RealSenseD455", "ElevationMap"})
    EXPECT_THAT(said, Not(Contains(StartsWith("spawnable " + std::string(not_alone) + " "))));
  EXPECT_THAT(said, Contains("get_spawnables 1 "));
  EXPECT_THAT(said, Contains("get_spawnables 1 there is no folder or file 'nowhere'"));
  EXPECT_THAT(said, Contains(AllOf(StartsWith("spawn_entity 1 "), HasSubstr("Tower.proto:4:"),
                                   HasSubstr("PROTO 'Crate' is used without EXTERNPROTO"))));
  EXPECT_THAT(said,
              Contains(AllOf(StartsWith("spawn_entity 1 "),
                             HasSubstr("cart.urdf:1:21: warning: root link 'a' has no mass"))));
}

TEST_F(FastControl, LoadsAnotherWorldAndStaysThere) {
  const auto other = folder_.write(
      "worlds/other.wbt",
      "#VRML_SIM R2025a utf8\nWorldInfo { }\nSolid { name \"only here\" physics Physics { } }\n");
  folder_.write("worlds/wrong.wbt", "#VRML_SIM R2025a utf8\nWorldInfo { }\nSolid { nmae \"a\" }\n");
  folder_.write("worlds/missing.wbt",
                "#VRML_SIM R2025a utf8\nWorldInfo { }\nSolid { children Shape { geometry Mesh { "
                "url \"none.obj\" } } }\n");
  std::vector<std::string> said;
  const Outcome outcome = run([&](pid_t program) {
    said = client({"worlds -", "load wrong.wbt", "load missing.wbt", "load none.wbt",
                   "load floor.txt", "load ftp://host/floor.wbt", "set ball - 0 0 1",
                   "load other.wbt", "set ball - 0 0 1", "step 2", "state 1", "reset",
                   "set ball - 0 0 1", "unload", "load floor.wbt", "set ball - 0 0 1"});
    kill(program, SIGINT);
  });
  EXPECT_EQ(outcome.exit, 130) << outcome.err;
  const auto answers = answers_in(said);
  EXPECT_THAT(said, Contains("world " + world_.string()));
  EXPECT_THAT(said, Contains("world " + other.string()));
  EXPECT_THAT(said, Contains("loaded " + other.string()));
  EXPECT_THAT(
      answers,
      ElementsAre("get_available_worlds 1 ",
                  AllOf(StartsWith("load_world 103 "), HasSubstr("wrong.wbt:3:9: error: ")),
                  AllOf(StartsWith("load_world 104 "), HasSubstr("missing.wbt:3:")),
                  AllOf(StartsWith("load_world 2 "), HasSubstr("none.wbt'")),
                  StartsWith("load_world 101 'floor.txt' is no world"),
                  StartsWith("load_world 101 'ftp://host/floor.wbt': ftp://"),
                  "set_entity_state 1 ",
                  AllOf(StartsWith("load_world 1 "),
                        HasSubstr("other.wbt:3:34: warning: 'only here' has Physics but no")),
                  "set_entity_state 2 there is no entity 'ball'", "step_simulation 1 ",
                  "set_simulation_state 1 ", "reset_simulation 1 ",
                  "set_entity_state 2 there is no entity 'ball'", StartsWith("unload_world 0 "),
                  "load_world 1 ", "set_entity_state 1 "));
}

TEST_F(FastControl, TakesTheSettingsOfTheOtherWorldAndTellsItsClosedOutputs) {
  world_ = folder_.write("worlds/two.wbt", kFloorAndBall + "FoxglovePublisher { port 0 }\n");
  const std::string head = "#VRML_SIM R2025a utf8\nWorldInfo { }\n";
  folder_.write("worlds/same.wbt", head + "FoxglovePublisher { port 0 }\n");
  const auto other = folder_.write("worlds/other.wbt", head + "CsvRecorder { folder \"out\" }\n");
  folder_.write("worlds/wrong.wbt", head + "Publishing { topics Topic { device \"a/gps\" } }\n");
  std::vector<std::string> said;
  run([&](pid_t program) {
    said = client({"load wrong.wbt", "load same.wbt", "load other.wbt"});
    kill(program, SIGINT);
  });
  EXPECT_THAT(answers_in(said),
              ElementsAre(AllOf(StartsWith("load_world 103 "), HasSubstr("wrong.wbt:3:"),
                                HasSubstr("a Topic is of no device 'a/gps'")),
                          "load_world 1 ",
                          StartsWith("load_world 1 " + other.string() +
                                     ":3:1: warning: this CsvRecorder is not opened: a run keeps "
                                     "the outputs with which it began, the FoxglovePublisher at " +
                                     world_.string() + ":6:1")));
}

TEST_F(FastControl, SaysWhatIsWrongWithAddresses) {
  std::vector<std::string> said;
  run([&](pid_t program) {
    said =
        client({"spawn a - ftp://host/x.urdf - 0 0 0", "spawn a - http://127.0.0.1/x.urdf - 0 0 0",
                "spawn a - ../../../etc/passwd - 0 0 0", "spawn a - file:///none.urdf - 0 0 0",
                "spawn a - Nothing - 0 0 0", "spawn a - Nothing.proto - 0 0 0",
                "spawn a - Crate - nan 0 0", "spawn a - Crate - 0 0 0 1 1 1 1",
                "spawn a - Crate bal 0 0 1", "spawn a - Crate ball 0 0 1"});
    kill(program, SIGINT);
  });
  EXPECT_THAT(answers_in(said),
              ElementsAre(StartsWith("spawn_entity 103 'ftp://host/x.urdf': ftp:// is no"),
                          AllOf(StartsWith("spawn_entity 2 "),
                                HasSubstr("is on the web, and is none of the files")),
                          StartsWith("spawn_entity 103 '../../../etc/passwd' is no model"),
                          "spawn_entity 2 there is no file '/none.urdf'",
                          AllOf(StartsWith("spawn_entity 2 "), HasSubstr("PROTO 'Nothing'")),
                          AllOf(StartsWith("spawn_entity 2 "), HasSubstr("PROTO 'Nothing'")),
                          StartsWith("spawn_entity 109 the pose is no pose"),
                          StartsWith("spawn_entity 109 the pose is no pose"),
                          "spawn_entity 109 there is no frame 'bal'; did you mean 'ball'?",
                          "spawn_entity 1 "));
}

TEST_F(FastControl, GoesOnWhenClientsLeaveBeforeTheirAnswers) {
  std::vector<std::string> said;
  const Outcome outcome = run(
      [&](pid_t program) {
        for (const char* line :
             {"leave step 200", "leave spawn a - Crate - 0 0 5", "leave spawnables -"}) {
          Program leaver("fast_control_client", {domain_.text(), "2", "none"});
          leaver.tell(line);
          EXPECT_TRUE(leaver.ended_within(seconds(30)));
        }
        for (int i = 0; i < 100 && said.empty(); ++i) {
          said = client({"step 1"});
          if (said != std::vector<std::string>{"step_simulation 1 "}) said.clear();
        }
        said = client({"delete a"});
        kill(program, SIGINT);
      },
      {"--paused"});
  EXPECT_EQ(outcome.exit, 130) << outcome.err;
  EXPECT_THAT(said, ElementsAre("delete_entity 1 "));
}

TEST_F(FastControl, TellsWhoWaitsForStepsThatTheRunEnds) {
  const std::string others = "step_simulation 3 it makes the steps of somebody else";
  std::vector<std::string> said, refused;
  const Outcome outcome = run(
      [&](pid_t program) {
        Program stepper("fast_control_client", {domain_.text(), "2", "none"});
        stepper.tell("step 1000000");
        // Once it has begun, nobody else gets steps.
        for (int i = 0; i < 100 && refused != std::vector{others}; ++i)
          refused = client({"step 0"});
        kill(program, SIGINT);
        stepper.wait_for("step_simulation ");
        said = stepper.all("");
      },
      {"--paused"});
  EXPECT_EQ(outcome.exit, 130) << outcome.err;
  EXPECT_THAT(refused, ElementsAre(others));
  EXPECT_THAT(answers_in(said),
              ElementsAre(AllOf(StartsWith("step_simulation 4 the run ended after "),
                                HasSubstr(" of 1000000 steps"))));
}

}  // namespace
}  // namespace protobeam::test
