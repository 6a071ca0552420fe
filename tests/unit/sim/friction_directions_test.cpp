// Several values of coulombFriction, as worlds say them: they act along their axes, each by itself.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/libm.h"
#include "base/math.h"
#include "tests/unit/sim/world_text.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

struct Slide {
  std::string friction;  ///< fields of the ContactProperties
  Vec3 velocity;         ///< m/s, at first
  std::string ground = "Box { size 20 20 1 }";
  double tilt = 0;  ///< rad, of the whole about x: y is uphill
  std::string shape = "Box { size 0.6 0.6 0.1 }";
  std::string turned = "0 0 1 0";  ///< of the shape
  bool slider_first = true;        ///< material1 is that of what slides
  bool one_material = false;       ///< of both
  double height = 0.05;            ///< m, of the middle
};

/// m/s^2 along x and y of the ground, while it slides.
Vec2 acceleration(const Slide& slide) {
  const Quat R = axis_angle(Vec3::UnitX(), slide.tilt);
  const auto numbers = [](const Vec3& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); };
  const double top = slide.ground.starts_with("Box") ? -0.5 : 0;
  const char* const ground = slide.one_material ? "slider" : "ground";
  WorldText text;
  Simulation& simulation = text.load(
      fmt::format(
          "Pose {{ rotation 1 0 0 {} children [\n"
          "Solid {{ translation 0 0 {} contactMaterial \"{}\" boundingObject {} }}\n"
          "Solid {{ translation 0 0 {} rotation {} contactMaterial \"slider\" boundingObject {} "
          "physics Physics {{ density 20 }} linearVelocity {} }} ] }}",
          slide.tilt, top, ground, slide.ground, slide.height, slide.turned, slide.shape,
          numbers(R * slide.velocity)),
      fmt::format("gravity {} contactProperties [ ContactProperties {{ material1 \"{}\" material2 "
                  "\"{}\" bounce 0 {} }} ]",
                  kGravity, slide.slider_first ? "slider" : ground,
                  slide.slider_first ? ground : "slider", slide.friction),
      {}, 8);
  const physics::World& world = *simulation.model().physics;
  const physics::BodyId body = simulation.model().solids.at(1).body;
  const auto run = [&](int steps) {
    for (int i = 0; i < steps; ++i) simulation.step();
    return Vec3(R.conjugate() * world.velocity(body));
  };
  const Vec3 before = run(8), after = run(16);
  EXPECT_NEAR(after.z(), 0, 1e-3);
  return (after - before).head<2>() / (16 * 0.008);
}

constexpr double kTolerance = 0.01;  // m/s^2

void expect_braking(const Slide& slide, double along, double across) {
  const Vec2 a = acceleration(slide);
  EXPECT_NEAR(a.x(), -along * kGravity, kTolerance) << slide.friction;
  EXPECT_NEAR(a.y(), -across * kGravity, kTolerance) << slide.friction;
}

TEST(FrictionDirections, TwoValuesAreAlongAndAcrossForBothBodies) {
  const std::string friction = "coulombFriction [ 0.05 0.15 ]";
  expect_braking({friction, {2, 0, 0}}, 2 * 0.05, 0);
  expect_braking({friction, {0, 2, 0}}, 0, 2 * 0.15);
}

TEST(FrictionDirections, EachAxisBrakesByItself) {
  // A pyramid, as ODE's, and no cone.
  expect_braking({"coulombFriction [ 0.05 0.15 ]", {2, 2, 0}}, 2 * 0.05, 2 * 0.15);
}

TEST(FrictionDirections, ThirdAndFourthValueAreOfTheSecondMaterial) {
  const std::string friction = "coulombFriction [ 0.02 0.06 0.1 0.2 ]";
  expect_braking({friction, {2, 2, 0}}, 0.02 + 0.1, 0.06 + 0.2);
  // What slides is turned by 90 degrees; the directions are those of material1.
  Slide turned{friction, {2, 2, 0}};
  turned.turned = fmt::format("0 0 1 {}", kPi / 2);
  expect_braking(turned, 0.06 + 0.1, 0.02 + 0.2);
  turned.slider_first = false;
  expect_braking(turned, 0.02 + 0.2, 0.06 + 0.1);
}

TEST(FrictionDirections, AreTurnedByFrictionRotation) {
  const std::string quarter = fmt::format("{}", kPi / 2);
  expect_braking(
      {"coulombFriction [ 0.05 0.15 ] frictionRotation " + quarter + " " + quarter, {2, 2, 0}},
      2 * 0.15, 2 * 0.05);
  expect_braking({"coulombFriction [ 0.05 0.15 ] frictionRotation " + quarter + " 0", {2, 2, 0}},
                 0.2, 0.2);
}

TEST(FrictionDirections, AreTurnedClockwiseAsSeenFromAbove) {
  constexpr double kTurn = 0.3;
  const double c = libm::cos(kTurn), s = libm::sin(kTurn);
  // Slides along (1, 0): both directions, (c, -s) and (s, c), hold it back.
  for (const bool slider_first : {true, false}) {
    Slide slide{fmt::format("coulombFriction [ 0.05 0.15 0 0 ] frictionRotation {} 0", kTurn),
                {2, 0, 0}};
    slide.slider_first = slider_first;
    expect_braking(slide, 0.05 * c + 0.15 * s, -0.05 * s + 0.15 * c);
  }
}

