// TouchSensors on bodies that touch, carry and fall, against what weight and Newton's laws say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kStep = 0.008;  // s
const std::string kGravityInfo = "gravity " + std::to_string(kGravity);
const std::string kFloor = "Solid { translation 0 0 -0.5 boundingObject Box { size 10 10 1 } }\n";

std::string body_of(const std::string& size, double mass) {
  return fmt::format("boundingObject Box {{ size {} }} physics Physics {{ density -1 mass {} }}",
                     size, mass);
}

class TouchSensorWorld : public testing::Test {
 protected:
  /// Runs until all is at rest, or for as long as that.
  Vec3 force(const std::string& text, double seconds = 2) {
    simulation_ = &world_.load(text, kGravityInfo);
    for (int i = 0; i < std::lround(seconds / kStep); ++i) simulation_->step();
    return value();
  }
  Vec3 value() const {
    const Device& sensor = simulation_->model().robots.at(0).devices.at(0);
    const auto values = sensor.model->channel<double>(sensor.data, 0);
    return {values[0], values[1], values[2]};
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

/// A sensor that gives newtons.
std::string sensor_of(const std::string& type, const std::string& more) {
  return fmt::format("TouchSensor {{ type \"{}\" lookupTable [ ] samplingPeriod 8 {} }}", type,
                     more);
}

TEST_F(TouchSensorWorld, ABumperRemembersATouchUntilItIsSampled) {
  // A ball falls 0.2 m in 0.2 s, touches for a few steps and bounces; sampled at 0.16 s, 0.32 s.
  simulation_ = &world_.load(
      "Robot { children [ TouchSensor { samplingPeriod 160 boundingObject Box { size 1 1 0.1 } } ] "
      "}\nSolid { translation 0 0 0.35 boundingObject Sphere { radius 0.1 } "
      "physics Physics { density -1 mass 1 } }",
      kGravityInfo);
  double touched = 0;
  for (int i = 0; i < 20; ++i) simulation_->step();
  EXPECT_EQ(value().x(), 0);
  for (int i = 0; i < 19; ++i) {
    simulation_->step();
    if (!simulation_->model().physics->contacts().empty()) touched = simulation_->time();
  }
  ASSERT_GT(touched, 0.16);
  ASSERT_LT(touched, 0.3);
  simulation_->step();
  EXPECT_EQ(value().x(), 1);
}

TEST_F(TouchSensorWorld, AFootFeelsTheWeightAboveIt) {
  // x looks down.
  const std::string foot =
      sensor_of("force", "translation 0 0 -0.15 rotation 0 1 0 1.5707963267948966 " +
                             body_of("0.1 0.3 0.3", 0.5));
  const Vec3 f = force(kFloor + "Robot { translation 0 0 0.2 children [ " + foot + " ] " +
                       body_of("0.2 0.2 0.2", 2) + " }");
  EXPECT_NEAR(f.x(), 2 * kGravity, 0.02 * kGravity);
  EXPECT_EQ(f.y(), 0);
}

TEST_F(TouchSensorWorld, AFootOnASlopeFeelsFriction) {
  const double slope = 0.2;
  const std::string foot =
      sensor_of("force-3d", "translation 0 0 -0.15 " + body_of("0.3 0.3 0.1", 0.5));
  const Vec3 f = force(
      "Pose { rotation 0 1 0 0.2 children [ Solid { translation 0 0 -0.5 boundingObject Box { size "
      "10 10 1 } } ] }\nRobot { translation 0.03973387 0 0.19601332 rotation 0 1 0 0.2 children "
      "[ " +
      foot + " ] " + body_of("0.2 0.2 0.2", 2) + " }");
  // Straight up in the world.
  const Vec3 expected = 2 * kGravity * Vec3(-std::sin(slope), 0, std::cos(slope));
  EXPECT_LT((f - expected).norm(), 0.03 * kGravity) << f.transpose();
}

TEST_F(TouchSensorWorld, StopsWhatFallsWithTheImpulseThatGravityGave) {
  // The foot falls 5 cm and bounces; from rest to rest, its forces on the body make up for the
  // weight.
  const std::string foot =
      sensor_of("force-3d", "translation 0 0 -0.15 " + body_of("0.3 0.3 0.1", 0.5));
  simulation_ = &world_.load(kFloor + "Robot { translation 0 0 0.25 children [ " + foot + " ] " +
                                 body_of("0.2 0.2 0.2", 2) + " }",
                             kGravityInfo);
  constexpr int kSteps = 375;  // 3 s
  double impulse = 0;
  for (int i = 0; i < kSteps; ++i) {
    simulation_->step();
    impulse += value().z() * kStep;
  }
  EXPECT_NEAR(impulse, 2 * kGravity * kSteps * kStep, 0.002 * impulse);
}

/// A robot that stands on a box of its own, with a sensor beside it.
std::string standing_with(const std::string& sensor) {
  return kFloor + "Robot { translation 0 0 0.5 children [ " + sensor + " ] " + body_of("1 1 1", 5) +
         " }";
}

TEST_F(TouchSensorWorld, WhatIsFixedToItWeighs) {
  const Vec3 f = force(standing_with(
      sensor_of("force-3d", "translation 0.6 0 0 " + body_of("0.1 0.1 0.1", 0.5) +
                                " children [ Pose { translation 0.1 0 0 children [ Solid { " +
                                body_of("0.1 0.1 0.1", 0.3) + " } ] } ]")));
  EXPECT_LT((f - Vec3(0, 0, -0.8 * kGravity)).norm(), 0.01 * kGravity) << f.transpose();
}

TEST_F(TouchSensorWorld, WhatHangsOnAJointBelowItWeighs) {
  const Vec3 f = force(standing_with(sensor_of(
      "force-3d",
      "translation 0.6 0 0 " + body_of("0.1 0.1 0.1", 0.5) +
          " children [ SliderJoint { jointParameters JointParameters { axis 0 0 1 minStop -0.01 "
          "maxStop 0.01 dampingConstant 50 } endPoint Solid { translation 0.2 0 0 " +
          body_of("0.1 0.1 0.1", 1) + " } } ]")));
  EXPECT_LT((f - Vec3(0, 0, -1.5 * kGravity)).norm(), 0.01 * kGravity) << f.transpose();
}

TEST_F(TouchSensorWorld, FeelsNothingInFreeFall) {
  const Vec3 f =
      force("Robot { children [ " +
                sensor_of("force-3d", "translation 0.2 0 0 " + body_of("0.1 0.1 0.1", 0.5)) +
                " ] angularVelocity 0 0 0 " + body_of("0.2 0.2 0.2", 2) + " }",
            0.4);
  EXPECT_LT(f.norm(), 1e-6) << f.transpose();
}

TEST_F(TouchSensorWorld, IsPulledOutwardsWhereTheRobotSpins) {
  // About z through the centre of mass of both, at 3 rad/s, 0.2 m away: m w^2 r.
  const Vec3 f =
      force("Robot { angularVelocity 0 0 3 children [ " +
                sensor_of("force-3d", "translation 0.2 0 0 " + body_of("0.1 0.1 0.1", 0.5)) +
                " Solid { translation -0.2 0 0 " + body_of("0.1 0.1 0.1", 0.5) + " } ] " +
                body_of("0.2 0.2 0.2", 2) + " }",
            0.08);
  EXPECT_NEAR(f.x(), 0.5 * 9 * 0.2, 0.01);
  EXPECT_NEAR(f.z(), 0, 1e-6);
}

TEST_F(TouchSensorWorld, CarriesWhatLiesOnItWhereTheRobotNeverMoves) {
  const Vec3 f = force("Robot { children [ " + sensor_of("force-3d", body_of("1 1 0.1", 0.5)) +
                       " ] }\nSolid { translation 0 0 0.15 " + body_of("0.2 0.2 0.2", 1) + " }");
  EXPECT_LT((f - Vec3(0, 0, -1.5 * kGravity)).norm(), 0.01 * kGravity) << f.transpose();
}

TEST_F(TouchSensorWorld, WithoutPhysicsAForceIsThatOfZero) {
  const Vec3 f =
      force(kFloor +
            "Robot { translation 0 0 0.2 children [ TouchSensor { type \"force\" "
            "lookupTable [ 0 7 0, 100 100 0 ] samplingPeriod 8 name \"foot\" translation "
            "0 0 -0.15 boundingObject Box { size 0.3 0.3 0.1 } } ] " +
            body_of("0.2 0.2 0.2", 2) + " }");
  EXPECT_EQ(f.x(), 7);
  EXPECT_THAT(world_.diagnostics().to_string(), HasSubstr("'foot' has no Physics"));
}

TEST_F(TouchSensorWorld, ABumperNeedsNoPhysics) {
  force(kFloor + "Robot { children [ TouchSensor { boundingObject Sphere { radius 0.1 } } ] }");
  EXPECT_THAT(world_.diagnostics().to_string(), Not(HasSubstr("Physics")));
}

/// A robot with a bumper of 0.2 m at its front, 0.5 m from its middle.
std::string bumper_robot(const std::string& fields, const std::string& more = "") {
  return "Robot { name \"r\" supervisor TRUE " + fields +
         " boundingObject Box { size 0.6 0.6 0.6 } children [ TouchSensor { samplingPeriod 8 "
         "translation 0.5 0 0 boundingObject Box { size 0.2 0.6 0.6 } } " +
         more + " ] }\n";
}

TEST_F(TouchSensorWorld, ABumperThatDoesNotYieldNoticesWhatDoesNotEither) {
  const std::string wall =
      "Solid { name \"wall\" translation 1.1 0 0 boundingObject Box { size 1 1 1 } }\n";
  EXPECT_EQ(force(bumper_robot("") + wall, 0.08).x(), 0);
  EXPECT_EQ(force(bumper_robot("translation 0.01 0 0") + wall, 0.08).x(), 1);
  // What touches the rest of the robot is nothing to it.
  EXPECT_EQ(force(bumper_robot("translation 2 0 0") + wall, 0.08).x(), 0);
}

TEST_F(TouchSensorWorld, ABumperNoticesWhereItsRobotIsMovedTo) {
  simulation_ = &world_.load(bumper_robot("") +
                                 "Solid { name \"wall\" translation 1.1 0 0 "
                                 "boundingObject Box { size 1 1 1 } }",
                             kGravityInfo);
  for (const double x : {0.01, 0.0, -0.5, 0.2, 3.0}) {
    ASSERT_TRUE(simulation_->move_solid(simulation_->model().robots.at(0).solid,
                                        Pose::translation({x, 0, 0})));
    simulation_->step();
    EXPECT_EQ(value().x(), x == 0.01 || x == 0.2 ? 1 : 0) << x;
  }
}

TEST_F(TouchSensorWorld, ABumperNoticesItsOwnRobotWithSelfCollisionOnly) {
  const std::string arm =
      "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } endPoint Solid { "
      "translation 0.5 0.4 0 boundingObject Box { size 0.3 0.3 0.3 } } }";
  EXPECT_EQ(force(bumper_robot("", arm), 0.08).x(), 0);
  EXPECT_EQ(force(bumper_robot("selfCollision TRUE", arm), 0.08).x(), 1);
}

TEST_F(TouchSensorWorld, ABumperAtAJointThatDoesNotYieldIsDrivenIntoAWall) {
  simulation_ = &world_.load(
      "Robot { children [ TouchSensor { name \"other\" boundingObject Box { size 0.1 0.1 0.1 } } "
      "SliderJoint { jointParameters JointParameters { axis 1 0 0 } "
      "device LinearMotor { name \"motor\" maxForce 1000 } "
      "endPoint TouchSensor { name \"bumper\" samplingPeriod 8 translation 0.5 0 0 "
      "boundingObject Sphere { radius 0.1 } } } ] }\n"
      "Solid { name \"wall\" translation 1.5 0 0 boundingObject Box { size 1 1 1 } }",
      kGravityInfo);
  Device& bumper = device_named(*simulation_, "bumper");
  const auto touches = [&] { return bumper.model->channel<double>(bumper.data, 0)[0]; };
  ASSERT_EQ(device_named(*simulation_, "motor").model->send_command("velocity", {0.5}), "");
  ASSERT_EQ(device_named(*simulation_, "motor").model->send_command("position", {0.45}), "");
  int steps = 0;
  while (touches() == 0 && steps < 1000) {
    simulation_->step();
    ++steps;
  }
  const double x = simulation_->model().physics->pose(bumper.body).p.x() + 0.1;
  EXPECT_GT(x, 1);
  EXPECT_LT(x, 1 + 0.5 * kStep + 1e-9);
}

TEST_F(TouchSensorWorld, AtTheEndOfAJointAForceIsThatOfZero) {
  const Vec3 f = force(
      standing_with("HingeJoint { endPoint " +
                    sensor_of("force-3d", "translation 0.7 0 0 " + body_of("0.1 0.1 0.1", 0.5)) +
                    " }"),
      0.4);
  EXPECT_EQ(f, Vec3(Vec3::Zero()));
}

}  // namespace
}  // namespace protobeam
