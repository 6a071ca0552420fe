// What Webots' users expect of bodies that touch from the start: no catapults, no chatter.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

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

/// ODE's contact law of a body without weight, that `corners` push: its fastest speed.
double fastest_in_ode(double mass, double depth, double erp, double cfm, double step, int corners) {
  double v = 0, fastest = 0;
  while (depth > 0) {
    // v + cfm / (corners step) impulse = erp depth / step
    const double impulse = (erp * depth / step - v) / (1 / mass + cfm / (corners * step));
    v += std::max(0.0, impulse) / mass;
    depth -= v * step;
    fastest = std::max(fastest, v);
  }
  return fastest;
}

/// Mass, kg; depth, m; softERP; basicTimeStep, s.
class DeepOverlap : public testing::TestWithParam<std::tuple<double, double, double, double>> {};
INSTANTIATE_TEST_SUITE_P(crates, DeepOverlap,
                         testing::Combine(testing::Values(0.1, 1.0),
                                          testing::Values(0.05, 0.1), testing::Values(0.2, 0.8),
                                          testing::Values(0.008, 0.016, 0.032)));

TEST_P(DeepOverlap, IsPushedOutAtErpDepthPerStep) {
  const auto [mass, depth, erp, step] = GetParam();
  for (const bool floats : {false, true}) {
    World world(world_spec(step, Vec3::Zero()));
    ContactRule r = rule(1);
    r.soft_erp = erp;
    world.set_contact_rule(0, 0, r);
    const Vec3 size(0.5, 0.5, 0.5);
    // The ground, or another one that yields as much.
    const double at = floats ? 0.5 - depth : 0.25 - depth;
    const BodyId lower = world.add_body(floats ? box("lower", mass, size, Vec3::Zero()) : ground());
    const BodyId crate = world.add_body(box("crate", mass, size, {0, 0, at}));
    double fastest = 0;
    while (world.time() < 2) {
      world.step();
      const Vec3 v = world.velocity(crate), other = world.velocity(lower);
      fastest = std::max(fastest, v.z() - other.z());
      if (floats) {
        EXPECT_LT((v + other).norm(), 1e-6);
      }
    }
    EXPECT_LT(fastest, 1.15 * erp * depth / step);
    const double ode = fastest_in_ode(floats ? mass / 2 : mass, depth, erp, r.soft_cfm, step, 4);
    EXPECT_NEAR(fastest, ode, 0.15 * ode) << (floats ? "floats" : "on the ground");
  }
}

TEST(Overlap, IsPushedOutNoFasterThanTheWorldSays) {
  for (const double limit : {0.5, 2.0, 0.0}) {
    WorldSpec spec = world_spec(0.005, Vec3::Zero());
    spec.max_separation_speed = limit;
    World world(spec);
    world.add_body(ground());
    // As fast as 8 m/s in ODE.
    const BodyId crate = world.add_body(box("crate", 1, {0.5, 0.5, 0.5}, {0, 0, 0.05}));
    double fastest = 0;
    for (int i = 0; i < 400; ++i) {
      world.step();
      fastest = std::max(fastest, world.velocity(crate).z());
    }
    EXPECT_NEAR(fastest, std::max(limit, 0.1), 0.08 * std::max(limit, 0.1)) << limit;
    EXPECT_GT(world.pose(crate).p.z(), 0.2499) << limit;
  }
}

