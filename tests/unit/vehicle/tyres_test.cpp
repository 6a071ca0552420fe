// The tyre plugins against forces that follow from the balance of one wheel by hand.
//
// The wheel of most tests: mass 8 kg, load 80 N, radius 0.25 m, inertia 0.5 kg m^2, steps of 10 ms.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "tests/unit/vehicle/vehicle_plugins.h"

namespace protobeam {
namespace {

constexpr double kForceError = 1e-9;

TyreInput wheel(double vx, double vy, double spin, double torque = 0) {
  TyreInput in;
  in.velocity = {vx, vy};
  in.spin = spin;
  in.motor_torque = torque;
  in.mass = 8;
  in.normal_load = 80;
  in.radius = 0.25;
  in.inertia = 0.5;
  in.dt = 0.01;
  return in;
}

std::unique_ptr<Tyre> plain(const std::string& mu = "0.5") {
  return make_tyre({"DefaultFriction", {{"mu", mu}, {"bearingDamping", "0"}}});
}

TEST(DefaultFriction, LeavesAWheelAloneThatRolls) {
  const TyreOutput out = plain()->step(wheel(1, 0, 4));
  EXPECT_NEAR(out.force.norm(), 0, kForceError);
  EXPECT_NEAR(out.spin, 4, kForceError);
}

TEST(DefaultFriction, PassesTheMotorTorqueToTheGround) {
  const TyreOutput out = plain()->step(wheel(1, 0, 4, 5));
  EXPECT_NEAR(out.force.x(), 5 / 0.25, kForceError);
  EXPECT_NEAR(out.spin, 4, kForceError);
}

TEST(DefaultFriction, MatchesTheSpinToTheSpeedWithinAStep) {
  // vx / R - w = 0.4 rad/s in 10 ms: 20 N m of the ground, 40 N at the most; 20 / 0.25 = 80 N.
  const TyreOutput fast = plain("2")->step(wheel(1.1, 0, 4));
  EXPECT_NEAR(fast.force.x(), -0.5 * 0.4 / 0.01 / 0.25, kForceError);
  EXPECT_NEAR(fast.spin, 4.4, kForceError);
  // With mu 0.5 only 40 N: w += 0.01 * 0.25 * 40 / 0.5.
  const TyreOutput slipping = plain()->step(wheel(1.1, 0, 4));
  EXPECT_NEAR(slipping.force.x(), -40, kForceError);
  EXPECT_NEAR(slipping.spin, 4.2, kForceError);
}

TEST(DefaultFriction, LimitsLengthAndSideOnTheirOwn) {
  const TyreOutput out = plain()->step(wheel(5, 2, 0));
  EXPECT_NEAR(out.force.x(), -40, kForceError);
  EXPECT_NEAR(out.force.y(), -40, kForceError);
}

TEST(DefaultFriction, StopsSidewaysMotionWithinAStep) {
  const TyreOutput out = plain()->step(wheel(0, -0.03, 0));
  EXPECT_NEAR(out.force.y(), 8 * 0.03 / 0.01, kForceError);
}

TEST(DefaultFriction, HoldsAStandingWheelOnASlopeUpToItsLimit) {
  TyreInput in = wheel(0, 0, 0);
  in.slope_force = {-30, 20};
  EXPECT_NEAR((plain()->step(in).force - Vec2(30, -20)).norm(), 0, kForceError);
  in.slope_force = {-70, 0};
  EXPECT_NEAR(plain()->step(in).force.x(), 40, kForceError);
  // What the motor takes of the limit is not there to hold: 20 N of torque, 20 N left.
  in.motor_torque = 5;
  EXPECT_NEAR(plain()->step(in).force.x(), 40, kForceError);
  EXPECT_NEAR(plain()->step(in).spin, 0, kForceError);
}

TEST(DefaultFriction, SpinsUpInTheAir) {
  TyreInput in = wheel(0, 0, 1, 2);
  in.normal_load = 0;
  const TyreOutput out = plain()->step(in);
  EXPECT_EQ(out.force.norm(), 0);
  EXPECT_NEAR(out.spin, 1 + 0.01 * 2 / 0.5, kForceError);
}

TEST(DefaultFriction, BearingAndRollingResistanceBrakeARollingWheel) {
  const auto tyre =
      make_tyre({"DefaultFriction", {{"bearingDamping", "0.1"}, {"rollingResistance", "0.02"}}});
  // 0.1 * 4 + 0.02 * 80 * 0.25 * tanh(400) = 0.8 N m.
  const TyreOutput out = tyre->step(wheel(1, 0, 4));
  EXPECT_NEAR(out.force.x(), -0.8 / 0.25, kForceError);
  EXPECT_NEAR(out.spin, 4, kForceError);
  // Backward the other way round; nothing at rest.
  EXPECT_NEAR(tyre->step(wheel(-1, 0, -4)).force.x(), 0.8 / 0.25, kForceError);
  EXPECT_EQ(tyre->step(wheel(0, 0, 0)).force.x(), 0);
}

TEST(DefaultFriction, TakesTheGroundOfThePlace) {
  TyreInput in = wheel(5, 0, 0);
  in.friction = 0.1;
  EXPECT_NEAR(plain()->step(in).force.x(), -8, kForceError);
  in = wheel(1, 0, 4);
  in.rolling_resistance = 0.05;
  EXPECT_NEAR(plain()->step(in).force.x(), -0.05 * 80, kForceError);
}

TEST(WardIagnemmaFriction, DragsAgainstTheMotion) {
  const auto tyre = make_tyre({"WardIagnemmaFriction", {{"bearingDamping", "0"}}});
  for (const double v : {0.01, 0.5, 3.0, -0.01, -2.0}) {
    const double speed = std::abs(v);
    const double drag = 80 * (0.0075 * (1 - std::exp(-50 * speed)) + 0.02 * speed);
    const TyreOutput out = tyre->step(wheel(v, 0, v / 0.25));
    EXPECT_NEAR(out.force.x(), v > 0 ? -drag : drag, kForceError) << v;
    // The drag is a force on the tread: it turns the wheel forward.
    EXPECT_NEAR(out.spin, v / 0.25 + 0.01 * 0.25 * (v > 0 ? drag : -drag) / 0.5, kForceError) << v;
  }
  EXPECT_EQ(tyre->step(wheel(0, 0, 0)).force.norm(), 0);
}

TEST(WardIagnemmaFriction, CountsItsDragWithinTheFrictionLimit) {
  const auto tyre = make_tyre({"WardIagnemmaFriction", {{"mu", "0.5"}, {"r2", "5"}}});
  EXPECT_NEAR(tyre->step(wheel(4, 0, 16)).force.x(), -40, kForceError);
}

TEST(Slip, IsMeasuredInTheWheelsFrame) {
  // 4 rad/s * 0.25 m = 1 m/s of tread.
  const Slip slip = slip_of(wheel(0.9, 0.1, 4));
  EXPECT_NEAR(slip.ratio, 0.1, kForceError);
  EXPECT_NEAR(slip.angle(), -std::atan(0.1 / 0.9), kForceError);
  EXPECT_NEAR(slip_of(wheel(1.2, 0, 4)).ratio, -0.2, kForceError);
  EXPECT_NEAR(slip_of(wheel(-0.9, 0.1, -4)).ratio, -0.1, kForceError);
  EXPECT_NEAR(slip_of(wheel(-0.9, 0.1, -4)).angle(), -std::atan(0.1 / 0.9), kForceError);
}

TEST(Slip, IsLimitedForSpinningAndLockedWheels) {
  EXPECT_EQ(slip_of(wheel(0, 0, 4)).ratio, 1);
  EXPECT_EQ(slip_of(wheel(1, 0, 0)).ratio, -1);
  EXPECT_EQ(slip_of(wheel(0, 0, 4)).angle(), 0);
  EXPECT_NEAR(slip_of(wheel(0, -1, 0)).angle(), kPi / 2, kForceError);
}

/// Along: the greatest force at slip ratio s, which needs a wheel that wants more.
double along(const Tyre& tyre, double s, double side = 0) {
  return tyre.step(wheel(1 - s, side, 4, 1e6)).force.x();
}

TEST(EllipseFriction, GrowsWithTheSlipRatioUntilItSaturates) {
  const auto tyre = make_tyre({"EllipseFriction"});
  EXPECT_NEAR(along(*tyre, 0.04), 80 * 7.5 * 0.04, kForceError);
  EXPECT_NEAR(along(*tyre, 0.1), 80 * 7.5 * 0.1, kForceError);
  EXPECT_NEAR(along(*tyre, 0.5), 80 * 7.5 * 0.1, kForceError);
  EXPECT_NEAR(along(*tyre, -0.04), 80 * 7.5 * 0.04, kForceError);  // a limit has no sign
}

TEST(EllipseFriction, GrowsWithTheSlipAngleUntilItSaturates) {
  const auto tyre = make_tyre({"EllipseFriction"});
  for (const double angle : {0.03, 0.1, 0.7, -0.05, -0.9}) {
    // Rolling without longitudinal slip: 80 N * 8.5 / rad, far below what would stop the side slip.
    const TyreInput in = wheel(std::cos(angle), -std::sin(angle), std::cos(angle) / 0.25);
    const double grip = 80 * 8.5 * std::min(std::abs(angle), 0.1);
    EXPECT_NEAR(tyre->step(in).force.y(), std::copysign(grip, angle), kForceError) << angle;
    EXPECT_NEAR(tyre->step(in).slip.angle(), angle, kForceError);
  }
}

TEST(EllipseFriction, SharesItsGripBetweenLengthAndSide) {
  const auto tyre = make_tyre({"EllipseFriction"});
  // Slip angle saturated: sqrt(1 - 0.5) of the longitudinal grip is left.
  EXPECT_NEAR(along(*tyre, 0.2, 0.5), 80 * 7.5 * 0.1 * std::sqrt(0.5), kForceError);
  // Half the saturation of the slip angle: sqrt(1 - 0.5 / 4).
  const double side = 0.8 * std::tan(0.05);
  EXPECT_NEAR(along(*tyre, 0.2, side), 80 * 7.5 * 0.1 * std::sqrt(1 - 0.125), kForceError);
  // Spinning wheel: sqrt(1 - 0.5) of the lateral grip.
  EXPECT_NEAR(tyre->step(wheel(0.5, 0.5, 40)).force.y(), -80 * 8.5 * 0.1 * std::sqrt(0.5),
              kForceError);
}

TEST(EllipseFriction, BrakesAVehicleThatIsFasterThanItsWheels) {
  const auto tyre = make_tyre({"EllipseFriction"});
  for (const double sign : {1.0, -1.0}) {
    const TyreOutput out = tyre->step(wheel(sign * 1.0, 0, sign * 2.0));
    EXPECT_LT(out.force.x() * sign, -50);
    EXPECT_GT(out.spin * sign, 2);
  }
}

TEST(EllipseFriction, NeverPushesMoreThanWouldStopTheSlip) {
  const auto tyre = make_tyre({"EllipseFriction", {{"bearingDamping", "0"}}});
  EXPECT_NEAR(tyre->step(wheel(1, 0, 4, 0.5)).force.x(), 0, kForceError);  // no slip, no grip yet
  EXPECT_NEAR(tyre->step(wheel(1, 0.001, 4)).force.y(), -80 * 8.5 * std::atan(0.001), kForceError);
  EXPECT_NEAR(tyre->step(wheel(0.01, 0.005, 0.04)).force.y(), -8 * 0.005 / 0.01, kForceError);
}

std::string tyre_refusal(const NodeText& node) {
  try {
    make_tyre(node);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

TEST(Tyres, RefuseFieldsOutOfRangeByName) {
  EXPECT_EQ(tyre_refusal({"DefaultFriction", {{"mu", "-1"}}}), "mu must be at least 0, got -1");
  EXPECT_EQ(tyre_refusal({"DefaultFriction", {{"bearingDamping", "nan"}}}),
            "bearingDamping must be at least 0, got nan");
  EXPECT_EQ(tyre_refusal({"WardIagnemmaFriction", {{"r2", "inf"}}}),
            "r2 must be at least 0, got inf");
  EXPECT_EQ(tyre_refusal({"EllipseFriction", {{"slipAngleSaturation", "0"}}}),
            "slipAngleSaturation must be greater than 0, got 0");
  EXPECT_EQ(tyre_refusal({"EllipseFriction", {{"slipCoupling", "1.5"}}}),
            "slipCoupling must lie in [0, 1], got 1.5");
}

}  // namespace
}  // namespace protobeam
