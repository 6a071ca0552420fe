// Whole worlds: machines on wheels, piles, and the same bits twice.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

/// A cart with four driven wheels on hinges with suspension.
struct Cart {
  BodyId body;
  std::vector<JointId> axles;
};
Cart add_cart(World& world, const Vec3& p_W, double radius) {
  Cart cart;
  BodySpec body = box("cart", 20, {0.8, 0.4, 0.2}, p_W + Vec3(0, 0, radius + 0.05));
  body.robot = 0;
  cart.body = world.add_body(body);
  for (const double x : {-0.3, 0.3})
    for (const double y : {-0.3, 0.3}) {
      BodySpec wheel;
      wheel.name = "wheel";
      wheel.motion = Motion::kDynamic;
      wheel.robot = 0;
      wheel.X_WB = {axis_angle(Vec3::UnitX(), -kPi / 2), p_W + Vec3(x, y, radius)};
      wheel.mass = cylinder_mass(1, radius, 0.08);
      wheel.shapes = {shape(Cylinder{radius, 0.08})};
      JointSpec axle;
      axle.name = "axle";
      axle.parent = cart.body;
      axle.child = world.add_body(wheel);
      axle.anchor_P = {x, y, -0.05};
      axle.X_PC0 = body.X_WB.inverse() * wheel.X_WB;
      axle.axes[0].axis_P = Vec3::UnitY();
      axle.suspension_spring = 20000;
      axle.suspension_damping = 600;
      axle.suspension_axis_P = Vec3::UnitZ();
      const JointId joint = world.add_joint(axle);
      world.add_motor(joint, 0, {.max_velocity = 30, .max_effort = 10});
      world.set_motor_position(joint, 0, kUnlimited);
      world.set_motor_velocity(joint, 0, 0);
      cart.axles.push_back(joint);
    }
  return cart;
}

TEST(Cart, DrivesWithItsWheelsSpeedTimesRadius) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(1));
  world.add_body(ground());
  const double radius = 0.15;
  const Cart cart = add_cart(world, Vec3::Zero(), radius);
  for (const JointId axle : cart.axles) world.set_motor_velocity(axle, 0, 10);
  run(world, 2);
  const double x = world.pose(cart.body).p.x(), t = world.time();
  EXPECT_NEAR(world.velocity(cart.body).x(), 10 * radius, 0.005 * 10 * radius);
  run(world, 4);
  EXPECT_NEAR((world.pose(cart.body).p.x() - x) / (world.time() - t), 10 * radius,
              0.003 * 10 * radius);
  EXPECT_NEAR(world.pose(cart.body).p.y(), 0, 0.02);
  EXPECT_NEAR(world.velocity(cart.body).z(), 0, 0.01);
}

TEST(Cart, TurnsOnTheSpot) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(1));
  world.add_body(ground());
  const Cart cart = add_cart(world, Vec3::Zero(), 0.15);
  for (int i = 0; i < 4; ++i) world.set_motor_velocity(cart.axles[i], 0, i % 2 == 0 ? 4 : -4);
  run(world, 4);
  EXPECT_LT(world.pose(cart.body).p.head<2>().norm(), 0.15);
  EXPECT_GT(world.angular_velocity(cart.body).z(), 0.3);
}

/// Boxes, balls, cylinders and capsules that fall onto each other.
std::vector<BodyId> add_pile(World& world, int count) {
  std::vector<BodyId> pile;
  for (int i = 0; i < count; ++i) {
    const Vec3 p(0.25 * (i % 5) - 0.5 + 0.01 * (i % 7), 0.25 * (i / 5 % 5) - 0.5 - 0.01 * (i % 3),
                 0.3 + 0.25 * (i / 25));
    BodySpec spec = box("piece " + std::to_string(i), 1, {0.2, 0.15, 0.1}, p);
    if (i % 4 == 1) spec.shapes = {shape(Sphere{0.1})};
    if (i % 4 == 2) spec.shapes = {shape(Cylinder{0.08, 0.15})};
    if (i % 4 == 3) spec.shapes = {shape(Capsule{0.06, 0.1})};
    spec.X_WB.R = axis_angle({1, 2, 3}, 0.37 * i);
    pile.push_back(world.add_body(spec));
  }
  return pile;
}

TEST(Pile, OfTwoHundredBodiesGainsNoEnergyAndStaysAboveTheGround) {
  World world(world_spec(0.032));
  world.set_contact_rule(0, 0, rule(0.5, 0.2));
  world.add_body(ground());
  const auto pile = add_pile(world, 200);
  run(world, 0.7);
  EXPECT_EQ(world.first_broken_body(), kWorldBody);
  double fastest = 0;
  for (const BodyId b : pile) {
    EXPECT_GT(world.pose(b).p.z(), 0.02);
    fastest = std::max(fastest, world.velocity(b).norm());
  }
  EXPECT_LT(fastest, std::sqrt(2 * kGravity * 2.5)) << "no more energy than they fell with";
}

TEST(World, GivesTheSameBitsForTheSameCalls) {
  const auto state = [] {
    World world(world_spec(0.004));
    world.set_contact_rule(0, 0, rule(0.7, 0.3));
    world.add_body(ground());
    const Cart cart = add_cart(world, {-3, 0, 0}, 0.15);
    add_pile(world, 20);
    std::vector<double> numbers;
    for (int step = 0; step < 500; ++step) {
      for (int i = 0; i < 4; ++i)
        world.set_motor_velocity(cart.axles[i], 0, 6 + i % 2 + (step > 200 ? 5 : 0));
      world.step();
    }
    for (BodyId b = 0; b < world.body_count(); ++b) {
      const Pose X = world.pose(b);
      numbers.insert(numbers.end(), X.p.data(), X.p.data() + 3);
      numbers.insert(numbers.end(), X.R.coeffs().data(), X.R.coeffs().data() + 4);
    }
    for (const Contact& c : world.contacts()) {
      numbers.push_back(c.impulse);
      numbers.insert(numbers.end(), c.point_W.data(), c.point_W.data() + 3);
    }
    return numbers;
  };
  const std::vector<double> first = state();
  // Other memory, other addresses.
  const std::vector<char> ballast(1 << 20, 1);
  World other(world_spec(0.01));
  add_pile(other, 13);
  other.step();
  const std::vector<double> second = state();
  ASSERT_EQ(first.size(), second.size());
  EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(double)), 0);
}

TEST(World, RefusesATimeStepThatIsNone) {
  EXPECT_THROW(World(world_spec(0)), std::invalid_argument);
  EXPECT_THROW(World(world_spec(kUnlimited)), std::invalid_argument);
}

}  // namespace
}  // namespace protobeam::physics
