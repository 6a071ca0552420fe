// A force torque sensor outside of a world.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using testing::ElementsAre;

TEST(ForceTorqueSensor, TellsTheWrenchOnEitherSide) {
  SampleInput in;
  in.carrier_wrench = CarrierWrench{Vec3(1, 2, 3), Vec3(4, 5, 6)};
  EXPECT_THAT(sample_values(*make_sensor("ForceTorqueSensor", {{"acting", "\"toChild\""}}), in),
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(sample_values(*make_sensor("ForceTorqueSensor"), in),
              ElementsAre(-1, -2, -3, -4, -5, -6));
}

TEST(ForceTorqueSensor, IsNanWhereNothingMoves) {
  for (const double value : sample_values(*make_sensor("ForceTorqueSensor"), {}))
    EXPECT_TRUE(std::isnan(value));
}

TEST(ForceTorqueSensor, ForceAndTorqueHaveErrorsOfTheirOwn) {
  const auto sensor = make_sensor(
      "ForceTorqueSensor", {{"forceNoise", "0.5"}, {"torqueNoise", "0.01"}, {"torqueOffset", "2"}});
  SampleInput in;
  in.carrier_wrench = CarrierWrench{Vec3::Zero(), Vec3::Zero()};
  double forces = 0, torques = 0, products = 0;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    in.noise.frame = static_cast<std::uint64_t>(i);
    const auto v = sample_values(*sensor, in);
    forces += v[1] * v[1];
    torques += (v[4] - 2) * (v[4] - 2);
    products += v[1] * (v[4] - 2);
  }
  EXPECT_NEAR(std::sqrt(forces / kCount), 0.5, 0.01);
  EXPECT_NEAR(std::sqrt(torques / kCount), 0.01, 2e-4);
  EXPECT_NEAR(products / std::sqrt(forces * torques), 0, 0.03);
}

}  // namespace
}  // namespace protobeam
