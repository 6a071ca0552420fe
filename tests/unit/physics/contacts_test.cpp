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

/// What slides and spins: friction of each corner is against the slip there, which makes it slide
/// further than if it did not spin. By small steps, equal loads.
struct Slab {
  double x = 0, v = 0, yaw = 0, rate = 0;
};
Slab after_rubbing(Slab slab, double side, double friction, double seconds) {
  constexpr double kStep = 1e-5;
  const double per_inertia = 6 / (side * side);
  for (double t = 0; t < seconds; t += kStep) {
    Vec3 force = Vec3::Zero();
    double torque = 0;
    for (int corner = 0; corner < 4; ++corner) {
      const double at = slab.yaw + kPi / 4 + corner * kPi / 2;
      const Vec3 r = side / std::sqrt(2.0) * Vec3(std::cos(at), std::sin(at), 0);
      const Vec3 slip = Vec3(slab.v, 0, 0) + slab.rate * Vec3(-r.y(), r.x(), 0);
      const Vec3 pull = -friction * kGravity / 4 * slip / std::max(slip.norm(), 1e-9);
      force += pull;
      torque += r.cross(pull).z();
    }
    slab.v += force.x() * kStep;
    slab.rate += torque * per_inertia * kStep;
    slab.x += slab.v * kStep;
    slab.yaw += slab.rate * kStep;
  }
  return slab;
}

TEST(Contact, RubsAgainstTheSlipOfEachCorner) {
  World world(world_spec(0.002));
  world.set_contact_rule(0, 0, rule(0.3));
  world.add_body(ground());
  BodySpec slab = box("slab", 1, {0.2, 0.2, 0.001}, {0, 0, 0.0005});
  slab.v_WB = {2, 0, 0};
  slab.w_WB = {0, 0, 20};
  const BodyId body = world.add_body(slab);
  run(world, 0.3);
  const Slab expected = after_rubbing({.v = 2, .rate = 20}, 0.2, 0.3, 0.3);
  EXPECT_NEAR(world.pose(body).p.x(), expected.x, 0.01 * expected.x);
  EXPECT_NEAR(world.velocity(body).x(), expected.v, 0.03 * expected.v);
  EXPECT_NEAR(world.angular_velocity(body).z(), expected.rate, 0.05 * expected.rate);
}

/// The contact is looked for where the shapes are, wherever the body has its origin.
TEST_F(Slope, CatchesABodyThatIsLongAndFarFromItsOrigin) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(2));
  BodySpec slope = ground();
  slope.X_WB.R = R_;
  world.add_body(slope);
  BodySpec bell = box("bell", 3, {1, 1, 1}, R_ * Vec3(0, 0, 1.5));
  bell.X_WB.R = R_;
  bell.mass.com = {20, 0, 0};
  const Vec3 at[] = {{20 - 4, 0, 0}, {20 + 4, 0.3, 0}, {20 + 4, -0.3, 0}};
  bell.shapes.clear();
  for (const Vec3& p : at) bell.shapes.push_back(shape(Sphere{0.2}, Pose::translation(p)));
  bell.mass.inertia = Vec3(0.3, 48, 48).asDiagonal();
  const BodyId body = world.add_body(bell);
  run(world, 3);
  for (const Vec3& p : at)
    EXPECT_NEAR((R_.conjugate() * (world.pose(body) * p)).z(), 0.2, 2e-3) << p.transpose();
}

/// What contacts exerted on a body in the last step, in N s.
Vec3 impulse_on(const World& world, BodyId body) {
  Vec3 sum = Vec3::Zero();
  for (const Contact& c : world.contacts()) {
    const double sign = c.body_a == body ? 1 : c.body_b == body ? -1 : 0;
    sum += sign * (c.impulse * c.normal_W + c.friction_W);
  }
  return sum;
}

