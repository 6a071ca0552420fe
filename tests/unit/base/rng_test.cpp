#include "base/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/fast_math.h"

namespace protobeam {
namespace {

// Known answers of the Random123 library, file kat_vectors, philox 4x32 10 rounds.
TEST(Philox, GivesThePublishedAnswers) {
  using Block = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Gaussian, HasTheMomentsOfANormalDistribution) {
  const NoiseKey key{7, 3, 0, 11};
  std::vector<float> values(1'000'000);
  fill_gaussian(key, 5, values);
  double m1 = 0, m2 = 0, m4 = 0;
  int beyond_two_sigma = 0;
  for (float v : values) {
    m1 += v;
    m2 += double{v} * v;
    m4 += std::pow(double{v}, 4);
    beyond_two_sigma += std::fabs(v) > 2;
  }
  const double n = static_cast<double>(values.size());
  EXPECT_NEAR(m1 / n, 0, 4e-3);
  EXPECT_NEAR(m2 / n, 1, 6e-3);
  EXPECT_NEAR(m4 / n, 3, 0.05);
  EXPECT_NEAR(beyond_two_sigma / n, 0.0455003, 8e-4);
}

TEST(Gaussian, BatchEqualsSingleValuesBitForBit) {
  const NoiseKey key{0x123456789abcdefull, 0xdeadbeef, 2, 1ull << 33};
  for (std::uint64_t first : {0ull, 1ull, 17ull}) {
    std::vector<float> values(301);
    fill_gaussian(key, first, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], gaussian(key, first + i)) << i;
  }
}

TEST(Gaussian, PairsInAnyOrderEqualSingleValuesBitForBit) {
  const NoiseKey key{0x123456789abcdefull, 0xdeadbeef, 9, 1ull << 33};
  const std::vector<std::uint32_t> pairs{7, 0, 0xffffffffu, 7, 123456, 1, 2, 3, 4, 5, 6};
  std::vector<float> even(pairs.size()), odd(pairs.size());
  fill_gaussian_pairs(key, pairs, even.data(), odd.data());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(even[i], gaussian(key, 2ull * pairs[i])) << i;
    EXPECT_EQ(odd[i], gaussian(key, 2ull * pairs[i] + 1)) << i;
  }
}

TEST(Uniform, FourAtATimeEqualSingleValues) {
  const NoiseKey key{5, 6, 7, 8};
  for (std::uint32_t block : {0u, 1u, 99u}) {
    const auto four = uniforms(key, block);
    for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(four[i], uniform(key, 4ull * block + i));
  }
}

TEST(FastMath, EqualsTheStandardLibraryToTwoUnitsInTheLastPlace) {
  for (int i = -86'000; i <= 86'000; ++i) {
    const float x = static_cast<float>(i) * 1e-3f;
    const double e = std::exp(double{x});
    ASSERT_NEAR(exp_f(x), e, 2.4e-7 * e) << x;
    const float y = static_cast<float>(e);
    ASSERT_NEAR(log_f(y), std::log(double{y}), 2.4e-7 * std::max(1.0, std::abs(std::log(double{y}))))
        << y;
  }
  EXPECT_EQ(exp_f(0), 1);
  EXPECT_EQ(log_f(1), 0);
  EXPECT_LT(exp_f(-1e30f), 1.7e-38f);
  EXPECT_GE(exp_f(-1e30f), 0);
  EXPECT_EQ(exp_f(NAN), exp_f(-87));
  EXPECT_LT(exp_f(1e30f), INFINITY);
}

TEST(Gaussian, EqualsBoxMullerInDoublePrecision) {
  const NoiseKey key{0xfeedull << 32 | 5, 77, 1, 12};
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    const auto word = philox4x32({i, 12, 1u << 16, 77}, {5, 0xfeed});
    const double u1 = static_cast<double>(static_cast<float>(word[0] >> 8) + 0.5f) * 0x1p-24;
    const double u2 = (word[1] >> 8) * 0x1p-24;
    const double radius = std::sqrt(-2 * std::log(u1)), angle = 2 * std::acos(-1.0) * u2;
    ASSERT_NEAR(gaussian(key, 2ull * i), radius * std::cos(angle), 1.5e-6) << i;
    ASSERT_NEAR(gaussian(key, 2ull * i + 1), radius * std::sin(angle), 1.5e-6) << i;
  }
}

TEST(Gaussian, DependsOnEveryPartOfItsKey) {
  const NoiseKey key{1, 2, 3, 4};
  const float value = gaussian(key, 5);
  EXPECT_NE(value, gaussian({2, 2, 3, 4}, 5));
  EXPECT_NE(value, gaussian({1, 3, 3, 4}, 5));
  EXPECT_NE(value, gaussian({1, 2, 4, 4}, 5));
  EXPECT_NE(value, gaussian({1, 2, 3, 5}, 5));
  EXPECT_NE(value, gaussian(key, 6));
}

TEST(Uniform, FillsTheUnitInterval) {
  const NoiseKey key{9, 9, 1, 9};
  double mean = 0;
  float low = 1, high = 0;
  for (int i = 0; i < 100'000; ++i) {
    const float u = uniform(key, static_cast<std::uint64_t>(i));
    mean += u / 1e5;
    low = std::min(low, u);
    high = std::max(high, u);
  }
  EXPECT_NEAR(mean, 0.5, 5e-3);
  EXPECT_GE(low, 0.0f);
  EXPECT_LT(high, 1.0f);
}

}  // namespace
}  // namespace protobeam
