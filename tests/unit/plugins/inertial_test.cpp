// Accelerometer, Gyro and InertialUnit against rigid-body kinematics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsNan;

constexpr double kExact = 1e-12;

SampleInput resting(const Quat& R = Quat::Identity()) {
  SampleInput in;
  in.X_WS.R = R;
  in.gravity_W = Vec3(0, 0, -9.81);
  return in;
}

TEST(Accelerometer, AtRestFeelsTheGroundPushUp) {
  auto sensor = make_sensor("Accelerometer");
  EXPECT_EQ(sensor->type().webots_node, 35);
  EXPECT_THAT(sample_values(*sensor, resting()), ElementsAre(0, 0, 9.81));
}

TEST(Accelerometer, InFreeFallFeelsNothing) {
  auto sensor = make_sensor("Accelerometer");
  SampleInput in = resting();
  in.a_WS = in.gravity_W;
  EXPECT_THAT(sample_values(*sensor, in), ElementsAre(0, 0, 0));
}

TEST(Accelerometer, MeasuresInTheFrameOfTheDevice) {
  auto sensor = make_sensor("Accelerometer");
  // Pitched 30 degrees nose down about +y: the push up has a backward part in the device's frame.
  SampleInput in = resting(axis_angle(Vec3::UnitY(), kPi / 6));
  EXPECT_THAT(sample_values(*sensor, in),
              ElementsAre(DoubleNear(-9.81 / 2, kExact), DoubleNear(0, kExact),
                          DoubleNear(9.81 * std::sqrt(3) / 2, kExact)));
  // Turned left by 90 degrees: an acceleration to the world's +y is one straight ahead.
  in = resting(axis_angle(Vec3::UnitZ(), kPi / 2));
  in.a_WS = Vec3(0, 2, 0);
  EXPECT_THAT(sample_values(*sensor, in),
              ElementsAre(DoubleNear(2, kExact), DoubleNear(0, kExact), DoubleNear(9.81, kExact)));
}

TEST(Accelerometer, TurnsUnwantedAxesIntoNan) {
  auto sensor = make_sensor("Accelerometer", {{"yAxis", "FALSE"}});
  EXPECT_THAT(sample_values(*sensor, resting()), ElementsAre(0, IsNan(), 9.81));
}

TEST(Accelerometer, GoesThroughTableAndResolution) {
  auto sensor = make_sensor("Accelerometer",
                            {{"lookupTable", "[ -20 -200 0, 20 200 0 ]"}, {"resolution", "5"}});
  EXPECT_THAT(sample_values(*sensor, resting()), ElementsAre(0, 0, 100));  // 98.1 in steps of 5
}

TEST(Gyro, MeasuresInTheFrameOfTheDevice) {
  auto sensor = make_sensor("Gyro");
  EXPECT_EQ(sensor->type().webots_node, 45);
  SampleInput in = resting(axis_angle(Vec3::UnitX(), kPi / 2));  // its y is the world's z
  in.w_WS = Vec3(0.1, 0.2, 0.3);
  EXPECT_THAT(
      sample_values(*sensor, in),
      ElementsAre(DoubleNear(0.1, kExact), DoubleNear(0.3, kExact), DoubleNear(-0.2, kExact)));
}

TEST(Gyro, NoiseOfAxesIsIndependentAndRepeatable) {
  auto sensor = make_sensor("Gyro", {{"lookupTable", "[ -10 -10 0.1, 10 10 0.1 ]"}});
  SampleInput in = resting();
  in.w_WS = Vec3(1, 1, 1);
  in.noise.seed = 7;
  in.noise.frame = 3;
  const auto first = sample_values(*sensor, in);
  EXPECT_EQ(first, sample_values(*sensor, in));
  EXPECT_NE(first[0], first[1]);
  EXPECT_NE(first[1], first[2]);
  in.noise.frame = 4;
  EXPECT_NE(first, sample_values(*sensor, in));
}

TEST(Gyro, WhiteNoiseHasTheStatedDeviationWhateverTheRate) {
  auto sensor = make_sensor("Gyro", {{"noise", "0.2"}});
  SampleInput in = resting();
  in.w_WS = Vec3(0, 0, 3);
  constexpr int kCount = 20000;
  double sum = 0, squares = 0;
  for (in.noise.frame = 0; in.noise.frame < kCount; ++in.noise.frame) {
    const double error = sample_values(*sensor, in)[2] - 3;
    sum += error;
    squares += error * error;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.006);
  EXPECT_NEAR(std::sqrt(squares / kCount), 0.2, 0.004);
}

// A Wiener process: its deviation grows with the root of time, whatever the sampling period.
TEST(Accelerometer, BiasWalksByTheRootOfTime) {
  for (const double period : {0.01, 0.25}) {
    double squares = 0;
    constexpr int kWalks = 2000;
    for (int walk = 0; walk < kWalks; ++walk) {
      auto sensor = make_sensor("Accelerometer", {{"biasWalk", "0.3"}});
      SampleInput in = resting();
      in.noise.seed = static_cast<std::uint64_t>(walk);
      double last = 0;
      for (int i = 0; i <= std::lround(4 / period); ++i) {
        in.time = period * i;
        in.noise.frame = static_cast<std::uint64_t>(i);
        last = sample_values(*sensor, in)[0];
      }
      squares += last * last;
    }
    EXPECT_NEAR(std::sqrt(squares / kWalks), 0.3 * std::sqrt(4), 0.03) << period;
  }
}

