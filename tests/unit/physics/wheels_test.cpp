#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

/// A trunk that turns wheels on the ground. x is ahead.
class Wheels : public testing::Test {
 protected:
  void stand(const BodySpec& trunk, double friction, double friction_of_skid = 0) {
    world_.set_contact_rule(0, 0, rule(friction));
    world_.set_contact_rule(0, skid_, rule(friction_of_skid));
    world_.add_body(ground());
    X_WT_ = trunk.X_WB;
    trunk_ = world_.add_body(trunk);
  }

  JointId add_wheel(double mass, double radius, double width, const Vec3& p_T) {
    BodySpec wheel;
    wheel.name = "wheel";
    wheel.motion = Motion::kDynamic;
    wheel.X_WB = X_WT_ * Pose::translation(p_T);
    const Quat lies(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()));
    wheel.mass = cylinder_mass(mass, radius, width);
    wheel.mass.inertia = lies * wheel.mass.inertia * lies.conjugate();
    wheel.shapes = {shape(Cylinder{radius, width}, {lies, Vec3::Zero()})};
    JointSpec axle;
    axle.name = "axle";
    axle.parent = trunk_;
    axle.child = world_.add_body(wheel);
    axle.anchor_P = p_T;
    axle.X_PC0 = Pose::translation(p_T);
    axle.axes[0].axis_P = Vec3::UnitY();
    const JointId joint = world_.add_joint(axle);
    world_.add_motor(joint, 0, {.max_velocity = 100, .max_effort = 20});
    world_.set_motor_position(joint, 0, kUnlimited);
    world_.set_motor_velocity(joint, 0, 0);
    return joint;
  }

  World world_{world_spec(0.005)};
  int skid_ = world_.material("skid");
  Pose X_WT_;
  BodyId trunk_ = 0;
};

/// Mass of a wheel, kg.
class LightWheels : public Wheels, public testing::WithParamInterface<double> {};

