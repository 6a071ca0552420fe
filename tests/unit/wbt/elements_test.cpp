#include "wbt/elements.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace protobeam::wbt {
namespace {

std::vector<double> hundred() {
  std::vector<double> values(100);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

TEST(Elements, AreThoseOfTheirCopiesUntilOneIsChanged) {
  Elements<double> one = hundred();
  Elements<double> copy = one;
  EXPECT_EQ(one.data(), copy.data());
  copy.edit()[3] = -1;
  EXPECT_EQ(one[3], 3);
  EXPECT_EQ(copy[3], -1);
  EXPECT_EQ(copy[99], 99);
  const double* const before = copy.data();
  copy.edit()[4] = -1;  // its own already
  EXPECT_EQ(copy.data(), before);
}

TEST(Elements, OfTheSameNumbersHaveTheirMemoryInCommonWhenTheyAreShared) {
  Elements<double> one = hundred(), other = hundred();
  EXPECT_NE(one.data(), other.data());
  one.share();
  other.share();
  EXPECT_EQ(one.data(), other.data());
  other.edit().back() = 0;
  EXPECT_EQ(one.back(), 99);
  EXPECT_EQ(other.back(), 0);
  // Changed even by the last one that has it: another thread may be about to share the same.
  other = {};
  const double* const common = one.data();
  one.edit()[0] = 1;
  EXPECT_NE(one.data(), common);
}

TEST(Elements, FewNumbersStayWhereTheyAre) {
  Elements<double> one = {1, 2, 3}, other = {1, 2, 3};
  one.share();
  other.share();
  EXPECT_NE(one.data(), other.data());
  EXPECT_EQ(one, other);
}

TEST(Elements, NoneAreEmpty) {
  Elements<double> none;
  none.share();
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.begin(), none.end());
  none.push_back(7);
  EXPECT_EQ(none, (Elements<double>{7}));
}

}  // namespace
}  // namespace protobeam::wbt
