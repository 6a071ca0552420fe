// Programs in Python as controllers of real runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/program.h"
#include "tests/support/tester.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class PythonControllers : public testing::Test {
 protected:
  Outcome run(const std::string& world, const char* duration = "0.5") {
    const fs::path file = folder_.write("worlds/w.wbt", world);
    return protobeam({"run", file.string(), "--duration", duration});
  }
  void SetUp() override {
    fs::create_directory_symlink(source_dir() + "/tests/python/controllers",
                                 folder_ / "controllers");
  }
  TemporaryFolder folder_;
};

TEST_F(PythonControllers, ReadTheSameAsThoseInC) {
  const Outcome c = run(robot_world("read_devices") + kEcho);
  const Outcome python = run(robot_world("python_read_devices") + kEcho);
  ASSERT_EQ(c.exit, 0) << c.out << c.err;
  ASSERT_EQ(python.exit, 0) << python.out << python.err;
  EXPECT_GT(said(c.out).size(), 10000u);
  EXPECT_THAT(said(c.out), HasSubstr("target "));
  EXPECT_THAT(said(c.out), HasSubstr("object "));
  EXPECT_THAT(said(c.out), HasSubstr("packet "));
  EXPECT_EQ(said(c.out), said(python.out));
}

TEST_F(PythonControllers, HaveArraysWithoutACopy) {
  const std::string world =
      robot_world("python_arrays", "", "numberOfLayers 64 horizontalResolution 4500");
  const Outcome outcome = run(world, "2");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("[tester] all right")) << outcome.err;
}

TEST_F(PythonControllers, SayWhatIsUsedWrongly) {
  const Outcome outcome = run(robot_world("python_wrong_use") + kEcho, "2");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("[tester] all right"));
  EXPECT_THAT(outcome.err, HasSubstr("\"nothing\" device not found on robot \"tester\""));
  EXPECT_THAT(outcome.err, HasSubstr("DEPRECATION: Robot.getMotor is deprecated"));
  EXPECT_THAT(outcome.err, HasSubstr("only one Robot can be created"));
}

TEST_F(PythonControllers, PrintAtOnceAlsoWhenKilled) {
  const Outcome outcome = run(robot_world("python_lifecycle", "\"killed\""));
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.out, HasSubstr("[tester] before the end"));
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("SIGKILL"));
}

TEST_F(PythonControllers, ShowTheirTraceback) {
  const Outcome outcome = run(robot_world("python_lifecycle", "\"raises\""));
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.out, HasSubstr("[tester] ä line"));
  EXPECT_THAT(outcome.err, HasSubstr("[tester] Traceback (most recent call last):"));
  EXPECT_THAT(outcome.err, HasSubstr("[tester]     {}[\"missing\"]"));
  EXPECT_THAT(outcome.err, HasSubstr("[tester] KeyError: 'missing'"));
}

#ifndef PROTOBEAM_SANITIZED  // which reports crashes itself
TEST_F(PythonControllers, ShowWhereTheyCrash) {
  const Outcome outcome = run(robot_world("python_lifecycle", "\"crashes\""));
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err, testing::ContainsRegex("lifecycle.py\", line [0-9]+ in <module>"))
      << outcome.err;
}
#endif

TEST_F(PythonControllers, EndAsThoseInCDo) {
  const Outcome exits = run(robot_world("python_lifecycle", "\"exits\""));
  EXPECT_EQ(exits.exit, 3);
  EXPECT_THAT(exits.out + exits.err, HasSubstr("status 4"));
  EXPECT_EQ(run(robot_world("python_lifecycle", "\"ends\"")).exit, 0);
  const Outcome split = run(robot_world("python_lifecycle", "\"split\""));
  EXPECT_EQ(split.exit, 0) << split.err;
  EXPECT_THAT(split.out, HasSubstr("[tester] over"));
}

TEST_F(PythonControllers, FindTheLibrariesWhereWebotsHasThem) {
  const Outcome outcome = run(robot_world("python_lifecycle", "\"looks in Webots' folder\""));
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("[tester] tester is here"));
}

TEST_F(PythonControllers, CloseTheirFilesWhenTheRunIsOver) {
  const fs::path file = folder_ / "times.txt";
  const Outcome outcome =
      run(robot_world("python_lifecycle", "\"writes\" \"" + file.string() + "\""), "0.32");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(read_bytes(file), testing::StartsWith("0.032\n0.064\n"));
  EXPECT_THAT(read_bytes(file), HasSubstr("0.320\n"));
}