TEST_F(Slope, BearsWeightWithNormalForceAndFriction) {
  World world(world_spec(0.016));
  const BodyId brick = make(world, 1);
  run(world, 1);
  EXPECT_LT((impulse_on(world, brick) - Vec3(0, 0, 3 * kGravity * 0.016)).norm(), 1e-3);
}

TEST_F(Slope, SlowsASlidingBoxByFrictionTimesNormalForce) {
  World world(world_spec(0.016));
  const double mu = 0.2;
  const BodyId brick = make(world, mu);
  run(world, 1);
  const double normal = 3 * kGravity * std::cos(angle_) * 0.016;
  const Vec3 expected = R_ * Vec3(-mu * normal, 0, normal);
  EXPECT_LT((impulse_on(world, brick) - expected).norm(), 0.02 * normal);
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

TEST(Contact, FollowsTheRuleOfItsTwoMaterials) {
  World world(world_spec(0.016));
  const int ice = world.material("ice"), rubber = world.material("rubber");
  EXPECT_EQ(world.material("ice"), ice);
  EXPECT_EQ(world.material("default"), 0);
  world.set_contact_rule(rubber, ice, rule(0.1));
  BodySpec floor = ground();
  floor.shapes[0].material = ice;
  world.add_body(floor);
  BodySpec puck = box("puck", 1, {0.3, 0.3, 0.1}, {0, 0, 0.05});
  puck.v_WB = {2, 0, 0};
  puck.shapes[0].material = rubber;
  const BodyId slow = world.add_body(puck);
  puck.X_WB.p.y() = 3;
  puck.shapes[0].material = 0;  // no rule: friction 1
  const BodyId fast = world.add_body(puck);
  run(world, 1);
  EXPECT_NEAR(world.velocity(slow).x(), 2 - 0.1 * kGravity * world.time(), 0.02);
  EXPECT_NEAR(world.velocity(fast).x(), 0, 1e-3);
  EXPECT_NEAR(world.pose(fast).p.x(), 4 / (2 * kGravity), 0.02);
}

TEST(Contact, SinksAsSoftErpAndSoftCfmSay) {
  World world(world_spec(0.016));
  ContactRule soft = rule(1);
  soft.soft_cfm = 0.01;
  soft.soft_erp = 0.3;
  world.set_contact_rule(0, 0, soft);
  world.add_body(ground());
  const BodyId b = world.add_body(ball("ball", 2, 0.1, {0, 0, 0.1}));
  run(world, 2);
  // ODE's law: depth = force * cfm * h / erp with the substep as h.
  EXPECT_NEAR(0.1 - world.pose(b).p.z(), 2 * kGravity * 0.01 * 0.002 / 0.3, 1e-6);
}

TEST(Contact, IsPassedOnBetweenRobotPartsOnlyIfTheyCollide) {
  for (const bool self_collision : {false, true}) {
    World world(world_spec(0.016, Vec3::Zero()));
    BodyId ids[3];
    for (int i = 0; i < 3; ++i) {
      BodySpec part = box("part", 1, {1, 1, 1}, {1.2 * i, 0, 0});
      part.robot = 4;
      part.self_collision = self_collision;
      ids[i] = world.add_body(part);
    }
    JointSpec rail;  // between the first two
    rail.name = "rail";
    rail.kind = JointKind::kSlider;
    rail.parent = ids[0];
    rail.child = ids[1];
    rail.X_PC0 = Pose::translation({1.2, 0, 0});
    world.add_joint(rail);
    world.set_velocity(ids[0], {1, 0, 0}, Vec3::Zero());
    world.set_velocity(ids[2], {-1, 0, 0}, Vec3::Zero());
    run(world, 0.7);
    EXPECT_LT(world.pose(ids[0]).p.x(), world.pose(ids[1]).p.x() + 0.9) << "passes its neighbour";
    EXPECT_EQ(world.velocity(ids[2]).x() > -0.99, self_collision);
  }
}

TEST(Contact, KeepsAStackOfBoxesForTenSeconds) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(0.6));
  world.add_body(ground());
  std::vector<BodyId> stack;
  for (int i = 0; i < 8; ++i)
    stack.push_back(world.add_body(box("box", 1, {0.2, 0.2, 0.2}, {0, 0, 0.1 + 0.2 * i})));
  run(world, 10);
  for (int i = 0; i < 8; ++i) {
    EXPECT_LT((world.pose(stack[i]).p - Vec3(0, 0, 0.1 + 0.2 * i)).norm(), 0.005) << i;
    EXPECT_TRUE(world.asleep(stack[i]));
  }
}

