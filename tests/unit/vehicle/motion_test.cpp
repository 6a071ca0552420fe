// Whole vehicles on flat ground: every tyre, drive and controller that fit together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/unit/vehicle/planar_body.h"
#include "tests/unit/vehicle/vehicle_plugins.h"

namespace protobeam {
namespace {

constexpr double kStep = 0.005;
constexpr double kRollingOut = 0.05;  // m/s, stopSpeed: slower vehicles roll out without torque
const std::vector<Vec2> kOutline = {
    {-0.3, -0.25}, {0.3, -0.25}, {0.4, 0}, {0.3, 0.25}, {-0.3, 0.25}};

struct Made {
  Vehicle vehicle;
  PlanarBody body;
  double time = 0;     // s
  double fastest = 0;  // m/s

  void run(double seconds) {
    const auto steps = std::lround(seconds / kStep);
    for (long k = 0; k < steps; ++k) {
      body.step(vehicle, time, kStep);
      time += kStep;
      fastest = std::max(fastest, std::abs(body.twist().vx));
    }
  }
};

Made made(const std::string& drive, const std::string& tyre, const NodeText& controller) {
  VehicleLayout layout{20, {disc(0, 0.3, 1, 0.1, 0.3), disc(0, -0.3, 1, 0.1, 0.3)}};
  if (drive != "DifferentialDrive") {
    layout.wheels.push_back(disc(0.5, 0.3, 1, 0.1, 0.3));
    layout.wheels.push_back(disc(0.5, -0.3, 1, 0.1, 0.3));
  }
  const PlanarMass mass = vehicle_mass(kOutline, layout);
  return {make_vehicle({drive}, {tyre}, controller, layout), PlanarBody(mass)};
}

NodeText pid(const std::string& drive) {
  return {drive == "DifferentialDrive" ? "TwistPid" : "FrontSteerPid",
          {{"kp", "10"}, {"ki", "10"}, {"maxTorque", "20"}, {"commandTimeout", "0"}}};
}

class Motion : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(Motion, ReachesItsSpeedAndStandsWhenAskedTo) {
  const auto& [drive, tyre] = GetParam();
  Made m = made(drive, tyre, pid(drive));
  m.vehicle.command(Twist{1, 0, 0}, 0);
  m.run(8);
  EXPECT_NEAR(m.body.twist().vx, 1, 0.05);
  EXPECT_LT(m.fastest, 1.5);
  m.fastest = 0;
  m.vehicle.command(Twist{}, m.time);
  m.run(4);
  EXPECT_LT(m.fastest, 1.05) << "braking made it faster";
  EXPECT_NEAR(m.body.twist().vx, 0, kRollingOut);
  EXPECT_NEAR(m.body.position_W().y(), 0, 1e-6);
}

TEST_P(Motion, TurnsAtTheRateThatItIsAskedFor) {
  const auto& [drive, tyre] = GetParam();
  Made m = made(drive, tyre, pid(drive));
  m.vehicle.command(Twist{1, 0, 0.3}, 0);
  m.run(8);
  EXPECT_NEAR(m.body.twist().omega, 0.3, 0.03);
  EXPECT_NEAR(m.body.twist().vy, 0, 0.05);
}

TEST_P(Motion, StopsWhenItsCommandsStop) {
  const auto& [drive, tyre] = GetParam();
  NodeText controller = pid(drive);
  controller.fields["commandTimeout"] = "1";
  Made m = made(drive, tyre, controller);
  m.vehicle.command(Twist{1, 0, 0}, 0);
  m.run(0.9);
  EXPECT_GT(m.body.twist().vx, 0.3);
  m.run(5);
  EXPECT_NEAR(m.body.twist().vx, 0, kRollingOut);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Motion,
    testing::Combine(testing::Values("DifferentialDrive", "AckermannDrive", "AckermannDrivetrain"),
                     testing::Values("DefaultFriction", "WardIagnemmaFriction", "EllipseFriction")),
    [](const auto& info) {
      return std::string(std::get<0>(info.param)) + std::get<1>(info.param);
    });

TEST(TwistIdeal, DrivesACircleOfRadiusSpeedByYawRate) {
  for (const char* drive : {"DifferentialDrive", "AckermannDrive"}) {
    Made m = made(drive, "DefaultFriction", {"TwistIdeal", {{"commandTimeout", "0"}}});
    m.vehicle.command(Twist{1, 0, 0.5}, 0);
    m.run(2);
    EXPECT_NEAR(m.body.yaw(), 1, 1e-9);
    EXPECT_NEAR(m.body.position_W().x(), std::sin(1.0) / 0.5, 0.01) << drive;
    EXPECT_NEAR(m.body.position_W().y(), (1 - std::cos(1.0)) / 0.5, 0.01) << drive;
  }
}

TEST(RawControl, AcceleratesByTorqueOverRadiusAndMass) {
  Made m = made("DifferentialDrive", "DefaultFriction", {"RawControl", {{"torque", "[ 1 1 ]"}}});
  m.body.linear_damping = 0;
  m.run(2);
  // Both wheels' inertia takes part: m + 2 I / R^2 = 22 + 1 kg, 2 N m / 0.15 m; the bearings of the
  // wheels take 0.01 N m s/rad.
  const double force = 2 / 0.15, mass = 22 + 1, drag = 2 * 0.01 / (0.15 * 0.15);
  EXPECT_NEAR(m.body.twist().vx, force / drag * (1 - std::exp(-drag / mass * 2)), 0.005);
}

}  // namespace
}  // namespace protobeam
