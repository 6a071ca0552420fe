// Webots' coulombFriction with several values.
#include <gtest/gtest.h>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

ContactRule directed(std::initializer_list<double> values) {
  ContactRule out = rule(*values.begin());
  out.friction_count = static_cast<int>(values.size());
  std::copy(values.begin(), values.end(), out.frictions.begin());
  return out;
}

/// How much a crate that slides at `velocity` loses in a second, m/s^2.
double braking(const ContactRule& rule, const Vec3& velocity, double yaw = 0, double ground_yaw = 0) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule);
  BodySpec floor = ground();
  floor.X_WB = Pose::rotation(axis_angle(Vec3::UnitZ(), ground_yaw));
  world.add_body(floor);
  BodySpec crate = box("crate", 2, {1, 1, 0.1}, {0, 0, 0.05});
  crate.X_WB.R = axis_angle(Vec3::UnitZ(), yaw);
  crate.v_WB = velocity;
  const BodyId body = world.add_body(crate);
  run(world, 0.048);
  const double v = world.velocity(body).norm(), t = world.time();
  run(world, 0.16);
  return (v - world.velocity(body).norm()) / (world.time() - t);
}

TEST(DirectedFriction, AddsBothBodiesAlongAndAcross) {
  // Both boxes' first directions are x: along it 2 * 0.05, across 2 * 0.15.
  EXPECT_NEAR(braking(directed({0.05, 0.15}), {2, 0, 0}), 0.10 * kGravity, 0.01);
  EXPECT_NEAR(braking(directed({0.05, 0.15}), {0, 2, 0}), 0.30 * kGravity, 0.01);
}

TEST(DirectedFriction, TurnsWithTheBodies) {
  // By 90 degrees to each other: 0.05 of one and 0.15 of the other, both ways.
  EXPECT_NEAR(braking(directed({0.05, 0.15}), {2, 0, 0}, kPi / 2), 0.20 * kGravity, 0.01);
  EXPECT_NEAR(braking(directed({0.05, 0.15}), {2, 0, 0}, kPi / 2, kPi / 2), 0.30 * kGravity, 0.01);
}

TEST(DirectedFriction, ThirdAndFourthValueAreOfTheOtherBody) {
  EXPECT_NEAR(braking(directed({0.05, 0.15, 0.1}), {2, 0, 0}), 0.15 * kGravity, 0.01);
  EXPECT_NEAR(braking(directed({0.05, 0.15, 0.1}), {0, 2, 0}), 0.25 * kGravity, 0.01);
  EXPECT_NEAR(braking(directed({0.05, 0.15, 0.1, 0}), {2, 0, 0}), 0.15 * kGravity, 0.01);
  EXPECT_NEAR(braking(directed({0.05, 0.15, 0.1, 0}), {0, 2, 0}), 0.15 * kGravity, 0.01);
}

TEST(DirectedFriction, IsTurnedByFrictionRotation) {
  ContactRule turned = directed({0.05, 0.15});
  turned.friction_rotation = {kPi / 2, kPi / 2};
  EXPECT_NEAR(braking(turned, {2, 0, 0}), 0.30 * kGravity, 0.01);
}

TEST(DirectedFriction, MayHaveADirectionOfItsOwnInShapesOfAnyForm) {
  // Of the first body, here the ball: 0.05 along its x, 0.5 across, whatever the ground is.
  const auto slowed = [](const Vec3& direction, const Vec3& velocity, double yaw) {
    World world(world_spec(0.016));
    ContactRule given = directed({0.05, 0.5});
    given.first_direction = direction;
    given.first_material = 1;
    world.set_contact_rule(0, 1, given);
    world.add_body(ground());
    BodySpec spec = ball("ball", 1, 0.1, {0, 0, 0.1});
    spec.shapes[0].material = 1;
    spec.shapes[0].X_BS.R = axis_angle(Vec3::UnitZ(), yaw);
    spec.v_WB = velocity;
    const BodyId body = world.add_body(spec);
    run(world, 0.032);
    return (velocity - world.velocity(body)).norm() / world.time() / kGravity;
  };
  EXPECT_NEAR(slowed({1, 0, 0}, {2, 0, 0}, 0), 0.05, 0.005);
  EXPECT_NEAR(slowed({1, 0, 0}, {0, 2, 0}, 0), 0.5, 0.02);
  EXPECT_NEAR(slowed({1, 0, 0}, {0, 2, 0}, kPi / 2), 0.05, 0.005);
  // The part of a direction in the plane of contact counts; the normal itself is none.
  EXPECT_NEAR(slowed({0, 1, 3}, {2, 0, 0}, 0), 0.5, 0.02);
  EXPECT_NEAR(slowed({0, 0, 1}, {2, 0, 0}, 0), 0.05, 0.005);
  EXPECT_NEAR(slowed({0, 0, 1}, {0, 2, 0}, 0), 0.05, 0.005);
}

TEST(DirectedFriction, OfABallIsTheFirstValue) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, directed({0.05, 0.5}));
  world.add_body(ground());
  BodySpec spec = ball("ball", 1, 0.1, {0, 0, 0.1});
  spec.v_WB = {0, 2, 0};
  const BodyId body = world.add_body(spec);
  run(world, 0.16);
  EXPECT_NEAR(world.velocity(body).y(), 2 - 0.05 * kGravity * world.time(), 0.01);  // it slips
}

}  // namespace
}  // namespace protobeam::physics
