// Planes that lie in each other, as the floors of rooms side by side.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/state_archive.h"
#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

BodySpec floor_at(const Vec3& p_W, int material = 0) {
  BodySpec spec = ground();
  spec.X_WB.p = p_W;
  spec.shapes = {shape(Plane{}, {}, material, 1000)};
  return spec;
}

/// A table of five boxes that drops a little, turns and slides.
BodySpec table(const Vec3& v_W) {
  BodySpec table = box("table", 8, {0.6, 0.6, 0.05}, {0, 0, 0.427});
  for (const double x : {-0.25, 0.25}) {
    for (const double y : {-0.25, 0.25}) {
      table.shapes.push_back(shape(Box{{0.05, 0.05, 0.4}}, Pose::translation({x, y, -0.225})));
    }
  }
  table.v_WB = v_W;
  table.w_WB = {0, 0, 0.5};
  return table;
}

BodyId add_table(World& world, const Vec3& v_W = {1, 0.3, 0}) { return world.add_body(table(v_W)); }

std::vector<double> numbers(const World& world, BodyId body) {
  const Pose X = world.pose(body);
  const Vec3 v = world.velocity(body), w = world.angular_velocity(body);
  return {X.p.x(), X.p.y(), X.p.z(), X.R.x(), X.R.y(), X.R.z(), X.R.w(),
          v.x(),   v.y(),   v.z(),   w.x(),   w.y(),   w.z()};
}

std::set<BodyId> touched(const World& world, BodyId body) {
  std::set<BodyId> others;
  for (const Contact& c : world.contacts()) {
    if (c.body_a == body) others.insert(c.body_b);
    if (c.body_b == body) others.insert(c.body_a);
  }
  return others;
}

/// How a table moves on these floors, of which some are added after it.
std::vector<double> slide(const std::vector<BodySpec>& before, const std::vector<BodySpec>& after) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(0.4));
  for (const BodySpec& floor : before) world.add_body(floor);
  const BodyId table = add_table(world);
  for (const BodySpec& floor : after) world.add_body(floor);
  std::vector<double> all;
  for (int i = 0; i < 60; ++i) {
    world.step();
    const std::vector<double> now = numbers(world, table);
    all.insert(all.end(), now.begin(), now.end());
    EXPECT_LE(touched(world, table).size(), 1U) << i;
  }
  return all;
}

TEST(Floors, ThatLieInEachOtherCarryAsOne) {
  const std::vector<double> one = slide({floor_at({0, 0, 0})}, {});
  std::vector<BodySpec> many;
  for (int i = 0; i < 11; ++i) many.push_back(floor_at({3.0 * i, -2.0 * i, 0}));
  EXPECT_EQ(slide(many, {}), one);
  EXPECT_EQ(slide({many[5]}, {many[0], many[7]}), one);
  // Those deeper than another do not count, and nor does a turn about their normal.
  many[3].X_WB.p.z() = -0.002;
  many[6].X_WB.p.z() = -1;
  many[8].X_WB.R = axis_angle(Vec3::UnitZ(), 0.7);
  EXPECT_EQ(slide({many[3], many[6], many[0], many[8]}, {}), one);
  EXPECT_EQ(slide({many[0]}, {many[6], many[3], many[8]}), one);
}

// Webots makes contacts with each of the two.
TEST(Floors, OfTwoMaterialsCountBoth) {
  World world(world_spec(0.016));
  const int ice = world.material("ice");
  world.set_contact_rule(0, 0, rule(0.4));
  world.set_contact_rule(0, ice, rule(0));
  world.add_body(floor_at({0, 0, 0}));
  const BodyId icy = world.add_body(floor_at({5, 0, 0}, ice));
  world.add_body(floor_at({0, 4, 0}));
  world.add_body(floor_at({0, 8, 0}, ice));
  const BodyId table = add_table(world);
  run(world, 0.5);
  EXPECT_EQ(touched(world, table), (std::set<BodyId>{0, icy}));
}

// Which may be TouchSensors.
TEST(Floors, OfRobotsHaveTheirOwnContacts) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(0.4));
  BodySpec felt = floor_at({5, 0, 0});
  felt.robot = 0;
  world.add_body(floor_at({0, 0, 0}));
  const BodyId sensor = world.add_body(felt);
  const BodyId table = add_table(world);
  run(world, 0.5);
  EXPECT_EQ(touched(world, table), (std::set<BodyId>{0, sensor}));
}

TEST(Floors, TurnedAnotherWayCountBothWhereFrictionHasDirections) {
  World world(world_spec(0.016));
  ContactRule grained = rule(0.4);
  grained.friction_count = 2;
  grained.frictions = {0.4, 0.1};
  world.set_contact_rule(0, 0, grained);
  BodySpec turned = floor_at({5, 0, 0});
  turned.X_WB.R = axis_angle(Vec3::UnitZ(), 0.7);
  world.add_body(floor_at({0, 0, 0}));
  const BodyId other = world.add_body(turned);
  world.add_body(floor_at({2, 0, 0}));
  const BodyId table = add_table(world);
  run(world, 0.5);
  EXPECT_EQ(touched(world, table), (std::set<BodyId>{0, other}));
  world.set_contact_rule(0, 0, rule(0.4));
  run(world, 0.1);
  EXPECT_EQ(touched(world, table), std::set<BodyId>{0});
}

