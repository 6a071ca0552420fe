// What a supervisor's change of a motor's fields does at once (Webots, WbMotor::postFinalize).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/set_field.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

class MotorFields : public testing::Test {
 protected:
  /// Two wheels without weight on them: "m" alone, and "c::a" with "c::b".
  void load(const std::string& fields) {
    const auto wheel = [](const std::string& motor) {
      return "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device [ " + motor +
             " ] endPoint Solid { boundingObject Sphere { radius 0.1 } physics Physics { density "
             "-1 "
             "mass 1 } } } ";
    };
    simulation_ = &world_.load("Robot { controller \"<none>\" children [ " +
                               wheel("DEF M RotationalMotor { name \"m\" " + fields + " }") +
                               "Pose { translation 0 0 2 children [ " +
                               wheel("DEF A RotationalMotor { name \"c::a\" }") +
                               "] } Pose { translation 0 0 4 children [ " +
                               wheel("DEF B RotationalMotor { name \"c::b\" }") + "] } ] }");
  }
  void set(const std::string& def, const std::string& field, std::vector<double> numbers) {
    const auto answer = set_field(*simulation_, def, field, std::move(numbers));
    ASSERT_TRUE(answer.good) << answer.text;
  }
  std::string command(const std::string& motor, const char* order, double number) {
    DeviceModel& model = *device_named(*simulation_, motor).model;
    const int index = find_command(model.type().commands, order);
    return model.command(static_cast<std::size_t>(index), std::array{number}, "");
  }
  void run(double seconds) {
    const auto steps = std::lround(seconds / 0.008);
    for (long i = 0; i < steps; ++i) simulation_->step();
  }
  double position(const char* motor = "m") {
    return simulation_->model().physics->joint_position(device_named(*simulation_, motor).joint, 0);
  }
  double velocity(const char* motor = "m") {
    return simulation_->model().physics->joint_velocity(device_named(*simulation_, motor).joint, 0);
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

TEST_F(MotorFields, ANewMaxVelocityLimitsWhatIsAskedFromThenOn) {
  load("maxVelocity 3");
  command("m", "position", INFINITY);
  command("m", "velocity", 2);
  set("M", "maxVelocity", {1});
  run(0.08);
  EXPECT_NEAR(velocity(), 2, 1e-6) << "what was asked before stays";
  EXPECT_EQ(command("m", "velocity", 2),
            "the requested velocity 2 exceeds maxVelocity 1: 1 is used (said once)");
  run(0.08);
  EXPECT_NEAR(velocity(), 1, 1e-6);
  set("M", "maxVelocity", {8});
  EXPECT_EQ(command("m", "velocity", 7), "");
  run(0.8);
  EXPECT_NEAR(velocity(), 7, 1e-6);
  simulation_->reset_now({});
  command("m", "position", INFINITY);
  command("m", "velocity", 7);
  run(0.8);
  EXPECT_NEAR(velocity(), 3, 1e-6) << "as it was loaded";
}

TEST_F(MotorFields, NewLimitsOfPositionCountOnceTheyAreInOrder) {
  load("minPosition -1 maxPosition 1 maxVelocity 100");
  set("M", "minPosition", {2});  // beyond maxPosition: the other one comes next
  EXPECT_EQ(command("m", "position", 0.5), "");
  set("M", "maxPosition", {3});
  command("m", "position", 5);
  run(2);
  EXPECT_NEAR(position(), 3, 1e-4);
  command("m", "position", -5);
  run(2);
  EXPECT_LT(position(), 0.6) << "where it was as they changed remains in reach";
}

TEST_F(MotorFields, ANewTorqueLimitsEffortsAndNotTheAvailableOne) {
  load("maxTorque 1");
  command("m", "effort", 0.5);
  set("M", "maxTorque", {0.004});
  run(0.08);
  const double inertia = 0.4 * 0.01;
  EXPECT_NEAR(velocity(), 0.5 / inertia * 0.08, 1e-6);
  command("m", "available effort", 1);
  command("m", "effort", 0.5);
  const double before = velocity();
  run(0.08);
  EXPECT_NEAR(velocity() - before, 0.004 / inertia * 0.08, 1e-6);
}

TEST_F(MotorFields, ANewTorqueLimitsAPropellerAtOnce) {
  simulation_ = &world_.load(
      "Robot { controller \"<none>\" boundingObject Box { } physics Physics { } children [ "
      "Propeller { shaftAxis 0 0 1 thrustConstants 0 0 torqueConstants 1e-3 0 device "
      "DEF M RotationalMotor { name \"m\" maxVelocity 100 maxTorque 100 } } ] }");
  Device& motor = device_named(*simulation_, "m");
  simulation_->enable(motor, 0.008);
  const auto effort = [&] { return motor.model->channel<double>(motor.data, 0)[0]; };
  command("m", "position", INFINITY);
  run(0.08);
  EXPECT_NEAR(effort(), 10, 1e-9);
  set("M", "maxTorque", {4});
  run(0.016);
  EXPECT_NEAR(effort(), 4, 1e-9);
}

TEST_F(MotorFields, AccelerationGainsAndMultiplierChangeAtOnce) {
  load("maxVelocity 10");
  set("M", "acceleration", {0.5});
  command("m", "position", INFINITY);
  command("m", "velocity", 2);
  run(0.8);
  EXPECT_NEAR(velocity(), 0.4, 1e-6);
  set("M", "acceleration", {-1});
  set("M", "multiplier", {3});
  command("m", "velocity", 2);
  run(0.08);
  EXPECT_NEAR(velocity(), 6, 1e-6);
  set("M", "multiplier", {1});
  set("M", "controlPID", {1, 0, 0});
  const double start = position();
  command("m", "position", start + 1);
  run(0.8);
  EXPECT_NEAR(start + 1 - position(), std::pow(1 - 0.008, 100), 0.02);
}

TEST_F(MotorFields, CoupledMotorsKeepTheLimitsThatTheyShare) {
  load("");
  set("B", "maxVelocity", {1});
  command("c::b", "position", INFINITY);
  command("c::b", "velocity", 4);
  run(0.08);
  EXPECT_NEAR(velocity("c::b"), 4, 1e-6);
}

}  // namespace
}  // namespace protobeam
