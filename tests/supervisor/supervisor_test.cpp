// Supervisors in real controller processes: what they read, change, bring in and take out.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/glb.h"
#include "tests/support/pattern.h"
#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A world with a supervisor that runs one case of supervise.c.
std::string world(const std::string& which, bool supervisor = true,
                  const std::string& controller = "supervise") {
  return R"(#VRML_SIM R2025a utf8
EXTERNPROTO "../protos/BigTestCrate.proto"
DEF INFO WorldInfo { basicTimeStep 8 defaultDamping Damping { linear 0 angular 0 } }
Viewpoint { position -8 0 3 }
DEF FLOOR Solid {
  name "floor"
  children [ Shape { geometry Plane { size 40 40 } } ]
  boundingObject Plane { size 40 40 }
}
DEF BALL Solid {
  translation 0 0 5 name "ball"
  children [ Shape { geometry Sphere { radius 0.1 } } ]
  boundingObject Sphere { radius 0.1 }
  physics Physics { density -1 mass 2 }
}
DEF BOX Solid {
  translation 2 0 0.2 name "box"
  boundingObject Box { size 0.4 0.4 0.4 }
  physics Physics { }
}
DEF ARM Solid {
  translation -4 0 1 rotation 0 0 1 0.5 name "arm"
  children [
    DEF JOINT HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      endPoint DEF HAND Solid { translation 0 0 0.2 name "hand" }
    }
  ]
}
DEF CRATE BigTestCrate { translation 4 4 0 }
DEF BOSS Robot {
  name "boss" translation 0 -5 0 customData "some data" battery [ 500 1000 0 ] cpuConsumption 10
  controller ")" +
         controller + R"(" controllerArgs [ ")" + which + R"(" ] supervisor )" +
         (supervisor ? "TRUE" : "FALSE") + R"(
  children [
    DEF GPS GPS { }
    LED {
      name "led" color [ 1 0 0, 0 1 0 ]
      children [ Shape { appearance PBRAppearance { } geometry Sphere { radius 0.1 } } ]
    }
  ]
}
)";
}

class SupervisorRun : public testing::Test {
 protected:
  SupervisorRun() {
    folder_.write("protos/TestCrate.proto", R"(#VRML_SIM R2025a utf8
PROTO TestCrate [
  field SFVec3f translation 0 0 0
  field SFVec3f size 0.2 0.2 0.2
  field SFColor color 0 0 1
  field SFString name "crate"
] {
  Solid {
    translation IS translation
    name IS name
    children [
      Shape {
        appearance DEF LOOK PBRAppearance { baseColor IS color }
        geometry Box { size IS size }
      }
    ]
    boundingObject Box { size IS size }
  }
}
)");
    folder_.write("protos/BigTestCrate.proto", R"(#VRML_SIM R2025a utf8
EXTERNPROTO "TestCrate.proto"
PROTO BigTestCrate [
  field SFVec3f translation 0 0 0
  field SFVec3f size 0.5 0.5 0.5
  field SFString name "big crate"
] {
  TestCrate { translation IS translation size IS size color 0.25 0.5 0.75 name IS name }
}
)");
  }

  Outcome run(const std::string& text, const std::vector<std::string>& more = {"--duration", "3"}) {
    const auto file = folder_.write("worlds/w.wbt", text);
    std::vector<std::string> arguments{"run", file.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return protobeam(arguments);
  }

  TemporaryFolder folder_;
};

TEST_F(SupervisorRun, ReadsTheTree) {
  const Outcome outcome = run(world("read"));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
}

TEST_F(SupervisorRun, ChangesFieldsBodiesAndShapes) {
  const Outcome outcome = run(world("write"));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("field 'size' of Box must be"));
}

TEST_F(SupervisorRun, HidesAnyNodeFromADevice) {
  const Outcome outcome = run(R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 8 gravity 0 }
Robot {
  controller "supervise" controllerArgs [ "hide" ] supervisor TRUE
  children [
    DEF A RangeFinder { name "a" fieldOfView 0.01 width 1 height 1 maxRange 10 }
    DEF B RangeFinder { name "b" fieldOfView 0.01 width 1 height 1 maxRange 10 }
  ]
}
DEF SCENE Solid {
  translation 2 0 0
  children [
    DEF FRONT Shape { geometry DEF BALL_OF_FRONT Sphere { radius 0.1 subdivision 5 } }
    DEF NOTHING Group { }
    DEF MIDDLE Pose {
      translation 1 0 0
      children [
        Solid { name "fixed" children [ Shape { geometry Box { size 0.2 0.2 0.2 } } ] }
        HingeJoint {
          endPoint Solid {
            name "hanging" translation 1 0 0
            children [ Shape { geometry Box { size 0.2 0.2 0.2 } } ]
            physics Physics { }
          }
        }
      ]
    }
  ]
  physics Physics { }
}
Solid { translation 0 5 0 name "bare" children [ DEF LEAVES Shape { geometry Box { size 0.2 0.2 0.2 } } ] }
Solid { translation 5 0 0 name "wall" children [ Shape { geometry Box { size 0.2 0.2 0.2 } } ] }
)",
                              {"--duration", "0.2"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("Error")));
}

