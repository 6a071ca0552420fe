// Airfoils in worlds against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

class LiftDragWorld : public testing::Test {
 protected:
  static constexpr double kMass = 1e4;  // kg: its speed stays what it is
  static constexpr double kStep = 0.008;
  static constexpr double kDensity = 1.2, kArea = 2;
  static constexpr double kInertia = kMass * 0.2 * 0.2 / 6;  // kg m^2, of the cube

  void load(const std::string& fields, const std::string& more = "", double mass = kMass,
            double gravity = 0) {
    simulation_ = &world_.load(
        fmt::format(
            "Robot {{ name \"glider\" translation 0 0 5 controller \"<none>\" "
            "boundingObject Box {{ size 0.2 0.2 0.2 }} physics Physics {{ density -1 mass {} }} "
            "children [ LiftDrag {{ density {} area {} {} }} {} ] }}",
            mass, kDensity, kArea, fields, more),
        fmt::format("gravity {}", gravity));
  }
  physics::World& physics() { return *simulation_->model().physics; }
  physics::BodyId body() { return simulation_->model().solids[0].body; }
  /// N that a step at this velocity gives.
  Vec3 force_at(const Vec3& v) {
    physics().set_velocity(body(), v, Vec3::Zero());
    simulation_->step();
    torque_ = physics().angular_velocity(body()) * kInertia / kStep;
    const Vec3 force = (physics().velocity(body()) - v) * kMass / kStep;
    physics().set_velocity(body(), Vec3::Zero(), Vec3::Zero());
    return force;
  }
  /// Of the flow at 20 m/s that comes from below by the angle.
  static Vec3 flow(double angle) { return 20 * Vec3(std::cos(angle), 0, -std::sin(angle)); }
  static constexpr double kPressure = 0.5 * kDensity * 400 * kArea;

