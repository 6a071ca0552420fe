// What bodies that do not yield touch of each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A body of a shape that does not yield; its owner is `owner`.
BodySpec resting(const Geometry& geometry, const Vec3& p_W, int owner, int robot = -1,
                 bool self_collision = false, Motion motion = Motion::kStatic) {
  BodySpec spec;
  spec.name = "resting";
  spec.motion = motion;
  spec.X_WB = Pose::translation(p_W);
  spec.shapes = {shape(geometry, {}, 0, owner)};
  spec.robot = robot;
  spec.self_collision = self_collision;
  return spec;
}

/// A tetrahedron with the corners 0, x, y and z.
Mesh corner_mesh(double size) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return mesh;
}

TEST(UnyieldingTouches, AreOfStaticAndKinematicBodiesInTheOrderOfTheirNumbers) {
  World world(world_spec(0.008));
  const BodyId wall = world.add_body(resting(Box{{1, 9, 9}}, {1, 0, 0}, 10));
  const BodyId ball =
      world.add_body(resting(Sphere{0.5}, {0, 1, 0}, 11, -1, false, Motion::kKinematic));
  const BodyId robot =
      world.add_body(resting(Box{{1.01, 1.01, 1}}, {0, 0, 0}, 12, 0, false, Motion::kKinematic));
  world.add_body(resting(Sphere{0.5}, {0, -1.1, 0}, 13));
  world.add_body(box("yields", 1, {1, 1, 1}, {-0.5, 0, 0}));
  const SolidTouch the_wall{wall, 10}, the_ball{ball, 11}, the_robot{robot, 12};
  EXPECT_THAT(world.unyielding_touches(robot, 12), ElementsAre(the_wall, the_ball));
  EXPECT_THAT(world.unyielding_touches(robot, 99), IsEmpty()) << "no shape is of that";
  EXPECT_THAT(world.unyielding_touches(ball, 11), ElementsAre(the_robot));
  world.set_pose(robot, Pose::translation({-0.02, -0.02, 0}));
  EXPECT_THAT(world.unyielding_touches(robot, 12), IsEmpty());
}

TEST(UnyieldingTouches, AreNotThoseOfBodiesThatYield) {
  World world(world_spec(0.008));
  const BodyId body = world.add_body(box("yields", 1, {1, 1, 1}, {0, 0, 0}));
  world.add_body(ground());
  EXPECT_THAT(world.unyielding_touches(body, -1), IsEmpty());
}

TEST(UnyieldingTouches, OfOneRobotNeedItsSelfCollision) {
  for (const bool self_collision : {false, true}) {
    World world(world_spec(0.008));
    const BodyId one = world.add_body(resting(Sphere{1}, {0, 0, 0}, 1, 0, self_collision));
    const BodyId two = world.add_body(resting(Sphere{1}, {1.9, 0, 0}, 2, 0, self_collision));
    const std::vector<SolidTouch> touched = world.unyielding_touches(one, 1);
    if (self_collision) EXPECT_THAT(touched, ElementsAre(SolidTouch{two, 2}));
    if (!self_collision) EXPECT_THAT(touched, IsEmpty());
  }
}

TEST(UnyieldingTouches, AreOfAnyTwoShapes) {
  HeightField hill;
  hill.columns = hill.rows = 3;
  hill.heights = {0, 0, 0, 0, 1, 0, 0, 0, 0};
  struct Case {
    const char* name;
    Geometry other;
    double top;  ///< its height at the z axis
    Vec3 place;
  };
  const Case cases[] = {
      {"half space", Plane{}, 0, {0, 0, 0}},  {"box", Box{{2, 2, 2}}, 1, {0, 0, 0}},
      {"sphere", Sphere{1}, 1, {0, 0, 0}},    {"cylinder", Cylinder{1, 2}, 1, {0, 0, 0}},
      {"mesh", corner_mesh(1), 1, {0, 0, 0}}, {"terrain", hill, 1, {-1, -1, 0}}};
  const std::pair<const char*, Geometry> things[] = {{"box", Box{{0.4, 0.4, 0.4}}},
                                                     {"sphere", Sphere{0.2}},
                                                     {"capsule", Capsule{0.1, 0.2}},
                                                     {"cylinder", Cylinder{0.2, 0.4}},
                                                     {"mesh", corner_mesh(0.2)}};
  for (const Case& c : cases) {
    for (const auto& [thing, geometry] : things) {
      World world(world_spec(0.008));
      BodySpec other = resting(c.other, c.place, 1);
      const BodyId target = world.add_body(other);
      const double below = std::string(thing) == "mesh" ? 0 : 0.2;
      const BodyId probe = world.add_body(
          resting(geometry, {0, 0, c.top + below - 0.01}, 2, -1, false, Motion::kKinematic));
      EXPECT_THAT(world.unyielding_touches(probe, 2), ElementsAre(SolidTouch{target, 1}))
          << thing << " in " << c.name;
      world.set_pose(probe, Pose::translation({0, 0, c.top + below + 0.01}));
      EXPECT_THAT(world.unyielding_touches(probe, 2), IsEmpty()) << thing << " over " << c.name;
    }
  }
}

TEST(UnyieldingTouches, ChangeNothing) {
  const auto place_after = [](bool ask) {
    World world(world_spec(0.008));
    world.add_body(ground());
    const BodyId probe = world.add_body(resting(Box{{1, 1, 1}}, {0, 0, 0.4}, 1));
    const BodyId falls = world.add_body(box("falls", 1, {0.5, 0.4, 0.3}, {0.3, 0.2, 1.5}));
    for (int i = 0; i < 200; ++i) {
      if (ask) EXPECT_EQ(world.unyielding_touches(probe, 1).size(), 1u);
      world.step();
    }
    return world.pose(falls);
  };
  const Pose asked = place_after(true), left_alone = place_after(false);
  EXPECT_EQ(asked.p, left_alone.p);
  EXPECT_EQ(asked.R.coeffs(), left_alone.R.coeffs());
}

}  // namespace
}  // namespace protobeam::physics
