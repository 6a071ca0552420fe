// Bodies in water against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

class HydrodynamicsWorld : public testing::Test {
 protected:
  static constexpr double kMass = 100, kG = 9.81;
  static constexpr double kInertia = kMass * 0.04 / 6;  // kg m^2, of a cube of 0.2 m

  void load(const std::string& fields, double gravity = 0, const std::string& pose = "",
            const std::string& physics = "", int step_ms = 2, const std::string& more = "") {
    simulation_ = &world_.load(
        fmt::format("Robot {{ name \"diver\" translation 0 0 50 controller \"<none>\" {} "
                    "boundingObject Box {{ size 0.2 0.2 0.2 }} "
                    "physics Physics {{ density -1 mass {} {} }} "
                    "children [ Hydrodynamics {{ {} }} {} ] }} {}",
                    pose, kMass, physics, fields, more, around_),
        fmt::format("gravity {}", gravity), {}, step_ms);
  }
  physics::World& physics() { return *simulation_->model().physics; }
  physics::BodyId body() { return simulation_->model().solids[0].body; }
  Vec3 velocity() { return physics().velocity(body()); }
  Vec3 rotation() { return physics().angular_velocity(body()); }
  void set(const Vec3& v, const Vec3& w) { physics().set_velocity(body(), v, w); }
  void run(double until) {
    while (simulation_->time() < until - 1e-9) simulation_->step();
  }
  std::string problem_of(const std::string& fields) {
    return protobeam::problem_of([&] { load(fields); });
  }

  WorldText world_;
  std::string around_;  ///< the rest of the world
  Simulation* simulation_ = nullptr;
};

TEST_F(HydrodynamicsWorld, AddedMassSlowsAFallHoweverMuchItIs) {
  for (const double added : {50.0, 300.0, 2000.0, 1e5}) {
    load(fmt::format("addedMass [ 0 0 {} 0 0 0 ]", added), kG);
    run(1);
    const double wanted = -kG * kMass / (kMass + added);
    // In the first substep it knows of no weight.
    EXPECT_NEAR(velocity().z(), wanted, 0.002 * kG + 1e-9) << added;
    const double before = velocity().z();
    run(2);
    EXPECT_NEAR(velocity().z() - before, wanted, 1e-6) << added;
  }
}

TEST_F(HydrodynamicsWorld, AddedMassOfOneDirectionTurnsAFallAside) {
  // z of the body is 45 degrees off; along it the added mass is three times the body's.
  load("addedMass [ 0 0 300 0 0 0 ] coriolis FALSE", kG, "rotation 0 1 0 0.7853981633974483");
  run(0.1);
  const Vec3 before = velocity();
  run(1.1);
  const double part = kG * std::sqrt(0.5);
  const Vec3 x = Vec3(1, 0, -1).normalized(), z = Vec3(1, 0, 1).normalized();
  const Vec3 wanted = part * x - part / 4 * z;
  EXPECT_LT((velocity() - before - wanted).norm(), 1e-3);
}

TEST_F(HydrodynamicsWorld, ReachesItsTerminalVelocity) {
  load("addedMass [ 0 0 100 0 0 0 ] linearDamping [ 0 0 400 0 0 0 ]", kG);
  for (const double t : {0.25, 0.5, 1.0, 4.0}) {
    run(t);
    const double wanted = -kG * kMass / 400 * (1 - std::exp(-400 * t / 200));
    EXPECT_NEAR(velocity().z(), wanted, 0.01) << t;
  }
  EXPECT_NEAR(velocity().z(), -kG * kMass / 400, 1e-3);
  load("quadraticDamping [ 0 0 50 0 0 0 ]", kG);
  const double terminal = std::sqrt(kG * kMass / 50);
  for (const double t : {0.2, 0.6, 3.0}) {
    run(t);
    EXPECT_NEAR(velocity().z(), -terminal * std::tanh(kG * t / terminal), 0.01) << t;
  }
  EXPECT_NEAR(velocity().z(), -terminal, 1e-3);
}

TEST_F(HydrodynamicsWorld, StiffDampingDoesNotSwing) {
  // In a step of 10 ms it takes 500 times the momentum that is there.
  for (const char* fields : {"linearDamping [ 5e6 5e6 5e6 5e6 5e6 5e6 ]",
                             "quadraticDamping [ 5e6 5e6 5e6 5e6 5e6 5e6 ]"}) {
    load(fields, 0, "", "", 10);
    set({1, -2, 3}, {3, 2, -1});
    double v = velocity().norm(), w = rotation().norm();
    while (simulation_->time() < 0.5) {
      simulation_->step();
      EXPECT_LE(velocity().norm(), v + 1e-12);
      EXPECT_LE(rotation().norm(), w + 1e-12);
      v = velocity().norm(), w = rotation().norm();
    }
    EXPECT_LT(v, 0.01) << fields;
    EXPECT_LT(w, 0.01) << fields;
  }
  load("linearDamping [ 0 0 5e6 0 0 0 ] quadraticDamping [ 1 1 1 1 1 1 ]", kG, "", "", 10);
  run(0.2);
  EXPECT_NEAR(velocity().z(), -kG * kMass / 5e6, 1e-6);
}

