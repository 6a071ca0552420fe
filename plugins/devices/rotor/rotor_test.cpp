// Rotors on robots in worlds, against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "message/any_message.h"
#include "message/vendor_msgs.h"
#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

class RotorWorld : public testing::Test {
 protected:
  static constexpr double kMass = 2;  // kg, of body and rotor
  static constexpr double kStep = 0.002;

  /// A cube of 0.2 m with a rotor on its middle.
  void load(const std::string& fields, double gravity = 0) {
    simulation_ = &world_.load(
        "Robot { name \"flyer\" translation 0 0 5 controller \"<none>\" "
        "boundingObject Box { size 0.2 0.2 0.2 } physics Physics { density -1 mass 1.9 } "
        "children [ HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } "
        "device RotationalMotor { name \"motor\" maxVelocity 1e6 maxTorque 1e6 } "
        "endPoint Solid { name \"blades\" physics Physics { density -1 mass 0.1 "
        "centerOfMass [ 0 0 0 ] inertiaMatrix [ 1e-5 1e-5 2e-5, 0 0 0 ] } "
        "children [ Rotor { motors \"motor\" " +
            fields + " } ] } } ] }",
        fmt::format("gravity {}", gravity), {}, 2);
    simulation_->enable(rotor(), kStep);
  }
  Device& rotor() { return device_named(*simulation_, "flyer/rotor"); }
  void set(double point) { EXPECT_EQ(rotor().model->send_command("set point", {point}), ""); }
  void run(double seconds) {
    for (long i = std::lround(seconds / kStep); i > 0; --i) simulation_->step();
  }
  double speed() { return rotor().model->channel<double>(rotor().data, 0)[0]; }
  double thrust() { return rotor().model->channel<double>(rotor().data, 1)[0]; }
  double motor_speed() { return device_named(*simulation_, "flyer/motor").joint_port->velocity(); }
  physics::World& physics() { return *simulation_->model().physics; }
  physics::BodyId body() { return simulation_->model().solids[0].body; }
  Vec3 velocity() { return physics().velocity(body()); }
  std::string problem_of(const std::string& fields) {
    return protobeam::problem_of([&] { load(fields); });
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

TEST_F(RotorWorld, ReachesItsSpeedByItsTimeConstants) {
  load("thrustConstants 1e-5 0 timeConstants 0.1 0.2 speedRatio 10");
  set(500);
  run(0.1);
  EXPECT_NEAR(speed(), 500 * (1 - std::exp(-1)), 10);
  EXPECT_NEAR(motor_speed(), speed() / 10, 1e-6);
  run(1.9);
  EXPECT_NEAR(speed(), 500, 0.01);
  EXPECT_NEAR(thrust(), 1e-5 * 500 * 500, 1e-3);
  set(100);
  run(0.2);
  EXPECT_NEAR(speed(), 100 + 400 * std::exp(-1), 5);
}

TEST_F(RotorWorld, HoversWhereThrustIsWeight) {
  load("thrustConstants 1e-5 0", 9.81);
  physics().set_velocity(body(), Vec3::Zero(), Vec3::Zero());
  set(std::sqrt(kMass * 9.81 / 1e-5));
  run(0.01);
  const double before = velocity().z();
  run(1);
  EXPECT_NEAR(velocity().z(), before, 1e-3);
}

TEST_F(RotorWorld, TwistsItsRobotAgainstItsRotation) {
  for (const bool clockwise : {false, true}) {
    load(std::string("thrustConstants 1e-5 0 torquePerThrust 0.02 ") +
         (clockwise ? "clockwise TRUE" : ""));
    set(300);
    run(0.1);
    const double sense = clockwise ? -1 : 1;
    EXPECT_NEAR(motor_speed(), sense * 300, 0.1);
    EXPECT_GT(velocity().z(), 0);
    const double before = physics().angular_velocity(body()).z();
    run(0.2);
    const double inertia = 1.9 * 0.2 * 0.2 / 6 + 2e-5, torque = 0.02 * 1e-5 * 300 * 300;
    EXPECT_NEAR(physics().angular_velocity(body()).z() - before, -sense * torque / inertia * 0.2,
                0.01 * torque / inertia * 0.2);
  }
}

TEST_F(RotorWorld, ExertsTheThrustThatItIsTold) {
  load("quantity \"thrust\" thrustConstants -4e-4 -2e-3 commandLimits [ 0 30 ] deadband 1");
  set(-5);
  run(0.1);
  EXPECT_EQ(velocity().norm(), 0);
  set(0.9);
  run(0.1);
  EXPECT_EQ(velocity().norm(), 0);
  set(40);
  run(0.5);
  EXPECT_NEAR(velocity().z(), 30 / kMass * 0.5, 0.05);
  // Its speed goes with the thrust: T = t1 |w| w - t2 |w| V.
  const double w = speed();
  EXPECT_LT(w, 0);
  EXPECT_NEAR(-4e-4 * std::abs(w) * w + 2e-3 * std::abs(w) * velocity().z(), 30, 0.1);
}

TEST_F(RotorWorld, SpeedAlongTheAxisTakesThrustAway) {
  load("thrustConstants 1e-4 1e-2");
  set(200);
  run(2);
  // m dV/dt = t1 w^2 - t2 w V
  EXPECT_NEAR(velocity().z(), 1e-4 * 200 / 1e-2 * (1 - std::exp(-1e-2 * 200 * 2 / kMass)), 0.01);
}

TEST_F(RotorWorld, MotionAcrossTheAxisIsBraked) {
  load("thrustConstants 1e-9 0 dragConstant 2e-3");
  physics().set_velocity(body(), {3, -4, 0}, Vec3::Zero());
  set(-250);
  run(0.02);
  const Vec3 before = velocity();
  run(1);
  // m du/dt = -c |w| u
  const double kept = std::exp(-2e-3 * 250 / kMass);
  EXPECT_NEAR(velocity().x(), before.x() * kept, 0.03);
  EXPECT_NEAR(velocity().y(), before.y() * kept, 0.03);
  load("thrustConstants 1e-9 0 rollingConstant 1e-4");
  physics().set_velocity(body(), {2, 0, 0}, Vec3::Zero());
  set(250);
  run(0.02);
  const double turned = physics().angular_velocity(body()).x();
  run(0.02);
  const double torque = 1e-4 * 250 * velocity().x(), inertia = 1.9 * 0.2 * 0.2 / 6 + 1e-5;
  EXPECT_NEAR(physics().angular_velocity(body()).x() - turned, -torque / inertia * 0.02,
              0.02 * torque / inertia * 0.02);
}

TEST_F(RotorWorld, SpeedsUpByItsGain) {
  load("thrustConstants 1e-9 0 gain 2e-4");
  set(100);
  run(0.1);
  // I dw/dt = gain (wanted - w), with the body's inertia behind it a thousandth off.
  EXPECT_NEAR(speed(), 100 * (1 - std::exp(-0.1 * 2e-4 / 2e-5)), 1);
}

TEST_F(RotorWorld, TakesItsPartOfMessagesToActuators) {
  load("thrustConstants 1e-5 0 actuator 2");
  const auto all = rotor().model->subscriptions({});
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[1].message, "actuators");
  EXPECT_EQ(all[1].type->ros2_name, "actuator_msgs/msg/Actuators");
  message::Actuators told;
  told.velocity = {10, 20, 30, 40};
  all[1].take(message::to_cdr(told));
  run(0.1);
  EXPECT_NEAR(speed(), 30, 1e-3);
  told.velocity = {50, 60};
  all[1].take(message::to_cdr(told));
  run(0.1);
  EXPECT_NEAR(speed(), 30, 1e-3);
  load("thrustConstants 1e-5 0");
  EXPECT_EQ(rotor().model->subscriptions({}).size(), 1);
}

TEST_F(RotorWorld, SaysWhatIsWrong) {
  EXPECT_THAT(problem_of("quantity \"thrust\" thrustConstants 0 0"),
              HasSubstr("the first of 'thrustConstants'"));
  EXPECT_THAT(problem_of("timeConstants -1 0"), HasSubstr("'timeConstants' of Rotor must not be"));
  EXPECT_THAT(problem_of("commandLimits [ 2 1 ]"), HasSubstr("the least and the greatest"));
}

}  // namespace
}  // namespace protobeam
