// The drive plugins: shares of torque, steering, odometry, and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "tests/unit/vehicle/vehicle_plugins.h"
#include "vehicle/ackermann.h"

namespace protobeam {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

VehicleLayout two_wheels() { return {10, {disc(0, 0.3, 1, 0.1, 0.4), disc(0, -0.3, 1, 0.1, 0.4)}}; }

VehicleLayout four_wheels() {
  return {10,
          {disc(0, 0.5, 1, 0.1, 0.6), disc(0, -0.5, 1, 0.1, 0.6), disc(1.2, 0.5, 1, 0.1, 0.6),
           disc(1.2, -0.5, 1, 0.1, 0.6)}};
}

std::vector<double> shared(const Drive& drive, const std::vector<double>& torque,
                           std::vector<double> spin = {}) {
  spin.resize(drive.layout().wheels.size());
  std::vector<double> out(spin.size());
  drive.distribute(torque, spin, out);
  return out;
}

std::string drive_refusal(const NodeText& node, const VehicleLayout& layout) {
  try {
    make_drive(node, layout);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

TEST(DifferentialDrive, GivesEachSideItsTorque) {
  EXPECT_THAT(shared(*make_drive({"DifferentialDrive"}, two_wheels()), {3, -5}),
              ElementsAre(3, -5));
}

TEST(DifferentialDrive, LeavesACasterWithoutMotor) {
  VehicleLayout layout = two_wheels();
  layout.wheels.push_back(disc(0.4, 0, 0.5, 0.05, 0.1));
  EXPECT_THAT(shared(*make_drive({"DifferentialDrive"}, layout), {3, -5}), ElementsAre(3, -5, 0));
}

TEST(DifferentialDrive, GivesBothWheelsOfASideTheFullTorque) {
  const auto drive = make_drive({"DifferentialDrive"}, four_wheels());
  EXPECT_THAT(shared(*drive, {3, -5}), ElementsAre(3, -5, 3, -5));
  EXPECT_EQ(drive->torque_gain(), 4);
}

TEST(DifferentialDrive, HasTheOdometryOfItsFirstTwoWheels) {
  const auto drive = make_drive({"DifferentialDrive"}, two_wheels());
  // Treads at 0.8 and 1.4 m/s, 0.6 m apart.
  const Twist twist = drive->odometry(std::vector<double>{4, 7});
  EXPECT_NEAR(twist.omega, 1, 1e-12);
  EXPECT_NEAR(twist.vx, 1.1, 1e-12);
  EXPECT_EQ(twist.vy, 0);
}

TEST(DifferentialDrive, OdometryIsThatOfTheOriginWhenTheWheelsStandOffCentre) {
  VehicleLayout layout = two_wheels();
  layout.wheels[0].position_V.y() = 0.5;  // the origin is 0.5 from the left, 0.3 from the right
  const auto drive = make_drive({"DifferentialDrive"}, layout);
  const Twist truth{1, 0, 0.4};
  const std::vector<double> spin = {roll_speed(truth, {0, 0.5}, 0) / 0.2,
                                    roll_speed(truth, {0, -0.3}, 0) / 0.2};
  EXPECT_NEAR(drive->odometry(spin).vx, 1, 1e-12);
  EXPECT_NEAR(drive->odometry(spin).omega, 0.4, 1e-12);
}

TEST(DifferentialDrive, RefusesWheelsThatMakeNoVehicle) {
  const NodeText node = {"DifferentialDrive"};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  VehicleLayout layout = two_wheels();
  EXPECT_EQ(drive_refusal(node, layout), "");
  layout.wheels[1].mass = 0;
  EXPECT_EQ(drive_refusal(node, layout), "wheels[1].mass must be greater than 0, got 0 kg");
  layout = two_wheels();
  layout.wheels[0].diameter = 0;
  EXPECT_EQ(drive_refusal(node, layout), "wheels[0].diameter must be greater than 0, got 0 m");
  layout = two_wheels();
  layout.wheels[0].inertia = nan;
  EXPECT_EQ(drive_refusal(node, layout),
            "wheels[0].inertia must be greater than 0, got nan kg m^2");
  layout = two_wheels();
  layout.wheels[0].position_V.x() = nan;
  EXPECT_EQ(drive_refusal(node, layout), "wheels[0].position is not finite");
  layout = two_wheels();
  layout.chassis_mass = 0;
  EXPECT_THAT(drive_refusal(node, layout), HasSubstr("without its wheels must be greater than 0"));
  layout = two_wheels();
  std::swap(layout.wheels[0], layout.wheels[1]);
  EXPECT_THAT(drive_refusal(node, layout),
              HasSubstr("wheels[0] of a DifferentialDrive must lie to the "
                        "left of wheels[1]"));
  layout.wheels.clear();
  EXPECT_EQ(drive_refusal(node, layout), "wheels is empty: a vehicle needs wheels");
  layout.wheels.assign(5, disc(0, 0, 1, 1, 1));
  EXPECT_EQ(drive_refusal(node, layout), "wheels of a DifferentialDrive must be 2, 3 or 4, got 5");
}

TEST(AckermannDrive, DrivesItsFrontWheels) {
  EXPECT_THAT(shared(*make_drive({"AckermannDrive"}, four_wheels()), {3, 4}),
              ElementsAre(0, 0, 3, 4));
}

TEST(AckermannDrive, SteersItsFrontWheelsUpToItsLimit) {
  const auto drive = make_drive({"AckermannDrive", {{"maxSteeringAngle", "0.4"}}}, four_wheels());
  EXPECT_DOUBLE_EQ(drive->wheelbase(), 1.2);
  std::vector<double> yaw(4, 9.0);
  drive->steer(0.25, yaw);
  const FrontAngles front = ackermann_angles(0.25, 1.2, 1);
  EXPECT_THAT(yaw, ElementsAre(0, 0, DoubleEq(front.left), DoubleEq(front.right)));
  drive->steer(-2, yaw);
  const FrontAngles limit = ackermann_angles(-0.4, 1.2, 1);
  EXPECT_THAT(yaw, ElementsAre(0, 0, DoubleEq(limit.left), DoubleEq(limit.right)));
}

TEST(AckermannDrive, RefusesSteeringAcross) {
  const auto steering = [](const char* angle) {
    return NodeText{"AckermannDrive", {{"maxSteeringAngle", angle}}};
  };
  EXPECT_EQ(drive_refusal(steering("1.6"), four_wheels()),
            "maxSteeringAngle must be greater than 0 and below 90 degrees (pi / 2), got 1.6 rad");
  EXPECT_THAT(drive_refusal(steering("0"), four_wheels()), HasSubstr("maxSteeringAngle must be"));
  EXPECT_THAT(drive_refusal(steering("nan"), four_wheels()), HasSubstr("maxSteeringAngle must be"));
  // cot 1.2 = 0.389 < 1 / 2.4: the inner wheel would stand beyond across.
  EXPECT_THAT(drive_refusal(steering("1.2"), four_wheels()),
              HasSubstr("maxSteeringAngle 1.2 rad turns the inner front wheel by 91.5974"));
  EXPECT_EQ(drive_refusal(steering("1.1"), four_wheels()), "");
}

TEST(AckermannDrive, RefusesWheelsInAnotherOrder) {
  VehicleLayout layout = four_wheels();
  std::rotate(layout.wheels.begin(), layout.wheels.begin() + 2, layout.wheels.end());
  EXPECT_THAT(drive_refusal({"AckermannDrive"}, layout),
              HasSubstr("the front ones need the greater x"));
  layout = four_wheels();
  std::swap(layout.wheels[2], layout.wheels[3]);
  EXPECT_THAT(drive_refusal({"AckermannDrive"}, layout),
              HasSubstr("the left ones need the greater y"));
  EXPECT_THAT(drive_refusal({"AckermannDrive"}, two_wheels()), HasSubstr("wheels must be 4"));
}

struct ShareCase {
  const char* drivetrain;
  std::vector<double> expected;  // rear left, rear right, front left, front right
};

TEST(AckermannDrivetrain, SharesTorqueByItsSplitsWithOpenDifferentials) {
  // Front 0.6 of all; left 0.7 of the front, 0.2 of the rear.
  const std::vector<ShareCase> cases = {
      {"open_front", {0, 0, 70, 30}},
      {"open_rear", {20, 80, 0, 0}},
      {"open_4wd", {8, 32, 42, 18}},
  };
  for (const ShareCase& c : cases) {
    const auto drive = make_drive({"AckermannDrivetrain",
                                   {{"drivetrain", std::string("\"") + c.drivetrain + "\""},
                                    {"frontRearSplit", "0.6"},
                                    {"frontLeftRightSplit", "0.7"},
                                    {"rearLeftRightSplit", "0.2"}}},
                                  four_wheels());
    const auto torque = shared(*drive, {100}, {1, 9, 2, 8});
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(torque[i], c.expected[i], 1e-9) << c.drivetrain << i;
    EXPECT_NEAR(drive->torque_gain(), 1, 1e-12);
  }
}

TEST(AckermannDrivetrain, GivesTorqueToTheWheelThatHoldsWithTorsenDifferentials) {
  const auto drive = make_drive({"AckermannDrivetrain"}, four_wheels());
  // Front 4 and 1 rad/s: 0.1875 and 0.8125 (see TorsenShares). Rear 5 and 5: half each.
  // Centre: 5 against 10, k = 1 - 1.5 * 5 / 10 = 0.25: 0.625 front, 0.375 rear.
  const auto torque = shared(*drive, {100}, {5, 5, 4, 1});
  EXPECT_NEAR(torque[0], 18.75, 1e-9);
  EXPECT_NEAR(torque[1], 18.75, 1e-9);
  EXPECT_NEAR(torque[2], 62.5 * 0.1875, 1e-9);
  EXPECT_NEAR(torque[3], 62.5 * 0.8125, 1e-9);
  const auto front =
      make_drive({"AckermannDrivetrain", {{"drivetrain", "\"torsen_front\""}}}, four_wheels());
  EXPECT_NEAR(shared(*front, {100}, {5, 5, 4, 1})[3], 81.25, 1e-9);
  const auto rear =
      make_drive({"AckermannDrivetrain", {{"drivetrain", "\"torsen_rear\""}}}, four_wheels());
  EXPECT_NEAR(shared(*rear, {100}, {1, 4, 1, 1})[0], 81.25, 1e-9);
}

TEST(AckermannDrivetrain, RefusesSplitsAndBiasesOutOfRangeByName) {
  const auto with = [](const char* field, const char* value) {
    return drive_refusal({"AckermannDrivetrain", {{field, value}}}, four_wheels());
  };
  EXPECT_EQ(with("frontRearSplit", "1.1"), "frontRearSplit must lie in [0, 1], got 1.1");
  EXPECT_EQ(with("rearLeftRightSplit", "-0.1"), "rearLeftRightSplit must lie in [0, 1], got -0.1");
  EXPECT_EQ(with("frontLeftRightSplit", "nan"), "frontLeftRightSplit must lie in [0, 1], got nan");
  EXPECT_EQ(with("frontRearBias", "0.5"), "frontRearBias must be at least 1, got 0.5");
  EXPECT_EQ(with("frontRearBias", "2"), "");
}

}  // namespace
}  // namespace protobeam
