// Bodies that fall asleep, what wakes them, and what they touch meanwhile.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

class Sleep : public testing::Test {
 protected:
  Sleep() : world_(world_spec(0.016)) {
    world_.set_contact_rule(0, 0, rule(1));
    world_.add_body(ground());
  }
  World world_;
};

TEST_F(Sleep, BeginsAfterItsTimeBelowTheThresholds) {
  const BodyId b = world_.add_body(box("box", 1, {1, 1, 1}, {0, 0, 0.5}));
  run(world_, 0.9);
  EXPECT_FALSE(world_.asleep(b));
  run(world_, 1);
  EXPECT_TRUE(world_.asleep(b));
  double impulse = 0;
  for (const Contact& c : world_.contacts()) impulse += c.impulse;
  EXPECT_NEAR(impulse, kGravity * 0.016, 1e-3) << "a sleeping box still weighs";
}

TEST_F(Sleep, EndsWhenTheSupportMoves) {
  for (const Motion motion : {Motion::kStatic, Motion::kKinematic, Motion::kDynamic}) {
    const double y = 10.0 * static_cast<int>(motion);
    BodySpec table = box("table", 50, {2, 2, 0.5}, {0, y, 0.25});
    table.motion = motion;
    const BodyId t = world_.add_body(table);
    const BodyId b = world_.add_body(box("box", 1, {0.5, 0.5, 0.5}, {0, y, 0.75}));
    run(world_, 2.5);
    ASSERT_TRUE(world_.asleep(b));
    world_.set_pose(t, Pose::translation({0, y + 3, 0.25}));
    EXPECT_FALSE(world_.asleep(b));
    run(world_, 1);
    EXPECT_NEAR(world_.pose(b).p.z(), 0.25, 0.002);
  }
}

TEST_F(Sleep, EndsWhenAKinematicSupportStartsToMove) {
  BodySpec lift = box("lift", 1, {1, 1, 0.2}, {0, 0, 1});
  lift.motion = Motion::kKinematic;
  const BodyId l = world_.add_body(lift);
  const JointId rail = [&] {
    JointSpec spec;
    spec.name = "rail";
    spec.kind = JointKind::kSlider;
    spec.child = l;
    spec.X_PC0 = lift.X_WB;
    spec.axes[0].axis_P = Vec3::UnitZ();
    return world_.add_joint(spec);
  }();
  world_.add_motor(rail, 0, {.max_velocity = 1, .max_effort = 1000});
  const BodyId b = world_.add_body(box("box", 1, {0.5, 0.5, 0.5}, {0, 0, 1.35}));
  run(world_, 3);
  ASSERT_TRUE(world_.asleep(b));
  world_.set_motor_position(rail, 0, kUnlimited);
  world_.set_motor_velocity(rail, 0, -0.2);
  run(world_, 2);
  EXPECT_NEAR(world_.pose(b).p.z(), 1.35 + world_.joint_position(rail, 0), 0.002);
  EXPECT_NEAR(world_.joint_position(rail, 0), -0.4, 1e-9);
  world_.set_motor_velocity(rail, 0, 0.3);
  run(world_, 1);
  EXPECT_NEAR(world_.velocity(b).z(), 0.3, 1e-3);
}

TEST_F(Sleep, DoesNotHoldAChildWhoseKinematicParentTurns) {
  BodySpec table;
  table.name = "table";
  table.motion = Motion::kKinematic;
  table.X_WB = Pose::translation({0, 0, 2});
  const BodyId t = world_.add_body(table);
  const BodyId arm = world_.add_body(box("arm", 3, {1, 0.1, 0.1}, {0.5, 0, 2}));
  JointSpec weld;
  weld.name = "weld";
  weld.kind = JointKind::kFixed;
  weld.parent = t;
  weld.child = arm;
  weld.X_PC0 = Pose::translation({0.5, 0, 0});
  world_.add_joint(weld);
  run(world_, 2.5);
  ASSERT_TRUE(world_.asleep(arm));
  world_.set_velocity(t, Vec3::Zero(), {0, 0, 1.5});
  const double start = world_.time();
  run(world_, 1);
  const double angle = 1.5 * (world_.time() - start);
  const Quat R = axis_angle(Vec3::UnitZ(), angle);
  EXPECT_LT((world_.pose(arm).p - Vec3(0, 0, 2) - R * Vec3(0.5, 0, 0)).norm(), 1e-4);
  EXPECT_LT(world_.pose(arm).R.angularDistance(R), 1e-4);
}

TEST_F(Sleep, EndsWhenHitOrPushed) {
  const BodyId a = world_.add_body(box("a", 1, {1, 1, 1}, {0, 0, 0.5}));
  const BodyId b = world_.add_body(box("b", 1, {1, 1, 1}, {5, 0, 0.5}));
  run(world_, 2.5);
  ASSERT_TRUE(world_.asleep(a) && world_.asleep(b));
  world_.apply_force(b, {100, 0, 0}, {5, 0, 0.5});
  BodySpec bullet = ball("bullet", 0.5, 0.1, {-2, 0, 0.5});
  bullet.v_WB = {10, 0, 0};
  world_.add_body(bullet);
  run(world_, 0.5);
  EXPECT_FALSE(world_.asleep(a));
  EXPECT_GT(world_.pose(a).p.x(), 0.05);
  EXPECT_GT(world_.pose(b).p.x(), 5.001);
}

