#include "device/lookup_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "device/device_model.h"
#include "device/values.h"

namespace protobeam {
namespace {

std::string complaint(const std::vector<double>& numbers) {
  try {
    LookupTable table(numbers);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(LookupTable, EmptyIsTheIdentity) {
  const LookupTable table;
  EXPECT_EQ(table.sample(-3.25, {}, 0), -3.25);
  EXPECT_EQ(table.max_input(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(table.sample(HUGE_VAL, {}, 0), HUGE_VAL);
}

TEST(LookupTable, IsLinearBetweenRowsAndConstantOutside) {
  const LookupTable table({0, 1000, 0, 0.1, 1000, 0, 0.2, 400, 0, 0.5, 10, 0});
  EXPECT_EQ(table.mean(-1), 1000);
  EXPECT_DOUBLE_EQ(table.mean(0.15), 700);
  EXPECT_DOUBLE_EQ(table.mean(0.35), 205);
  EXPECT_EQ(table.mean(7), 10);
  EXPECT_EQ(table.mean(HUGE_VAL), 10);
  EXPECT_EQ(table.max_input(), 0.5);
  EXPECT_EQ(table.min_output(), 10);
  EXPECT_EQ(table.max_output(), 1000);
}

TEST(LookupTable, EqualInputsMakeAStep) {
  const LookupTable table({0, 0, 0, 1, 0, 0, 1, 5, 0, 2, 5, 0});
  EXPECT_EQ(table.mean(std::nextafter(1, 0)), 0);
  EXPECT_EQ(table.mean(1), 5);
}

TEST(LookupTable, NoiseIsRelativeToTheOutputAndInterpolated) {
  const LookupTable table({0, 100, 0, 10, 300, 0.2});  // at 5: output 200, noise 0.1, sigma 20
  double sum = 0, squares = 0;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    const double value = table.sample(5, {1, 2, 3, 4}, i);
    sum += value;
    squares += (value - 200) * (value - 200);
  }
  EXPECT_NEAR(sum / kCount, 200, 4 * 20 / std::sqrt(kCount));
  EXPECT_NEAR(std::sqrt(squares / kCount), 20, 0.5);
  EXPECT_EQ(table.sample(0, {1, 2, 3, 4}, 0), 100);
}

TEST(LookupTable, WithoutOrderIsLookedUpAsInWebots) {
  // Inputs of a public world's sensor for heat.
  const LookupTable table({37, 12, 0, 30, 5, 0, 25, 2, 0, 21, 0, 0, 38, 1000, 0});
  EXPECT_EQ(table.mean(36), 12);
  EXPECT_EQ(table.mean(37), 12);
  EXPECT_EQ(table.mean(38), 1000);
  EXPECT_EQ(table.mean(40), 1000);
  EXPECT_DOUBLE_EQ(table.mean(37.5), 1000 * (37.5 - 21) / (38 - 21));
}

TEST(LookupTable, SaysWhatIsWrong) {
  EXPECT_EQ(complaint({0, 1, 2, 3}),
            "lookupTable has 4 numbers; it is made of triples: input, output, relative noise");
  EXPECT_EQ(complaint({0, 0, 0, 2, 1, -0.5}),
            "lookupTable noise must be >= 0, not -0.5 (at input 2)");
  EXPECT_EQ(complaint({0, 0, 0, 2, 1, 0.5}), "");
}

TEST(Quantised, RoundsHalfUpToTheNearestMultiple) {
  EXPECT_DOUBLE_EQ(quantised(0.26, 0.1), 0.3);
  EXPECT_DOUBLE_EQ(quantised(-0.26, 0.1), -0.3);
  EXPECT_EQ(quantised(0.5, 1.0), 1.0);
  EXPECT_EQ(quantised(-0.5, 1.0), 0.0);
  EXPECT_EQ(quantised(0.123, -1), 0.123);
}

}  // namespace
}  // namespace protobeam