// As in Webots, where Receiver.getData() gave bytes until R2022b and a text since.
TEST_F(PythonControllers, ReceiveBytesInWorldsOfReleasesThatGaveThem) {
  const auto heard = [&](const std::string& release) {
    const std::string robot =
        "Robot { controller \"python_packets\" children [ Emitter { } Receiver { } ] name \"";
    const Outcome outcome = run("#VRML_SIM " + release + " utf8\nWorldInfo { }\n" + robot +
                                    "listener\" }\n" + robot + "sender\" }\n",
                                "0.3");
    EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
    return outcome.out;
  };
  for (const char* release : {"R2019b", "R2022b"}) {
    const std::string text = heard(release);
    EXPECT_THAT(text, HasSubstr("[listener] data b'\\x00\\x00\\xc0?\\x00\\x00\\xdc\\xc3'"));
    EXPECT_THAT(text, HasSubstr("[listener] data b'a text'"));
  }
  for (const char* release : {"R2023a", "R2025a"}) {
    const std::string text = heard(release);
    EXPECT_THAT(text, HasSubstr("[listener] no text"));
    EXPECT_THAT(text, HasSubstr("[listener] data a text"));
  }
}

TEST_F(PythonControllers, Supervise) {
  const Outcome outcome =
      run(robot_world("python_supervise", "", "numberOfLayers 1 horizontalResolution 9",
                      "supervisor TRUE"),
          "1");
  if (outcome.out.find("no functions for supervisors") != std::string::npos)
    GTEST_SKIP() << outcome.out;
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("[tester] all right"));
  const std::string fills =
      "Warning: Field.setSFVec3f() takes 3 numbers, not 2: those that are missing are 0\n";
  EXPECT_EQ(outcome.err.find(fills), outcome.err.rfind(fills)) << "once";
  EXPECT_THAT(outcome.err, HasSubstr(fills));
  EXPECT_THAT(outcome.err, HasSubstr("Warning: Node.setVelocity() takes 6 numbers, not 1: "));
  EXPECT_THAT(outcome.err, HasSubstr("Error: Field.setSFVec3f() takes 3 numbers, not 4\n"));
}

TEST_F(PythonControllers, DriveVehicles) {
  for (const char* controller : {"python_vehicle", "python_car"}) {
    const Outcome outcome = run(vehicle_world(controller), "10");
    EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("all right")) << outcome.err;
  }
}

/// A world with robots of Webots, which the catalogue stands in for, and programs that judge them.
Outcome run_to_the_end(const std::string& world, const std::string& seconds) {
  Outcome outcome =
      protobeam({"run", "tests/data/webots_first/worlds/" + world + ".wbt", "--duration", seconds});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  return outcome;
}

TEST(PythonExamples, AvoidObstaclesAndReadALidar) {
  const Outcome outcome = protobeam({"run", "worlds/python.wbt", "--duration", "20"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" m in 20.0 s, 0 touches"));
  EXPECT_THAT(outcome.out, HasSubstr("beams come back, the nearest one"));
}

TEST_F(PythonControllers, ResetAThousandTimes) {
  std::string world = read_bytes(source_dir() + "/worlds/randomized.wbt");
  const std::string before = "controller \"randomizer\"\n  controllerArgs [ \"3\" \"1\" ]";
  const std::size_t at = world.find(before);
  ASSERT_NE(at, std::string::npos);
  world.replace(at, before.size(), "controller \"python_thousand\" controllerArgs [ \"7\" ]");
  const Outcome first = run(world, "100"), again = run(world, "100");
  EXPECT_EQ(first.exit, 0) << first.out << first.err;
  EXPECT_THAT(first.out, HasSubstr("[randomizer] 1000 "));
#ifndef PROTOBEAM_SANITIZED  // which keeps what was freed
  EXPECT_THAT(first.out, HasSubstr("grew by less than 4 MiB"));
#endif
  const auto hash = [](const std::string& out) { return out.substr(out.find("state hash")); };
  ASSERT_THAT(first.out, HasSubstr("state hash"));
  EXPECT_EQ(hash(first.out), hash(again.out));
}

TEST(PythonExamples, FirstWorldsOfWebotsRunWithoutTheNetwork) {
  // Stand-ins for Webots' PROTOs. The controllers judge height, distance and walls themselves.
  for (const char* world : {"R2022b", "R2023a", "R2023b", "R2024a", "R2025a", "pioneer"}) {
    SCOPED_TRACE(world);
    const std::string file = std::string("tests/data/webots_first/worlds/").append(world) + ".wbt";
    const Outcome checked = protobeam({"check", file});
    EXPECT_EQ(checked.exit, 0) << checked.err;
    const Outcome outcome = protobeam({"run", file, "--duration", "30"});
    EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(" m in 30.0 s"));
  }
}