TEST(Floors, CarryWhatTheFirstOneLetsThrough) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(0.4));
  const BodyId first = world.add_body(floor_at({0, 0, 0})),
               second = world.add_body(floor_at({5, 0, 0}));
  const BodyId table = add_table(world);
  run(world, 0.5);
  EXPECT_EQ(touched(world, table), std::set<BodyId>{first});
  const LinkId held = world.link(first, table);
  run(world, 0.2);
  EXPECT_EQ(touched(world, table), std::set<BodyId>{second});
  world.unlink(held);
  run(world, 0.2);
  EXPECT_EQ(touched(world, table), std::set<BodyId>{first});
  EXPECT_NEAR(world.pose(table).p.z(), 0.425, 0.001);
}

TEST(Floors, ThatComeGoAndMoveCarryAsTheyAreNow) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(0.4));
  const BodyId first = world.add_body(floor_at({0, 0, 0})),
               second = world.add_body(floor_at({5, 0, 0}));
  const BodyId table = add_table(world, Vec3::Zero());
  run(world, 5);
  EXPECT_TRUE(world.asleep(table));
  EXPECT_EQ(touched(world, table), std::set<BodyId>{first});
  world.set_pose(first, Pose::translation({0, 0, -0.5}));
  run(world, 1);
  EXPECT_EQ(touched(world, table), std::set<BodyId>{second});
  EXPECT_NEAR(world.pose(table).p.z(), 0.425, 0.001);
  world.set_pose(second, Pose::translation({0, 0, -0.7}));
  run(world, 3);
  EXPECT_EQ(touched(world, table), std::set<BodyId>{first});
  EXPECT_NEAR(world.pose(table).p.z(), -0.075, 0.001);
  world.remove(first);
  run(world, 5);
  EXPECT_EQ(touched(world, table), std::set<BodyId>{second});
  EXPECT_NEAR(world.pose(table).p.z(), -0.275, 0.001);
  EXPECT_TRUE(world.asleep(table));
  const BodyId third = world.add_body(floor_at({0, 0, -0.6995}));
  run(world, 0.5);
  EXPECT_EQ(touched(world, table), std::set<BodyId>{third});
  EXPECT_NEAR(world.pose(table).p.z(), -0.2745, 0.0001);
}

TEST(Floors, CarryOnWithTheSameBitsAfterAState) {
  const auto build = [] {
    auto world = std::make_unique<World>(world_spec(0.016));
    world->set_contact_rule(0, 0, rule(0.4));
    world->add_body(floor_at({0, 0, 0}));
    world->add_body(floor_at({5, 0, 0}));
    add_table(*world);
    return world;
  };
  const BodyId table = 2;
  for (const bool moved : {false, true}) {
    for (const int steps : {0, 20, 300}) {
      const auto one = build(), other = build();
      for (int i = 0; i < steps; ++i) one->step();
      // Its contacts are still those of the first one.
      if (moved) one->set_pose(1, Pose::translation({0, 0, 0.001}));
      StateArchive saved;
      one->visit_state(saved);
      const std::vector<std::byte> bytes = saved.take();
      StateArchive restored{std::span(bytes)};
      other->visit_state(restored);
      for (int i = 0; i < 100; ++i) {
        one->step();
        other->step();
        ASSERT_EQ(numbers(*other, table), numbers(*one, table)) << steps << ' ' << i;
        ASSERT_EQ(other->asleep(table), one->asleep(table));
      }
      EXPECT_EQ(touched(*other, table), std::set<BodyId>{moved ? 1 : 0});
    }
  }
}

/// How a table is thrown up, falls and comes to rest, with the count of its contacts in each step.
std::vector<double> hop(bool with_ball) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(0.4));
  world.add_body(floor_at(Vec3::Zero()));
  BodySpec spec = table({1, 0.3, 1.5});
  if (with_ball) spec.shapes.push_back(shape(Sphere{0.02}));
  const BodyId body = world.add_body(spec);
  std::vector<double> all;
  for (int i = 0; i < 120; ++i) {
    world.step();
    const std::vector<double> now = numbers(world, body);
    all.insert(all.end(), now.begin(), now.end());
    all.push_back(static_cast<double>(world.contacts().size()));
  }
  return all;
}

TEST(Floors, ABodyOfBoxesOutOfReachOfOneIsLeftOutAndTouchesItAgain) {
  // The ball in its top touches nothing, and is why the body is not left out.
  const std::vector<double> left_out = hop(false);
  EXPECT_EQ(left_out, hop(true));
  int in_the_air = 0, on_it = 0;
  for (std::size_t i = 13; i < left_out.size(); i += 14) ++(left_out[i] == 0 ? in_the_air : on_it);
  EXPECT_GT(in_the_air, 15);
  EXPECT_GT(on_it, 60);
}

}  // namespace
}  // namespace protobeam::physics
