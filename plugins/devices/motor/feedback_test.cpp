// What motors tell of the effort that they exert.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

class MotorFeedback : public testing::Test {
 protected:
  /// A ball that a hinge turns about its centre.
  void load(const std::string& fields) {
    simulation_ = &world_.load(
        "Robot { controller \"<none>\" children [ HingeJoint { jointParameters "
        "HingeJointParameters { axis 0 0 1 } device RotationalMotor { name \"m\" " +
            fields +
            " } endPoint Solid { boundingObject Sphere { radius 0.1 } physics Physics { density -1 "
            "mass 1 } } } ] }",
        "gravity 0");
    simulation_->enable(motor(), 0.008);
  }
  Device& motor() { return device_named(*simulation_, "m"); }
  void command(const char* name, double number) {
    EXPECT_EQ(motor().model->send_command(name, {number}), "");
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) simulation_->step();
  }
  double effort() { return motor().model->channel<double>(motor().data, 0)[0]; }
  double feedback() { return motor().model->channel<double>(motor().data, 1)[0]; }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

constexpr double kInertia = 0.4 * 1 * 0.1 * 0.1;  // kg m^2, of the ball

TEST_F(MotorFeedback, IsTheTorqueThatAcceleratesToASpeed) {
  load("acceleration 2");
  command("position", std::numeric_limits<double>::infinity());
  run(10);
  EXPECT_NEAR(effort(), kInertia * 2, 1e-9);
  EXPECT_NEAR(feedback(), kInertia * 2, 1e-9);
}

// Webots reference, wb_motor_get_torque_feedback; the torque itself still acts.
TEST_F(MotorFeedback, LeavesOutATorqueThatIsToldDirectly) {
  load("");
  command("effort", 0.003);
  run(10);
  EXPECT_NEAR(effort(), 0.003, 1e-12);
  EXPECT_EQ(feedback(), 0);
  // A velocity alone does not bring its own control back, a position does.
  command("velocity", 1);
  run(2);
  EXPECT_EQ(feedback(), 0);
  command("acceleration", 2);
  command("position", std::numeric_limits<double>::infinity());
  run(2);
  EXPECT_NEAR(feedback(), effort(), 1e-12);
  EXPECT_GT(std::abs(feedback()), 1e-6);
}

}  // namespace
}  // namespace protobeam