TEST(FrictionDirections, OneOfTwoSlipsCountsByItselfAsOfMecanumWheels) {
  // Frictionless along (c, -s), 0.15 along (s, c), where it slides to; the ground's are at 45
  // degrees to them, and of them no slip is added.
  constexpr double kTurn = kPi / 4;
  const double part = 0.15 * libm::sin(kTurn);
  const auto turned = fmt::format(" frictionRotation {} 0", kTurn);
  expect_braking({"coulombFriction [ 0 0.15 0 ] forceDependentSlip [ 10 0 ]" + turned, {2, 2, 0}},
                 part, part);
  expect_braking({"coulombFriction [ 0.15 0 0 ] forceDependentSlip [ 0 10 ]" + turned, {2, -2, 0}},
                 part, -part);
}

TEST(FrictionDirections, OfTwoEqualMaterialsTheFirstIsThatOfTheGround) {
  Slide slide{"coulombFriction [ 0.02 0.06 0.1 0.2 ]", {2, 2, 0}};
  slide.turned = fmt::format("0 0 1 {}", kPi / 2);
  slide.one_material = true;
  expect_braking(slide, 0.02 + 0.2, 0.06 + 0.1);
}

TEST(FrictionDirections, OfACylinderGoAlongItsAxis) {
  // It lies along y; the ground's first direction is x.
  Slide lying{"coulombFriction [ 0.05 0.15 0.02 0.3 ]", {0, 2, 0}};
  lying.shape = "Cylinder { radius 0.2 height 0.8 }";
  lying.turned = fmt::format("1 0 0 {}", kPi / 2);
  lying.ground = "Plane { size 20 20 }";
  lying.height = 0.2;
  expect_braking(lying, 0, 0.05 + 0.3);
}

TEST(FrictionDirections, OfAHillHoldAcrossAndLetSlideAlong) {
  constexpr double kTilt = 0.35;
  const double weight = kGravity * libm::cos(kTilt), downhill = kGravity * libm::sin(kTilt);
  const auto on_hill = [&](const std::string& friction, const Vec3& velocity) {
    Slide slide{friction, velocity};
    slide.ground = "Plane { size 20 20 }";
    slide.tilt = kTilt;
    return acceleration(slide);
  };
  // y is across: 0.2 of the weight hold, less than the slope pulls, and 0.8, more than it does.
  const Vec2 slides = on_hill("coulombFriction [ 0.4 0.1 ]", {0, -1, 0});
  EXPECT_NEAR(slides.x(), 0, kTolerance);
  EXPECT_NEAR(slides.y(), 0.2 * weight - downhill, kTolerance);
  const Vec2 holds = on_hill("coulombFriction [ 0.1 0.4 ]", {2, 0, 0});
  EXPECT_NEAR(holds.x(), -0.2 * weight, kTolerance);
  EXPECT_NEAR(holds.y(), 0, kTolerance);
  const Vec2 unlimited = on_hill("coulombFriction [ 0.1 -1 ]", {2, 0, 0});
  EXPECT_NEAR(unlimited.x(), -0.2 * weight, kTolerance);
  EXPECT_NEAR(unlimited.y(), 0, kTolerance);
}

/// rad/s^2 against the spin of a ball about z, 0.1 m and 1 kg, that turns on the spot.
double spin_braking(const std::string& friction) {
  WorldText text;
  Simulation& simulation = text.load(
      "Solid { boundingObject Plane { } }\n"
      "Solid { translation 0 0 0.1 boundingObject Sphere { radius 0.1 } physics Physics { density "
      "-1 "
      "mass 1 } angularVelocity 0 0 10 }",
      fmt::format("gravity {} contactProperties [ ContactProperties {{ bounce 0 {} }} ]", kGravity,
                  friction),
      {}, 8);
  const auto speed = [&](int steps) {
    for (int i = 0; i < steps; ++i) simulation.step();
    return simulation.model().physics->angular_velocity(simulation.model().solids.at(1).body).z();
  };
  const double before = speed(8);
  return (before - speed(25)) / 0.2;
}

// As in ODE (src/ode/ode/src/joints/contact.cpp): the torque is rho N, 2/5 m r^2 resists.
TEST(RollingFriction, OfOneValueActsAgainstSpinningToo) {
  const double braking = 0.001 * kGravity / (0.4 * 0.1 * 0.1);
  EXPECT_NEAR(spin_braking(""), 0, 0.01);
  EXPECT_NEAR(spin_braking("rollingFriction 0 0 0.001"), braking, 0.05);
  EXPECT_NEAR(spin_braking("rollingFriction 0.001 0 0"), braking, 0.05);
  EXPECT_NEAR(spin_braking("rollingFriction 0.001 0.001 0"), 0, 0.01);
  EXPECT_NEAR(spin_braking("rollingFriction 0.001 0 0 coulombFriction [ 1 1 ]"), 0, 0.01);
  EXPECT_NEAR(spin_braking("rollingFriction -1 0 0"), 0, 0.01) << "it has stopped before";
}

}  // namespace
}  // namespace protobeam
