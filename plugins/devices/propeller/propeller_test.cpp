// Bodies in worlds that propellers push, against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/sim/world_text.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

constexpr double kMass = 2;
constexpr double kSide = 0.2;  // m, of the cube that flies

class PropellerTest : public testing::Test {
 protected:
  /// A cube whose propeller along z has these fields.
  void load(const std::string& fields, double gravity = 0, const std::string& motor = "") {
    simulation_ = &world_.load(
        "Robot { name \"flyer\" translation 0 0 5 controller \"<none>\" "
        "boundingObject Box { size 0.2 0.2 0.2 } physics Physics { density -1 mass 2 } "
        "children [ Propeller { shaftAxis 0 0 1 device RotationalMotor { name \"motor\" "
        "maxVelocity 1000 maxTorque 100 " +
            motor + " } " + fields + " } ] }",
        "gravity " + std::to_string(gravity));
  }
  /// Runs the motor at `w` rad/s.
  void spin(double w) {
    Device* motor = simulation_->find_device("flyer/motor");
    ASSERT_NE(motor, nullptr);
    ASSERT_EQ(motor->model->send_command("position", {std::numeric_limits<double>::infinity()}),
              "");
    ASSERT_EQ(motor->model->send_command("velocity", {w}), "");
  }
  void run(double seconds) {
    const auto steps = std::lround(seconds / 0.008);
    for (long i = 0; i < steps; ++i) simulation_->step();
  }
  physics::BodyId body() { return simulation_->model().solids[0].body; }
  Vec3 position() { return simulation_->model().physics->pose(body()).p; }
  Vec3 velocity() { return simulation_->model().physics->velocity(body()); }
  Vec3 rotation() { return simulation_->model().physics->angular_velocity(body()); }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

TEST_F(PropellerTest, HoversWhereThrustIsWeight) {
  load("thrustConstants 1e-4 0 torqueConstants 0 0", kGravity);
  spin(std::sqrt(kMass * kGravity / 1e-4));
  run(4);
  EXPECT_NEAR(position().z(), 5, 1e-6);
  EXPECT_NEAR(velocity().norm(), 0, 1e-6);
  EXPECT_NEAR(rotation().norm(), 0, 1e-9);
}

TEST_F(PropellerTest, PhysicsOfAHelixAddsNoMass) {
  const std::string solid =
      "Solid { name \"%\" boundingObject Box { size 0.2 0.02 0.01 } physics Physics { density -1 "
      "mass 0.5 } }";
  load("thrustConstants 1e-4 0 torqueConstants 0 0 fastHelix " + solid + " slowHelix " + solid,
       kGravity);
  spin(std::sqrt(kMass * kGravity / 1e-4));
  run(4);
  EXPECT_NEAR(position().z(), 5, 1e-6);
  EXPECT_NEAR(rotation().norm(), 0, 1e-9);
}

TEST_F(PropellerTest, ThrustHasTheSignOfTheRotation) {
  load("thrustConstants 1e-4 0 torqueConstants 0 0");
  spin(-100);
  run(0.8);
  EXPECT_NEAR(velocity().z(), -1e-4 * 100 * 100 / kMass * 0.8, 1e-9);
}

TEST_F(PropellerTest, SpeedAlongTheShaftTakesThrustAway) {
  load("thrustConstants 1e-4 1e-2 torqueConstants 0 0");
  const double w = 200, t1 = 1e-4, t2 = 1e-2, t = 2;
  spin(w);
  run(t);
  // m dV/dt = t1 w^2 - t2 w V
  EXPECT_NEAR(velocity().z(), t1 * w / t2 * (1 - std::exp(-t2 * w * t / kMass)), 3e-3);
}

TEST_F(PropellerTest, TwistsItsBodyAgainstItsRotation) {
  load("thrustConstants 0 0 torqueConstants 1e-6 0");
  spin(300);
  run(0.4);
  const double inertia = kMass * kSide * kSide / 6, torque = 1e-6 * 300 * 300;
  EXPECT_NEAR(rotation().z(), -torque / inertia * 0.4, 1e-6);
  EXPECT_NEAR(velocity().norm(), 0, 1e-9);
}

TEST_F(PropellerTest, TheTorqueIsTheMotorsAndNoMoreThanIt) {
  load("thrustConstants 0 0 torqueConstants 1e-3 0", 0, "maxTorque 5");
  Device* motor = simulation_->find_device("flyer/motor");
  simulation_->enable(*motor, 0.008);
  const auto effort = [&] { return motor->model->channel<double>(motor->data, 0)[0]; };
  spin(50);
  run(0.016);
  EXPECT_NEAR(effort(), 1e-3 * 50 * 50, 1e-12);
  spin(100);  // 10 N m, were it not for the limit
  run(0.016);
  EXPECT_NEAR(effort(), 5, 1e-12);
}

// Webots: WbRotationalMotor::computeFeedback.
TEST_F(PropellerTest, ItsMotorCountsThrustAndTorqueTogether) {
  load("thrustConstants -1e-3 0 torqueConstants 1e-4 0", 0, "consumptionFactor 2");
  Device* motor = simulation_->find_device("flyer/motor");
  simulation_->enable(*motor, 0.008);
  spin(100);
  run(0.016);
  EXPECT_NEAR(motor->model->channel<double>(motor->data, 1)[0], 10 + 1, 1e-12);
  EXPECT_NEAR(motor->model->power(), 2 * (10 + 1), 1e-12);
}

// Webots: WbPropeller::prePhysicsStep runs the motor without a look at WbMotor::userControl.
TEST_F(PropellerTest, ATorqueThatItsMotorIsToldPlaysNoPart) {
  load("thrustConstants 1e-4 0 torqueConstants 0 0");
  spin(100);
  ASSERT_EQ(simulation_->find_device("flyer/motor")->model->send_command("effort", {3}), "");
  run(0.8);
  EXPECT_NEAR(velocity().z(), 1e-4 * 100 * 100 / kMass * 0.8, 1e-9);
  spin(-100);
  run(0.8);
  EXPECT_NEAR(velocity().z(), 0, 1e-9);
}

TEST_F(PropellerTest, PushesAtItsCentreOfThrust) {
  load("thrustConstants 1e-4 0 torqueConstants 0 0 centerOfThrust 0.1 0 0");
  spin(100);
  simulation_->step();
  // 1 N at 0.1 m from the centre: about -y.
  const double inertia = kMass * kSide * kSide / 6;
  EXPECT_NEAR(rotation().y(), -0.1 / inertia * 0.008, 1e-6);
}

TEST_F(PropellerTest, ShowsTheFastHelixAboveItsThreshold) {
  load(
      "fastHelixThreshold 50 thrustConstants 0 0 torqueConstants 0 0 "
      "slowHelix Solid { name \"slow\" children [ Shape { geometry Box { size 1 0.1 0.01 } } ] } "
      "fastHelix Solid { name \"fast\" children [ Shape { geometry Cylinder { radius 0.5 height "
      "0.01 } } ] }");
  const auto seen = [&] {
    std::vector<std::string> names;
    for (const VisualGroup& group : simulation_->model().visuals) {
      if (!group.head || group.head->seen_turning() != static_cast<std::size_t>(group.turning))
        continue;
      names.push_back(simulation_->model().solids[static_cast<std::size_t>(group.solids[0])].name);
    }
    return names;
  };
  EXPECT_THAT(seen(), testing::ElementsAre("slow"));
  spin(10);
  run(0.08);
  EXPECT_THAT(seen(), testing::ElementsAre("slow"));
  const auto& slow = simulation_->model().visuals[0];
  // It has turned by 0.8 rad about z, less what the motor decided in its first substep.
  const Vec3 tip = slow.X_WG.R * slow.shape_poses[0].R * Vec3::UnitX();
  EXPECT_NEAR(std::atan2(tip.y(), tip.x()), 0.8, 1e-9);
  spin(60);
  run(0.016);
  EXPECT_THAT(seen(), testing::ElementsAre("fast"));
}

TEST_F(PropellerTest, AnAxisOfZeroIsNamedWhereItStands) {
  const std::string message = message_of<std::runtime_error>(
      [&] { world_.load("Robot { children [ Propeller {\nshaftAxis 0 0 0 } ] }"); });
  EXPECT_THAT(message, testing::HasSubstr("4:"));
  EXPECT_THAT(message, testing::HasSubstr("'shaftAxis' of Propeller must not be 0 0 0"));
}

}  // namespace
}  // namespace protobeam
