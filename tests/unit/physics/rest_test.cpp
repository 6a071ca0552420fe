// What Webots' users expect of bodies that touch from the start: no catapults, no chatter.
#include <gtest/gtest.h>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

/// ODE pushes surfaces apart with erp * depth / step (ODE manual, 3.8: how to use ERP and CFM).
TEST(Overlap, IsPushedOutAsFastAsInOde) {
  const double step = 0.016, depth = 0.05, erp = 0.2;
  World world(world_spec(step));
  world.add_body(ground());
  const BodyId crate = world.add_body(box("crate", 1, {0.5, 0.5, 0.5}, {0, 0, 0.25 - depth}));
  double fastest = 0;
  for (int i = 0; i < 60; ++i) {
    world.step();
    fastest = std::max(fastest, world.velocity(crate).z());
  }
  EXPECT_LT(fastest, erp * depth / step * 1.25);  // the substeps' softness
  EXPECT_GT(fastest, 0.1 * erp * depth / step);
  run(world, 2);
  EXPECT_NEAR(world.pose(crate).p.z(), 0.25, 1e-3);
}

TEST(Overlap, OfAStackDoesNotThrowIt) {
  World world(world_spec(0.016));
  world.add_body(ground());
  std::vector<BodyId> crates;
  for (int i = 0; i < 5; ++i) {  // each 1 cm in the one below
    crates.push_back(world.add_body(box("crate", 1, {0.2, 0.2, 0.2}, {0, 0, 0.09 + 0.19 * i})));
  }
  double highest = 0;
  for (int i = 0; i < 120; ++i) {
    world.step();
    highest = std::max(highest, world.pose(crates.back()).p.z());
  }
  EXPECT_LT(highest, 0.9 + 0.05);
}

/// On a half space and on a box.
class RestOn : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(ground, RestOn, testing::Bool());

TEST_P(RestOn, OfASlenderBox) {
  World world(world_spec(0.016));
  BodySpec floor = ground();
  if (GetParam()) floor.shapes = {shape(Box{{20, 20, 1}}, Pose::translation({0, 0, -0.5}))};
  world.add_body(floor);
  const Vec3 size(12, 0.1, 0.01);
  const BodyId plank = world.add_body(box("plank", 12, size, {0, 0, 0.005}));
  run(world, 1);
  const Pose before = world.pose(plank);
  double fastest = 0;
  for (int i = 0; i < 250; ++i) {
    world.step();
    fastest =
        std::max({fastest, world.velocity(plank).norm(), 6 * world.angular_velocity(plank).norm()});
  }
  EXPECT_LT(fastest, 1e-3);
  EXPECT_LT((world.pose(plank).p - before.p).norm(), 1e-4);
  EXPECT_NEAR(world.pose(plank).p.z(), 0.005, 1e-3);
}

/// One that does not sleep, turned on the ground, at any step.
TEST_P(RestOn, OfASlenderBoxThatStaysAwake) {
  for (const double step : {0.008, 0.016, 0.032}) {
    for (const double yaw : {0.0, 0.5}) {
      WorldSpec spec = world_spec(step);
      spec.sleep_time = kUnlimited;
      World world(spec);
      BodySpec floor = ground();
      if (GetParam()) floor.shapes = {shape(Box{{20, 20, 1}}, Pose::translation({0, 0, -0.5}))};
      world.add_body(floor);
      BodySpec lying = box("plank", 12, {12, 0.1, 0.01}, {0, 0, 0.005});
      lying.X_WB.R = axis_angle(Vec3::UnitZ(), yaw);
      const BodyId plank = world.add_body(lying);
      run(world, 1);
      const Pose before = world.pose(plank);
      while (world.time() < 6) {
        world.step();
        ASSERT_LT(world.velocity(plank).norm(), 1e-6) << step << ' ' << yaw;
        ASSERT_LT(6 * world.angular_velocity(plank).norm(), 1e-6) << step << ' ' << yaw;
        ASSERT_EQ(world.contacts().size(), 4u);
      }
      EXPECT_LT((world.pose(plank).p - before.p).norm(), 1e-6);
      // ODE's law with the substep: weight / 4 * cfm * h / erp.
      EXPECT_NEAR(world.pose(plank).p.z(), 0.005 - 12 * kGravity / 4 * 0.001 * 0.002 / 0.2, 1e-6);
    }
  }
}

/// A bar of that cross-section, in x and z, which is given counter-clockwise as seen along y.
Mesh bar(const std::vector<Vec2>& section, double length) {
  Mesh mesh;
  const auto n = static_cast<std::uint32_t>(section.size());
  for (const double y : {-length / 2, length / 2})
    for (const auto& point : section) mesh.vertices.emplace_back(point.x(), y, point.y());
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    mesh.triangles.push_back({i, n + j, j});
    mesh.triangles.push_back({i, n + i, n + j});
  }
  for (std::uint32_t i = 1; i + 1 < n;
       ++i) {  // fans: the section is seen whole from its first point
    mesh.triangles.push_back({0, i, i + 1});
    mesh.triangles.push_back({n, n + i + 1, n + i});
  }
  return mesh;
}

