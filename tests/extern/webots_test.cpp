// What is started in the place of Webots: its command line, its folder, its rules for make.
#include <cstdlib>
#include <sstream>

#include "tests/extern/stage.h"

namespace protobeam::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class InPlaceOfWebots : public ExternTest {
 protected:
  std::unique_ptr<Process> webots(std::vector<std::string> words) {
    words.insert(words.begin(), home() + "/webots");
    return start(words, {"DISPLAY=", "WAYLAND_DISPLAY="});
  }
  static std::string home() { return build_dir() + "/lib/protobeam/webots"; }

  /// A project with one controller and a library for it, each with the Makefile of Webots' wizard.
  std::filesystem::path project() {
    const std::string makefile =
        "null :=\nspace := $(null) $(null)\n"
        "WEBOTS_HOME_PATH?=$(subst $(space),\\ ,$(strip $(subst \\,/,$(WEBOTS_HOME))))\n";
    const std::string rules = "include $(WEBOTS_HOME_PATH)/resources/Makefile.include\n";
    folder_.write("libraries/count/count.c", "int count(void) { return 5; }\n");
    folder_.write("libraries/count/Makefile", makefile + rules);
    folder_.write("controllers/quitter/Makefile",
                  makefile +
                      "LIBRARIES = -L../../libraries/count -lcount\n"
                      "LFLAGS = -Wl,-rpath,$(CURDIR)/../../libraries/count\n" +
                      rules);
    folder_.write("controllers/quitter/quitter.cpp", R"(#include <webots/Supervisor.hpp>
#include <iostream>
extern "C" int count();
int main() {
  webots::Supervisor robot;
  for (int i = 0; i < count(); ++i) robot.step(32);
  std::cout << "at " << robot.getTime() << " s, mode " << robot.simulationGetMode() << std::endl;
  robot.simulationQuit(40 + count());
  robot.step(32);
})");
    return world(robot("a", 0, "supervisor TRUE controller \"quitter\"") +
                 robot("lost", 5, "controller \"nowhere\""));
  }
  int make(const std::string& folder, const std::string& goal = "") {
    const auto made =
        start({"make", "-C", (folder_.path() / folder).string(), goal.empty() ? "all" : goal},
              {"WEBOTS_HOME=" + home()});
    const int exit = made->wait();
    EXPECT_EQ(exit, 0) << made->out() << made->err();
    return exit;
  }
  static void expect_performance_of_three_steps(const std::string& file,
                                                const std::filesystem::path& world) {
    std::istringstream in(read_bytes(file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    ASSERT_EQ(lines.size(), 11u) << read_bytes(file);
    EXPECT_THAT(lines[0], StartsWith("System: Linux "));
    EXPECT_EQ(lines[3], "");
    EXPECT_EQ(lines[4], "World: " + world.string());
    EXPECT_THAT(lines[5], StartsWith("World metrics: "));
    EXPECT_THAT(lines[5], HasSubstr(" solids, 2 robots"));
    EXPECT_THAT(lines[6], StartsWith("Average speed factor: "));
    EXPECT_EQ(lines[7], "<mode> <stepsCount> <loading(ms)> <step(ms)>");
    const auto row = [&](const std::string& line, const char* mode) {
      std::istringstream words(line);
      std::string first;
      int steps = 0;
      double loading = 0, step = 0;
      words >> first >> steps >> loading >> step;
      EXPECT_EQ(first, mode);
      EXPECT_EQ(steps, 3);
      EXPECT_GT(loading, 0);
      EXPECT_EQ(line.size(), lines[7].size());
      return step;
    };
    EXPECT_NEAR(3 * row(lines[8], "AVG"), row(lines[9], "TOT"), 0.003);
  }
  bool exists(const std::string& file) const {
    return std::filesystem::exists(folder_.path() / file);
  }
};

TEST_F(InPlaceOfWebots, BuildsAProjectByItsMakefilesAndRunsItUntilASupervisorQuits) {
  const auto world = project();
#ifdef PROTOBEAM_SANITIZED
  GTEST_SKIP() << "programs without sanitizers cannot use sanitized libraries";
#endif
  make("libraries/count");
  make("controllers/quitter");
  ASSERT_TRUE(exists("libraries/count/libcount.so") && exists("controllers/quitter/quitter"));
  // As a launch file has it, which leaves out options by empty words. The other robot has no
  // program: Webots says so and goes on.
  const std::string log = (folder_.path() / "performance.txt").string();
  const auto run = webots({"", "--port=1234", "--no-rendering", "--stdout", "--stderr",
                           "--minimize", world.string(), "--batch", "--mode=fast", "--sysinfo",
                           "--log-performance=" + log + ", 3"});
  EXPECT_EQ(run->wait(), 45) << run->err();
  EXPECT_THAT(run->out(), HasSubstr("at 0.16 s, mode 2"));  // 2: fast
  EXPECT_THAT(run->err(), HasSubstr("there is no controller 'nowhere'"));
  expect_performance_of_three_steps(log, world);
  make("controllers/quitter", "debug");
  EXPECT_TRUE(exists("controllers/quitter/build/protobeam/debug/quitter"));
  make("controllers/quitter", "clean");
  EXPECT_FALSE(exists("controllers/quitter/build") || exists("controllers/quitter/quitter"));
}

TEST_F(InPlaceOfWebots, WaitsForProgramsAndEndsWithCtrlC) {
  const auto run = webots(
      {world(robot("a 1", 0, kExtern)).string(), "--extern-urls", "--mode=fast", "--heartbeat=20"});
  ASSERT_TRUE(run->says("ipc://1234/a%201\n")) << run->err();
  const auto program = start({home() + "/webots-controller", "--robot-name=a 1", "--protocol=ipc",
                              "--port=1234", wanderer()});
  ASSERT_TRUE(program->says("robot a 1")) << program->err();
  ASSERT_TRUE(run->says(".."));
  run->send(SIGINT);
  EXPECT_EQ(run->wait(), 0) << run->err();
  program->wait();
  EXPECT_THAT(run->err(), HasSubstr("interrupted at"));
}

TEST_F(InPlaceOfWebots, SaysWhatItIsAndWhereItsFolderIs) {
  const auto version = webots({"--version"});
  EXPECT_EQ(version->wait(), 0);
  EXPECT_THAT(version->out(), StartsWith("Webots version: R2025a"));
  EXPECT_EQ(read_bytes(home() + "/resources/version.txt"), "R2025a\n");
  const auto place = start({build_dir() + "/bin/protobeam", "webots", "--home"});
  EXPECT_EQ(place->wait(), 0);
  EXPECT_TRUE(std::filesystem::equivalent(place->out().substr(0, place->out().size() - 1), home()));
  for (const char* header :
       {"c/webots/robot.h", "c/webots/vehicle/driver.h", "cpp/webots/Robot.hpp"})
    EXPECT_TRUE(std::filesystem::exists(home() + "/include/controller/" + header)) << header;
}

const char* const kCart = R"(#VRML_SIM R2025a utf8
PROTO Cart [ field SFString name "cart" field SFFloat length 0.4 field MFNode slot [ ] ] {
  Robot { name IS name boundingObject Box { size 0.4 0.2 0.1 } physics Physics { density -1 mass 3 }
    children [ HingeJoint {
      jointParameters HingeJointParameters { axis 0 1 0 }
      device RotationalMotor { name "turner" maxVelocity 4 }
      endPoint Solid { name "wheel" boundingObject Capsule { height IS length }
        physics Physics { density -1 mass 1 } } }
      Group { children IS slot } ] }
})";

TEST_F(InPlaceOfWebots, ConvertsAProtoToUrdfAndToANodeOfAWorld) {
  const std::string cart = folder_.write("protos/Cart.proto", kCart).string();
  auto run = webots({"convert", cart});
  EXPECT_EQ(run->wait(), 0) << run->err();
  EXPECT_THAT(run->out(), HasSubstr("<robot name=\"cart\""));
  EXPECT_THAT(run->out(), HasSubstr("<joint name=\"turner\""));
  EXPECT_THAT(run->out(), HasSubstr("<axis xyz=\"0 1 0\""));
  const std::string file = (folder_.path() / "cart.wbo").string();
  run = webots({"convert", "-p", "length=0.7", cart, "-p", "slot=[ GPS { } ]", "-o", file});
  EXPECT_EQ(run->wait(), 0) << run->err();
  EXPECT_EQ(run->out(), "The Cart PROTO is written to the file.\n");
  const std::string node = read_bytes(file);
  EXPECT_THAT(node, StartsWith("#VRML_OBJ R2025a utf8\nRobot {"));
  EXPECT_THAT(node, HasSubstr("height 0.7"));
  EXPECT_THAT(node, HasSubstr("GPS {"));
  EXPECT_THAT(node, Not(HasSubstr("WorldInfo")));
  const std::string ball =
      folder_.write("protos/Ball.proto", "#VRML_SIM R2025a utf8\nPROTO Ball [ ] { Solid { } }\n")
          .string();
  run = webots({"convert", ball});
  EXPECT_NE(run->wait(), 0);
  EXPECT_THAT(run->err(), HasSubstr("Ball is no Robot: URDF is of robots"));
}

TEST_F(InPlaceOfWebots, TellsTheSystem) {
  const auto run = webots({"--sysinfo"});
  EXPECT_EQ(run->wait(), 0);
  EXPECT_THAT(run->out(), StartsWith("System: Linux "));
  EXPECT_THAT(run->out(), HasSubstr("\nProcessor: "));
  EXPECT_THAT(run->out(), HasSubstr("\nNumber of cores: "));
}

TEST_F(InPlaceOfWebots, SaysWhatItDoesNotDo) {
  const std::string cart = folder_.write("protos/Cart.proto", kCart).string();
  const std::string still = world(robot("a", 0, "")).string();
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
      {{}, "which world?"},
      {{"convert"}, "which PROTO? webots convert"},
      {{"convert", "robot.proto"}, "'robot.proto' is no PROTO file"},
      {{"convert", cart, "-o", "cart.wrl"}, "convert writes .urdf and .wbo, not 'wrl'"},
      {{"convert", cart, "-p", "name"}, "-p name is not NAME=VALUE"},
      {{"convert", cart, "-p", "length=long"}, "field 'length' has no value: found 'long'"},
      {{still, "other.wbt"}, "one world at a time, not 'other.wbt' too"},
      {{still, "--mode=pause"}, "--mode=pause waits for somebody to press a button"},
      {{still, "--mode=quick"}, "--mode: quick not in {"},
      {{still, "--heartbeat=soon"}, "--heartbeat=soon is no time in milliseconds"},
      {{still, "--log-performance=log,soon"}, "--log-performance=log,soon is no FILE, nor"},
      {{still, "--log-performance=,5"}, "--log-performance=,5 is no FILE, nor"},
      {{still, "--no-renderin"}, "did you mean '--no-rendering'?"},
  };
  for (const auto& [words, why] : refused) {
    const auto run = webots(words);
    EXPECT_THAT(run->wait(), testing::AnyOf(1, 2)) << why;
    EXPECT_THAT(run->err(), HasSubstr(why));
  }
}

}  // namespace
}  // namespace protobeam::test
