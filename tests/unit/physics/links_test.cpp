// Rigid links that end, belts, and assemblies that are moved as one.
#include <gtest/gtest.h>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

TEST(Link, MakesTwoBodiesOneUntilItEnds) {
  World world(world_spec(0.016, Vec3::Zero()));
  const BodyId a = world.add_body(box("a", 2, {0.2, 0.2, 0.2}, {0, 0, 0}));
  BodySpec moving = box("b", 1, {0.2, 0.2, 0.2}, {0.3, 0, 0});
  moving.v_WB = {0, 0, 3};
  const BodyId b = world.add_body(moving);
  const LinkId link = world.link(a, b);
  ASSERT_GE(link, 0);
  run(world, 0.48);
  // Momentum and angular momentum about the common centre, at x = 0.1, stay.
  const Vec3 centre = (2 * world.pose(a).p + world.pose(b).p) / 3;
  EXPECT_NEAR(centre.z(), 3.0 / 3 * world.time(), 1e-4);
  const double inertia = (2 + 1) * 0.04 / 6 + 2 * 0.01 + 1 * 0.04;
  EXPECT_NEAR(world.angular_velocity(a).y(), -1 * 3 * 0.2 / inertia, 0.02);
  EXPECT_NEAR((world.pose(a).inverse() * world.pose(b).p - Vec3(0.3, 0, 0)).norm(), 0, 5e-4);
  world.unlink(link);
  const Vec3 v_a = world.velocity(a);
  run(world, 0.16);
  EXPECT_NEAR((world.velocity(a) - v_a).norm(), 0, 1e-9);
  world.unlink(link);  // a second time: nothing happens
  EXPECT_EQ(world.link_force(link), Vec3::Zero());
}

TEST(Link, TellsTheForceOnItsSecondBody) {
  for (const bool swapped : {false, true}) {
    World world(world_spec(0.016));
    const BodyId b = world.add_body(box("b", 2, {0.2, 0.2, 0.2}, {0, 0, 1}));
    const LinkId link = swapped ? world.link(b, kWorldBody) : world.link(kWorldBody, b);
    run(world, 1);
    EXPECT_NEAR(world.pose(b).p.z(), 1, 1e-6);
    EXPECT_NEAR(world.link_force(link).z(), (swapped ? -1 : 1) * 2 * kGravity, 1e-6);
  }
}

TEST(Link, NeedsOneThatYields) {
  World world(world_spec(0.016));
  const BodyId floor = world.add_body(ground());
  EXPECT_EQ(world.link(floor, kWorldBody), -1);
  const BodyId b = world.add_body(box("b", 2, {0.2, 0.2, 0.2}, {0, 0, 1}));
  EXPECT_EQ(world.link(b, b), -1);
  EXPECT_GE(world.link(floor, b), 0);
}

TEST(Link, KeepsBothFromCollidingAsLongAsItLasts) {
  World world(world_spec(0.016, Vec3::Zero()));
  const BodyId a = world.add_body(box("a", 2, {0.2, 0.2, 0.2}, {0, 0, 0}));
  const BodyId b = world.add_body(box("b", 1, {0.2, 0.2, 0.2}, {0.15, 0, 0}));
  const LinkId link = world.link(a, b);
  run(world, 0.16);
  EXPECT_TRUE(world.contacts().empty());
  EXPECT_NEAR(world.pose(b).p.x(), 0.15, 1e-9);
  world.unlink(link);
  world.step();
  EXPECT_FALSE(world.contacts().empty());
}

TEST(Assembly, MovesWithAllThatItsJointsHold) {
  World world(world_spec(0.016, Vec3::Zero()));
  const BodyId a = world.add_body(box("a", 2, {0.2, 0.2, 0.2}, {0, 0, 0}));
  const BodyId b = world.add_body(box("b", 1, {0.2, 0.2, 0.2}, {0.5, 0, 0}));
  const BodyId c = world.add_body(box("c", 1, {0.2, 0.2, 0.2}, {1, 0, 0}));
  JointSpec joint = hinge(b, Pose::translation({0.5, 0, 0}), Vec3::UnitZ(), {0.25, 0, 0});
  joint.parent = a;
  world.add_joint(joint);
  world.link(b, c);
  EXPECT_TRUE(world.move_assembly(b, {axis_angle(Vec3::UnitZ(), kPi / 2), {7, 0, 0}}));
  EXPECT_NEAR((world.pose(a).p - Vec3(7, -0.5, 0)).norm(), 0, 1e-9);
  EXPECT_NEAR((world.pose(c).p - Vec3(7, 0.5, 0)).norm(), 0, 1e-9);
  world.link(kWorldBody, a);
  EXPECT_FALSE(world.move_assembly(b, Pose{}));
  EXPECT_NEAR(world.pose(b).p.x(), 7, 1e-9);
}

TEST(Belt, PushesWhatLiesOnItUpToFriction) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(0.3));
  BodySpec table;
  table.name = "table";
  table.shapes = {shape(Box{{20, 2, 0.2}}, Pose::translation({0, 0, -0.1}), 0, 7)};
  const BodyId t = world.add_body(table);
  const BodyId b = world.add_body(box("b", 2, {0.4, 0.4, 0.1}, {0, 0, 0.05}));
  run(world, 0.32);
  const double x = world.pose(b).p.x();
  for (double end = world.time() + 0.32; world.time() < end - 1e-9; world.step())
    world.set_belt(t, 7, {0, 5, 0});
  EXPECT_NEAR(world.velocity(b).x(), 0.3 * kGravity * 0.32, 0.01);  // y x z = x
  EXPECT_NEAR(world.pose(b).p.x() - x, 0.3 * kGravity * 0.32 * 0.32 / 2, 0.01);
  world.set_belt(t, 8, {0, 5, 0});  // another shape's
  world.set_belt(t, 7, Vec3::Zero());
  run(world, 1);
  EXPECT_NEAR(world.velocity(b).norm(), 0, 1e-3);
}

TEST(Belt, DoesNotHoldASlippingBodySideways) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(0.5));
  BodySpec table;
  table.name = "table";
  table.shapes = {shape(Box{{40, 40, 0.2}}, Pose::translation({0, 0, -0.1}), 0, 7)};
  const BodyId t = world.add_body(table);
  const BodyId b = world.add_body(box("b", 2, {0.4, 0.4, 0.1}, {0, 0, 0.05}));
  // The belt runs to +x at 20 m/s; across it the body slides at 0.5 m/s, and friction has nearly
  // all of its strength along the belt: F_y = -mu m g v_y / slip.
  run(world, 0.16);
  for (double end = world.time() + 0.16; world.time() < end - 1e-9; world.step())
    world.set_belt(t, 7, {0, 20, 0});
  const Vec3 v = world.velocity(b);
  world.set_velocity(b, v + Vec3(0, 0.5, 0), Vec3::Zero());
  double expected = 0.5;
  for (double end = world.time() + 0.32; world.time() < end - 1e-9; world.step()) {
    world.set_belt(t, 7, {0, 20, 0});
    const double slip = 20 - world.velocity(b).x();
    expected -= 0.5 * kGravity * expected / slip * 0.016;
  }
  EXPECT_NEAR(world.velocity(b).y(), expected, 0.02);
}

}  // namespace
}  // namespace protobeam::physics
