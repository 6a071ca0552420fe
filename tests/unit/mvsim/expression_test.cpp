// Values against the C library's, and random numbers against the generator that they are made of.
#include "mvsim/expression.h"

#include <gtest/gtest.h>

#include <cmath>

namespace protobeam::mvsim {
namespace {

class ExpressionTest : public testing::Test {
 protected:
  double value(const std::string& expression) {
    const auto result = calculator_.evaluate(
        expression,
        [](const std::string& name) {
          return name == "x" ? std::optional<std::string>("-3") : std::nullopt;
        },
        error_);
    EXPECT_TRUE(result) << expression << ": " << error_.message;
    return result.value_or(std::nan(""));
  }

  RandomSource random_{7, 0};
  Calculator calculator_{random_};
  ExpressionError error_;
};

TEST_F(ExpressionTest, operators_have_their_usual_order) {
  EXPECT_EQ(value("1 + 2*3^2/9 - -1"), 4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("7 % 4 + 7 mod 4"), 6);
  EXPECT_EQ(value("1 <= 2 and 3 != 3 or 2 > 1"), 1);
  EXPECT_EQ(value("1 xor 1"), 0);
  EXPECT_EQ(value("not(0) && not(1) == 0 || 0"), 1);
}

TEST_F(ExpressionTest, functions_are_those_of_the_c_library) {
  EXPECT_EQ(value("sin(0.3)"), std::sin(0.3));
  EXPECT_EQ(value("atan2(1, -2)"), std::atan2(1.0, -2.0));
  EXPECT_EQ(value("log(10) + log10(1000) + log2(8)"), std::log(10.0) + 6);
  EXPECT_DOUBLE_EQ(value("sqrt(2) * exp(1) * pow(2, 0.5)"),
            std::sqrt(2.0) * std::exp(1.0) * std::pow(2, 0.5));
  EXPECT_EQ(value("floor(-1.5) * ceil(1.2) + round(2.5) + trunc(-2.7) + int(3.9)"), -4 + 3 - 2 + 3);
  EXPECT_EQ(value("min(3, 1, 2) + max(3, 1, 2) + clamp(0, 5, 2)"), 6);
  EXPECT_DOUBLE_EQ(value("deg2rad(180) / pi + rad2deg(M_PI)"), 181);
  EXPECT_EQ(value("abs(x) + frac(1.25) + sgn(x)"), 2.25);
  EXPECT_EQ(value("M_E"), std::exp(1.0));
  EXPECT_DOUBLE_EQ(value("cot(0.3) * tan(0.3) + sec(0.3) * cos(0.3) + csc(0.3) * sin(0.3)"), 3);
  EXPECT_DOUBLE_EQ(value("sinc(0) + logn(8, 2) + mul(2, 3, 4) + roundn(1.256, 2)"), 29.26);
  EXPECT_EQ(value("inrange(0, 1, 2) + inrange(0, 3, 2)"), 1);
}

TEST_F(ExpressionTest, conditions_choose) {
  EXPECT_EQ(value("if(x < 0, 10, 20)"), 10);
  EXPECT_EQ(value("x > 0 ? 10 : 20"), 20);
  EXPECT_EQ(value("if(x == 0, 0, 1/(x+3) > 5)"), 1) << "what is not chosen may be infinite";
}

TEST_F(ExpressionTest, names_of_functions_and_constants_may_be_capitals) {
  EXPECT_EQ(value("SIN(0) + Pi*0 + MAX(1, 2) + (1 AND 1)"), 3);
}

TEST_F(ExpressionTest, numbers_are_written_so_that_they_read_back) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(1e5), "100000");
  EXPECT_EQ(to_text(-3), "-3");
  EXPECT_EQ(to_text(1e300), "1e+300");
  EXPECT_EQ(std::stod(to_text(1.0 / 3)), 1.0 / 3);
}

TEST_F(ExpressionTest, numbers_are_scanned_at_the_beginning_of_a_text) {
  std::size_t end = 0;
  EXPECT_EQ(scan_number("  +1.5e2m", end), 150);
  EXPECT_EQ(end, 8u);
  EXPECT_EQ(scan_number("0x1F", end), 31);
  EXPECT_EQ(scan_number(".5", end), 0.5);
  EXPECT_FALSE(scan_number("inf", end));
  EXPECT_FALSE(scan_number("nan", end));
  EXPECT_FALSE(scan_number("--1", end));
  EXPECT_FALSE(scan_number("1e999", end));
}

TEST_F(ExpressionTest, random_numbers_are_those_of_the_worlds_seed_in_the_order_of_their_calls) {
  const NoiseKey uniform_key{7, hash32("mvsim", 5), 0, 0};
  const NoiseKey normal_key{7, hash32("mvsim", 5), 1, 0};
  EXPECT_EQ(value("rand()"), uniform(uniform_key, 0));
  EXPECT_EQ(value("randn()"), gaussian(normal_key, 1));
  EXPECT_DOUBLE_EQ(value("unifrnd(10, 30)"), 10 + 20.0 * uniform(uniform_key, 2));
  EXPECT_EQ(value("1 ? rand() : randn()"), uniform(uniform_key, 3));
}

TEST_F(ExpressionTest, randomize_begins_a_sequence_again) {
  EXPECT_EQ(value("randomize(5)"), 0);
  const double first = value("rand()"), second = value("rand()");
  EXPECT_NE(first, second);
  value("randomize(5)");
  EXPECT_EQ(value("rand()"), first);
  value("randomize(6)");
  EXPECT_NE(value("rand()"), first);
}

TEST_F(ExpressionTest, other_seeds_and_streams_give_other_numbers) {
  RandomSource same(7, 0), other_seed(8, 0), other_stream(7, 1);
  const double here = value("rand()");
  EXPECT_EQ(same.uniform(), here);
  EXPECT_NE(other_seed.uniform(), here);
  EXPECT_NE(other_stream.uniform(), here);
}

TEST_F(ExpressionTest, random_numbers_have_the_mean_and_deviation_of_their_kind) {
  RandomSource random(1, 0);
  double sum_u = 0, sum_n = 0, squares = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    sum_u += random.uniform();
    const double n = random.gaussian();
    sum_n += n;
    squares += n * n;
  }
  EXPECT_NEAR(sum_u / kDraws, 0.5, 0.005);
  EXPECT_NEAR(sum_n / kDraws, 0, 0.02);
  EXPECT_NEAR(std::sqrt(squares / kDraws), 1, 0.01);
}

}  // namespace
}  // namespace protobeam::mvsim