TEST(PythonExamples, AQuadcopterClimbsAndHovers) {
  const Outcome outcome = run_to_the_end("mavic", "20");
  EXPECT_THAT(outcome.out, HasSubstr(" m after 20.0 s"));
}

TEST(PythonExamples, ArmsReachWhereTheirMakersKinematicsSay) {
  const Outcome outcome = run_to_the_end("arms", "13");
  for (const char* arm : {"UR3e: flange within", "UR5e: flange within", "UR10e: flange within"}) {
    EXPECT_THAT(outcome.out, HasSubstr(arm));
  }
}

TEST(PythonExamples, MecanumWheelsDriveSidewaysByTheirKinematics) {
  const Outcome outcome = run_to_the_end("mecanum", "13");
  EXPECT_THAT(outcome.out, HasSubstr("youBot has been moved by its wheels"));
  EXPECT_THAT(outcome.out, HasSubstr("Summit-XL Steel has been moved by its wheels"));
}

TEST(PythonExamples, SmallRobotsFeelWhatIsAroundAndOneHovers) {
  const Outcome outcome = run_to_the_end("small_robots", "8");
  EXPECT_THAT(outcome.out, HasSubstr("Create has felt the wall"));
  EXPECT_THAT(outcome.out, HasSubstr("Thymio II has felt the wall"));
  EXPECT_THAT(outcome.out, HasSubstr("300 mm from the wall"));
}

TEST(PythonExamples, TheStandInForABmwDrivesByTheVehicleLibrary) {
  const Outcome outcome = run_to_the_end("bmw", "10");
  // 5 m/s on a circle of 12 m for 2 s would be 0.83 rad; tyres slip.
  EXPECT_THAT(outcome.out, HasSubstr("18 km/h, turned by -0.7"));
  EXPECT_THAT(outcome.out, HasSubstr("0.0 km/h, on its springs"));
}

TEST(PythonExamples, TheStandInForATeslaDrivesByItsRearWheels) {
  const Outcome outcome = run_to_the_end("tesla", "10");
  EXPECT_THAT(outcome.out, HasSubstr("18 km/h, turned by -0.7"));
  EXPECT_THAT(outcome.out, HasSubstr("0.0 km/h, at 0.25 m"));
}

TEST(PythonExamples, TheStandInsForOtherCarsDriveToo) {
  const Outcome outcome = run_to_the_end("cars", "14");
  for (const char* told :
       {"Lincoln MKZ drives", "Citroen C-Zero drives", "Toyota Prius drives",
        "Range Rover SVR drives", "Mercedes-Benz Sprinter drives", "bus drives"}) {
    EXPECT_THAT(outcome.out, HasSubstr(told));
  }
}

TEST(PythonExamples, ACarOfOnesOwnDrivesAsItsFiguresSay) {
  const Outcome outcome = run_to_the_end("own_car", "40");
  EXPECT_THAT(outcome.out, HasSubstr("own car: 0 failures"));
}

TEST(PythonExamples, HybridCarsPushAsTheirEnginesShould) {
  const Outcome outcome = run_to_the_end("hybrids", "6");
  EXPECT_THAT(outcome.out, HasSubstr("parallel hybrid: 0 failures"));
  EXPECT_THAT(outcome.out, HasSubstr("power-split hybrid: 0 failures"));
}

TEST(PythonExamples, ACarOnWheelsOfUnknownRadiusDrivesByItsThrottle) {
  const Outcome outcome = run_to_the_end("own_wheels", "6");
  EXPECT_THAT(outcome.err, HasSubstr("Car: the node in wheelFrontRight has no tireRadius > 0"));
  EXPECT_THAT(outcome.err, HasSubstr("set_cruising_speed() knows no speed: the wheels of"));
  EXPECT_THAT(outcome.out, HasSubstr("by speed 0.0 m/s"));
  EXPECT_THAT(outcome.out, HasSubstr("by throttle it drives"));
  EXPECT_THAT(outcome.out, HasSubstr("speed 0.0 km/h"));
}

