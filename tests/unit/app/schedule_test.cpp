// Set-points of vehicles as text.
#include "app/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/math.h"

namespace protobeam {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string mistake(std::string_view text) {
  try {
    parse_schedule(text);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

TEST(Schedule, TwistsHaveATimeASpeedAndAYawRate) {
  const Schedule schedule = parse_schedule("0:1,0; 5:-0.5,0.25;");
  EXPECT_FALSE(schedule.raw);
  EXPECT_TRUE(schedule.robot.empty());
  ASSERT_EQ(schedule.points.size(), 2u);
  EXPECT_EQ(schedule.points[1].time, 5);
  const auto twist =
      std::get<Twist>(command_of(schedule.points[1], schedule.raw, "DifferentialDrive"));
  EXPECT_EQ(twist.vx, -0.5);
  EXPECT_EQ(twist.omega, 0.25);
}

TEST(Schedule, NegativeTorquesDriveForward) {
  const Schedule schedule = parse_schedule("raw:0:-3,2");
  EXPECT_TRUE(schedule.raw);
  const auto torques =
      std::get<TorqueCommand>(command_of(schedule.points[0], true, "DifferentialDrive"));
  EXPECT_THAT(torques.torque, ElementsAre(3, -2));
  EXPECT_EQ(torques.steering, 0);
}

TEST(Schedule, SteeringStandsBehindTheTorquesInDegrees) {
  const Schedule schedule = parse_schedule("raw:0:-1500,10;5:0,0");
  const auto geared =
      std::get<TorqueCommand>(command_of(schedule.points[0], true, "AckermannDrivetrain"));
  EXPECT_THAT(geared.torque, ElementsAre(1500));
  EXPECT_NEAR(geared.steering, 10 * kPi / 180, 1e-15);
  const auto front = std::get<TorqueCommand>(command_of({0, {-1, -2, 90}}, true, "AckermannDrive"));
  EXPECT_THAT(front.torque, ElementsAre(1, 2));
  EXPECT_NEAR(front.steering, kPi / 2, 1e-15);
}

TEST(Schedule, ARobotMayBeNamed) {
  EXPECT_EQ(parse_schedule("r 1=0:1,0").robot, "r 1");
  EXPECT_EQ(parse_schedule("r1=raw:0:1,0").robot, "r1");
}

TEST(Schedule, MistakesAreToldWithTheirCharacter) {
  EXPECT_THAT(mistake(""), HasSubstr("character 1: expected a time in seconds, got the end"));
  EXPECT_THAT(mistake("0:1,0;x:2,0"), HasSubstr("character 7: expected a time in seconds"));
  EXPECT_THAT(mistake("0 1,0"), HasSubstr("character 3: expected ':' behind the time, got '1,0'"));
  EXPECT_THAT(mistake("0:1"), HasSubstr("character 3: a set-point has a speed and a yaw rate"));
  EXPECT_THAT(mistake("0:1,2,3"), HasSubstr("got 3 numbers"));
  EXPECT_THAT(mistake("0:1,nan"), HasSubstr("character 5: expected a speed, got 'nan'"));
  EXPECT_THAT(mistake("0:1,0;0:2,0"), HasSubstr("character 7: the time 0 must be later"));
  EXPECT_THAT(mistake("-1:1,0"), HasSubstr("character 1: a time must not be negative"));
  EXPECT_THAT(mistake("0:1,0 5:1,0"), HasSubstr("character 7: expected ';' or the end"));
  EXPECT_THAT(mistake("=0:1,0"), HasSubstr("a robot's name before '='"));
}

TEST(Schedule, TorquesMustFitTheDrive) {
  EXPECT_THROW(command_of({0, {1}}, true, "DifferentialDrive"), std::invalid_argument);
  EXPECT_THROW(command_of({0, {1, 2, 3}}, true, "DifferentialDrive"), std::invalid_argument);
  EXPECT_THROW(command_of({0, {1, 2, 3}}, true, "AckermannDrivetrain"), std::invalid_argument);
  EXPECT_NO_THROW(command_of({0, {1}}, true, "AckermannDrivetrain"));
}

}  // namespace
}  // namespace protobeam
