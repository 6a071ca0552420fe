// @NAME@ in front of a wall, whose distance along each beam is distance / cos(azimuth).
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/unit/support/plugin.h"
#include "tests/unit/support/visible_wall.h"

namespace {

using namespace protobeam;

TEST(@NAME@, MeasuresTheSlantRangeToAWall) {
  VisibleWall wall(2);
  SensorInput in;
  in.visible = &wall;
  const auto ranges = sample_values(*make_sensor("@NAME@"), in);
  ASSERT_EQ(ranges.size(), 5u);
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(ranges[i], 2 / std::cos(0.5 - 0.25 * i), 1e-5) << "beam " << i;
  }
}

TEST(@NAME@, ReadsInfinityBeyondItsRange) {
  VisibleWall wall(2);
  SensorInput in;
  in.visible = &wall;
  const auto ranges = sample_values(*make_sensor("@NAME@", {{"maxRange", "2.1"}}), in);
  EXPECT_EQ(ranges.front(), std::numeric_limits<double>::infinity());  // 2.28 m away
  EXPECT_NEAR(ranges[2], 2, 1e-5);
}

TEST(@NAME@, NoiseHasTheStatedDeviation) {
  VisibleWall wall(2);
  SensorInput in;
  in.visible = &wall;
  auto sensor = make_sensor("@NAME@", {{"numberOfBeams", "1"}, {"noise", "0.03"}});
  double squares = 0;
  constexpr int kSamples = 4000;
  for (in.noise.frame = 0; in.noise.frame < kSamples; ++in.noise.frame) {
    squares += std::pow(sample_values(*sensor, in)[0] - 2, 2);
  }
  EXPECT_NEAR(std::sqrt(squares / kSamples), 0.03, 0.002);
}

}  // namespace
