// A magnetometer outside of a world.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

TEST(Magnetometer, TellsTheFieldInItsOwnAxes) {
  const auto sensor = make_sensor("Magnetometer", {{"field", "1e-5 2e-5 -4e-5"}});
  SampleInput in;
  in.gravity_W = Vec3(0, 0, -9.81);
  const auto level = sample_values(*sensor, in);
  EXPECT_NEAR(level[0], 1e-5, 1e-18);
  EXPECT_NEAR(level[1], 2e-5, 1e-18);
  EXPECT_NEAR(level[2], -4e-5, 1e-18);
  // A quarter turn to the left: x points north, y west.
  in.X_WS.R = axis_angle(Vec3::UnitZ(), kPi / 2);
  const auto turned = sample_values(*sensor, in);
  EXPECT_NEAR(turned[0], 2e-5, 1e-18);
  EXPECT_NEAR(turned[1], -1e-5, 1e-18);
  EXPECT_NEAR(turned[2], -4e-5, 1e-18);
}

TEST(Magnetometer, KnowsWhereNorthIs) {
  const DevicePlugin& plugin = load_sensor_plugin("Magnetometer");
  DeviceContext context;
  context.north_W = Vec3::UnitX();
  const auto sensor =
      make_device(plugin, TestFields(plugin.schema, {{"field", "0 3e-5 0"}}), context);
  SampleInput in;
  in.gravity_W = Vec3(0, 0, -9.81);
  EXPECT_NEAR(sample_values(*sensor, in)[0], 3e-5, 1e-18);
}

TEST(Magnetometer, ItsDefaultHasTheInclinationOfMidLatitudes) {
  const auto sensor = make_sensor("Magnetometer");
  SampleInput in;
  in.gravity_W = Vec3(0, 0, -9.81);
  const auto field = sample_values(*sensor, in);
  EXPECT_NEAR(std::sqrt(field[0] * field[0] + field[1] * field[1] + field[2] * field[2]), 48.49e-6,
              0.01e-6);
  EXPECT_NEAR(std::atan2(-field[2], std::hypot(field[0], field[1])) / kPi * 180, 60.96, 0.01);
}

TEST(Magnetometer, ErrorsHaveTheirSizes) {
  const auto sensor =
      make_sensor("Magnetometer", {{"field", "0 0 0"}, {"noise", "2"}, {"offset", "10"}});
  const auto biased = make_sensor(
      "Magnetometer",
      {{"field", "0 0 0"}, {"turnOnMean", "5"}, {"turnOnBias", "1"}, {"resolution", "0.25"}});
  SampleInput in;
  double sum = 0, squares = 0;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    in.noise.frame = static_cast<std::uint64_t>(i);
    const double error = sample_values(*sensor, in)[1] - 10;
    sum += error;
    squares += error * error;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.05);
  EXPECT_NEAR(std::sqrt(squares / kCount), 2, 0.05);

  double bias_sum = 0, bias_squares = 0, amounts = 0;
  for (std::uint32_t device = 0; device < 4000; ++device) {
    in.noise.device = device;
    in.noise.frame = 0;
    const double bias = sample_values(*biased, in)[2];
    EXPECT_EQ(bias * 4, std::round(bias * 4));
    in.noise.frame = 7;
    EXPECT_EQ(sample_values(*biased, in)[2], bias);  // it stays
    bias_sum += bias;
    amounts += std::abs(bias);
    bias_squares += bias * bias;
  }
  EXPECT_NEAR(bias_sum / 4000, 0, 0.3);
  EXPECT_NEAR(amounts / 4000, 5, 0.1);
  EXPECT_NEAR(bias_squares / 4000, 26, 1);  // 5^2 + 1^2
}

}  // namespace
}  // namespace protobeam