// Half of 3 kg rubs on a skid behind the wheels: 7.4 N, which the wheels have to pull.
TEST_P(LightWheels, PullASkidAsFastAsTheyTurnAndStraightAhead) {
  constexpr double kRadius = 0.033, kTurns = 6;  // m, rad/s
  BodySpec trunk = box("trunk", 3, {0.2, 0.1, 0.05}, {0, 0, kRadius});
  trunk.mass.com = {-0.04, 0, 0.03};
  trunk.shapes = {shape(Sphere{0.0165}, Pose::translation({-0.08, 0, -0.0165}), skid_)};
  stand(trunk, 1, 0.5);
  const JointId left = add_wheel(GetParam(), kRadius, 0.02, {0, 0.1, 0});
  const JointId right = add_wheel(GetParam(), kRadius, 0.02, {0, -0.1, 0});
  run(world_, 0.5);
  world_.set_motor_velocity(left, 0, kTurns);
  world_.set_motor_velocity(right, 0, kTurns);
  run(world_, 0.5);
  const Vec3 from_W = world_.pose(trunk_).p;
  const double turned = world_.joint_position(left, 0);
  run(world_, 2);
  const Vec3 way_W = world_.pose(trunk_).p - from_W;
  EXPECT_NEAR(world_.joint_position(left, 0) - turned, 2 * kTurns, 1e-4);
  EXPECT_NEAR(way_W.x(), 2 * kTurns * kRadius, 1e-4);
  EXPECT_NEAR(way_W.y(), 0, 1e-4);
  EXPECT_NEAR(world_.angular_velocity(trunk_).norm(), 0, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(masses, LightWheels, testing::Values(0.3, 0.1, 0.03, 0.01, 0.003));

// The two points at which a wheel of 12 mm touches stand for the line between them. If one of them
// stuck, the wheels would drive as ones 8 % further apart.
TEST_F(Wheels, RollInTheMiddleOfTheirWidthWhenTheVehicleTurns) {
  constexpr double kRadius = 0.0335, kTurns = 3, kTrack = 0.14;
  BodySpec trunk = box("trunk", 1, {0.1, 0.1, 0.05}, {0, 0, kRadius});
  trunk.shapes = {shape(Sphere{0.01}, Pose::translation({-0.05, 0, 0.01 - kRadius}), skid_),
                  shape(Sphere{0.01}, Pose::translation({0.05, 0, 0.01 - kRadius}), skid_)};
  stand(trunk, 1);
  for (const double side : {1., -1.}) {
    const JointId axle = add_wheel(0.03, kRadius, 0.012, {0, side * kTrack / 2, 0});
    world_.set_motor_velocity(axle, 0, -side * kTurns);
  }
  run(world_, 1);
  const double rate = 2 * kTurns * kRadius / kTrack;
  EXPECT_NEAR(world_.angular_velocity(trunk_).z(), rate, 0.01 * rate);
}

// Its faces push a trunk and a wheel both ways, close to each other: the solution of that is true
// and of no use: 810 m/s.
TEST(ThinPlate, DoesNotShootARobotAwayThatItSticksIn) {
  World world(world_spec(0.008));
  const int soft = world.material("soft"), hard = world.material("hard");
  for (const auto& [material, cfm] : {std::pair(soft, 1.), std::pair(hard, 1e-9)}) {
    ContactRule contact = rule(1, 0.5);
    contact.soft_cfm = cfm;
    world.set_contact_rule(0, material, contact);
  }
  BodySpec plate;
  plate.name = "plate";
  plate.X_WB.R = axis_angle(Vec3::UnitY(), -0.42);
  plate.shapes = {shape(Box{{1, 20, 0.02}})};
  world.add_body(plate);
  BodySpec trunk = box("trunk", 1, {1, 0.3, 0.09}, Vec3::Zero());
  trunk.robot = 0;
  trunk.shapes[0].material = hard;
  const BodyId carrier = world.add_body(trunk);
  std::vector<BodyId> bodies = {carrier};
  for (const bool front : {true, false}) {
    const Vec3 p = front ? Vec3(0.6, 1, 0) : Vec3::Zero();
    const double height = front ? 2 : 0.006, mass = front ? 1 : 1000 * kPi * height;
    BodySpec wheel = box("wheel", 1, {2, 2, height}, p);
    const Quat lies = axis_angle(Vec3::UnitX(), kPi / 2);
    wheel.mass = cylinder_mass(mass, 1, height);
    wheel.mass.inertia = lies * wheel.mass.inertia * lies.conjugate();
    wheel.shapes = {shape(Cylinder{1, height}, {lies, Vec3::Zero()}, front ? soft : 0)};
    wheel.robot = 0;
    JointSpec axle;
    axle.name = "axle";
    axle.parent = carrier;
    axle.child = world.add_body(wheel);
    axle.anchor_P = p;
    axle.X_PC0 = Pose::translation(p);
    axle.axes[0].axis_P = front ? Vec3::UnitY() : Vec3::UnitX();
    world.add_joint(axle);
    bodies.push_back(axle.child);
  }
  double fastest = 0;
  for (int i = 0; i < 60; ++i) {
    world.step();
    for (const BodyId body : bodies) fastest = std::max(fastest, world.velocity(body).norm());
  }
  EXPECT_LT(fastest, 300);
}

/// The rate at which a vehicle turns on the spot whose wheels run by `speed`, m/s, ahead on the
/// right and back on the left: friction that acts against the slip at each point then turns it
/// neither way. By bisection.
double rate_on_the_spot(const std::vector<Vec3>& points, double speed) {
  const auto torque = [&](double rate) {
    double sum = 0;
    for (const Vec3& p : points) {
      const Vec3 slip(-rate * p.y() - (p.y() < 0 ? speed : -speed), rate * p.x(), 0);
      sum -= p.cross(slip.normalized()).z();
    }
    return sum;
  };
  double low = 0, high = speed / 0.1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (torque(middle) > 0 ? low : high) = middle;
  }
  return low;
}

/// Where the axles are, m.
class SkidSteering : public Wheels, public testing::WithParamInterface<std::vector<double>> {};

TEST_P(SkidSteering, TurnsAtTheRateAtWhichFrictionIsInBalance) {
  constexpr double kRadius = 0.15, kWidth = 0.1, kTurns = 3, kHalfTrack = 0.26;
  stand(box("trunk", 32, {0.7, 0.4, 0.2}, {0, 0, kRadius}), 0.7);
  std::vector<Vec3> points;
  for (const double x : GetParam()) {
    for (const double y : {kHalfTrack, -kHalfTrack}) {
      const JointId axle = add_wheel(2, kRadius, kWidth, {x, y, 0});
      world_.set_motor_velocity(axle, 0, y < 0 ? kTurns : -kTurns);
      for (const double edge : {kWidth / 2, -kWidth / 2}) points.emplace_back(x, y + edge, 0);
    }
  }
  run(world_, 1.5);
  const double from = world_.time();
  double turned = 0;
  while (world_.time() < from + 2) {
    world_.step();
    turned += world_.angular_velocity(trunk_).z() * 0.005;
  }
  const double rate = turned / 2, expected = rate_on_the_spot(points, kTurns * kRadius);
  EXPECT_NEAR(rate, expected, 0.001 * expected);
  EXPECT_LT(world_.pose(trunk_).p.head<2>().norm(), 0.01);
}

INSTANTIATE_TEST_SUITE_P(axles, SkidSteering,
                         testing::Values(std::vector{0.15, -0.15}, std::vector{0.25, -0.25},
                                         std::vector{0.35, -0.35}, std::vector{0.35, 0., -0.35},
                                         std::vector{0.7, 0.35, 0., -0.35, -0.7}));

}  // namespace
}  // namespace protobeam::physics
