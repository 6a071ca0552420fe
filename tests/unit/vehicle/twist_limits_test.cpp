// Numbers that follow their set-points within limits.
#include "vehicle/twist_limits.h"

#include <gtest/gtest.h>

namespace protobeam {
namespace {

constexpr double kMillisecond = 0.001;  // s

TEST(LimitedNumber, GoesUpAndDownAsFastAsItMay) {
  LimitedNumber speed({-0.2, 0.5}, {-2, 1}, {});
  for (int i = 1; i <= 300; ++i) EXPECT_NEAR(speed.next(10, kMillisecond), 0.001 * i, 1e-12);
  for (int i = 0; i < 300; ++i) speed.next(10, kMillisecond);
  EXPECT_EQ(speed.next(10, kMillisecond), 0.5);
  // Down by 2 m/s^2, to its own greatest speed backwards.
  for (int i = 1; i <= 350; ++i) EXPECT_NEAR(speed.next(-10, kMillisecond), 0.5 - 0.002 * i, 1e-12);
  EXPECT_EQ(speed.next(-10, kMillisecond), -0.2);
}

TEST(LimitedNumber, ReachesItsSetPointExactly) {
  LimitedNumber speed({}, {-3, 3}, {});
  for (int i = 0; i < 400; ++i) speed.next(1.1, kMillisecond);
  EXPECT_EQ(speed.next(1.1, kMillisecond), 1.1);
  LimitedNumber free({}, {}, {});
  EXPECT_EQ(free.next(7, kMillisecond), 7);
  EXPECT_EQ(free.next(-7, kMillisecond), -7);
}

TEST(LimitedNumber, BeginsWithItsJerk) {
  // v = j t^2 / 2 until the acceleration is at its limit, after 0.5 s.
  LimitedNumber speed({}, {-1, 1}, {-2, 2});
  double now = 0;
  for (int i = 0; i < 500; ++i) now = speed.next(10, kMillisecond);
  EXPECT_NEAR(now, 2 * 0.5 * 0.5 / 2, 1e-3);
  for (int i = 0; i < 500; ++i) now = speed.next(10, kMillisecond);
  EXPECT_NEAR(now, 0.25 + 0.5, 1e-3);
}

}  // namespace
}  // namespace protobeam
