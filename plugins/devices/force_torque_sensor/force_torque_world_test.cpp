// ForceTorqueSensors in joints and between fixed parts, against statics and dynamics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

constexpr double kWrenchStep = 0.008;  // s
constexpr double kWrenchGravity = 9.8;

class ForceTorqueWorld : public testing::Test {
 protected:
  void run(const std::string& text, double seconds) {
    simulation_ = &world_.load(text, "gravity 9.8");
    step(seconds);
  }
  void step(double seconds) {
    for (int i = 0; i < std::lround(seconds / kWrenchStep); ++i) simulation_->step();
  }
  Vec3 value(std::size_t channel) const {
    for (const Device& one : simulation_->model().robots.at(0).devices) {
      if (one.type != "ForceTorqueSensor") continue;
      const auto values = one.model->channel<double>(one.data, channel);
      return {values[0], values[1], values[2]};
    }
    throw std::runtime_error("no sensor");
  }
  Vec3 force() const { return value(0); }
  Vec3 torque() const { return value(1); }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

void expect_wrench_near(const Vec3& value, const Vec3& wanted, double error) {
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(value[axis], wanted[axis], error) << "axis " << axis;
}

std::string wrench_body(const std::string& size, double mass) {
  return fmt::format("boundingObject Box {{ size {} }} physics Physics {{ density -1 mass {} }}",
                     size, mass);
}

std::string wrench_sensor(const std::string& more) {
  return "ForceTorqueSensor { samplingPeriod 8 acting \"toChild\" " + more + " }";
}

/// A scale of a base of 2 kg and a plate of 0.2 kg that is fixed on it, and 10 kg at `place`.
std::string wrench_scale(const std::string& place, const std::string& sensor_place) {
  return "Solid { translation 0 0 -0.5 boundingObject Box { size 10 10 1 } }\n"
         "Robot { translation 0 0 0.02 children [ Solid { translation 0 0 0.03 children [ " +
         wrench_sensor("translation " + sensor_place) + " ] " + wrench_body("0.9 0.9 0.01", 0.2) +
         " } ] " + wrench_body("1 1 0.04", 2) + " }\nSolid { translation " + place +
         " boundingObject Box { size 0.2 0.2 0.2 } physics Physics { density -1 mass 10 } }\n";
}

// gz-sim, test/integration/force_torque_system.cc, MeasureWeight and SensorPoseOffset: 10 kg and
// the plate's 0.2 kg; 0.1 m beside the sensor.
TEST_F(ForceTorqueWorld, AScaleMeasuresWhatStandsOnIt) {
  run(wrench_scale("0 0 0.16", "0 0 0"), 3);
  expect_wrench_near(force(), {0, 0, kWrenchGravity * 10.2}, 0.05);
  expect_wrench_near(torque(), {0, 0, 0}, 0.05);
  run(wrench_scale("0 0 0.16", "0.1 0 0"), 3);
  expect_wrench_near(force(), {0, 0, kWrenchGravity * 10.2}, 0.05);
  expect_wrench_near(torque(), {0, 0.1 * kWrenchGravity * 10.2, 0}, 0.05);
}

// gz-sim, test/integration/physics_system.cc, JointsTransmittedWrench: the weight at 0.2, 0.1.
TEST_F(ForceTorqueWorld, AWeightAsideMakesATorque) {
  run(wrench_scale("0.2 0.1 0.16", "0 0 0"), 3);
  expect_wrench_near(force(), {0, 0, kWrenchGravity * 10.2}, 0.1);
  expect_wrench_near(torque(), {0.1 * kWrenchGravity * 10, -0.2 * kWrenchGravity * 10, 0}, 0.1);
}

/// A rod of 3 kg that reaches 2 m from a hinge about y, and 1 kg at the end of a slider on it.
std::string wrench_arm(const std::string& motor) {
  return "Robot { children [ HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 } "
         "device [ " +
         motor + " ] endPoint Solid { children [ " + wrench_sensor("") +
         " Pose { translation 1 0 0 children [ Shape { geometry Box { size 2 0.1 0.1 } } ] } "
         "SliderJoint { jointParameters JointParameters { axis 1 0 0 minStop -0.001 maxStop 0.001 "
         "} "
         "endPoint Solid { translation 2 0 0 name \"load\" boundingObject Box { size 0.1 0.1 0.1 } "
         "physics Physics { density -1 mass 1 } } } ] boundingObject Pose { translation 1 0 0 "
         "children [ Box { size 2 0.1 0.1 } ] } physics Physics { density -1 mass 3 centerOfMass "
         "[ 1 0 0 ] inertiaMatrix [ 0.01 1 1, 0 0 0 ] } } } ] }\n";
}

TEST_F(ForceTorqueWorld, AMotorInTheJointIsAPartOfTheTorque) {
  // Held out level: 3 kg at 1 m and 1 kg at 2 m. +y is down from +x.
  run(wrench_arm("RotationalMotor { name \"m\" maxTorque 500 }"), 2);
  expect_wrench_near(force(), {0, 0, 4 * kWrenchGravity}, 0.05);
  expect_wrench_near(torque(), {0, -(3 * 1 + 1 * 2) * kWrenchGravity, 0}, 0.3);
}

TEST_F(ForceTorqueWorld, AFallingArmIsHeldByItsHingeAlone) {
  // I = 1 + 3 + 4 + 1 / 600 kg m^2, M = 5 kg m: it starts with M g / I downwards.
  run(wrench_arm(""), kWrenchStep);
  const double alpha = 5 * kWrenchGravity / (1 + 3 + 4 + 1.0 / 600);
  expect_wrench_near(torque(), {0, 0, 0}, 0.05);
  expect_wrench_near(force(), {0, 0, 4 * kWrenchGravity - 5 * alpha}, 0.05);
}

TEST_F(ForceTorqueWorld, WhatNeverMovesIsSaid) {
  run("Robot { children [ " + wrench_sensor("") + " ] }\n", kWrenchStep);
  EXPECT_TRUE(std::isnan(force().x()));
  EXPECT_THAT(world_.diagnostics().to_string(),
              testing::HasSubstr("stands in what never moves: it measures no force on that"));
}

}  // namespace
}  // namespace protobeam
