// Round shapes on boxes.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

/// A slab with a horizontal upper face at z = 0, however its box is turned.
BodySpec slab(const Quat& turned) {
  BodySpec spec;
  spec.name = "slab";
  const Vec3 up = turned.conjugate() * Vec3::UnitZ();
  int axis = 0;
  up.cwiseAbs().maxCoeff(&axis);
  Vec3 size(40, 40, 40);
  size[axis] = 2;
  spec.X_WB = {turned, {0, 0, -1}};
  spec.shapes = {shape(Box{size})};
  return spec;
}

/// Its axis along y, on z = 0.
BodySpec roller(const Geometry& geometry, double radius, double speed) {
  BodySpec spec;
  spec.name = "roller";
  spec.motion = Motion::kDynamic;
  spec.X_WB = {axis_angle(Vec3::UnitX(), -kPi / 2), {0, 0, radius}};
  spec.mass = cylinder_mass(1, radius, 0.5);
  spec.shapes = {shape(geometry)};
  spec.v_WB = {speed, 0, 0};
  spec.w_WB = {0, speed / radius, 0};
  return spec;
}

const std::pair<Geometry, double> kRollers[] = {{Sphere{0.3}, 0.3},
                                                {Cylinder{0.3, 0.6}, 0.3},
                                                {Cylinder{0.03, 0.1}, 0.03},
                                                {Capsule{0.3, 0.6}, 0.3},
                                                {Capsule{0.1, 0.6}, 0.1}};

TEST(FaceContact, RoundShapesRollEvenlyAndRest) {
  const Quat turns[] = {Quat::Identity(), axis_angle(Vec3::UnitZ(), 0.4),
                        axis_angle(Vec3::UnitX(), kPi / 2), axis_angle(Vec3::UnitY(), -kPi / 2)};
  for (const auto& [geometry, radius] : kRollers) {
    for (const Quat& turned : turns) {
      for (const double speed : {0.0, 0.5}) {
        for (const bool slab_first : {true, false}) {
          World world(world_spec(0.008));
          world.set_contact_rule(0, 0, rule(1));
          if (slab_first) world.add_body(slab(turned));
          const BodyId b = world.add_body(roller(geometry, radius, speed));
          if (!slab_first) world.add_body(slab(turned));
          run(world, 3);
          const Vec3 p = world.pose(b).p;
          EXPECT_NEAR(p.x(), speed * world.time(), 1e-5) << geometry.index() << " " << radius;
          EXPECT_NEAR(p.y(), 0, 1e-5) << geometry.index() << " " << radius;
          EXPECT_NEAR(p.z(), radius, 1e-3) << geometry.index() << " " << radius;
        }
      }
    }
  }
}

TEST(FaceContact, ACylinderRollsDownASlope) {
  const double slope = 0.2;
  World world(world_spec(0.004));
  world.set_contact_rule(0, 0, rule(1));
  const Quat tilt = axis_angle(Vec3::UnitY(), slope);
  BodySpec ground = slab(Quat::Identity());
  ground.X_WB = {tilt, tilt * Vec3(0, 0, -1)};
  world.add_body(ground);
  BodySpec spec = roller(Cylinder{0.3, 0.6}, 0.3, 0);
  spec.X_WB = {tilt * spec.X_WB.R, tilt * spec.X_WB.p};
  const BodyId b = world.add_body(spec);
  run(world, 1.5);
  const double a = kGravity * std::sin(slope) / 1.5, t = world.time();
  EXPECT_NEAR(world.velocity(b).norm(), a * t, 0.01 * a * t);
  EXPECT_NEAR((tilt.conjugate() * world.pose(b).p).x(), a * t * t / 2, 0.02 * a * t * t);
}

TEST(FaceContact, WhatRollsOverTheEdgeFalls) {
  for (const auto& [geometry, radius] : kRollers) {
    World world(world_spec(0.008));
    world.set_contact_rule(0, 0, rule(1));
    BodySpec table = slab(Quat::Identity());
    table.X_WB.p.x() = -20.5;  // its edge is at x = -0.5
    world.add_body(table);
    BodySpec spec = roller(geometry, radius, 1);
    spec.X_WB.p.x() = -1.5;
    const BodyId b = world.add_body(spec);
    run(world, 3);
    EXPECT_GT(world.pose(b).p.x(), -0.5);
    EXPECT_LT(world.pose(b).p.z(), -3);
    EXPECT_NEAR(world.pose(b).p.y(), 0, 0.05);
  }
}

TEST(FaceContact, ABallLiesOnABoxThatLiesOnTheGround) {
  for (const bool ball_first : {true, false}) {
    World world(world_spec(0.008));
    world.set_contact_rule(0, 0, rule(1));
    world.add_body(ground());
    const BodySpec lies = ball("ball", 2, 0.1, {0.02, 0.01, 0.6});
    BodyId b = -1;
    if (ball_first) b = world.add_body(lies);
    const BodyId below = world.add_body(box("box", 1, {0.4, 0.4, 0.4}, {0, 0, 0.2}));
    if (!ball_first) b = world.add_body(lies);
    run(world, 3);
    EXPECT_LT((world.pose(b).p - Vec3(0.02, 0.01, 0.5)).norm(), 0.005);
    EXPECT_LT((world.pose(below).p - Vec3(0, 0, 0.2)).norm(), 0.005);
  }
}

TEST(FaceContact, StandingCylindersAndConesStayUpright) {
  const Geometry shapes[] = {Cylinder{0.1, 0.4}, Cone{0.2, 0.4}};
  for (const Geometry& geometry : shapes) {
    World world(world_spec(0.008));
    world.set_contact_rule(0, 0, rule(1));
    world.add_body(slab(axis_angle(Vec3::UnitZ(), 0.3)));
    BodySpec spec = roller(geometry, 0.2, 0);
    spec.X_WB = Pose::translation({1, 2, 0.25});
    const BodyId b = world.add_body(spec);
    run(world, 3);
    EXPECT_LT((world.pose(b).p - Vec3(1, 2, 0.2)).norm(), 0.002);
    EXPECT_GT((world.pose(b).R * Vec3::UnitZ()).z(), 0.9999);
  }
}

}  // namespace
}  // namespace protobeam::physics
