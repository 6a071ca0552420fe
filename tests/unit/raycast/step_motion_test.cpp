#include "raycast/step_motion.h"

#include <gtest/gtest.h>

#include "random_rays.h"
#include "raycast/ray_scene.h"

namespace protobeam {
namespace {

using test::RandomRays;

TEST(StepMotion, TurnsVectorsAsRotationMatricesDo) {
  RandomRays random(1);
  for (const double angle : {1e-9, 1e-4, 0.01, 0.1, 0.5, 1.0, 2.0, 3.0, kPi}) {
    for (int i = 0; i < 200; ++i) {
      const Quat before = random.rotation();
      const Vec3 axis = random.direction();
      const StepMotion motion =
          motion_between({before, {}}, {before * axis_angle(axis, angle), {}});
      // Half a turn is the same about both ends of the axis.
      ASSERT_NEAR(motion.rotation.angle, angle, 1e-15 + 1e-12 * angle);
      const double part = random.uniform(-1, 1);
      const Vec3 v = random.in_box(2);
      const Vec3 expected = Eigen::AngleAxisd(part * angle, motion.rotation.axis) * v;
      ASSERT_LT((rotated(motion.rotation, part, v) - expected).norm(), 2e-14) << angle;
    }
  }
}

TEST(StepMotion, EqualsEvenTurnsAlongAStraightLine) {
  RandomRays random(2);
  for (int i = 0; i < 2000; ++i) {
    const Pose before{random.rotation(), random.in_box(100)};
    const Pose after{random.rotation(), random.in_box(100)};
    const StepMotion motion = motion_between(before, after);
    const double time = random.uniform(0, 1), step_fraction = time - 1;
    const Vec3 p_B = random.in_box(3);
    const Vec3 p_W = after.R * rotated(motion.rotation, step_fraction, p_B) + after.p +
                     step_fraction * motion.translation_W;
    ASSERT_LT((p_W - pose_at(before, after, time) * p_B).norm(), 1e-12) << i;
  }
}

TEST(StepMotion, SeesNoneWhereThereIsNone) {
  RandomRays random(3);
  const Pose X{random.rotation(), random.in_box(1e6)};
  EXPECT_TRUE(motion_between(X, X).none());
  EXPECT_FALSE(motion_between(X, X * Pose::rotation(axis_angle({0, 0, 1}, 1e-9))).none());
  EXPECT_FALSE(motion_between(X, {X.R, X.p + Vec3(1e-6, 0, 0)}).none());
}

}  // namespace
}  // namespace protobeam
