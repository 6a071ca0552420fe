#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using ::testing::ElementsAre;

TEST(Gps, ReportsPositionSpeedAndVelocityOfTheWorld) {
  auto sensor = make_sensor("GPS");
  EXPECT_EQ(sensor->type().webots_node, 44);
  SampleInput in;
  in.X_WS = {axis_angle(Vec3::UnitZ(), 1), Vec3(10, -20, 3)};
  in.v_WS = Vec3(3, 4, 0);
  EXPECT_THAT(sample_values(*sensor, in), ElementsAre(10, -20, 3, 5, 3, 4, 0));
}

TEST(Gps, ConvertsToGeodeticAfterRoundingMetres) {
  auto sensor = make_sensor("GPS", {{"resolution", "0.5"}});
  SampleInput in;
  in.X_WS.p = Vec3(10.3, 20.2, 5);
  in.to_geodetic = [](const Vec3& p) {
    return Vec3(46 + p.y() / 1e5, 6 + p.x() / 1e5, p.z() + 400);
  };
  const auto v = sample_values(*sensor, in);
  EXPECT_DOUBLE_EQ(v[0], 46.0002);
  EXPECT_DOUBLE_EQ(v[1], 6.000105);
  EXPECT_DOUBLE_EQ(v[2], 405);
}

TEST(Gps, SpeedNoiseAndResolutionActOnSpeedAndVelocity) {
  auto coarse = make_sensor("GPS", {{"speedResolution", "2"}});
  SampleInput in;
  in.v_WS = Vec3(3.2, 0, 0);
  EXPECT_THAT(sample_values(*coarse, in), ElementsAre(0, 0, 0, 4, 4, 0, 0));

  auto noisy = make_sensor("GPS", {{"speedNoise", "0.3"}});
  double squares[4] = {};
  constexpr int kCount = 4000;
  for (in.noise.frame = 0; in.noise.frame < kCount; ++in.noise.frame) {
    const auto v = sample_values(*noisy, in);
    EXPECT_EQ(v[0], 0);
    const double error[4] = {v[3] - 3.2, v[4] - 3.2, v[5], v[6]};
    for (int i = 0; i < 4; ++i) squares[i] += error[i] * error[i];
  }
  for (const double sum : squares) EXPECT_NEAR(std::sqrt(sum / kCount), 0.3, 0.02);
}

// The stationary deviation and the correlation over one second, from samples 0.1 s apart.
TEST(Gps, PositionNoiseHasTheStatedDeviationAndCorrelation) {
  auto sensor = make_sensor("GPS", {{"accuracy", "2"}, {"noiseCorrelation", "0.5"}});
  sensor->reset();
  SampleInput in;
  constexpr int kCount = 40000;
  std::vector<double> x;
  for (in.noise.frame = 0; in.noise.frame < kCount; ++in.noise.frame) {
    in.time = 0.1 * static_cast<double>(in.noise.frame);
    x.push_back(sample_values(*sensor, in)[0]);
  }
  double variance = 0, covariance = 0;
  for (int i = 0; i + 10 < kCount; ++i) {
    variance += x[i] * x[i];
    covariance += x[i] * x[i + 10];
  }
  EXPECT_NEAR(std::sqrt(variance / (kCount - 10)), 2, 0.1);
  EXPECT_NEAR(covariance / variance, 0.5, 0.05);
}

TEST(Gps, SteadyErrorsStayAndDifferBetweenDevices) {
  auto sensor =
      make_sensor("GPS", {{"offset", "1 2 3"}, {"turnOnBias", "0.5 0 0"}, {"turnOnMean", "0 0 4"}});
  constexpr int kCount = 4000;
  double squares = 0;
  int up = 0;
  SampleInput in;
  for (int device = 0; device < kCount; ++device) {
    in.noise.device = static_cast<std::uint32_t>(device);
    in.noise.frame = 0;
    const auto first = sample_values(*sensor, in);
    in.noise.frame = 7;
    EXPECT_EQ(sample_values(*sensor, in), first);
    squares += (first[0] - 1) * (first[0] - 1);
    EXPECT_EQ(first[1], 2);
    EXPECT_DOUBLE_EQ(std::abs(first[2] - 3), 4);
    up += first[2] > 3 ? 1 : 0;
  }
  EXPECT_NEAR(std::sqrt(squares / kCount), 0.5, 0.03);
  EXPECT_NEAR(static_cast<double>(up) / kCount, 0.5, 0.04);
}

TEST(Gps, HeightsMayBeLessAccurate) {
  auto sensor = make_sensor("GPS", {{"accuracy", "1"}, {"verticalAccuracy", "3"}});
  SampleInput in;
  constexpr int kCount = 20000;
  double x = 0, z = 0;
  for (in.noise.frame = 0; in.noise.frame < kCount; ++in.noise.frame) {
    in.time = 0.1 * static_cast<double>(in.noise.frame);
    const auto values = sample_values(*sensor, in);
    x += values[0] * values[0];
    z += values[2] * values[2];
  }
  EXPECT_NEAR(std::sqrt(x / kCount), 1, 0.03);
  EXPECT_NEAR(std::sqrt(z / kCount), 3, 0.09);
}

TEST(Gps, WhiteNoiseForgetsTheLastSampleAndResetStartsAfresh) {
  SampleInput in;
  in.noise.seed = 5;
  for (const char* correlation : {"0", "0.9"}) {
    auto sensor = make_sensor("GPS", {{"accuracy", "1"}, {"noiseCorrelation", correlation}});
    sensor->reset();
    in.time = 1;
    in.noise.frame = 1;
    const auto first = sample_values(*sensor, in);
    in.time = 1.1;
    in.noise.frame = 2;
    const auto second = sample_values(*sensor, in);
    EXPECT_NE(first, second);
    sensor->reset();
    const auto second_alone = sample_values(*sensor, in);
    EXPECT_EQ(second == second_alone, std::string(correlation) == "0");
  }
}

}  // namespace
}  // namespace protobeam