TEST_F(HydrodynamicsWorld, DampsRotation) {
  load("addedMass [ 0 0 0 0 2 0 ] linearDamping [ 0 0 0 0 4 0 ]");
  set(Vec3::Zero(), {0, 3, 0});
  run(0.5);
  EXPECT_NEAR(rotation().y(), 3 * std::exp(-4 * 0.5 / (kInertia + 2)), 0.01);
}

TEST_F(HydrodynamicsWorld, TakesWholeMatrices) {
  // Force along y by the angular velocity about z.
  std::string numbers;
  for (int i = 0; i < 36; ++i) numbers += i == 6 + 5 ? "-7 " : "0 ";
  for (const char* damping : {"linearDamping", "quadraticDamping"}) {
    load(fmt::format("{} [ {} ]", damping, numbers));
    set(Vec3::Zero(), {0, 0, 0.5});
    simulation_->step();
    const double wanted = 7 * (*damping == 'l' ? 0.5 : 0.25) / kMass * 0.002;
    EXPECT_NEAR(velocity().y(), wanted, 0.01 * wanted);
  }
}

TEST_F(HydrodynamicsWorld, TurnsBroadsideOn) {
  // Munk's moment: (mass along x - mass along y) u v.
  load("addedMass [ 10 90 0 0 0 0 ]");
  set({2, 0.5, 0}, Vec3::Zero());
  simulation_->step();
  EXPECT_NEAR(rotation().z(), (10 - 90) * 2 * 0.5 / kInertia * 0.002, 0.01 * 0.24);
  load("addedMass [ 10 90 0 0 0 0 ] coriolis FALSE");
  set({2, 0.5, 0}, Vec3::Zero());
  simulation_->step();
  EXPECT_NEAR(rotation().z(), 0, 1e-9);
}

TEST_F(HydrodynamicsWorld, TumblingKeepsTheEnergyOfBodyAndWater) {
  const std::string mass = "addedMass [ 40 160 90 0.3 0.9 0.6 ]";
  const auto energy = [&] {
    const Mat3 R = physics().pose(body()).R.toRotationMatrix().transpose();
    const Vec3 v = R * velocity(), w = R * rotation();
    return 0.5 * (Vec3(40, 160, 90).array() + kMass).matrix().dot(v.cwiseAbs2()) +
           0.5 * (Vec3(0.3, 0.9, 0.6).array() + kInertia).matrix().dot(w.cwiseAbs2());
  };
  for (const int step_ms : {2, 10}) {
    load(mass, 0, "", "", step_ms);
    set({0.8, -0.3, 0.5}, {0.4, 0.9, -0.6});
    const double before = energy();
    while (simulation_->time() < 10) {
      simulation_->step();
      ASSERT_NEAR(energy(), before, 2e-3 * before) << simulation_->time();
    }
  }
  // Damping only takes, by whole matrices as well; their symmetric parts are positive.
  load(mass +
       " linearDamping [ 4 0 0 0 0 1, 0 9 0 0 0 -2, 0 0 6 0 1 0, 0 0 0 1 0 0, 0 0 1 0 2 0,"
       " -1 2 0 0 0 3 ] quadraticDamping [ 5 20 20 1 1 1 ]");
  set({0.8, -0.3, 0.5}, {0.4, 0.9, -0.6});
  const double first = energy();
  double last = first;
  while (simulation_->time() < 10) {
    simulation_->step();
    ASSERT_LE(energy(), last + 1e-12) << simulation_->time();
    last = energy();
  }
  EXPECT_LT(last, first / 4);
}

TEST_F(HydrodynamicsWorld, AVelocityThatIsGivenIsThatVelocity) {
  load("addedMass [ 300 300 300 1 1 1 ]", kG);
  run(0.1);
  set({1, 2, 3}, {0, 0, 1});
  simulation_->step();
  const double fall = 0.002 * kG / 4;
  EXPECT_LT((velocity() - Vec3(1, 2, 3 - fall)).norm(), 1e-3);
  EXPECT_NEAR(rotation().z(), 1, 1e-6);
}

TEST_F(HydrodynamicsWorld, WhatHangsOnTheBodyMovesWithIt) {
  // 400 kg by a joint that a body of 100 kg with 300 kg of water pulls down: 800 kg by 500 kg g.
  load("addedMass [ 300 300 300 9 9 9 ]", kG, "", "", 2,
       "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } endPoint Solid { "
       "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { density -1 mass 400 } } }");
  run(0.5);
  const double before = velocity().z();
  run(1.5);
  EXPECT_NEAR(velocity().z() - before, -kG * 500 / 800, 1e-3);
}