/// A body that presses with F sinks in by F h softCFM / softERP, which the corners share.
TEST(Overlap, OfAHeavyBodyIsHeldAndPushedOutHoweverSlowly) {
  const double mass = 2000;
  for (const double step : {0.001, 0.005}) {
    for (const double limit : {0.0, 0.1, 0.5}) {
      for (const double depth : {0.0, 0.2}) {
        WorldSpec spec = world_spec(step);
        spec.max_separation_speed = limit;
        World world(spec);
        world.add_body(ground());
        const BodyId crate = world.add_body(box("crate", mass, {2, 2, 1}, {0, 0, 0.5 - depth}));
        double fastest = 0;
        while (world.time() < 6) {
          world.step();
          fastest = std::max(fastest, world.velocity(crate).z());
        }
        const double substep = step / world.substeps();
        const double sunk = mass * kGravity * substep * rule(1).soft_cfm / rule(1).soft_erp / 4;
        EXPECT_NEAR(world.pose(crate).p.z(), 0.5 - sunk, 0.02 * sunk)
            << "step " << step << ", limit " << limit << ", depth " << depth;
        EXPECT_LT(fastest, 1.1 * std::max(limit, 0.1))
            << "step " << step << ", limit " << limit << ", depth " << depth;
      }
    }
  }
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

/// A floor of squares of 1 m, of two triangles each, 20 m wide; `slope`: rise to the right.
HeightField squares(double slope) {
  HeightField field;
  field.columns = field.rows = 21;
  field.origin = {-10, -10};
  field.spacing = {1, 1};
  for (int row = 0; row < 21; ++row) {
    for (int column = 0; column < 21; ++column) field.heights.push_back(slope * (column - 10));
  }
  return field;
}

enum class Floor { kHalfSpace, kBox, kTerrain, kMesh };

BodySpec floor_of(Floor kind, double slope = 0) {
  BodySpec floor = ground();
  const Pose tilted{axis_angle(Vec3::UnitY(), -std::atan(slope)), Vec3::Zero()};
  switch (kind) {
    case Floor::kHalfSpace:
      floor.shapes = {shape(Plane{}, tilted, 0, 1000)};
      break;
    case Floor::kBox:
      floor.shapes = {shape(Box{{20, 20, 1}}, tilted * Pose::translation({0, 0, -0.5}))};
      break;
    case Floor::kTerrain:
      floor.shapes = {shape(squares(slope))};
      break;
    case Floor::kMesh:
      floor.shapes = {shape(triangulated(squares(slope)))};
      break;
  }
  return floor;
}

class RestOn : public testing::TestWithParam<Floor> {};
INSTANTIATE_TEST_SUITE_P(ground, RestOn,
                         testing::Values(Floor::kHalfSpace, Floor::kBox, Floor::kTerrain,
                                         Floor::kMesh));

TEST_P(RestOn, OfASlenderBox) {
  World world(world_spec(0.016));
  world.add_body(floor_of(GetParam()));
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
      world.add_body(floor_of(GetParam()));
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

/// What lies on a floor of triangles does so as on a half space, flat or sloping, whatever its form and
/// wherever the triangles meet.
class OnTriangles : public testing::TestWithParam<std::tuple<Floor, double>> {};
INSTANTIATE_TEST_SUITE_P(floors, OnTriangles,
                         testing::Combine(testing::Values(Floor::kTerrain, Floor::kMesh),
                                          testing::Values(0.0, 0.2)));

TEST_P(OnTriangles, BodiesFallAndRestAsOnAHalfSpace) {
  const auto kind = std::get<Floor>(GetParam());
  const auto slope = std::get<double>(GetParam());
  WorldSpec spec = world_spec(0.008);
  spec.sleep_time = kUnlimited;
  World world(spec), reference(spec);
  world.add_body(floor_of(kind, slope));
  reference.add_body(floor_of(Floor::kHalfSpace, slope));
  std::vector<BodyId> bodies;
  const auto add = [&](BodySpec body, double x, double y) {
    body.X_WB = {axis_angle(Vec3::UnitZ(), 0.3 + x), {x, y, slope * x + 0.7}};
    bodies.push_back(world.add_body(body));
    EXPECT_EQ(reference.add_body(body), bodies.back());
  };
  add(box("small", 1, {0.2, 0.2, 0.2}, {}), 0.4, 0.1);
  add(box("crate", 30, {0.8, 0.8, 0.8}, {}), -3.9, -2.6);
  add(box("large", 2, {1.5, 1.5, 0.4}, {}), 5.2, 0.7);
  BodySpec can = box("can", 3, {0.3, 0.3, 0.4}, {});
  can.shapes = {shape(Cylinder{0.15, 0.4})};
  add(can, 2.1, -3.2);
  BodySpec table = box("table", 8, {0.6, 0.6, 0.4}, {});
  table.shapes.clear();
  for (const double x : {-0.3, 0.3}) {
    for (const double y : {-0.3, 0.3})
      table.shapes.push_back(shape(Box{{0.04, 0.04, 0.4}}, Pose::translation({x, y, 0})));
  }
  add(table, -1.2, 4.3);
  const auto both = [&](double seconds) {
    run(world, seconds);
    run(reference, seconds);
  };
  both(0.9);  // they have touched the ground
  for (const BodyId body : bodies) {
    // Bullet looks for what parts of a body touch when their boxes meet that of a flat mesh, which is a
    // substep later than in a half space.
    if (body == bodies.back()) continue;
    EXPECT_LT((world.pose(body).p - reference.pose(body).p).norm(), 1e-6) << body;
    EXPECT_LT(world.pose(body).R.angularDistance(reference.pose(body).R), 1e-6) << body;
  }
  both(2);
  for (int i = 0; i < 250; ++i) {
    world.step();
    for (const BodyId body : bodies) {
      ASSERT_LT(world.angular_velocity(body).norm(), 1e-6) << body;
      ASSERT_LT(world.velocity(body).norm(), 1e-5) << body;
    }
  }
}

/// Where the ground ends or bends, contacts are those with each triangle.
TEST(OnTriangles, NothingStandsOnWhatIsNotThere) {
  for (const Floor kind : {Floor::kTerrain, Floor::kMesh}) {
    World world(world_spec(0.008));
    world.add_body(floor_of(kind));
    const BodyId stays = world.add_body(box("stays", 1, {1, 1, 0.2}, {9.7, 0.3, 0.1}));
    const BodyId falls = world.add_body(box("falls", 1, {1, 1, 0.2}, {10.3, 3.3, 0.1}));
    const BodyId below = world.add_body(box("below", 1, {1, 1, 0.2}, {12, 0, 0.1}));
    run(world, 2);
    EXPECT_NEAR(world.pose(stays).p.z(), 0.1, 2e-3);
    EXPECT_LT(world.pose(falls).p.z(), -2);
    EXPECT_LT(world.pose(below).p.z(), -2);
  }
}

BodySpec mesh_of(std::vector<Vec3> vertices, std::vector<std::array<std::uint32_t, 3>> triangles) {
  Mesh mesh;
  mesh.vertices = std::move(vertices);
  mesh.triangles = std::move(triangles);
  BodySpec body = ground();
  body.shapes = {shape(mesh)};
  return body;
}

TEST(OnTriangles, ACrateRestsInTheCornerOfARoom) {
  WorldSpec spec = world_spec(0.008, {-2, -1.5, -kGravity});  // towards it
  spec.sleep_time = kUnlimited;
  World world(spec);
  world.add_body(mesh_of({{-2, -2, 0}, {3, -2, 0}, {3, 3, 0}, {-2, 3, 0}, {-2, -2, 3}, {3, -2, 3}, {-2, 3, 3}},
                         {{0, 1, 2}, {0, 2, 3}, {0, 4, 5}, {0, 5, 1}, {0, 3, 6}, {0, 6, 4}}));
  const BodyId crate = world.add_body(box("crate", 5, {0.5, 0.5, 0.5}, {-1.749, -1.749, 0.26}));
  run(world, 3);
  EXPECT_LT((world.pose(crate).p - Vec3(-1.75, -1.75, 0.25)).norm(), 3e-3);
  for (int i = 0; i < 250; ++i) {
    world.step();
    ASSERT_LT(world.angular_velocity(crate).norm(), 1e-6);
    ASSERT_LT(world.velocity(crate).norm(), 1e-6);
  }
}

/// No corner of the crate is near the roof.
TEST(OnTriangles, ACrateLiesOnTheRidgeOfARoof) {
  World world(world_spec(0.008));
  world.add_body(mesh_of({{-5, 0, 0}, {5, 0, 0}, {-5, 4, -2}, {5, 4, -2}, {-5, -4, -2}, {5, -4, -2}},
                         {{0, 1, 2}, {1, 3, 2}, {1, 0, 4}, {1, 4, 5}}));
  const BodyId crate = world.add_body(box("crate", 5, {2, 1, 0.2}, {0, 0, 0.1}));
  run(world, 0.3);
  EXPECT_NEAR(world.pose(crate).p.z(), 0.1, 5e-3);
  EXPECT_GT(world.contacts().size(), 0u);
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

/// Four links of a finger, held at 0 by motors. What sleeps cannot shake: these do not sleep.
struct Finger {
  Finger(double mass, double length, double torque, double step, const Vec3& along,
         double damping = 0)
      : world([&] {
          WorldSpec spec = world_spec(step);
          spec.sleep_time = kUnlimited;
          return spec;
        }()) {
    BodySpec palm;
    palm.name = "palm";
    palm.X_WB = Pose::translation({0, 0, 1});
    BodyId parent = world.add_body(palm);
    const Vec3 size = Vec3(0.008, 0.008, 0.008) + (length - 0.008) * along.cwiseAbs();
    for (int i = 0; i < 4; ++i) {
      BodySpec body = box("link", mass, size, palm.X_WB.p + (i + 0.5) * length * along);
      body.linear_damping = body.angular_damping = damping;
      const BodyId link = world.add_body(body);
      JointSpec spec;
      spec.name = "knuckle";
      spec.parent = parent;
      spec.child = link;
      if (i > 0) spec.anchor_P = 0.5 * length * along;
      spec.X_PC0 = Pose::translation((i == 0 ? 0.5 : 1.0) * length * along);
      spec.axes[0].axis_P = Vec3::UnitY();
      joints.push_back(world.add_joint(spec));
      if (torque > 0) world.add_motor(joints.back(), 0, {.max_effort = torque});
      links.push_back(link);
      parent = link;
    }
  }

  World world;
  std::vector<JointId> joints;
  std::vector<BodyId> links;
};

/// Mass of a link, kg; its length, m; the motors' torque, N m; basicTimeStep, s; stands out or hangs.
class LightFinger
    : public testing::TestWithParam<std::tuple<double, double, double, double, bool>> {};
INSTANTIATE_TEST_SUITE_P(links, LightFinger,
                         testing::Combine(testing::Values(0.0005, 0.001, 0.005),
                                          testing::Values(0.01, 0.02), testing::Values(0.1, 1.0),
                                          testing::Values(0.008, 0.016, 0.032), testing::Bool()));

TEST_P(LightFinger, HoldsStillWithTheTorqueOfItsWeight) {
  const auto [mass, length, torque, step, stands_out] = GetParam();
  Finger finger(mass, length, torque, step, stands_out ? Vec3::UnitX() : Vec3(-Vec3::UnitZ()));
  World& world = finger.world;
  while (world.time() < 0.8) {
    world.step();
    for (int i = 0; i < 4; ++i) {
      const JointId joint = finger.joints[i];
      ASSERT_LT(std::abs(world.joint_position(joint, 0)), 1e-6) << i;
      ASSERT_LT(std::abs(world.joint_velocity(joint, 0)), 1e-6) << i;
      // Those behind it, at half of their length.
      const double outer = 4 - i;
      const double weight = stands_out ? mass * kGravity * length * outer * outer / 2 : 0;
      ASSERT_NEAR(world.motor_effort(joint, 0), -weight, 1e-6 * mass) << i;
    }
  }
}

TEST_P(LightFinger, StretchesAsTheMotorsLawSays) {
  const auto [mass, length, torque, step, stands_out] = GetParam();
  Finger finger(mass, length, torque, step, stands_out ? Vec3::UnitX() : Vec3(-Vec3::UnitZ()));
  World& world = finger.world;
  for (const JointId joint : finger.joints) {
    world.set_joint_position(joint, 0, 0.1);
    world.set_motor_position(joint, 0, 0);
  }
  double error = 0.1;
  for (int n = 0; world.time() < 1.5; ++n) {
    world.step();
    error *= 1 - 10 * step;  // the P law
    for (const JointId joint : finger.joints) {
      ASSERT_NEAR(world.joint_position(joint, 0), error, 1e-5) << n;
    }
  }
  for (const JointId joint : finger.joints) EXPECT_LT(std::abs(world.joint_velocity(joint, 0)), 1e-4);
}

/// Damping takes (1 - damping) of all speeds in a second, and half of a swing's energy is motion: the
/// energy falls by (1 - damping) in a second.
TEST(Chain, ThatHangsFreelyComesToRestAsItsDampingSays) {
  constexpr double kLength = 0.02, kDamping = 0.5, kStart = 0.1;
  for (const double mass : {0.0005, 0.005}) {
    for (const double step : {0.008, 0.016, 0.032}) {
      Finger finger(mass, kLength, 0, step, -Vec3::UnitZ(), kDamping);
      World& world = finger.world;
      world.set_joint_position(finger.joints[0], 0, kStart);
      const auto energy = [&] {
        double sum = 0;
        for (std::size_t i = 0; i < finger.links.size(); ++i) {
          const RigidState link = world.rigid_state(finger.links[i]);
          const double hanging = 1 - (static_cast<double>(i) + 0.5) * kLength;
          sum += 0.5 * mass * link.v_W.squaredNorm() +
                 0.5 * link.w_W.dot(link.inverse_inertia_W.inverse() * link.w_W) +
                 mass * kGravity * (link.centre_W.z() - hanging);
        }
        return sum;
      };
      const double first = energy();
      EXPECT_NEAR(first, 8 * mass * kGravity * kLength * (1 - std::cos(kStart)), 1e-3 * first);
      for (int second = 1; second <= 6; ++second) {
        run(world, second - world.time());
        const double left = first * std::pow(1 - kDamping, world.time());
        EXPECT_NEAR(energy(), left, 0.1 * left) << mass << " kg, " << step << " s";
      }
      run(world, 16);
      for (const BodyId link : finger.links) EXPECT_LT(world.velocity(link).norm(), 1e-3);
      for (const JointId joint : finger.joints) {
        EXPECT_LT(std::abs(world.joint_position(joint, 0)), 1e-3);
      }
    }
  }
}

}  // namespace
}  // namespace protobeam::physics