TEST(Contact, CarriesAHeavyBoxOnALightOne) {
  World world(world_spec(0.016));
  ContactRule hard = rule(0.6);
  hard.soft_cfm = 1e-5;
  world.set_contact_rule(0, 0, hard);
  world.add_body(ground());
  const BodyId light = world.add_body(box("light", 1, {0.4, 0.4, 0.4}, {0, 0, 0.2}));
  const BodyId heavy = world.add_body(box("heavy", 100, {0.4, 0.4, 0.4}, {0, 0, 0.6}));
  run(world, 5);
  EXPECT_NEAR(world.pose(light).p.z(), 0.2, 0.002);
  EXPECT_NEAR(world.pose(heavy).p.z(), 0.6, 0.004);
}

TEST(Contact, RollsAWheelWithoutSlip) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(0.9));
  world.add_body(ground());
  BodySpec wheel;
  wheel.name = "wheel";
  wheel.motion = Motion::kDynamic;
  wheel.X_WB = {axis_angle(Vec3::UnitX(), -kPi / 2), {0, 0, 0.3}};  // its axis along y
  wheel.mass = cylinder_mass(4, 0.3, 0.2);
  wheel.shapes = {shape(Cylinder{0.3, 0.2})};
  wheel.v_WB = {3, 0, 0};
  wheel.w_WB = {0, 10, 0};
  const BodyId w = world.add_body(wheel);
  run(world, 5);
  EXPECT_NEAR(world.pose(w).p.x(), 3 * world.time(), 0.02);
  EXPECT_NEAR(world.pose(w).p.y(), 0, 0.02);
  EXPECT_NEAR(world.pose(w).p.z(), 0.3, 0.001);
  EXPECT_NEAR(world.velocity(w).x(), 3, 0.01);
  EXPECT_NEAR(world.angular_velocity(w).y(), 10, 0.05);
}

TEST(Contact, StopsABallByRollingFriction) {
  World world(world_spec(0.016));
  ContactRule r = rule(1);
  r.rolling_friction = 0.01;
  world.set_contact_rule(0, 0, r);
  world.add_body(ground());
  BodySpec spec = ball("ball", 1, 0.1, {0, 0, 0.1});
  spec.v_WB = {1, 0, 0};
  spec.w_WB = {0, 10, 0};
  const BodyId b = world.add_body(spec);
  run(world, 0.8);
  // Torque rho m g about the contact, inertia 7/5 m r^2 about it.
  const double a = 0.01 * kGravity / (1.4 * 0.1);
  EXPECT_NEAR(world.velocity(b).x(), 1 - a * world.time(), 0.02);
}

TEST(Contact, StopsATopBySpinningFriction) {
  World world(world_spec(0.016));
  ContactRule r = rule(1);
  r.spinning_friction = 0.004;
  world.set_contact_rule(0, 0, r);
  world.add_body(ground());
  BodySpec spec = ball("top", 1, 0.1, {0, 0, 0.1});
  spec.w_WB = {0, 0, 20};
  const BodyId b = world.add_body(spec);
  run(world, 1);
  EXPECT_NEAR(world.angular_velocity(b).z(), 20 - 0.004 * kGravity / (0.4 * 0.01) * world.time(),
              0.1);
}

