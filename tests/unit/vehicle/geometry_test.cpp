// Steering geometry, differentials and the transforms between vehicle and wheel.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/constants.h"
#include "vehicle/ackermann.h"
#include "vehicle/twist.h"

namespace protobeam {
namespace {

constexpr double kRounding = 1e-12;

/// Where the axles meet: a turn about the point (0, radius) of the rear axle's middle.
TEST(AckermannAngles, LetAllAxlesMeetInOnePoint) {
  const double wheelbase = 2.6, track = 1.5;
  for (const double central : {0.01, 0.2, 0.5, -0.01, -0.3, -0.5}) {
    const double radius = wheelbase / std::tan(central);
    const FrontAngles front = ackermann_angles(central, wheelbase, track);
    EXPECT_NEAR(front.left, std::atan(wheelbase / (radius - track / 2)), kRounding) << central;
    EXPECT_NEAR(front.right, std::atan(wheelbase / (radius + track / 2)), kRounding) << central;
    EXPECT_NEAR(curvature(central, wheelbase), 1 / radius, kRounding);
  }
}

TEST(AckermannAngles, AreZeroStraightAhead) {
  const FrontAngles front = ackermann_angles(0, 2.6, 1.5);
  EXPECT_EQ(front.left, 0);
  EXPECT_EQ(front.right, 0);
}

TEST(AckermannAngles, OfAWideCarGoBeyondARightAngle) {
  // cot 70 = 0.364 < track / (2 wheelbase) = 0.769: the axles meet between the wheels.
  const FrontAngles front = ackermann_angles(70 * kDegree, 1.3, 2);
  EXPECT_GT(front.left, kPi / 2);
  EXPECT_LT(front.right, kPi / 2);
}

TEST(TorsenShares, AreTheSplitWhileTheSpinsAreWithinTheBias) {
  for (const auto& [first, second] : {std::pair{1.0, 1.0}, {1.4, 1.0}, {-1.0, -1.4}}) {
    const Shares shares = torsen_shares(first, second, 1.5, 0.3);
    EXPECT_NEAR(shares.first, 0.3, kRounding);
    EXPECT_NEAR(shares.second, 0.7, kRounding);
  }
}

TEST(TorsenShares, GoToTheSlowerSide) {
  // M = 4, m = 1, bias 1.5: k = 1 - 1.5 / 4 = 0.625. Split 0.5: shares 0.375 / 2 and 1.625 / 2.
  const Shares shares = torsen_shares(4, 1, 1.5, 0.5);
  EXPECT_NEAR(shares.first, 0.1875, kRounding);
  EXPECT_NEAR(shares.second, 0.8125, kRounding);
  // The signs of the spins do not count.
  EXPECT_NEAR(torsen_shares(-1, 4, 1.5, 0.5).second, 0.1875, kRounding);
  // Split 0.6: 0.6 * 0.375 = 0.225 and 0.4 * 1.625 = 0.65, scaled to sum 1.
  EXPECT_NEAR(torsen_shares(4, 1, 1.5, 0.6).first, 0.225 / 0.875, kRounding);
}

TEST(TorsenShares, AreTheSplitWhileASideStandsStill) {
  EXPECT_EQ(torsen_shares(0, 5, 1.5, 0.4).first, 0.4);
  EXPECT_EQ(torsen_shares(5, 0, 1.5, 0.4).first, 0.4);
}

TEST(OpenShares, FollowTheSplit) {
  EXPECT_EQ(open_shares(0.25).first, 0.25);
  EXPECT_EQ(open_shares(0.25).second, 0.75);
}

TEST(WheelFrame, IsTurnedLeftByItsYaw) {
  const Vec2 v = to_wheel({1, 0}, heading_of(30 * kDegree));  // ahead, seen by a wheel that looks left of it
  EXPECT_NEAR(v.x(), std::cos(30 * kDegree), kRounding);
  EXPECT_NEAR(v.y(), -std::sin(30 * kDegree), kRounding);
  EXPECT_NEAR((from_wheel(v, heading_of(30 * kDegree)) - Vec2(1, 0)).norm(), 0, kRounding);
}

TEST(RollSpeed, IsTheRadiusTimesTheYawRateOfASteeredWheelInATurn) {
  // In an Ackermann turn each front wheel rolls along its own circle about the common centre.
  const double wheelbase = 1.3, track = 2, omega = 0.3, radius = 4;
  const FrontAngles front = ackermann_angles(std::atan(wheelbase / radius), wheelbase, track);
  const Twist twist{omega * radius, 0, omega};
  EXPECT_NEAR(roll_speed(twist, {wheelbase, track / 2}, front.left),
              omega * std::hypot(wheelbase, radius - track / 2), kRounding);
  EXPECT_NEAR(roll_speed(twist, {wheelbase, -track / 2}, front.right),
              omega * std::hypot(wheelbase, radius + track / 2), kRounding);
}

}  // namespace
}  // namespace protobeam
