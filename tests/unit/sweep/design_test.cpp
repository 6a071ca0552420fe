#include "sweep/design.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <set>
#include <stdexcept>

namespace protobeam::sweep {
namespace {

using testing::ElementsAre;

Description described(const std::string& text) {
  Diagnostics diagnostics;
  auto out = read_description_text("some.yaml", "world: a.wbt\n" + text, "/", diagnostics);
  EXPECT_EQ(diagnostics.to_string(), "");
  return out.value_or(Description{});
}

TEST(SweepDesign, IsOneRunWithoutParameters) {
  const Description sweep = described("");
  EXPECT_EQ(Design(sweep).runs(), 1);
  EXPECT_TRUE(Design(sweep).values(0).empty());
}

TEST(SweepDesign, TakesEachPointOfTheGridWithEachEntryOfTheList) {
  const Description sweep = described(R"(
parameters:
  a: {field: A.a, values: [1, 2]}
  x: {field: A.x}
  b: {field: A.b, values: [u, v, w]}
  y: {field: A.y}
list: [{x: 5, y: 6}, {y: 8, x: 7}]
)");
  const Design design(sweep);
  ASSERT_EQ(design.runs(), 12);
  EXPECT_THAT(design.values(0), ElementsAre("1", "5", "u", "6"));
  EXPECT_THAT(design.values(1), ElementsAre("1", "5", "v", "6"));
  EXPECT_THAT(design.values(3), ElementsAre("2", "5", "u", "6"));
  EXPECT_THAT(design.values(11), ElementsAre("2", "7", "w", "8"));
  EXPECT_THROW(design.values(12), std::out_of_range);
}

const char* const kRandom = R"(
parameters:
  u: {{field: A.u, uniform: [10, 20]}}
  l: {{field: A.l, log_uniform: [0.01, 100]}}
  n: {{field: A.n, normal: [5, 2]}}
  w: {{field: A.w, uniform: [1, 4], whole: true}}
samples: {{count: {}, method: {}, seed: {}}}
)";

TEST(SweepDesign, DrawsFromTheDistributions) {
  const Description sweep = described(fmt::format(fmt::runtime(kRandom), 4000, "random", 1));
  const Design design(sweep);
  ASSERT_EQ(design.runs(), 4000);
  double u = 0, l = 0, n = 0, square = 0;
  int fours = 0;
  for (std::int64_t run = 0; run < 4000; ++run) {
    const auto values = design.values(run);
    const double a = std::stod(values[0]), b = std::stod(values[1]), c = std::stod(values[2]);
    EXPECT_TRUE(a > 10 && a < 20 && b > 0.01 && b < 100) << a << " " << b;
    u += a / 4000, l += std::log10(b) / 4000, n += c / 4000, square += (c - 5) * (c - 5) / 4000;
    EXPECT_THAT(values[3], testing::AnyOf("1", "2", "3", "4"));
    fours += values[3] == "4";
  }
  // Four standard errors.
  EXPECT_NEAR(u, 15, 4 * 10 / std::sqrt(12 * 4000.0));
  EXPECT_NEAR(l, 0, 4 * 4 / std::sqrt(12 * 4000.0));
  EXPECT_NEAR(n, 5, 4 * 2 / std::sqrt(4000.0));
  EXPECT_NEAR(std::sqrt(square), 2, 0.1);
  EXPECT_NEAR(fours, 1000, 4 * std::sqrt(4000 * 0.25 * 0.75));
}

TEST(SweepDesign, HasOneSampleInEachStratumOfALatinHypercube) {
  const Description sweep =
      described(fmt::format(fmt::runtime(kRandom), 500, "latin_hypercube", 3));
  const Design design(sweep);
  std::set<int> u, l;
  int same = 0;
  for (std::int64_t run = 0; run < 500; ++run) {
    const auto values = design.values(run);
    const int first = static_cast<int>((std::stod(values[0]) - 10) / 10 * 500);
    const int second = static_cast<int>((std::log10(std::stod(values[1])) + 2) / 4 * 500);
    u.insert(first);
    l.insert(second);
    same += first == second;
  }
  EXPECT_EQ(u.size(), 500u);
  EXPECT_EQ(l.size(), 500u);
  EXPECT_LT(same, 10);  // one would be expected: the two are not coupled
}

TEST(SweepDesign, DependsOnItsSeedAndNotOnOtherParameters) {
  const Description one = described(fmt::format(fmt::runtime(kRandom), 10, "random", 1));
  const Description two = described(fmt::format(fmt::runtime(kRandom), 10, "random", 2));
  EXPECT_EQ(Design(one).values(3), Design(one).values(3));
  EXPECT_NE(Design(one).values(3), Design(two).values(3));
  const Description alone =
      described("parameters:\n  n: {field: A.n, normal: [5, 2]}\nsamples: {count: 10, seed: 1}\n");
  EXPECT_EQ(Design(alone).values(3)[0], Design(one).values(3)[2]);
}

TEST(SweepDesign, RefusesTooManyRuns) {
  const Description sweep = described(R"(
parameters:
  a: {seed: true, from: 1, to: 1000000}
  b: {field: A.b, from: 1, to: 1000}
)");
  EXPECT_THROW(Design{sweep}, std::invalid_argument);
}

TEST(SweepDesign, KnowsTheNormalQuantile) {
  // Abramowitz and Stegun, table 26.5 and the usual ones.
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-9);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-8);
  EXPECT_NEAR(normal_quantile(0.001), -3.090232306167813, 1e-8);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-7);
}

}  // namespace
}  // namespace protobeam::sweep
