// The controller plugins: torques and steering from set-points, stops, and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/unit/vehicle/vehicle_plugins.h"
#include "vehicle/ackermann.h"

namespace protobeam {
namespace {

using ::testing::HasSubstr;

constexpr double kTiny = 1e-12;
constexpr double kDt = 0.01;

/// Radius 0.2 m, track 0.6 m.
std::unique_ptr<Drive> robot() {
  return make_drive({"DifferentialDrive"},
                    {10, {disc(0, 0.3, 1, 0.1, 0.4), disc(0, -0.3, 1, 0.1, 0.4)}});
}

/// Radius 0.3 m, wheelbase 1.2 m, track 1 m, steering up to 0.4 rad.
std::unique_ptr<Drive> ackermann_car(const char* type = "AckermannDrive") {
  return make_drive({type, {{"maxSteeringAngle", "0.4"}}},
                    {100,
                     {disc(0, 0.5, 1, 0.1, 0.6), disc(0, -0.5, 1, 0.1, 0.6),
                      disc(1.2, 0.5, 1, 0.1, 0.6), disc(1.2, -0.5, 1, 0.1, 0.6)}});
}

DriveState at(double time, std::span<const double> spin) { return {time, kDt, spin}; }

const std::vector<double> kStill = {0, 0};
const std::vector<double> kCarStill = {0, 0, 0, 0};

std::string controller_refusal(const NodeText& node, const Drive& drive) {
  try {
    make_controller(node, drive);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

TEST(TwistPid, AsksEachSideForTheSpeedOfItsWheel) {
  const auto drive = robot();
  const auto controller = make_controller({"TwistPid", {{"kp", "10"}}}, *drive);
  EXPECT_EQ(controller->command(Twist{1, 0, 0.5}, 0), "");
  // Left wants 1 - 0.5 * 0.3, right 1 + 0.5 * 0.3; both have 0.4 m/s.
  const auto out = controller->step(at(0, std::vector<double>{2, 2}));
  EXPECT_NEAR(out.torque[0], 10 * (0.85 - 0.4), kTiny);
  EXPECT_NEAR(out.torque[1], 10 * (1.15 - 0.4), kTiny);
  EXPECT_FALSE(out.imposed);
}

TEST(TwistPid, LimitsItsTorque) {
  const auto drive = robot();
  const auto controller = make_controller({"TwistPid", {{"maxTorque", "3"}}}, *drive);
  controller->command(Twist{1, 0, 0}, 0);
  EXPECT_EQ(controller->step(at(0, kStill)).torque[0], 3);
}

TEST(TwistPid, HoldsItsInitialSetPointUntilTheFirstCommand) {
  const auto drive = robot();
  const auto controller =
      make_controller({"TwistPid", {{"kp", "10"}, {"speed", "0.5"}, {"yawRate", "1"}}}, *drive);
  EXPECT_NEAR(controller->step(at(100, kStill)).torque[0], 10 * (0.5 - 0.3), kTiny);
  EXPECT_NEAR(controller->step(at(100, kStill)).torque[1], 10 * (0.5 + 0.3), kTiny);
}

TEST(TwistPid, GivesNoTorqueOnceAStandingVehicleIsAskedToStand) {
  const auto drive = robot();
  const auto controller = make_controller({"TwistPid", {{"kp", "10"}, {"ki", "100"}}}, *drive);
  controller->command(Twist{1, 0, 0}, 0);
  for (int k = 0; k < 10; ++k) controller->step(at(0, kStill));
  controller->command(Twist{}, 0);
  EXPECT_EQ(controller->step(at(0, std::vector<double>{0.2, 0.2})).torque[0], 0);  // 0.04 m/s
  // Its memory is gone: the next command starts from P and one step of I.
  controller->command(Twist{1, 0, 0}, 0);
  EXPECT_NEAR(controller->step(at(0, kStill)).torque[0], 10 + 100 * kDt, kTiny);
}

TEST(TwistPid, OnlyBrakesWhileItIsAskedToStand) {
  const auto drive = robot();
  const auto controller = make_controller({"TwistPid", {{"kp", "1"}, {"ki", "100"}}}, *drive);
  controller->command(Twist{1, 0, 0}, 0);
  for (int k = 0; k < 10; ++k) controller->step(at(0, kStill));
  controller->command(Twist{}, 0);
  // The integral still pushes forward, against the wish to stand.
  EXPECT_EQ(controller->step(at(0, std::vector<double>{0.5, 0.5})).torque[0], 0);
  EXPECT_GT(controller->step(at(0, std::vector<double>{-0.5, -0.5})).torque[0], 0);
}

TEST(TwistPid, StartsWithAReferenceFilterThatRisesSlowly) {
  // In its first step the filter asks for far less than a millimetre a second. That is no stop.
  const auto drive = robot();
  const auto controller = make_controller({"TwistPid",
                                           {{"kp", "10"},
                                            {"referenceFilter", "TRUE"},
                                            {"referenceFilterOrder", "2"},
                                            {"referenceFilterTau", "1"}}},
                                          *drive);
  controller->command(Twist{1, 0, 0}, 0);
  double torque = 0;
  for (int k = 0; k < 100; ++k) torque = controller->step(at(0, kStill)).torque[0];
  // Two low-passes in a row after 1 s: 1 - 2 / e; a coarse step makes a little more.
  EXPECT_NEAR(torque, 10 * (1 - 2 / std::exp(1)), 0.05);
}

TEST(TwistPid, FollowsItsReferenceFilterDownBeforeItStands) {
  const auto drive = robot();
  const auto controller = make_controller(
      {"TwistPid", {{"kp", "10"}, {"referenceFilter", "TRUE"}, {"referenceFilterTau", "1"}}},
      *drive);
  controller->command(Twist{1, 0, 0}, 0);
  for (int k = 0; k < 1000; ++k) controller->step(at(0, std::vector<double>{5, 5}));
  controller->command(Twist{}, 0);
  // The filtered set-point is still near 1 m/s: a slower vehicle is driven on, not braked.
  EXPECT_NEAR(controller->step(at(0, std::vector<double>{4, 4})).torque[0], 10 * (0.99 - 0.8),
              0.01);
}

TEST(TwistPid, FeedForwardHoldsTheChassisOnASlope) {
  const auto drive = robot();
  const auto controller =
      make_controller({"TwistPid", {{"kp", "0"}, {"feedForward", "TRUE"}, {"speed", "1"}}}, *drive);
  DriveState state = at(0, kStill);
  state.gravity_V = {-9.81 * std::sin(0.1), 0, -9.81 * std::cos(0.1)};  // uphill
  // Two wheels of radius 0.2 m hold 10 kg.
  EXPECT_NEAR(controller->step(state).torque[0], 10 * 9.81 * std::sin(0.1) * 0.2 / 2, kTiny);
}

TEST(TwistPid, FeedForwardOfFourDrivenWheelsIsSharedByFour) {
  const auto drive =
      make_drive({"DifferentialDrive"}, {10,
                                         {disc(0, 0.3, 1, 0.1, 0.4), disc(0, -0.3, 1, 0.1, 0.4),
                                          disc(1, 0.3, 1, 0.1, 0.4), disc(1, -0.3, 1, 0.1, 0.4)}});
  const auto controller =
      make_controller({"TwistPid", {{"kp", "0"}, {"feedForward", "TRUE"}, {"speed", "1"}}}, *drive);
  DriveState state = at(0, kCarStill);
  state.gravity_V = {-2, 0, -9.6};
  EXPECT_NEAR(controller->step(state).torque[0], 10 * 2 * 0.2 / 4, kTiny);
}

TEST(CommandTimeout, StopsTheVehicleOneSecondAfterItsLastCommand) {
  const auto drive = robot();
  const auto controller = make_controller({"TwistPid", {{"kp", "10"}}}, *drive);
  const std::vector<double> rolling = {2, 2};
  controller->command(Twist{1, 0, 0}, 5);
  EXPECT_GT(controller->step(at(6, rolling)).torque[0], 0);
  EXPECT_LT(controller->step(at(6 + kDt, rolling)).torque[0], 0);
  controller->command(Twist{1, 0, 0}, 7);
  EXPECT_GT(controller->step(at(7.5, rolling)).torque[0], 0);
}

TEST(CommandTimeout, OfZeroOrLessNeverComes) {
  const auto drive = robot();
  for (const char* timeout : {"0", "-1"}) {
    const auto controller =
        make_controller({"TwistPid", {{"kp", "10"}, {"commandTimeout", timeout}}}, *drive);
    controller->command(Twist{1, 0, 0}, 0);
    EXPECT_GT(controller->step(at(1e6, std::vector<double>{2, 2})).torque[0], 0);
  }
}

TEST(CommandTimeout, LetsARawVehicleRollOutWithItsSteering) {
  const auto drive = ackermann_car();
  const auto controller = make_controller({"RawControl", {{"commandTimeout", "0.5"}}}, *drive);
  EXPECT_EQ(controller->command(TorqueCommand{{5, 6}, 0.2}, 0), "");
  EXPECT_EQ(controller->step(at(0.5, kCarStill)).torque[1], 6);
  EXPECT_EQ(controller->step(at(0.6, kCarStill)).torque[1], 0);
  EXPECT_EQ(controller->step(at(0.6, kCarStill)).steering, 0.2);
}

TEST(RawControl, PassesItsSetPointsOn) {
  const auto drive = ackermann_car("AckermannDrivetrain");
  const auto controller =
      make_controller({"RawControl", {{"torque", "[ 7 ]"}, {"steering", "-0.1"}}}, *drive);
  EXPECT_EQ(controller->step(at(0, kCarStill)).torque[0], 7);
  EXPECT_EQ(controller->step(at(0, kCarStill)).steering, -0.1);
}

TEST(FrontSteerPid, SteersByGeometryAndDrivesEachFrontWheelAtItsSpeed) {
  const auto drive = ackermann_car();
  const auto controller = make_controller({"FrontSteerPid", {{"kp", "10"}}}, *drive);
  controller->command(Twist{2, 0, 0.4}, 0);
  const auto out = controller->step(at(0, kCarStill));
  const double radius = 2 / 0.4;
  EXPECT_NEAR(out.steering, std::atan(1.2 / radius), kTiny);
  EXPECT_NEAR(out.torque[0], 10 * 0.4 * std::hypot(1.2, radius - 0.5), 1e-9);
  EXPECT_NEAR(out.torque[1], 10 * 0.4 * std::hypot(1.2, radius + 0.5), 1e-9);
}

TEST(FrontSteerPid, SteersTheOtherWayInReverse) {
  const auto drive = ackermann_car();
  const auto controller = make_controller({"FrontSteerPid"}, *drive);
  controller->command(Twist{-2, 0, 0.4}, 0);
  EXPECT_NEAR(controller->step(at(0, kCarStill)).steering, -std::atan(1.2 * 0.4 / 2), kTiny);
}

TEST(FrontSteerPid, DrivesAtTheSpeedsThatItsLimitedSteeringAllows) {
  const auto drive = ackermann_car();
  const auto controller = make_controller({"FrontSteerPid", {{"kp", "1"}}}, *drive);
  controller->command(Twist{1, 0, 10}, 0);
  const auto out = controller->step(at(0, kCarStill));
  EXPECT_EQ(out.steering, 0.4);
  const double omega = std::tan(0.4) / 1.2;
  EXPECT_NEAR(out.torque[1], omega * std::hypot(1.2, 1 / omega + 0.5), 1e-9);
}

TEST(FrontSteerPid, StandsWhenItIsAskedToTurnOnTheSpot) {
  const auto drive = ackermann_car();
  const auto controller = make_controller({"FrontSteerPid"}, *drive);
  controller->command(Twist{0, 0, -1}, 0);
  const auto out = controller->step(at(0, kCarStill));
  EXPECT_EQ(out.steering, -0.4);
  EXPECT_EQ(out.torque[0], 0);
  EXPECT_EQ(out.torque[1], 0);
}

// MVSim measures before it turns the wheels.
TEST(FrontSteerPid, MeasuresWithTheWheelsAsTheyStoodInTheStepBefore) {
  const auto drive = ackermann_car();
  const auto controller = make_controller({"FrontSteerPid", {{"kp", "1"}}}, *drive);
  const std::vector<double> rolling = {10, 10, 10, 10};  // 3 m/s straight ahead
  const auto turn = [&] {
    controller->command(Twist{3, 0, 0.6}, 0);
    return controller->step(at(0, rolling)).torque[1];
  };
  const double wanted = 0.6 * std::hypot(1.2, 3 / 0.6 + 0.5);
  EXPECT_NEAR(turn(), wanted - 3, 1e-9);
  std::vector<double> yaw(4);
  drive->steer(std::atan(1.2 * 0.6 / 3), yaw);
  EXPECT_NEAR(turn(), wanted - 3 * std::cos(yaw[3]), 1e-9);
  controller->reset();
  EXPECT_NEAR(turn(), wanted - 3, 1e-9);
}

TEST(FrontSteerPid, HoldsTheSpeedOfTheRearAxleOverADrivetrain) {
  const auto drive = ackermann_car("AckermannDrivetrain");
  const auto controller = make_controller({"FrontSteerPid", {{"kp", "10"}}}, *drive);
  controller->command(Twist{2, 0, 0.4}, 0);
  // Rear wheels at 1 rad/s and 0.3 m, the front ones slipping.
  const auto out = controller->step(at(0, std::vector<double>{1, 1, 50, 50}));
  EXPECT_NEAR(out.torque[0], 10 * (2 - 0.3), kTiny);
}

TEST(FrontSteer, HoldsSpeedAndSteeringAngle) {
  const auto drive = ackermann_car();
  const auto controller = make_controller({"FrontSteer", {{"kp", "10"}}}, *drive);
  EXPECT_EQ(controller->command(SpeedCommand{2, 0.3}, 0), "");
  const auto out = controller->step(at(0, kCarStill));
  EXPECT_EQ(out.steering, 0.3);
  const double omega = 2 * std::tan(0.3) / 1.2;
  EXPECT_NEAR(out.torque[0], 10 * omega * std::hypot(1.2, 2 / omega - 0.5), 1e-9);
}

TEST(FrontSteer, SteersWhileItStandsAndAfterItsCommandExpired) {
  const auto drive = ackermann_car();
  const auto controller = make_controller({"FrontSteer"}, *drive);
  controller->command(SpeedCommand{0, -0.9}, 0);
  EXPECT_EQ(controller->step(at(0, kCarStill)).steering, -0.4);
  EXPECT_EQ(controller->step(at(0, kCarStill)).torque[0], 0);
  controller->command(SpeedCommand{1, 0.2}, 0);
  EXPECT_GT(controller->step(at(0.5, kCarStill)).torque[0], 0);
  EXPECT_EQ(controller->step(at(1.5, kCarStill)).steering, 0.2);
  EXPECT_EQ(controller->step(at(1.5, kCarStill)).torque[0], 0);
}

TEST(TwistIdeal, ImposesTheTwistOnAVehicleThatDoesNotSteer) {
  const auto drive = robot();
  const auto controller = make_controller({"TwistIdeal"}, *drive);
  controller->command(Twist{1, 0.2, 3}, 0);
  const auto out = controller->step(at(0, kStill));
  ASSERT_TRUE(out.imposed);
  EXPECT_EQ(out.imposed->vx, 1);
  EXPECT_EQ(out.imposed->vy, 0.2);
  EXPECT_EQ(out.imposed->omega, 3);
  EXPECT_EQ(out.torque[0], 0);
  EXPECT_EQ(controller->step(at(2, kStill)).imposed->vx, 0);  // expired
}

TEST(TwistIdeal, TurnsACarOnlyAsFarAsItSteers) {
  const auto drive = ackermann_car();
  const auto controller = make_controller({"TwistIdeal"}, *drive);
  controller->command(Twist{1, 0, 10}, 0);
  auto out = controller->step(at(0, kCarStill));
  EXPECT_NEAR(out.imposed->omega, std::tan(0.4) / 1.2, kTiny);
  EXPECT_EQ(out.steering, 0.4);
  controller->command(Twist{1, 0, 0.1}, 0);
  out = controller->step(at(0, kCarStill));
  EXPECT_EQ(out.imposed->omega, 0.1);
  EXPECT_NEAR(out.steering, std::atan(0.12), kTiny);
}

TEST(Vehicle, RollsItsWheelsAlongUnderAnIdealController) {
  Vehicle vehicle =
      make_vehicle({"DifferentialDrive"}, {"DefaultFriction"}, {"TwistIdeal"}, robot()->layout());
  vehicle.command(Twist{1, 0, 0.5}, 0);
  std::vector<WheelGround> grounds(2);
  even_ground(vehicle.layout(), {}, 9.81, grounds);
  const auto imposed = vehicle.step({0, kDt, {0, 0, -9.81}, grounds});
  ASSERT_TRUE(imposed);
  EXPECT_NEAR(vehicle.wheels()[0].spin, 0.85 / 0.2, kTiny);
  EXPECT_NEAR(vehicle.wheels()[1].spin, 1.15 / 0.2, kTiny);
  EXPECT_NEAR(vehicle.wheels()[1].angle, 1.15 / 0.2 * kDt, kTiny);
  EXPECT_EQ(vehicle.wheels()[0].force_V.norm(), 0);
  EXPECT_NEAR(vehicle.odometry().vx, 1, kTiny);
  EXPECT_NEAR(vehicle.odometry().omega, 0.5, kTiny);
  vehicle.reset();
  EXPECT_EQ(vehicle.wheels()[0].spin, 0);
  EXPECT_EQ(vehicle.step({0, kDt, {0, 0, -9.81}, grounds})->vx, 0);
}

TEST(EvenGround, SharesTheChassisEvenlyAndAddsTheWheel) {
  const VehicleLayout layout = robot()->layout();
  std::vector<WheelGround> grounds(2);
  even_ground(layout, {1, 0.1, 0.5}, 10, grounds);
  EXPECT_EQ(grounds[0].mass, 6);
  EXPECT_EQ(grounds[0].normal_load, 60);
  EXPECT_NEAR((grounds[0].velocity_V - Vec2(0.85, 0.1)).norm(), 0, kTiny);
}

TEST(Controllers, RefuseCommandsThatAreNotTheirs) {
  const auto drive = robot();
  const auto pid = make_controller({"TwistPid"}, *drive);
  EXPECT_EQ(pid->command(TorqueCommand{{1, 1}}, 0),
            "the controller TwistPid takes twists, not a torque set-point");
  const auto ideal = make_controller({"TwistIdeal"}, *drive);
  EXPECT_THAT(ideal->command(SpeedCommand{1, 0}, 0), HasSubstr("not a speed and steering"));
  const auto raw = make_controller({"RawControl"}, *drive);
  EXPECT_EQ(raw->command(Twist{1, 0, 0}, 0),
            "the controller RawControl takes torque set-points, not a twist");
  EXPECT_EQ(raw->command(TorqueCommand{{1, 2, 3}}, 0),
            "torque has 3 values; DifferentialDrive takes 2: left, right");
  EXPECT_EQ(raw->command(TorqueCommand{{1, 2}, 0.1}, 0),
            "steering must be 0, got 0.1 rad: a DifferentialDrive does not steer");
  const auto steered = ackermann_car();
  const auto front = make_controller({"FrontSteer"}, *steered);
  EXPECT_THAT(front->command(Twist{}, 0), HasSubstr("speed and steering set-points, not a twist"));
  const auto twist = make_controller({"FrontSteerPid"}, *steered);
  EXPECT_THAT(twist->command(TorqueCommand{{1, 1}}, 0), HasSubstr("takes twists"));
}

TEST(Controllers, RefuseNumbersThatAreNoneAndKeepTheLastCommand) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto drive = robot();
  const auto pid = make_controller({"TwistPid", {{"kp", "10"}}}, *drive);
  pid->command(Twist{1, 0, 0}, 0);
  EXPECT_EQ(pid->command(Twist{0, 0, nan}, 0.5), "omega is not a finite number");
  EXPECT_EQ(pid->step(at(0.5, kStill)).torque[0], 10);
  const auto raw = make_controller({"RawControl"}, *drive);
  EXPECT_EQ(raw->command(TorqueCommand{{1, INFINITY}}, 0), "torque is not a finite number");
  const auto steered = ackermann_car();
  const auto front = make_controller({"FrontSteer"}, *steered);
  EXPECT_EQ(front->command(SpeedCommand{1, nan}, 0), "steering is not a finite number");
}

TEST(Controllers, RefuseDrivesAndFieldsThatDoNotFit) {
  const auto differential = robot();
  const auto steered = ackermann_car();
  EXPECT_EQ(controller_refusal({"TwistPid"}, *steered),
            "the controller TwistPid cannot steer; for this AckermannDrive use FrontSteerPid");
  EXPECT_EQ(controller_refusal({"FrontSteerPid"}, *differential),
            "the controller FrontSteerPid steers, but a DifferentialDrive does not; use TwistPid");
  EXPECT_THAT(controller_refusal({"FrontSteer"}, *differential), HasSubstr("FrontSteer steers"));
  EXPECT_EQ(controller_refusal({"TwistPid", {{"kp", "nan"}}}, *differential),
            "kp must be a finite number, got nan");
  EXPECT_EQ(controller_refusal({"FrontSteerPid", {{"kd", "nan"}}}, *steered),
            "kd must be a finite number, got nan");
  EXPECT_EQ(controller_refusal({"TwistPid", {{"iMax", "-2"}}}, *differential),
            "iMax must be greater than 0 or -1, got -2");
  EXPECT_EQ(controller_refusal({"TwistPid", {{"speed", "nan"}}}, *differential),
            "vx is not a finite number");
  EXPECT_EQ(controller_refusal({"RawControl", {{"torque", "[ 1 ]"}}}, *differential),
            "torque has 1 values; DifferentialDrive takes 2: left, right");
  EXPECT_EQ(controller_refusal({"TwistPid", {{"commandTimeout", "nan"}}}, *differential),
            "commandTimeout is not a number");
}

}  // namespace
}  // namespace protobeam