TEST(InertialUnit, FindsTheAnglesThatMadeTheRotation) {
  auto sensor = make_sensor("InertialUnit");
  EXPECT_EQ(sensor->type().webots_node, 46);
  for (const double yaw : {-3.0, -0.4, 0.0, 2.2}) {
    for (const double pitch : {-1.5, 0.3, 1.2}) {
      for (const double roll : {-2.9, 0.0, 0.7}) {
        const Quat R = axis_angle(Vec3::UnitZ(), yaw) * axis_angle(Vec3::UnitY(), pitch) *
                       axis_angle(Vec3::UnitX(), roll);
        const auto v = sample_values(*sensor, resting(R));
        EXPECT_NEAR(v[0], roll, 1e-9);
        EXPECT_NEAR(v[1], pitch, 1e-9);
        EXPECT_NEAR(v[2], yaw, 1e-9);
        EXPECT_NEAR(Quat(v[6], v[3], v[4], v[5]).angularDistance(R), 0, 1e-7);
        const auto [least, most] = std::minmax({v[3], v[4], v[5]});
        EXPECT_TRUE(v[6] >= 0.5 || (v[6] > -0.5 && most > -least)) << v[6] << " " << most;
      }
    }
  }
}

TEST(InertialUnit, InANorthUpEastWorldYawIsAboutYAndPitchAboutZ) {
  DeviceContext context;
  context.north_up_east = true;
  for (const char* resolution : {"-1", "1e-9"}) {
    auto sensor = make_sensor("InertialUnit", {{"resolution", resolution}});
    sensor->attach(context);
    for (const Vec3& angles : {Vec3(0, 0, 0), Vec3(0, 0, 0.8), Vec3(0, 0.3, 0), Vec3(-0.6, 0, 0),
                               Vec3(2.1, -1.1, -2.7)}) {
      const Quat R = axis_angle(Vec3::UnitY(), angles.z()) * axis_angle(Vec3::UnitZ(), angles.y()) *
                     axis_angle(Vec3::UnitX(), angles.x());
      const auto v = sample_values(*sensor, resting(R));
      for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(v[axis], angles[axis], 2e-9);
      EXPECT_NEAR(Quat(v[6], v[3], v[4], v[5]).angularDistance(R), 0, 1e-7);
    }
  }
}

TEST(InertialUnit, LookingStraightUpCallsTheTurnYaw) {
  auto sensor = make_sensor("InertialUnit");
  const Quat R = axis_angle(Vec3::UnitZ(), 0.5) * axis_angle(Vec3::UnitY(), -kPi / 2);
  const auto v = sample_values(*sensor, resting(R));
  EXPECT_NEAR(v[0], 0, 1e-7);
  EXPECT_NEAR(v[1], -kPi / 2, 1e-7);
  EXPECT_NEAR(v[2], 0.5, 1e-7);
}

TEST(InertialUnit, QuaternionFollowsTheRoundedAngles) {
  auto sensor = make_sensor("InertialUnit", {{"resolution", "0.1"}, {"xAxis", "FALSE"}});
  const auto v = sample_values(*sensor, resting(axis_angle(Vec3::UnitZ(), 0.52)));
  EXPECT_THAT(v[0], IsNan());
  EXPECT_DOUBLE_EQ(v[2], 0.5);
  EXPECT_NEAR(v[5], std::sin(0.25), 1e-12);
  EXPECT_NEAR(v[6], std::cos(0.25), 1e-12);
}

// Webots: WbMatrix3::toQuaternion.
TEST(InertialUnit, OfTwoQuaternionsItGivesThatOfWebots) {
  auto sensor = make_sensor("InertialUnit");
  const auto quaternion = [&](const Vec3& axis, double degrees) {
    const auto v = sample_values(*sensor, resting(axis_angle(axis, degrees * kPi / 180)));
    return Eigen::Vector4d(v[3], v[4], v[5], v[6]);
  };
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 u = Vec3::Unit(axis);
    // Up to 120 degrees w is positive, beyond that the largest of the others.
    for (const double degrees : {30.0, 119.0, -119.0, 121.0, -121.0, 179.0, -179.0}) {
      const double half = degrees * kPi / 360, sign = degrees < -120 ? -1 : 1;
      Eigen::Vector4d expected;
      expected << sign * std::sin(half) * u, sign * std::cos(half);
      EXPECT_LT((quaternion(u, degrees) - expected).norm(), 1e-12) << axis << " " << degrees;
    }
  }
  const Eigen::Vector4d tilted = quaternion(Vec3(0.6, -0.8, 0), 170);
  EXPECT_LT(tilted.x(), 0);
  EXPECT_GT(tilted.y(), 0);
  EXPECT_LT(tilted.w(), 0);
}

/// In half turns (Webots, WbInertialUnit::computeValue: `mNoise->value() * M_PI`).
TEST(InertialUnit, NoiseHasTheStatedDeviation) {
  auto sensor = make_sensor("InertialUnit", {{"noise", "0.02"}});
  SampleInput in = resting();
  double squares = 0;
  constexpr int kCount = 4000;
  for (in.noise.frame = 0; in.noise.frame < kCount; ++in.noise.frame) {
    for (int axis = 0; axis < 3; ++axis) squares += std::pow(sample_values(*sensor, in)[axis], 2);
  }
  EXPECT_NEAR(std::sqrt(squares / (3 * kCount)) / kPi, 0.02, 0.001);
}

}  // namespace
}  // namespace protobeam