TEST(Contact, OfAMovingMeshIsThatOfItsShape) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(0.8));
  world.add_body(ground());
  // A tetrahedron, and an L of two boxes' outlines: convex, and not.
  Mesh tetra;
  tetra.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  tetra.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  Mesh angle;
  for (const double y : {-0.5, 0.5})
    for (const auto& [x, z] : {std::pair(0., 0.), {1., 0.}, {1., .2}, {.2, .2}, {.2, 1.}, {0., 1.}})
      angle.vertices.push_back({x, y, z});
  angle.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4},  {0, 4, 5},
                     {6, 8, 7}, {6, 9, 8}, {6, 10, 9}, {6, 11, 10}};
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t j = (i + 1) % 6;
    angle.triangles.push_back({i, i + 6, j});
    angle.triangles.push_back({j, i + 6, j + 6});
  }
  BodySpec spec = box("tetra", 1, {1, 1, 1}, {0, 0, 0.05});
  spec.mass.com = {0.25, 0.25, 0.25};
  spec.shapes = {shape(tetra)};
  const BodyId t = world.add_body(spec);
  spec = box("angle", 1, {1, 1, 1}, {5, 0, 0.05});
  spec.mass.com = {0.4, 0, 0.3};
  spec.shapes = {shape(angle)};
  const BodyId a = world.add_body(spec);
  const BodyId in_the_notch = world.add_body(ball("ball", 0.1, 0.15, {5.5, 0, 0.45}));
  run(world, 3);
  EXPECT_NEAR(world.pose(t).p.z(), 0, 0.003);
  EXPECT_NEAR(world.pose(a).p.z(), 0, 0.003);
  EXPECT_NEAR(world.pose(in_the_notch).p.z(), 0.35, 0.005);
}

/// A puck on flat ground of many triangles: no edge within it stops, turns or lifts it.
void slide(const Geometry& terrain) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(0.1));
  BodySpec floor;
  floor.name = "terrain";
  floor.shapes = {shape(terrain)};
  world.add_body(floor);
  BodySpec puck = box("puck", 1, {0.3, 0.3, 0.1}, {0, 0, 0.05});
  puck.v_WB = {2, 0.3, 0};
  const BodyId p = world.add_body(puck);
  run(world, 1);
  EXPECT_NEAR(world.velocity(p).norm(), Vec3(2, 0.3, 0).norm() - 0.1 * kGravity * world.time(),
              0.03);
  EXPECT_NEAR(world.pose(p).p.z(), 0.05, 0.002);
}

TEST(Contact, OfAStaticMeshLetsABoxSlideOverItsInnerEdges) {
  Mesh terrain;
  const int n = 30;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) terrain.vertices.push_back({0.2 * i - 1, 0.2 * j - 3, 0});
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = j * (n + 1) + i, b = a + n + 1;
      terrain.triangles.push_back({a, a + 1, b + 1});
      terrain.triangles.push_back({a, b + 1, b});
    }
  slide(terrain);
}

HeightField wavy(double height) {
  HeightField field;
  field.columns = 31;
  field.rows = 41;
  field.origin = {-1, -3};
  field.spacing = {0.2, 0.2};
  for (int j = 0; j < field.rows; ++j)
    for (int i = 0; i < field.columns; ++i)
      field.heights.push_back(height * (std::sin(0.9 * i) + std::cos(1.1 * j)));
  return field;
}

TEST(Contact, OfAHeightFieldLetsABoxSlideOverItsInnerEdges) { slide(wavy(0)); }

/// Where a ball is that slides down into a hilly valley: without friction, whose impulses depend on the
/// order in which contacts with two triangles are solved.
Vec3 after_sliding(const Geometry& terrain, double time) {
  World world(world_spec(0.004));
  world.set_contact_rule(0, 0, rule(0));
  BodySpec ground;
  ground.name = "terrain";
  ground.shapes = {shape(terrain, Pose{axis_angle(Vec3::UnitX(), 0.1), {0.1, 0.2, 0.3}})};
  world.add_body(ground);
  BodySpec sliding = ball("ball", 1, 0.15, {1.05, 0.6, 0.75});
  const BodyId b = world.add_body(sliding);
  run(world, time);
  return world.pose(b).p;
}

