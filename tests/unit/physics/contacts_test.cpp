#include <gtest/gtest.h>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

/// A slope of 20 degrees that falls towards +x, and a box on it.
class Slope : public testing::Test {
 protected:
  BodyId make(World& world, double friction) {
    world.set_contact_rule(0, 0, rule(friction));
    BodySpec slope = ground();
    slope.X_WB.R = R_;
    world.add_body(slope);
    BodySpec brick = box("brick", 3, {0.4, 0.3, 0.1}, R_ * Vec3(0, 0, 0.05));
    brick.X_WB.R = R_;
    return world.add_body(brick);
  }
  const double angle_ = 20 * kPi / 180;
  const Quat R_ = axis_angle(Vec3::UnitY(), angle_);
};

TEST_F(Slope, HoldsABoxAboveTheFrictionAngle) {
  World world(world_spec(0.016));
  const BodyId brick = make(world, std::tan(angle_) * 1.02);
  run(world, 0.5);  // to settle
  const Vec3 p = world.pose(brick).p;
  run(world, 3);
  EXPECT_LT((world.pose(brick).p - p).norm(), 1e-4);
}

TEST_F(Slope, LetsABoxSlideBelowTheFrictionAngle) {
  World world(world_spec(0.016));
  const double mu = 0.2;
  const BodyId brick = make(world, mu);
  run(world, 0.5);
  const double v = world.velocity(brick).norm(), t = world.time();
  run(world, 1);
  const double a = kGravity * (std::sin(angle_) - mu * std::cos(angle_));
  EXPECT_NEAR(world.velocity(brick).norm() - v, a * (world.time() - t), 0.004);
}

TEST(Contact, BouncesToTheSquareOfTheRestitution) {
  for (const double bounce : {0.3, 0.5, 0.8}) {
    World world(world_spec(0.016));
    world.set_contact_rule(0, 0, rule(1, bounce));
    world.add_body(ground());
    const BodyId b = world.add_body(ball("ball", 1, 0.1, {0, 0, 1.1}));
    run(world, 0.3);
    while (world.velocity(b).z() <= 0) world.step();
    double top = 0;
    while (world.velocity(b).z() > 0) {
      world.step();
      top = std::max(top, world.pose(b).p.z() - 0.1);
    }
    EXPECT_NEAR(top, bounce * bounce, 0.02) << bounce;
  }
}

TEST(Contact, CarriesTheWeightAndTellsWhoTouches) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(1));
  const BodyId floor = world.add_body(ground());
  BodySpec spec = box("crate", 5, {0.5, 0.5, 0.5}, {0, 0, 0.25});
  spec.shapes[0].owner = 7;
  const BodyId crate = world.add_body(spec);
  run(world, 0.5);
  double impulse = 0;
  for (const Contact& c : world.contacts()) {
    EXPECT_EQ(c.body_a, floor);
    EXPECT_EQ(c.body_b, crate);
    EXPECT_EQ(c.owner_a, 1000);
    EXPECT_EQ(c.owner_b, 7);
    EXPECT_LT((c.normal_W - Vec3(0, 0, -1)).norm(), 1e-6);
    EXPECT_NEAR(std::abs(c.point_W.x()), 0.25, 0.01);
    EXPECT_GT(c.depth, 0);
    impulse += c.impulse;
  }
  EXPECT_NEAR(impulse, 5 * kGravity * 0.016, 1e-4);
}

}  // namespace
}  // namespace protobeam::physics