TEST_F(SupervisorRun, SaysWhichArgumentIsWrong) {
  const Outcome outcome = run(world("mistakes"));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  for (const char* mistake :
       {"set_label() called with 1.5 for 'x'; it must be in [0, 1]", "called with -0.5 for 'y'",
        "called with 2 for 'size'", "called with 3 for 'transparency'",
        "set_label() called with a NULL 'font' argument", "index -5 of field 'controllerArgs'",
        "index -6 of field 'controllerArgs'", "index -7 of field 'controllerArgs'",
        "index -8 of field 'controllerArgs'", "position -99 in field 'children'"}) {
    EXPECT_THAT(outcome.err, HasSubstr(mistake));
  }
}

TEST_F(SupervisorRun, SetsSolidsWithoutPhysicsInMotion) {
  const Outcome outcome = run(world("glide") + R"(
Pose { translation -3 0 1 rotation 0 0 1 1.5707963267948966 children [
  DEF CART Solid { name "cart" rotation 0 0 1 1.5707963267948966
    boundingObject Box { size 0.1 0.1 0.1 }
    children [ DEF LAMP Solid { translation 2 0 0 name "lamp" } ] } ] }
)");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
}

TEST_F(SupervisorRun, ResetsToTheLoadedWorldBitByBit) {
  const Outcome outcome = run(world("reset"));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
}

TEST_F(SupervisorRun, BringsARobotWithItsController) {
  const Outcome outcome = run(world("guests"));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("there is a robot \"guest\" already"));
  EXPECT_THAT(outcome.err, HasSubstr("unknown field 'naem'"));
}

TEST_F(SupervisorRun, FindsTheMeshesOfWhatItImportsBesideTheWorld) {
  folder_.write("worlds/meshes/there.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const Outcome outcome = run(world("meshes"));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("] refused")) << outcome.err;
}

TEST_F(SupervisorRun, ImportsWithoutMeshesThatAreMissingWhenThatIsAllowed) {
  folder_.write("worlds/meshes/there.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const Outcome outcome = run(world("meshes"), {"--duration", "3", "--lenient"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("] goes on without it"));
  EXPECT_THAT(outcome.err, HasSubstr("meshes/not_there.obj'"));
  EXPECT_THAT(outcome.out + outcome.err,
              HasSubstr("the text holds no node that is simulated: unknown node or PROTO 'BB-9'"));
}

TEST_F(SupervisorRun, EndsTheRunWithItsStatus) { EXPECT_EQ(run(world("quit")).exit, 7); }

