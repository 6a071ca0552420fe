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

const ScheduledVehicle kRover{"rover", "DifferentialDrive", "TwistPid", "twist", 2, false};
const ScheduledVehicle kRaw{"rover", "DifferentialDrive", "RawControl", "torques", 2, false};
const ScheduledVehicle kCar{"car", "AckermannDrive", "RawControl", "torques", 2, true};
const ScheduledVehicle kGeared{"car", "AckermannDrivetrain", "RawControl", "torques", 1, true};
const ScheduledVehicle kDriver{"car", "AckermannDrivetrain", "FrontSteer", "speed", 1, true};

DriveCommand first(std::string_view text, const ScheduledVehicle& vehicle) {
  const Schedule schedule = parse_schedule(text);
  return command_of(schedule, schedule.points.front(), vehicle);
}

std::string mistake(std::string_view text, const ScheduledVehicle& vehicle) {
  try {
    const Schedule schedule = parse_schedule(text);
    for (const SetPoint& point : schedule.points) command_of(schedule, point, vehicle);
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
  const auto twist = std::get<Twist>(command_of(schedule, schedule.points[1], kRover));
  EXPECT_EQ(twist.vx, -0.5);
  EXPECT_EQ(twist.omega, 0.25);
}

TEST(Schedule, NegativeTorquesDriveForward) {
  EXPECT_TRUE(parse_schedule("raw:0:-3,2").raw);
  const auto torques = std::get<TorqueCommand>(first("raw:0:-3,2", kRaw));
  EXPECT_THAT(torques.torque, ElementsAre(3, -2));
  EXPECT_EQ(torques.steering, 0);
}

TEST(Schedule, SteeringStandsBehindTheTorquesInDegrees) {
  const auto geared = std::get<TorqueCommand>(first("raw:0:-1500,10;5:0,0", kGeared));
  EXPECT_THAT(geared.torque, ElementsAre(1500));
  EXPECT_NEAR(geared.steering, 10 * kPi / 180, 1e-15);
  const auto front = std::get<TorqueCommand>(first("raw:0:-1,-2,90", kCar));
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

TEST(Schedule, ADriverGetsASpeedForwardAndASteeringAngleInDegrees) {
  const auto both = std::get<SpeedCommand>(first("raw:0:2.5,-20", kDriver));
  EXPECT_EQ(both.speed, 2.5);
  EXPECT_NEAR(both.steering, -20 * kPi / 180, 1e-15);
  EXPECT_EQ(std::get<SpeedCommand>(first("raw:0:-1", kDriver)).speed, -1);
}

TEST(Schedule, RawSetPointsMustFitTheVehicleAndAreToldWithTheirCharacter) {
  EXPECT_THAT(mistake("raw:0:1", kRaw),
              HasSubstr("character 7: a torque set-point for DifferentialDrive has 2 numbers, got "
                        "1\n  raw:0:1\n        ^"));
  EXPECT_THAT(mistake("raw:0:1,2;3: 1,2,3", kRaw), HasSubstr("character 14: "));
  EXPECT_THAT(mistake("raw:0:1,2,3", kGeared),
              HasSubstr("AckermannDrivetrain has 1 number and, if wanted, the steering angle in "
                        "degrees, got 3"));
  EXPECT_THAT(mistake("r=raw:0:1,5; 2:1,2,3", kDriver),
              HasSubstr("character 16: a speed set-point for FrontSteer has 1 number and, if "
                        "wanted, the steering angle in degrees, got 3"));
  EXPECT_EQ(mistake("raw:0:1", kGeared), "");
}

TEST(Schedule, MessagesTellHowAVehicleWantsIt) {
  EXPECT_EQ(form_of(kRover), "t:vx,w");
  EXPECT_EQ(form_of(kRaw), "raw:t:left,right");
  EXPECT_EQ(form_of(kCar), "raw:t:left,right,steering");
  EXPECT_EQ(form_of(kGeared), "raw:t:torque,steering");
  EXPECT_EQ(form_of(kDriver), "raw:t:speed,steering");
}

}  // namespace
}  // namespace protobeam
