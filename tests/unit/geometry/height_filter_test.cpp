// Kernels over terrains, against sums by hand.
#include "geometry/height_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace protobeam {
namespace {

using testing::DoubleNear;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Pointwise;

TEST(HeightFilter, WeighsWhatIsAroundEachHeight) {
  // Two rows of three; above each height there is 1 of it, to the right 10, below 100.
  const std::vector<double> kernel{0, 1, 0, 0, 0, 10, 0, 100, 0};
  const std::vector<double> wanted{420, 530, 600, 51, 62, 3};
  EXPECT_THAT(filtered(std::vector<double>{1, 2, 3, 4, 5, 6}, 3, kernel),
              Pointwise(DoubleNear(1e-12), wanted));
}

TEST(HeightFilter, SaysWhatIsNoKernel) {
  const std::vector<double> mean(9, 1.0 / 9);
  EXPECT_EQ(why_no_kernel(mean, 400'000'000), "");
  EXPECT_THAT(why_no_kernel(mean, 500'000'000), HasSubstr("too large for 500000000 heights"));
  EXPECT_THAT(why_no_kernel(std::vector<double>{1}, 4), HasSubstr("got 1 numbers"));
  EXPECT_THAT(why_no_kernel(std::vector<double>(16, 1.0 / 16), 4), HasSubstr("odd number of rows"));
  EXPECT_THAT(why_no_kernel(std::vector<double>(33 * 33), 4), HasSubstr("at most 31 rows, got 33"));
  EXPECT_EQ(why_no_kernel(std::vector<double>(9, 0.1), 4),
            "must have the sum 1, within 0.005, got 0.9");
  EXPECT_THAT(why_no_kernel(std::vector<double>(9, 100), 4), EndsWith("got 900"));
  // Their sum is 1, and what they make of heights is rounding.
  for (const double weight : {101.0, 1e9, 1e300})
    EXPECT_THAT(why_no_kernel(std::vector<double>{weight, 0, 0, 1, -weight, 0, 0, 0, 0}, 4),
                HasSubstr("wants numbers from -100 to 100, got 1"))
        << weight;
}

}  // namespace
}  // namespace protobeam