TEST_F(SupervisorRun, ReadsWhatWasThereLastAfterTheEnd) {
  const Outcome outcome = run(world("end"), {"--duration", "0.5"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, testing::Not(HasSubstr("refused"))) << "as in Webots";
}

TEST_F(SupervisorRun, LoadsTheWorldAgain) {
  folder_.write("controllers/supervise/supervise.c", "");  // its working directory
  const Outcome outcome = run(world("reload"));
  EXPECT_EQ(outcome.exit, 5) << outcome.out << outcome.err;
  const auto left = folder_ / "controllers/supervise";
  EXPECT_THAT(read_bytes(left / "seen.jpg"), testing::StartsWith("\xff\xd8"));
  const std::string saved = read_bytes(left / "saved.wbt");
  EXPECT_THAT(saved, HasSubstr("EXTERNPROTO \"../protos/BigTestCrate.proto\""));
  EXPECT_THAT(saved, HasSubstr("DEF CRATE BigTestCrate"));
  EXPECT_THAT(saved, HasSubstr("battery [")) << "a list, also when it has run down";
}

TEST_F(SupervisorRun, DoesNotLayTwoRunsIntoOneRecording) {
  folder_.write("controllers/supervise/supervise.c", "");
  const std::string record = (folder_ / "drive.mcap").string();
  const Outcome outcome = run(world("reload"), {"--duration", "3", "--record", record});
  EXPECT_EQ(outcome.exit, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("a supervisor wants the world to be loaded again: not with "
                                     "--out, --record"));
  EXPECT_GT(read_bytes(record).size(), 0u) << "what was recorded before is kept";
}

/// The times at which what is called `name` is there (1) or not (0).
std::vector<std::pair<float, float>> presences(const Glb& glb, const std::string& name) {
  const auto [times, sizes] = glb.track(name, "scale");
  std::vector<std::pair<float, float>> out;
  for (std::size_t i = 0; i < times.size(); ++i) out.emplace_back(times[i], sizes[3 * i]);
  return out;
}

TEST_F(SupervisorRun, AnswersAThreadBetweenTheStepsOfAnother) {
  const Outcome outcome = run(world("threads"), {"--duration", "200"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  const std::string message =
      "wb_supervisor_node_get_root() called between wb_robot_step_begin() and";
  const std::size_t first = outcome.err.find("between wb_robot_step_begin");
  EXPECT_THAT(outcome.err, HasSubstr(message));
  EXPECT_EQ(outcome.err.find("between wb_robot_step_begin", first + 1), std::string::npos);
}

TEST_F(SupervisorRun, AnimatesWhatComesGoesAndChanges) {
  folder_.write("controllers/supervise/supervise.c", "");
  const Outcome outcome = run(world("animate"));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("seen.txt': an animation's file ends with .glb or .html"));
  EXPECT_THAT(outcome.err, HasSubstr("is being recorded already"));
  EXPECT_THAT(outcome.err, HasSubstr("no animation is being recorded"));
  const Glb glb(read_bytes(folder_ / "controllers/supervise/seen.glb"));
  using Times = std::vector<std::pair<float, float>>;
  // The first record at or after each change: 25 a second, steps of 8 ms.
  EXPECT_EQ(presences(glb, "ball"), (Times{{0, 1}, {0.24F, 0}}));
  EXPECT_EQ(presences(glb, "new"), (Times{{0, 0}, {0.24F, 1}, {0.44F, 0}, {0.64F, 1}}));
  EXPECT_EQ(presences(glb, "new 2"), (Times{{0, 0}, {0.44F, 1}, {0.64F, 0}}));
  EXPECT_EQ(presences(glb, "box"), Times{});
  // Off, green, and off again.
  EXPECT_EQ(presences(glb, "led lamp"), (Times{{0, 1}, {0.64F, 0}, {0.84F, 1}}));
  EXPECT_EQ(presences(glb, "led lamp 2"), (Times{{0, 0}, {0.64F, 1}, {0.84F, 0}}));
  const auto material_of = [&](const std::string& name) {
    for (const auto& node : glb.text["nodes"]) {
      if (node["name"] != name) continue;
      const auto& mesh = glb.text["meshes"][node["mesh"].get<std::size_t>()];
      return glb.text["materials"][mesh["primitives"][0]["material"].get<std::size_t>()];
    }
    return nlohmann::json();
  };
  EXPECT_FALSE(material_of("led lamp").contains("emissiveFactor"));
  EXPECT_EQ(material_of("led lamp 2")["emissiveFactor"], nlohmann::json({0.0, 1.0, 0.0}));
}

TEST_F(SupervisorRun, IsOnlyForSupervisors) {
  const Outcome outcome = run(world("illegal", false));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  const std::string message = "wb_supervisor_node_get_root() ignoring illegal call";
  EXPECT_THAT(outcome.err, HasSubstr(message));
  const std::size_t first = outcome.err.find(message);
  EXPECT_EQ(outcome.err.find(message, first + 1), std::string::npos) << "said once";
}

TEST_F(SupervisorRun, HasClassesInCpp) {
  const Outcome outcome = run(world("", true, "supervise_cpp"));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
}

std::string printed_hash(const Outcome& outcome) {
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  return nlohmann::json::parse(outcome.out, nullptr, false).value("state_hash", "");
}

TEST_F(SupervisorRun, AThousandRobotsLeaveNoTrace) {
  const std::vector<std::string> options{"--duration", "1", "--json"};
  const std::string quiet = printed_hash(run(world("idle"), options));
  const Outcome busy = run(world("robots"), options);
  EXPECT_EQ(printed_hash(busy), quiet);
#ifndef PROTOBEAM_SANITIZED  // the sanitizer keeps what was freed
  EXPECT_THAT(busy.err + busy.out, HasSubstr("memory grew by less than 4 MiB"));
#endif
}

TEST_F(SupervisorRun, GivesTheSameHashEachTime) {
  const std::vector<std::string> options{"--duration", "9", "--json"};
  const std::string first = printed_hash(run(world("rounds"), options));
  EXPECT_EQ(printed_hash(run(world("rounds"), options)), first);
}

TEST_F(SupervisorRun, ScattersCratesEpisodeByEpisode) {
  const Outcome outcome = protobeam({"run", "worlds/randomized.wbt", "--duration", "100"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("episode 3:"));
  // The same numbers again.
  const Outcome again = protobeam({"run", "worlds/randomized.wbt", "--duration", "100"});
  const auto episodes = [](const std::string& text) {
    const std::size_t first = text.find("episode 1:");
    return text.substr(first, text.find('\n', text.find("episode 3:")) - first);
  };
  EXPECT_EQ(episodes(outcome.out), episodes(again.out));
}

TEST(SupervisorHeader, DeclaresWhatTheLibraryHas) {
  void* library = dlopen((build_dir() + "/lib/libController.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const std::string header =
      read_bytes(source_dir() + "/src/controller/include/webots/supervisor.h");
  const auto functions = Pattern("\\b(wb_supervisor_[a-z0-9_]+)\\(").find_all(header);
  for (const auto& function : functions) {
    EXPECT_NE(dlsym(library, function.groups[1].c_str()), nullptr) << function.groups[1];
  }
  EXPECT_GE(functions.size(), 142u);
  dlclose(library);
}

}  // namespace
}  // namespace protobeam::test
