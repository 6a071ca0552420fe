// Vehicles as controller programs see them: protobeam/vehicle.h, and Webots' driver and car.
#include <gmock/gmock.h>

#include <cmath>

#include "base/vehicle_data.h"
#include "link/messages.h"
#include "tests/unit/link/test_robot.h"
#include "vehicle/drive_type.h"

namespace protobeam::link {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::uint16_t op_of(DriveCommandIndex index) {
  return static_cast<std::uint16_t>(device_op::kFirstCommand + static_cast<std::size_t>(index));
}
constexpr std::uint16_t kTwist = op_of(DriveCommandIndex::kTwist),
                        kSpeed = op_of(DriveCommandIndex::kSpeed),
                        kTorques = op_of(DriveCommandIndex::kTorques);
constexpr std::size_t kWheels = 16;  // doubles before those of the wheels
constexpr std::size_t kValues = kWheels + 4 * vehicle_data::kWheelSize;

constexpr double kWheelbase = 2, kMaxTorque = 600, kMaxSteering = 0.5;

/// A car with driven front wheels whose controller takes "twist", "speed" or "torques".
RobotRecord test_car(const char* takes) {
  RobotRecord robot;
  robot.name = "car";
  robot.basic_time_step_ms = 32;
  robot.devices.push_back(record_of(load_sensor_plugin("GPS").type, 1, "gps", "GPS", {}));
  static const DeviceType drive = drive_type({"AckermannDrive", "VehicleDrive", "", {}});
  robot.devices.push_back(record_of(
      drive, 2, "drive", "AckermannDrive",
      {{"drive", std::string("AckermannDrive")},
       {"controller", std::string("FrontSteerPid")},
       {"takes", std::string(takes)},
       {"inputs", 2.0},
       {"maxTorque", kMaxTorque},
       {"maxSteering", kMaxSteering},
       {"wheelbase", kWheelbase},
       {"wheelRadii", std::vector<double>{0.3, 0.3, 0.35, 0.35}},
       {"drivenWheels", std::vector<double>{0, 0, 1, 1}},
       {"wheelPositions",
        std::vector<double>{0, 0.625, 0.3, 0, -0.625, 0.3, 2, 0.75, 0.35, 2, -0.75, 0.35}}}));
  return robot;
}

class InBothLanguages : public testing::TestWithParam<const char*> {
 protected:
  std::string program(const char* name) const { return std::string(name) + GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Languages, InBothLanguages, testing::Values("_c99", "_cpp"));

TEST_P(InBothLanguages, AVehicleGetsItsSetPointsAndTellsItsSample) {
  Running run({}, program("vehicle_use").c_str(), test_car("twist"));
  ASSERT_EQ(run.wait(), ControllerState::kStepping) << testing::PrintToString(run.lines.out());
  const auto& commands = run.host->request().commands;
  ASSERT_EQ(commands.size(), 4u);
  EXPECT_EQ(commands[0].op, device_op::kEnable);
  EXPECT_EQ(commands[1].op, kTwist);
  EXPECT_THAT(commands[1].numbers, ElementsAre(1, 2, 3));
  EXPECT_EQ(commands[2].op, kSpeed);
  EXPECT_THAT(commands[2].numbers, ElementsAre(4, 0.25));
  EXPECT_EQ(commands[3].op, kTorques);
  EXPECT_THAT(commands[3].numbers, ElementsAre(-0.125, 30, 40));
  for (std::size_t i = 0; i < kValues; ++i) {
    run.data<double>("drive")[i] = static_cast<double>(i + 1);
  }
  run.host->reply({0, 0.032, {}});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  run.host->reply({-1, 0.064, {}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("0 failures"));
  for (const char* mistake :
       {"set_torques() called with 1 torques; 'drive' takes 2", "set_twist() called with nan",
        "set_speed() called with inf", "called with device 'gps', which is of another type",
        "get_true_pose() called for the disabled device 'drive'",
        "get_wheel() called with wheel 4; 'drive' has 4, counted from 0"}) {
    EXPECT_THAT(run.lines.err(), Contains(HasSubstr(mistake)));
  }
}

/// The sample that car_use.c expects.
void fill(double* data) {
  for (std::size_t i = 0; i < 4; ++i) {
    double* wheel = data + kWheels + i * vehicle_data::kWheelSize;
    wheel[vehicle_data::kSpin] = 10 * static_cast<double>(i + 1);
    wheel[vehicle_data::kAngle] = static_cast<double>(i + 1);
    wheel[vehicle_data::kSteering] = i < 2 ? 0 : 0.1 * static_cast<double>(i);
  }
}

/// Runs car_use to its end and returns the commands of its first two steps.
std::vector<std::vector<DeviceCommand>> drive(Running& run) {
  std::vector<std::vector<DeviceCommand>> steps;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(run.wait(), ControllerState::kStepping) << testing::PrintToString(run.lines.out());
    steps.push_back(run.host->request().commands);
    fill(run.data<double>("drive"));
    run.host->reply({0, 0.032 * (i + 1), {}});
  }
  EXPECT_EQ(run.wait(), ControllerState::kStepping);
  run.host->reply({-1, 0.1, {}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("0 failures"));
  return steps;
}

TEST_P(InBothLanguages, ADriverSpeaksTwistsToAControllerOfTwists) {
  Running run({}, program("car_use").c_str(), test_car("twist"));
  const auto steps = drive(run);
  ASSERT_FALSE(steps[0].empty());
  const DeviceCommand& first = steps[0].back();
  EXPECT_EQ(first.op, kTwist);
  // 36 km/h braked by half is 5 m/s; 0.25 rad to the right on a wheelbase of 2 m.
  EXPECT_THAT(first.numbers,
              ElementsAre(5, 0, testing::DoubleNear(-5 * std::tan(0.25) / 2, 1e-12)));
  EXPECT_THAT(steps[1], IsEmpty());  // there is no throttle
  EXPECT_THAT(run.lines.err(), Contains(HasSubstr("wbu_driver_set_throttle() does nothing")));
  EXPECT_THAT(run.lines.err(),
              Contains(HasSubstr("wbu_driver_get_rpm() called under control by speed")));
  EXPECT_THAT(run.lines.err(), Contains(HasSubstr("set_left_steering_angle() does nothing")));
}

TEST_P(InBothLanguages, ADriverSpeaksOfSpeedAndSteeringWhereThatIsTaken) {
  Running run({}, program("car_use").c_str(), test_car("speed"));
  const auto steps = drive(run);
  ASSERT_FALSE(steps[0].empty());
  EXPECT_EQ(steps[0].back().op, kSpeed);
  EXPECT_THAT(steps[0].back().numbers, ElementsAre(5, -0.25));
}

TEST_P(InBothLanguages, ADriversThrottleIsAShareOfTheGreatestTorque) {
  Running run({}, program("car_use").c_str(), test_car("torques"));
  const auto steps = drive(run);
  for (const DeviceCommand& command : steps[0]) EXPECT_EQ(command.op, device_op::kEnable);
  EXPECT_THAT(run.lines.err(), Contains(HasSubstr("wbu_driver_set_cruising_speed() does nothing")));
  ASSERT_EQ(steps[1].size(), 1u);
  EXPECT_EQ(steps[1][0].op, kTorques);
  EXPECT_THAT(steps[1][0].numbers, ElementsAre(kMaxSteering, -0.5 * kMaxTorque, -0.5 * kMaxTorque));
}

TEST(CppCar, IsARobotWithTheDriversFunctions) {
  Running run({}, "car_use_classes", test_car("speed"));
  ASSERT_EQ(run.wait(), ControllerState::kStepping) << testing::PrintToString(run.lines.err());
  EXPECT_THAT(run.host->request().commands.back().numbers, ElementsAre(2, -0.25));
  fill(run.data<double>("drive"));
  run.host->reply({0, 0.032, {}});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  ASSERT_EQ(run.host->request().commands.size(), 2u);
  EXPECT_THAT(run.host->request().commands[0].numbers, ElementsAre(0.125, 1, 2));
  run.host->reply({-1, 0.064, {}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("01 1.5 2 0.3", "AckermannDrive 4 0",
                                           "30 0 1 10"));  // the indicator went out
}

TEST(CppCar, IsToldWhenTheRobotIsNone) {
  RobotRecord robot = test_car("twist");
  robot.devices.pop_back();
  Running run({}, "car_use_c99", robot);
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  run.host->reply({-1, 0, {}});
  run.wait();
  EXPECT_THAT(run.lines.err(), Contains(HasSubstr("robot 'car' has no AckermannDrive or "
                                                  "AckermannDrivetrain among its devices")));
  EXPECT_THAT(run.lines.out(), Not(Contains("0 failures")));
}

TEST(VehicleCommands, AreCheckedBeforeTheyReachTheWorld) {
  const RobotRecord robot = test_car("twist");
  const auto refused = [&](DeviceCommand command) -> std::string {
    try {
      check(command, robot);
    } catch (const BrokenMessage& broken) {
      return broken.what();
    }
    return "";
  };
  EXPECT_EQ(refused({2, kTwist, {1, 0, 2}, ""}), "");
  EXPECT_EQ(refused({2, kTorques, {0.1}, ""}), "");
  EXPECT_EQ(refused({2, kTorques, {0.1, 1, 2, 3, 4}, ""}), "");
  EXPECT_THAT(refused({2, kTorques, {}, ""}), HasSubstr("wrong size"));
  EXPECT_THAT(refused({2, kTorques, std::vector<double>(18, 1.0), ""}), HasSubstr("wrong size"));
  EXPECT_THAT(refused({2, kTwist, {1, 0}, ""}), HasSubstr("wrong size"));
  EXPECT_THAT(refused({2, kSpeed, {INFINITY, 0}, ""}), HasSubstr("holds inf"));
  EXPECT_THAT(refused({1, kTwist, {1, 0, 2}, ""}), HasSubstr("to 'gps' (GPS) is unknown"));
}

}  // namespace
}  // namespace protobeam::link