TEST_F(HydrodynamicsWorld, RestsOnWhatItSinksTo) {
  around_ = "Solid { translation 0 0 49.8 boundingObject Plane { size 10 10 } }";
  const auto height = [&] { return physics().pose(body()).p.z() - 49.9; };
  load("", kG);
  run(2);
  const double rest = height();
  load("addedMass [ 900 900 900 0 0 0 ]", kG);
  run(0.4);
  EXPECT_NEAR(height(), 0.1 - kG / 10 * 0.4 * 0.4 / 2, 0.01);
  double least = 1, greatest = -1;
  while (simulation_->time() < 2) {
    simulation_->step();
    least = std::min(least, height());
    if (simulation_->time() > 0.5) greatest = std::max(greatest, height());
  }
  EXPECT_GT(least, -0.02);
  EXPECT_LT(greatest, 0.005);
  EXPECT_NEAR(height(), rest, 1e-4);
  EXPECT_LT(velocity().norm(), 1e-3);
}

TEST_F(HydrodynamicsWorld, JoinedBodiesInWaterCalmDown) {
  // An arm of two pieces beside the body; all are in water that is heavier than they are.
  const std::string water =
      "addedMass [ 200 300 400 2 3 4 ] linearDamping [ 3e4 3e4 3e4 300 300 300 ]";
  const auto piece = [&](const std::string& more) {
    return fmt::format(
        "HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 1 0 anchor 0.3 0 0 }} "
        "endPoint Solid {{ translation 0.5 0 0 boundingObject Box {{ size 0.2 0.1 0.1 }} "
        "physics Physics {{ density -1 mass 20 }} children [ Hydrodynamics {{ {} }} {} ] }} }}",
        water, more);
  };
  load(water, 0, "", "", 10, piece(piece("")));
  set({1, -2, 3}, {3, 2, -1});
  const auto fastest = [&] {
    double out = 0;
    for (const auto& solid : simulation_->model().solids)
      out = std::max(out, physics().velocity(solid.body).norm());
    return out;
  };
  run(0.1);
  EXPECT_LT(fastest(), 4);
  run(3);
  EXPECT_LT(fastest(), 1e-3);
}

TEST_F(HydrodynamicsWorld, DriftsWithItsCurrent) {
  load("addedMass [ 60 60 60 0 0 0 ] linearDamping [ 80 80 80 0 0 0 ] current 0.5 -1 0", 0,
       "rotation 0 0 1 1");
  for (const double t : {1.0, 2.0, 20.0}) {
    run(t);
    const double share = 1 - std::exp(-80.0 * t / 160);
    EXPECT_NEAR(velocity().x(), 0.5 * share, 5e-3) << t;
    EXPECT_NEAR(velocity().y(), -share, 5e-3) << t;
  }
  // To what goes with it, it is not there, however that rotates.
  load("addedMass [ 10 90 40 1 2 3 ] current 0.5 -1 0");
  set({0.5, -1, 0}, {0, 0, 2});
  run(2);
  EXPECT_LT((velocity() - Vec3(0.5, -1, 0)).norm(), 1e-3);
  EXPECT_NEAR(rotation().z(), 2, 1e-3);
}

TEST_F(HydrodynamicsWorld, ActsAtItsSolidWhereverItsMassIs) {
  // 100 kg at a quarter of a metre: the damping at the origin turns it about its centre.
  load("linearDamping [ 0 40 0 0 0 0 ]", 0, "",
       "centerOfMass [ 0.25 0 0 ] inertiaMatrix [ 5 5 5, 0 0 0 ]");
  set({0, 1, 0}, Vec3::Zero());
  simulation_->step();
  EXPECT_NEAR(rotation().z(), 40 * 0.25 / 5 * 0.002, 1e-5);
}

TEST_F(HydrodynamicsWorld, GoesOnFromItsState) {
  load("addedMass [ 40 160 90 1 2 3 ] linearDamping [ 9 9 9 1 1 1 ]", kG);
  set({1, 0, 0}, {0, 1, 2});
  run(0.1);
  const auto state = simulation_->save();
  run(0.2);
  const auto hash = simulation_->state_hash();
  const Vec3 v = velocity();
  run(0.3);
  simulation_->restore(state);
  run(0.2);
  EXPECT_EQ(velocity(), v);
  EXPECT_EQ(simulation_->state_hash(), hash);
}

TEST_F(HydrodynamicsWorld, SaysWhatIsWrong) {
  EXPECT_THAT(problem_of("addedMass [ 1 2 3 ]"), HasSubstr("must have 6 or 36 numbers"));
  EXPECT_THAT(problem_of("addedMass [ 1 2 3 0 0 -1 ]"), HasSubstr("must not be negative"));
  EXPECT_THAT(problem_of("linearDamping [ -1 0 0 0 0 0 ]"),
              HasSubstr("field 'linearDamping' of Hydrodynamics must not be negative"));
  std::string numbers;
  for (int i = 0; i < 36; ++i) numbers += i == 1 ? "1 " : "0 ";
  EXPECT_THAT(problem_of("addedMass [ " + numbers + "]"), HasSubstr("must be symmetric"));
}

}  // namespace
}  // namespace protobeam
