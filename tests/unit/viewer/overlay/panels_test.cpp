#include "viewer/overlay/panels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace protobeam::viewer {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pointwise;

TEST(Ticks, AreRoundNumbersInsideTheRange) {
  const Ticks ticks = round_ticks(-0.31, 4.72, 6, false);
  EXPECT_THAT(ticks.values, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(ticks.decimals, 0);
}

TEST(Ticks, OfSmallRangesHaveAsManyDecimalsAsTheyNeed) {
  const Ticks ticks = round_ticks(0.1, 0.3, 6, false);
  EXPECT_THAT(ticks.values,
              Pointwise(DoubleNear(1e-12), std::vector<double>{0.1, 0.15, 0.2, 0.25, 0.3}));
  EXPECT_EQ(ticks.decimals, 2);
}

TEST(Ticks, OfLargeRangesAreFew) {
  EXPECT_THAT(round_ticks(0, 120, 6, false).values, ElementsAre(0, 50, 100));
  EXPECT_THAT(round_ticks(0, 1e7, 6, false).values, ElementsAre(0, 2e6, 4e6, 6e6, 8e6, 1e7));
}

TEST(Ticks, OfCountsAreWhole) {
  EXPECT_THAT(round_ticks(0, 3, 6, true).values, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(round_ticks(0, 15, 6, true).values, ElementsAre(0, 5, 10, 15));
  EXPECT_THAT(round_ticks(0, 127, 6, true).values, ElementsAre(0, 50, 100));
}

TEST(Ticks, OfNoRangeIsItsValue) {
  EXPECT_THAT(round_ticks(3, 3, 6, true).values, ElementsAre(3));
  EXPECT_THAT(round_ticks(0, std::numeric_limits<double>::infinity(), 6, false).values, IsEmpty());
  EXPECT_THAT(round_ticks(0, std::numeric_limits<double>::quiet_NaN(), 6, false).values, IsEmpty());
}

}  // namespace
}  // namespace protobeam::viewer
