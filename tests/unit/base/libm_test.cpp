#include "base/libm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace protobeam {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPi = 3.14159265358979323846;

/// Numbers that are the same everywhere, evenly between low and high.
class Numbers {
 public:
  double operator()(double low, double high) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 1;
};

struct Function {
  const char* name;
  double (*ours)(double);
  long double (*precise)(long double);
  double low, high;
};

const Function kFunctions[] = {
    {"sin", libm::sin, sinl, -100, 100},    {"cos", libm::cos, cosl, -100, 100},
    {"tan", libm::tan, tanl, -100, 100},    {"asin", libm::asin, asinl, -1, 1},
    {"acos", libm::acos, acosl, -1, 1},     {"atan", libm::atan, atanl, -20, 20},
    {"sinh", libm::sinh, sinhl, -20, 20},   {"cosh", libm::cosh, coshl, -20, 20},
    {"tanh", libm::tanh, tanhl, -5, 5},     {"asinh", libm::asinh, asinhl, -20, 20},
    {"acosh", libm::acosh, acoshl, 1, 20},  {"atanh", libm::atanh, atanhl, -0.999, 0.999},
    {"exp", libm::exp, expl, -50, 50},      {"exp2", libm::exp2, exp2l, -50, 50},
    {"expm1", libm::expm1, expm1l, -5, 5},  {"log", libm::log, logl, 0, 1000},
    {"log2", libm::log2, log2l, 0, 1000},   {"log10", libm::log10, log10l, 0, 1000},
    {"log1p", libm::log1p, log1pl, -1, 20}, {"cbrt", libm::cbrt, cbrtl, -50, 50},
    {"erf", libm::erf, erfl, -5, 5},
};

/// |got - wanted| in units in the last place of `wanted`.
double ulps(double got, long double wanted) {
  int exponent = 0;
  std::frexp(static_cast<double>(wanted), &exponent);
  return static_cast<double>(std::abs(got - wanted) / std::ldexp(1.0L, exponent - 53));
}

TEST(Libm, IsWithinOneUnitInTheLastPlace) {
  for (const Function& f : kFunctions) {
    Numbers number;
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
      const double x = number(f.low, f.high);
      worst = std::max(worst, ulps(f.ours(x), f.precise(x)));
    }
    EXPECT_LE(worst, 1.0) << f.name;
  }
}

TEST(Libm, IsWithinOneUnitInTheLastPlaceForPairs) {
  Numbers number;
  for (int i = 0; i < 20000; ++i) {
    const double x = number(0.001, 50), y = number(-20, 20), z = number(-20, 20);
    ASSERT_LE(ulps(libm::pow(x, y), powl(x, y)), 1.0) << x << " " << y;
    ASSERT_LE(ulps(libm::atan2(y, z), atan2l(y, z)), 1.0) << y << " " << z;
    ASSERT_LE(ulps(libm::hypot(y, z), hypotl(y, z)), 1.5) << y << " " << z;
    const long double sum = static_cast<long double>(x) * x + static_cast<long double>(y) * y +
                            static_cast<long double>(z) * z;
    ASSERT_LE(ulps(libm::hypot(x, y, z), sqrtl(sum)), 1.5) << x << " " << y << " " << z;
  }
}

TEST(Libm, KnowsTheCornersOfItsDomain) {
  EXPECT_EQ(libm::sin(0.0), 0);
  EXPECT_EQ(libm::cos(0.0), 1);
  EXPECT_EQ(libm::atan2(0.0, -1.0), kPi);
  EXPECT_EQ(libm::atan2(-0.0, -1.0), -kPi);
  EXPECT_EQ(libm::atan2(0.0, 0.0), 0);
  EXPECT_EQ(libm::asin(1.0), kPi / 2);
  EXPECT_EQ(libm::acos(-1.0), kPi);
  EXPECT_EQ(libm::atan(kInfinity), kPi / 2);
  EXPECT_TRUE(std::isnan(libm::sin(kInfinity)));
  EXPECT_TRUE(std::isnan(libm::asin(1.0000001)));
  for (const double x : {20.0, 20.5, 40.0, 1e3, kInfinity}) EXPECT_EQ(libm::tanh(x), 1) << x;
  EXPECT_EQ(libm::exp(-kInfinity), 0);
  EXPECT_EQ(libm::exp(1000.0), kInfinity);
  EXPECT_EQ(libm::log(0.0), -kInfinity);
  EXPECT_TRUE(std::isnan(libm::log(-1.0)));
  EXPECT_EQ(libm::pow(0.0, 0.0), 1);
  EXPECT_EQ(libm::pow(2.0, -1074), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(libm::pow(10, 3.0), 1000);
  EXPECT_TRUE(std::isnan(libm::pow(-2.0, 0.5)));
  EXPECT_DOUBLE_EQ(libm::hypot(3e-200, 4e-200), 5e-200);
  EXPECT_DOUBLE_EQ(libm::hypot(3e200, 4e200), 5e200);
  EXPECT_DOUBLE_EQ(libm::hypot(2e200, 1e200, 2e200), 3e200);
  EXPECT_EQ(libm::hypot(NAN, kInfinity), kInfinity);
  EXPECT_EQ(libm::hypot(0.0, 0.0, 0.0), 0);
}

// The number was computed once; it is the same on every machine and with every C library.
TEST(Libm, GivesTheSameBitsEverywhere) {
  std::uint64_t hash = 1;
  const auto add = [&hash](double value) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  };
  Numbers number;
  for (const Function& f : kFunctions) {
    for (int i = 0; i < 5000; ++i) add(f.ours(number(f.low, f.high)));
  }
  for (int i = 0; i < 5000; ++i) {
    const double x = number(0.001, 50), y = number(-20, 20), z = number(-20, 20);
    for (const double value : {libm::pow(x, y), libm::atan2(y, z), libm::hypot(y, z),
                               libm::hypot(x, y, z), libm::erfc(y), libm::exp10(y)}) {
      add(value);
    }
    add(libm::pow(static_cast<float>(x), static_cast<float>(y)));
  }
  EXPECT_EQ(hash, 2233398949190700805u);
}

}  // namespace
}  // namespace protobeam