/// Whether the terrain comes first into the world.
class AngleOfSteel : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(first, AngleOfSteel, testing::Bool());

/// Not convex: its triangles meet those of the terrain, whose numbers are others.
TEST_P(AngleOfSteel, RestsOnATerrain) {
  World world(world_spec(0.008));
  HeightField field;
  field.columns = field.rows = 4;  // fewer than the mesh has triangles
  field.origin = {-0.9, -0.9};
  field.spacing = {0.6, 0.6};
  field.heights.assign(16, 0.0);
  BodySpec terrain;
  terrain.name = "terrain";
  terrain.shapes = {shape(field)};
  if (GetParam()) world.add_body(terrain);
  // Legs of 0.3 m, 0.1 m thick, from the inner corner on.
  const std::vector<Vec2> section = {{0, 0},       {0, 0.2},    {-0.1, 0.2},
                                     {-0.1, -0.1}, {0.2, -0.1}, {0.2, 0}};
  BodySpec angle = box("angle", 5, {0.2, 0.6, 0.2}, {0.03, 0.02, 0.15});
  angle.shapes = {shape(bar(section, 0.6)),
                  shape(Box{{0.05, 0.05, 0.05}}, Pose::translation({-0.05, 0, 0}))};
  const BodyId id = world.add_body(angle);
  if (!GetParam()) world.add_body(terrain);
  run(world, 3);
  EXPECT_NEAR(world.pose(id).p.z(), 0.1, 5e-3);
  EXPECT_LT(world.velocity(id).norm(), 0.02);
  EXPECT_GT((world.pose(id).R * Vec3::UnitZ()).z(), 0.999);
}

/// Links of a gram that hang together by motors of 10 N m, as fingers do: they hold still.
TEST(Chain, OfAChainOfLightLinks) {
  for (const double mass : {0.0005, 0.005}) {
    World world(world_spec(0.016));
    const Vec3 size(0.03, 0.01, 0.01);
    BodySpec base;
    base.name = "base";
    const BodyId fixed = world.add_body(base);
    BodyId parent = fixed;
    std::vector<JointId> joints;
    std::vector<BodyId> links;
    for (int i = 0; i < 6; ++i) {
      const BodyId link = world.add_body(box("link", mass, size, {0.03 * i + 0.015, 0, 1}));
      JointSpec spec;
      spec.name = "finger";
      spec.parent = parent;
      spec.child = link;
      spec.anchor_P = i == 0 ? Vec3(0, 0, 1) : Vec3(0.015, 0, 0);
      spec.X_PC0 = i == 0 ? Pose::translation({0.015, 0, 1}) : Pose::translation({0.03, 0, 0});
      spec.axes[0].axis_P = i % 2 ? Vec3::UnitZ() : Vec3::UnitY();
      const JointId joint = world.add_joint(spec);
      world.add_motor(joint, 0, MotorSpec{});
      joints.push_back(joint);
      links.push_back(link);
      parent = link;
    }
    run(world, 1);
    double fastest = 0, effort = 0;
    for (int i = 0; i < 100; ++i) {
      world.step();
      for (const BodyId link : links) fastest = std::max(fastest, world.velocity(link).norm());
      for (const JointId joint : joints)
        effort = std::max(effort, std::abs(world.motor_effort(joint, 0)));
    }
    EXPECT_LT(fastest, 1e-3) << mass;
    // The first carries all six by their weight.
    EXPECT_LT(effort, 1.05 * 6 * mass * kGravity * 0.09) << mass;
  }
}

/// The same lying on the ground, with their boundingObjects in contact.
TEST(Chain, OfLightLinksOnTheGround) {
  World world(world_spec(0.016));
  world.add_body(ground());
  const double mass = 0.001;
  const Vec3 size(0.03, 0.01, 0.01);
  BodyId parent = kWorldBody;
  std::vector<BodyId> links;
  std::vector<JointId> joints;
  for (int i = 0; i < 6; ++i) {
    const BodyId link =
        world.add_body(box("link", i == 0 ? 0.5 : mass, size, {0.035 * i, 0, 0.005}));
    if (i > 0) {
      JointSpec spec;
      spec.name = "finger";
      spec.parent = parent;
      spec.child = link;
      spec.anchor_P = Vec3(0.0175, 0, 0);
      spec.X_PC0 = Pose::translation({0.035, 0, 0});
      spec.axes[0].axis_P = Vec3::UnitY();
      joints.push_back(world.add_joint(spec));
      world.add_motor(joints.back(), 0, MotorSpec{});
    }
    links.push_back(link);
    parent = link;
  }
  run(world, 1);
  double fastest = 0, effort = 0;
  for (int i = 0; i < 100; ++i) {
    world.step();
    for (const BodyId link : links) fastest = std::max(fastest, world.velocity(link).norm());
    for (const JointId joint : joints)
      effort = std::max(effort, std::abs(world.motor_effort(joint, 0)));
  }
  EXPECT_LT(fastest, 1e-3);
  EXPECT_LT(effort, 0.05);
}

}  // namespace
}  // namespace protobeam::physics