TEST(World, NeverSleepsIfItsSleepTimeIsZero) {
  WorldSpec spec = world_spec(0.016);
  spec.sleep_time = 0;
  World world(spec);
  world.add_body(ground());
  const BodyId b = world.add_body(box("box", 1, {1, 1, 1}, {0, 0, 0.5}));
  run(world, 3);
  EXPECT_FALSE(world.asleep(b));
}

/// What `a` and `b` press with, N s.
double impulse_between(const World& world, BodyId a, BodyId b) {
  double sum = 0;
  for (const Contact& c : world.contacts()) {
    if (std::minmax(c.body_a, c.body_b) == std::minmax(a, b)) sum += c.impulse;
  }
  return sum;
}

bool touches_anything(const World& world, BodyId body) {
  return std::ranges::any_of(
      world.contacts(), [body](const Contact& c) { return c.body_a == body || c.body_b == body; });
}

TEST_F(Sleep, KeepsWhatIsTouchedWhileOthersMove) {
  const BodyId low = world_.add_body(box("low", 2, {1, 1, 1}, {0, 0, 0.5}));
  const BodyId high = world_.add_body(box("high", 1, {0.5, 0.5, 0.5}, {0, 0, 1.25}));
  BodySpec rolls = ball("ball", 1, 0.2, {5, 0, 0.2});
  rolls.v_WB = {1, 0, 0};
  rolls.w_WB = {0, 5, 0};
  const BodyId rolling = world_.add_body(rolls);
  run(world_, 2.5);
  ASSERT_TRUE(world_.slept(low) && world_.slept(high));
  for (int i = 0; i < 50; ++i) {
    world_.step();
    ASSERT_FALSE(world_.slept(rolling));
    ASSERT_NEAR(impulse_between(world_, low, high), 1 * kGravity * 0.016, 1e-3);
    ASSERT_NEAR(impulse_between(world_, low, 0), 3 * kGravity * 0.016, 1e-3);
    ASSERT_NEAR(impulse_between(world_, rolling, 0), 1 * kGravity * 0.016, 1e-3);
    for (const Contact& c : world_.contacts()) {
      ASSERT_NEAR(std::abs(c.normal_W.z()), 1, 1e-6);
      const bool of_both = c.body_a == low && c.body_b == high;
      ASSERT_TRUE(!of_both || std::abs(c.point_W.z() - 1) < 1e-3) << c.point_W.z();
    }
  }
}

// The step has eight substeps; the ball comes in each of them.
TEST(Sleepers, ThatAreWokenWithinAStepPressInAllOfIt) {
  for (int substep = 0; substep < 8; ++substep) {
    World world(world_spec(0.016));
    ASSERT_EQ(world.substeps(), 8);
    world.set_contact_rule(0, 0, rule(1));
    world.add_body(ground());
    const BodyId crate = world.add_body(box("crate", 20, {1, 1, 1}, {0, 0, 0.5}));
    run(world, 2.5);
    ASSERT_TRUE(world.slept(crate));
    BodySpec bullet = ball("bullet", 0.01, 0.1, {-1.6 - 10 * 0.002 * substep, 0, 0.5});
    bullet.v_WB = {10, 0, 0};
    world.add_body(bullet);
    int steps = 0;
    do {
      world.step();
      // Bullet pulls at what it wakes from the next substep on; the rest is momentum.
      const double pulled = (world.slept(crate) ? 1 : 7.0 / 8) * 20 * kGravity * 0.016;
      ASSERT_NEAR(impulse_between(world, crate, 0), pulled + 20 * world.velocity(crate).z(), 0.01)
          << "substep " << substep << ", step " << steps;
    } while (world.slept(crate) && ++steps < 10);
    EXPECT_GE(steps, 5) << "the ball is 1 m away";
    EXPECT_LT(steps, 10);
  }
}

TEST_F(Sleep, OfWhatIsTakenAwayTouchesNothing) {
  const BodyId low = world_.add_body(box("low", 2, {1, 1, 1}, {0, 0, 0.5}));
  const BodyId high = world_.add_body(box("high", 1, {0.5, 0.5, 0.5}, {0, 0, 1.25}));
  const BodyId apart = world_.add_body(box("apart", 1, {1, 1, 1}, {5, 0, 0.5}));
  const BodyId broken = world_.add_body(box("broken", 1, {1, 1, 1}, {9, 0, 0.5}));
  run(world_, 2.5);
  ASSERT_TRUE(world_.slept(high) && world_.slept(apart) && world_.slept(broken));
  world_.remove(high);
  world_.freeze(broken, world_.pose(broken));
  for (int i = 0; i < 3; ++i) {
    world_.step();
    EXPECT_FALSE(touches_anything(world_, high));
    EXPECT_FALSE(touches_anything(world_, broken));
    EXPECT_NEAR(impulse_between(world_, apart, 0), kGravity * 0.016, 1e-3);
  }
  EXPECT_NEAR(impulse_between(world_, low, 0), 2 * kGravity * 0.016, 1e-3);
}

}  // namespace
}  // namespace protobeam::physics
