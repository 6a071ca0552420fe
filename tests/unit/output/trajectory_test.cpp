#include "output/trajectory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace protobeam {
namespace {

TEST(Trajectory, TumIsTimePositionAndQuaternion) {
  std::string text;
  append_tum(text, 4000.0125, Pose::translation({1, -2.5, 1e6 + 0.125}));
  append_tum(text, 0, {Quat(0.5, 0.5, -0.5, 0.5), Vec3::Zero()});
  EXPECT_EQ(text, "4000.0125 1 -2.5 1000000.125 0 0 0 1\n0 0 0 0 0.5 -0.5 0.5 0.5\n");
}

TEST(Trajectory, KittiIsTheMatrixRowByRow) {
  std::string text;
  // A quarter turn to the left: x goes to y, y to -x.
  append_kitti(text, {Quat(std::sqrt(0.5), 0, 0, std::sqrt(0.5)), {7, 8, 9}});
  double m[12];
  const char* at = text.c_str();
  char* end = nullptr;
  for (double& value : m) {
    value = std::strtod(at, &end);
    ASSERT_NE(at, end);
    at = end;
  }
  EXPECT_STREQ(end, "\n");
  const double expected[] = {0, -1, 0, 7, 1, 0, 0, 8, 0, 0, 1, 9};
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(m[i], expected[i], 1e-15) << i;
}

}  // namespace
}  // namespace protobeam
