// Programs in Java as controllers of real runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/support/program.h"
#include "tests/support/tester.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class JavaControllers : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy(source_dir() + "/tests/java/controllers", folder_ / "controllers",
             fs::copy_options::recursive);
    fs::create_directory_symlink(source_dir() + "/tests/python/controllers/python_echo",
                                 folder_ / "controllers/python_echo");
  }
  /// The classes of a controller, by the line that `run` tells.
  void compile(const std::string& controller) {
    const Outcome unbuilt =
        run("#VRML_SIM R2025a utf8\nRobot { controller \"" + controller + "\" }", "0.1");
    const std::string begin = "is not built; build it with: ";
    const auto at = unbuilt.err.find(begin);
    ASSERT_NE(at, std::string::npos) << unbuilt.err;
    const auto command = unbuilt.err.substr(at + begin.size());
    const Outcome built = execute({"sh", "-c", command.substr(0, command.find('\n'))}, in_folder());
    ASSERT_EQ(built.exit, 0) << command << built.err;
  }
  Outcome run(const std::string& world, const char* duration) {
    const fs::path file = folder_.write("worlds/w.wbt", world);
    return protobeam({"run", file.string(), "--duration", duration}, in_folder());
  }
  Surroundings in_folder() const {
    Surroundings surroundings;
    surroundings.directory = folder_.path();
    return surroundings;
  }
  TemporaryFolder folder_;
};

TEST_F(JavaControllers, ReadTheSameAsThoseInC) {
  compile("java_read_devices");
  const Outcome c = run(robot_world("read_devices") + kEcho, "0.5");
  const Outcome java = run(robot_world("java_read_devices") + kEcho, "0.5");
  ASSERT_EQ(c.exit, 0) << c.out << c.err;
  ASSERT_EQ(java.exit, 0) << java.out << java.err;
  EXPECT_GT(said(c.out).size(), 10000u);
  EXPECT_EQ(said(c.out), said(java.out));
  EXPECT_THAT(java.err, HasSubstr("Warning: device \"gyro\" is of another type.")) << java.err;
}

TEST_F(JavaControllers, SuperviseAndDraw) {
  compile("java_supervise");
  const std::string world = R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 32 }
Solid { children [ Shape { geometry DEF GROUND Plane { } } ] boundingObject USE GROUND }
DEF CUBE Solid {
  translation 2 0 0.2 rotation 0 0 1 0.5
  recognitionColors [ 1 0 0 0 0.5 0.25 ]
  boundingObject Box { size 0.4 0.4 0.4 }
  physics Physics { }
}
Robot {
  name "tester" supervisor TRUE controller "java_supervise" controllerArgs [ "1" "two words" ]
  children [ Display { name "display" width 4 height 3 } Emitter { name "emitter" } ]
})";
  const Outcome outcome = run(world, "10");
  EXPECT_THAT(said(outcome.out), testing::EndsWith("all right\n")) << outcome.out << outcome.err;
  EXPECT_THAT(said(outcome.out), HasSubstr("an array of 3 elements is needed, this one has 2\n"));
  EXPECT_THAT(said(outcome.out), HasSubstr("an image of 2 x 3 pixels out of an array of 4\n"));
  EXPECT_THAT(said(outcome.out), HasSubstr("4 corners out of arrays of 4 and 3\n"));
  EXPECT_THAT(said(outcome.out), HasSubstr("a packet of 4 bytes out of an array of 3\n"));
  EXPECT_EQ(outcome.exit, 7) << outcome.err;  // what simulationQuit() was given
}

TEST_F(JavaControllers, MayHaveThreads) {
  compile("java_threads");
  const std::string world = R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 32 }
DEF CUBE Solid { translation 2 0 0.2 }
Robot {
  name "tester" supervisor TRUE controller "java_threads"
  children [ Display { name "display" width 4 height 3 } ]
})";
  const Outcome outcome = run(world, "100000");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("180 of 180\n")) << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("Error: wb_display"))) << "every picture is there";
}

TEST_F(JavaControllers, DriveACar) {
  compile("java_car");
  const Outcome outcome = run(vehicle_world("java_car"), "10");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("speed true wheelbase 1.300 type 2 indicator true"))
      << outcome.err;
}

TEST_F(JavaControllers, MayBeArchivesWithOptions) {
  compile("java_car");
  const fs::path folder = folder_ / "controllers/java_car";
  const Outcome packed = execute(
      {"sh", "-c", "cd " + folder.string() + " && jar cf java_car.jar *.class && rm *.class"});
  ASSERT_EQ(packed.exit, 0) << packed.err;
  const Outcome outcome = run(vehicle_world("java_car"), "10");
  EXPECT_THAT(outcome.out, HasSubstr("speed true ")) << outcome.err;
  folder_.write("controllers/java_car/runtime.ini", "[java]\nOPTIONS = -version\n");
  EXPECT_THAT(run(vehicle_world("java_car"), "1").err, HasSubstr("openjdk version"));
  folder_.write("controllers/java_car/runtime.ini", "[java]\nCOMMAND = java99\n");
  EXPECT_THAT(
      run(vehicle_world("java_car"), "1").err,
      HasSubstr("COMMAND of [java] is 'java99', which is no program; install it or name another"));
}

TEST_F(JavaControllers, TheSkeletonRuns) {
  const Outcome made =
      protobeam({"new", "controller_java", "amble", "--in", folder_.path().string()});
  ASSERT_EQ(made.exit, 0) << made.out << made.err;
  compile("amble");
  const Outcome outcome = run(robot_world("amble"), "0.5");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("s: lidar: nearest return at ")) << outcome.err;
}

TEST_F(JavaControllers, ShowTheirExceptions) {
  folder_.write("controllers/fails/fails.java", R"(import com.cyberbotics.webots.controller.Robot;
public class fails {
  public static void main(String[] arguments) {
    new Robot().step(32);
    System.out.println(half(4));
  }
  static int half(int number) { return number / (number - 4); }
})");
  compile("fails");
  const Outcome outcome =
      run("#VRML_SIM R2025a utf8\nRobot { name \"r\" controller \"fails\" }", "1");
  EXPECT_EQ(outcome.exit, 3) << outcome.out;
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("ArithmeticException: / by zero"));
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("fails.java:7"));
}

}  // namespace
}  // namespace protobeam::test