TEST(Contact, OfAHeightFieldIsThatOfItsTriangles) {
  const HeightField field = wavy(0.05);
  for (const double time : {0.3, 0.6, 1.0}) {
    const Vec3 p = after_sliding(field, time), q = after_sliding(triangulated(field), time);
    EXPECT_GT(p.z(), 0.1);
    EXPECT_LT((p - q).norm(), 2e-3) << time << " s: " << p.transpose() << " and " << q.transpose();
  }
}

// A wheel of 200 kg falls on a chip of 2 g and jumps off again: the ground, which has pushed the
// chip by 250 kN, does not any more.
class FallingWheel : public testing::TestWithParam<double> {};

TEST_P(FallingWheel, DoesNotThrowWhatItNoLongerPresses) {
  World world(world_spec(0.002));
  world.add_body(ground());
  const BodyId chip = world.add_body(box("chip", 0.002, {0.05, 0.05, 0.02}, {0.13, 0.03, 0.01}));
  BodySpec trunk = box("trunk", 40, {0.1, 0.1, 0.1}, {0, 0, 0.05});
  trunk.shapes.clear();
  const Quat lies = axis_angle(Vec3::UnitX(), kPi / 2);
  const Vec3 p_T(0.14, 0.036, 0.036);
  BodySpec wheel = trunk;
  wheel.name = "wheel";
  wheel.X_WB.p += p_T;
  wheel.mass = cylinder_mass(200, 0.036, 0.008);
  wheel.mass.inertia = lies * wheel.mass.inertia * lies.conjugate();
  wheel.shapes = {shape(Cylinder{0.036, 0.008}, {lies, Vec3::Zero()})};
  JointSpec axle;
  axle.name = "axle";
  axle.parent = world.add_body(trunk);
  axle.child = world.add_body(wheel);
  axle.X_PC0 = Pose::translation(p_T);
  axle.axes[0].axis_P = Vec3::UnitX();
  world.add_joint(axle);
  for (const BodyId body : {axle.parent, axle.child})
    world.set_velocity(body, {0, 0, -GetParam()}, Vec3::Zero());
  double fastest = 0;
  for (int i = 0; i < 100; ++i) {
    world.step();
    fastest = std::max(fastest, world.velocity(chip).norm());
  }
  EXPECT_LT(fastest, 6);
}

INSTANTIATE_TEST_SUITE_P(speeds, FallingWheel, testing::Values(2, 2.2, 2.4, 2.6, 2.8));

TEST(World, CastsRaysAtHeightFields) {
  const HeightField field = wavy(0.3);
  World field_world(world_spec(0.016)), mesh_world(world_spec(0.016));
  const Pose X_BS{axis_angle(Vec3(1, 2, 3).normalized(), 0.7), {1, 2, 3}};
  BodySpec terrain;
  terrain.name = "terrain";
  terrain.shapes = {shape(field, X_BS)};
  field_world.add_body(terrain);
  terrain.shapes = {shape(triangulated(field), X_BS)};
  mesh_world.add_body(terrain);
  int hits = 0;
  for (int i = 0; i < 400; ++i) {
    const Vec3 from = X_BS * Vec3(-2 + 0.019 * i, -2, 3 - 0.007 * i), to = X_BS * Vec3(1.5, 2.1, 0);
    const Vec3 direction = (to - from).normalized();
    const auto a = field_world.cast_ray(from, direction, 20), b = mesh_world.cast_ray(from, direction, 20);
    ASSERT_EQ(a.has_value(), b.has_value()) << i;
    if (!a) continue;
    ++hits;
    EXPECT_NEAR(a->distance, b->distance, 1e-9) << i;
    EXPECT_LT((a->normal_W - b->normal_W).norm(), 1e-6) << i;
  }
  EXPECT_GT(hits, 300);
}

}  // namespace
}  // namespace protobeam::physics