TEST(PythonExamples, TrafficLightsGoOnByThemselves) {
  const Outcome outcome = run_to_the_end("traffic_lights", "13");
  for (const char* told : {"generic shows red at 0.1 s", "generic shows orange at 3.0 s",
                           "generic shows green at 4.5 s", "generic shows orange at 6.5 s",
                           "generic shows red at 8.0 s", "crossing shows green at 0.1 s",
                           "crossing shows orange at 8.1 s", "crossing shows red at 10.1 s"}) {
    EXPECT_THAT(outcome.out, HasSubstr(told));
  }
}

TEST(PythonExamples, StandInsAreReadWithTheirDefaults) {
  const Outcome checked = protobeam({"check", "tests/data/webots_first/worlds/stand_ins.wbt"});
  EXPECT_EQ(checked.exit, 0) << checked.err;
  EXPECT_THAT(checked.out + checked.err, HasSubstr("no errors, 1 warning"));
}

TEST(PythonExamples, StandInsReplaceTheValuesThatWebotsReplaces) {
  const Outcome checked =
      protobeam({"check", "tests/data/webots_first/worlds/replaced_values.wbt"});
  EXPECT_EQ(checked.exit, 0) << checked.err;
  for (const char* told :
       {"Window: windowHeight must be > 0, got 0: 1.4 is taken",
        "Cabinet: depth 0.01 is too small: 0.12 is taken",
        "Cabinet: layout 2 has an unknown element: Hole",
        "UnevenTerrain: xDimension must be within 2 and 10000, got 1: 50 is taken",
        "SolidPipe: thickness must be less than radius: 0.5 is taken",
        "SolidTorus: subdivision must be at least 8, got 3: 8 is taken",
        "PedestrianCrossing: size must be > 0: 20 8 is taken",
        "Building: floorNumber must be > 0, got 0: 3 is taken",
        "Building: a hipped roof needs 4 corners, got 3: a pyramidal roof is taken",
        "SimpleBuilding: wallColor has no effect on a \"stone wall\"",
        "SignPole: height must be > 0, got 0: 2.2 is taken",
        "AdvertisingBoard: poleNumber must be within 0 and 4, got 5: 0 is taken",
        "AdvertisingBoard: frameThickness must be >= 0.1, got 0: 0.6 is taken",
        "WoodenPalletStack: palletNumber must be > 0, got 0: 8 is taken",
        "WoodenPalletStack: lateralMisalignment must be within 0 and 0.4, got 3: 0.4 is taken",
        "Radiator: numberOfFins must be > 0, got 0: 10 is taken",
        "StraightStairs: nSteps must be > 0, got 0: 5 is taken",
        "StraightStairs: stepSize must be > 0: 0.4 1.27 0.03 is taken",
        "StraightStairsRail: run must be > 0, got 0: 2 is taken",
        "StraightStairsLanding: supportPoleSize must be >= 0: 0.05 0.05 is taken",
        "GenericTrafficLight: greenTime must be > 0, got 0: 60 is taken",
        "Forest: density must be >= 0, got -1: 0.2 is taken",
        "Forest: treesFiles are not read: no trees stand there",
        "BmwX5: rearMirror has no effect without interior"}) {
    EXPECT_THAT(checked.err, HasSubstr(told));
  }
}

TEST(PythonExamples, TheSkeletonRuns) {
  const TemporaryFolder folder;
  const Outcome made =
      protobeam({"new", "controller_python", "stroll", "--in", folder.path().string()});
  ASSERT_EQ(made.exit, 0) << made.out << made.err;
  const fs::path world = folder.write("worlds/w.wbt", robot_world("stroll"));
  const Outcome outcome = protobeam({"run", world.string(), "--duration", "0.5"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("s: lidar: nearest return at ")) << outcome.err;
}

/// Of R2018a: 30 counts a rad, a speed of 1 is 0.5 rad/s.
TEST_F(PythonControllers, DriveTheWheelsOfOldFiles) {
  const Outcome outcome = run(R"(#VRML_SIM R2018a utf8
WorldInfo { basicTimeStep 32 }
DifferentialWheels { controller "python_old_wheels" maxSpeed 40 speedUnit 0.5 slipNoise 0
  maxAcceleration 1000 encoderNoise 0 encoderResolution 30 }
)",
                              "4");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  const std::string all = outcome.out + outcome.err;
  EXPECT_THAT(all, HasSubstr("counted 240 -480"));  // 10 x 0.5 rad/s x 1.6 s x 30
  EXPECT_THAT(all, HasSubstr("told 10.0 -20.0 40.0 0.5"));
  EXPECT_THAT(all, HasSubstr("set 7.0 -8.0 32"));
  EXPECT_THAT(all, HasSubstr("off 0"));
}

}  // namespace
}  // namespace protobeam::test