  std::string problem_of(const std::string& fields) {
    return protobeam::problem_of([&] { load(fields); });
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
  Vec3 torque_ = Vec3::Zero();
};

TEST_F(LiftDragWorld, LiftsAndDragsByTheAngleOfAttack) {
  for (const double angle : {-0.5, -0.1, 0.0, 0.1, 0.25, 0.5, 0.9}) {
    load(
        "liftSlope 4 dragSlope 0.5 stallAngle 0.3 stalledLiftSlope -3 stalledDragSlope 2 "
        "attackOffset 0.05");
    const double a = angle + 0.05, over = std::max(0.0, std::abs(a) - 0.3), sign = a < 0 ? -1 : 1;
    const double cl = over > 0 ? sign * std::max(0.0, 4 * 0.3 - 3 * over) : 4 * a;
    const double cd = over > 0 ? 0.5 * 0.3 + 2 * over : std::abs(0.5 * a);
    const Vec3 lift(std::sin(angle), 0, std::cos(angle));  // across the flow
    const Vec3 wanted = kPressure * (cl * lift - cd * flow(angle) / 20);
    EXPECT_LT((force_at(flow(angle)) - wanted).norm(), 1e-3 * kPressure) << angle;
  }
}

TEST_F(LiftDragWorld, WhatFlowsAlongTheSpanTakesLiftAway) {
  load("liftSlope 4 dragSlope 0");
  // The speed in the plane is 20 m/s, and 15 m/s across: the cosine of the sweep is 0.8.
  const Vec3 force = force_at(flow(0.1) + Vec3(0, 15, 0));
  EXPECT_NEAR(force.norm(), kPressure * 4 * 0.1 * 0.64, 1e-3 * kPressure);
  EXPECT_NEAR(force.y(), 0, 1e-9);
}

TEST_F(LiftDragWorld, ActsOnItsWayBackWhereItIsReversible) {
  load("liftSlope 4 dragSlope 1 attackOffset 0.1");
  EXPECT_EQ(force_at({-20, 0, 0}).norm(), 0);
  EXPECT_EQ(force_at({0.009, 0, 0}).norm(), 0);
  load("liftSlope 4 dragSlope 1 attackOffset 0.1 reversible TRUE");
  const Vec3 force = force_at({-20, 0, 0});
  // The angle of attack is that of the line, and lift is across the flow, which comes from behind.
  EXPECT_NEAR(force.x(), 0.1 * kPressure, 1e-3 * kPressure);
  EXPECT_NEAR(force.z(), -0.4 * kPressure, 1e-3 * kPressure);
}

TEST_F(LiftDragWorld, TwistsByItsMomentAndItsCentreOfPressure) {
  load("liftSlope 4 dragSlope 0 centerOfPressure -0.1 0 0 momentSlope 0.02");
  const double lift = force_at(flow(0.1)).norm();
  // About y: the lift behind the middle pitches it down, the moment is about forward x upward.
  const double wanted = 0.1 * lift * std::cos(0.1) - 0.02 * 0.1 * kPressure;
  EXPECT_NEAR(torque_.y(), wanted, 1e-3 * std::abs(wanted));
}

TEST_F(LiftDragWorld, ARoundBodyIsLiftedWhereItsNosePoints) {
  load("liftSlope 2 dragSlope 0 radialSymmetry TRUE");
  for (const double around : {0.0, 1.0, 2.5}) {
    const Vec3 across(0, std::cos(around), std::sin(around));
    const Vec3 v = 20 * (std::cos(0.1) * Vec3::UnitX() + std::sin(0.1) * across);
    const Vec3 wanted = kPressure * 0.2 * (std::sin(0.1) * Vec3::UnitX() - std::cos(0.1) * across);
    EXPECT_LT((force_at(v) - wanted).norm(), 1e-3 * kPressure) << around;
  }
  EXPECT_EQ(force_at({20, 0, 0}).norm(), 0);
}

TEST_F(LiftDragWorld, AParachuteFallsAtTheSpeedThatItsDragCarries) {
  load("forward 0 0 -1 upward 1 0 0 liftSlope 0 dragSlope 3 attackOffset 0.5", "", 80, 9.81);
  const double carried = std::sqrt(2 * 80 * 9.81 / (kDensity * kArea * 3 * 0.5));
  for (const double t : {1.6, 3.2, 16.0}) {
    while (simulation_->time() < t - 1e-9) simulation_->step();
    EXPECT_NEAR(physics().velocity(body()).z(), -carried * std::tanh(9.81 * t / carried), 0.03);
  }
}

TEST_F(LiftDragWorld, AFlapLiftsByItsPosition) {
  load("liftSlope 4 dragSlope 0 controlMotors \"flap\" controlLift -2 controlMoment 0.03",
       "HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 } "
       "device RotationalMotor { name \"flap\" maxVelocity 100 } "
       "endPoint Solid { name \"flap\" boundingObject Box { size 0.01 0.01 0.01 } "
       "physics Physics { density -1 mass 0.001 } } }");
  const Device& flap = device_named(*simulation_, "glider/flap");
  EXPECT_EQ(flap.model->send_command("position", {0.2}), "");
  for (int i = 0; i < 100; ++i) simulation_->step();
  const double p = flap.joint_port->position();
  EXPECT_NEAR(p, 0.2, 1e-3);
  EXPECT_NEAR(force_at({20, 0, 0}).z(), -2 * p * kPressure, 2e-3 * kPressure);
  EXPECT_NEAR(torque_.y(), -0.03 * p * kPressure, 0.02 * 0.03 * kPressure);
}

TEST_F(LiftDragWorld, SaysWhatIsWrong) {
  EXPECT_THAT(problem_of("forward 0 0 0"), HasSubstr("'forward' of LiftDrag must not be 0 0 0"));
  EXPECT_THAT(problem_of("upward 2 0 0"), HasSubstr("'upward' of LiftDrag must not be along"));
  EXPECT_THAT(problem_of("controlMotors \"flap\""), HasSubstr("has no motor 'flap'"));
}

}  // namespace
}  // namespace protobeam
