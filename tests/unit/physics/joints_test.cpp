#include <gtest/gtest.h>

#include <numbers>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

double pendulum_period(double amplitude) {
  World world(world_spec(0.002));
  const double length = 1;
  // Almost a point mass.
  const Vec3 p(length * std::sin(amplitude), 0, -length * std::cos(amplitude));
  BodySpec bob = ball("bob", 1, 0.001, p);
  const BodyId b = world.add_body(bob);
  world.add_joint(hinge(b, bob.X_WB, -Vec3::UnitY(), Vec3::Zero()));
  // Position 0 is where it starts: count from the bottom instead.
  double low = world.pose(b).p.x(), first = -1, last = -1;
  int count = -1;
  while (count < 5) {
    world.step();
    const double x = world.pose(b).p.x();
    if (low < 0 && x >= 0) {
      last = world.time() - 0.002 * x / (x - low);
      if (++count == 0) first = last;
    }
    low = x;
    if (world.time() > 60) return -1;
  }
  EXPECT_NEAR(world.pose(b).p.norm(), length, 1e-3);
  return (last - first) / 5;
}

TEST(Hinge, SwingsWithThePeriodOfAPendulum) {
  const double small = 2 * kPi / std::sqrt(kGravity);
  EXPECT_NEAR(pendulum_period(0.02), small, 0.001 * small);
  // Exact for any amplitude: T = 4 sqrt(l / g) K(sin(amplitude / 2)).
  const double wide = 4 / std::sqrt(kGravity) * std::comp_ellint_1(std::sin(kPi / 4));
  EXPECT_NEAR(pendulum_period(kPi / 2), wide, 0.002 * wide);
}

TEST(Slider, MovesItsMotorAtTheCommandedSpeed) {
  World world(world_spec(0.016));
  const BodySpec cart = box("cart", 2, {0.2, 0.2, 0.2}, {0, 0, 1});
  const BodyId c = world.add_body(cart);
  JointSpec spec;
  spec.name = "rail";
  spec.kind = JointKind::kSlider;
  spec.child = c;
  spec.X_PC0 = cart.X_WB;
  const JointId rail = world.add_joint(spec);
  world.add_motor(rail, 0, {.max_velocity = 5, .max_effort = 100});
  world.set_motor_position(rail, 0, kUnlimited);
  world.set_motor_velocity(rail, 0, 0.5);
  run(world, 2);
  EXPECT_NEAR(world.joint_velocity(rail, 0), 0.5, 1e-6);
  EXPECT_NEAR(world.joint_position(rail, 0), 0.5 * world.time(), 0.002);
  EXPECT_NEAR(world.pose(c).p.z(), 1, 1e-4);
}

TEST(Motor, CountsTurns) {
  World world(world_spec(0.016));
  const BodySpec wheel = ball("wheel", 1, 0.1, {0, 0, 1});
  const BodyId w = world.add_body(wheel);
  const JointId axle = world.add_joint(hinge(w, wheel.X_WB, Vec3::UnitY(), {0, 0, 1}));
  world.add_motor(axle, 0, {.max_velocity = 30, .max_effort = 10});
  world.set_motor_position(axle, 0, kUnlimited);
  world.set_motor_velocity(axle, 0, 20);
  run(world, 4);
  EXPECT_NEAR(world.joint_velocity(axle, 0), 20, 1e-6);
  EXPECT_NEAR(world.joint_position(axle, 0), 20 * world.time(), 0.1);
}

TEST(Motor, TurnsAKinematicChildExactly) {
  World world(world_spec(0.032));
  BodySpec head;
  head.name = "head";
  head.motion = Motion::kKinematic;
  head.X_WB = Pose::translation({1, 0, 1});
  const BodyId h = world.add_body(head);
  const JointId axle = world.add_joint(hinge(h, head.X_WB, Vec3::UnitZ(), {1, 0, 1}));
  world.add_motor(axle, 0, {.max_velocity = 100});
  world.set_motor_position(axle, 0, kUnlimited);
  world.set_motor_velocity(axle, 0, 31);
  run(world, 10);
  EXPECT_NEAR(world.joint_position(axle, 0), 31 * world.time(), 1e-9);
  EXPECT_LT(world.pose(h).R.angularDistance(axis_angle(Vec3::UnitZ(), 31 * world.time())), 1e-7);
  EXPECT_EQ(world.angular_velocity(h), Vec3(0, 0, 31));
}

}  // namespace
}  // namespace protobeam::physics
