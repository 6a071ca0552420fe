// Belts in worlds: what lies on them, and what drives on them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/sim/world_text.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

class TrackTest : public testing::Test {
 protected:
  void load(const std::string& text, double friction = 1) {
    simulation_ = &world_.load(text,
                               "gravity 9.81 contactProperties [ ContactProperties { "
                               "bounce 0 coulombFriction [ " +
                                   std::to_string(friction) + " ] } ]");
  }
  void command(const std::string& motor, const std::string& name, double number) {
    Device* device = simulation_->find_device(motor);
    ASSERT_NE(device, nullptr) << motor;
    ASSERT_EQ(device->model->send_command(name, {number}), "");
  }
  void drive(const std::string& motor, double speed) {
    command(motor, "position", std::numeric_limits<double>::infinity());
    command(motor, "velocity", speed);
  }
  void run(double seconds) {
    const auto steps = std::lround(seconds / 0.008);
    for (long i = 0; i < steps; ++i) simulation_->step();
  }
  physics::BodyId body(const std::string& name) {
    for (const auto& solid : simulation_->model().solids) {
      if (solid.name == name) return solid.body;
    }
    throw std::runtime_error("no solid " + name);
  }
  Vec3 position(const std::string& name) {
    return simulation_->model().physics->pose(body(name)).p;
  }
  Vec3 velocity(const std::string& name) {
    return simulation_->model().physics->velocity(body(name));
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

/// A belt that stands still in the world, 4 m long, its top at 0.5 m.
const std::string kConveyor = R"(
Robot { name "conveyor" controller "<none>" children [
  Track { name "belt" translation 0 0 0.4 boundingObject Box { size 4 0.5 0.2 } physics Physics { }
    device [ LinearMotor { name "motor" maxVelocity 2 } PositionSensor { name "sensor" } ]
    children [ TrackWheel { position -1.5 0 radius 0.1 children [ Shape { geometry Sphere { radius 0.1 } } ] }
               TrackWheel { position 1.5 0.2 radius 0.2 inner FALSE
                 children [ Shape { geometry Sphere { radius 0.1 } } ] } ] } ] }
)";
const std::string kParcel = R"(
Solid { name "parcel" translation -1.5 0 0.6 boundingObject Box { size 0.2 0.2 0.2 }
  physics Physics { density -1 mass 3 } })";
/// A body on two tracks, on the floor.
const std::string kTank = R"(
Solid { name "floor" boundingObject Plane { size 20 20 } }
Robot { name "tank" translation 0 0 0.2 controller "<none>" boundingObject Box { size 0.5 0.3 0.1 }
  physics Physics { density -1 mass 4 }
  children [
    Track { name "left" translation 0 0.3 -0.1 boundingObject Box { size 0.8 0.1 0.2 }
      physics Physics { density -1 mass 3 } device LinearMotor { name "left motor" } }
    Track { name "right" translation 0 -0.3 -0.1 boundingObject Box { size 0.8 0.1 0.2 }
      physics Physics { density -1 mass 3 } device LinearMotor { name "right motor" } } ] })";

TEST_F(TrackTest, ABeltCarriesWhatLiesOnItAtItsSpeed) {
  load(kConveyor + kParcel, 0.5);
  run(0.4);  // it settles
  drive("conveyor/motor", 0.5);
  run(2);
  EXPECT_NEAR(velocity("parcel").x(), 0.5, 1e-6);
  EXPECT_NEAR(velocity("parcel").y(), 0, 1e-6);
  // It slides for v / (mu g), in which it falls behind by v^2 / (2 mu g).
  EXPECT_NEAR(position("parcel").x(), -1.5 + 0.5 * 2 - 0.25 / (2 * 0.5 * kGravity), 1e-3);
}

TEST_F(TrackTest, FrictionLimitsHowFastItTakesThingsAlong) {
  load(kConveyor + kParcel, 0.1);
  drive("conveyor/motor", 2);
  run(0.8);
  EXPECT_NEAR(velocity("parcel").x(), 0.1 * kGravity * 0.8, 0.01);
}

TEST_F(TrackTest, WhatHasFallenAsleepIsTakenAlongWhenTheBeltStarts) {
  load(kConveyor + kParcel);
  run(3);
  ASSERT_TRUE(simulation_->model().physics->asleep(body("parcel")));
  drive("conveyor/motor", -0.3);
  run(0.5);
  EXPECT_NEAR(velocity("parcel").x(), -0.3, 1e-6);
  drive("conveyor/motor", 0);
  run(0.5);
  EXPECT_NEAR(velocity("parcel").x(), 0, 1e-6);
}

TEST_F(TrackTest, ATankDrivesAtTheSpeedOfItsTracks) {
  load(kTank);
  drive("tank/left motor", 0.4);
  drive("tank/right motor", 0.4);
  run(1);
  const double x = position("tank").x();
  run(2);
  EXPECT_NEAR(velocity("tank").x(), 0.4, 1e-3);
  EXPECT_NEAR(position("tank").x() - x, 0.8, 2e-3);
  EXPECT_NEAR(position("tank").y(), 0, 1e-3);
}

TEST_F(TrackTest, TracksThatRunAgainstEachOtherTurnTheTank) {
  load(kTank);
  drive("tank/left motor", -0.4);
  drive("tank/right motor", 0.4);
  run(2);
  const Vec3 w = simulation_->model().physics->angular_velocity(body("tank"));
  EXPECT_GT(w.z(), 0.1);        // to the left
  EXPECT_LT(w.z(), 0.4 / 0.3);  // no faster than without slip
  EXPECT_NEAR(position("tank").head<2>().norm(), 0, 0.02);
}

TEST_F(TrackTest, AMotorThatNobodyCommandsHoldsTheBelt) {
  load(kTank);
  run(1);
  EXPECT_NEAR(velocity("tank").norm(), 0, 1e-3);
  EXPECT_NEAR(position("tank").x(), 0, 1e-3);
}

TEST_F(TrackTest, PositionControlStopsAtTheTarget) {
  load(kConveyor + kParcel);
  Device* sensor = simulation_->find_device("conveyor/sensor");
  simulation_->enable(*sensor, 0.008);
  command("conveyor/motor", "velocity", 0.5);
  command("conveyor/motor", "position", 0.6);
  run(6);
  EXPECT_NEAR(sensor->model->channel<double>(sensor->data, 0)[0], 0.6, 1e-6);
  EXPECT_NEAR(velocity("parcel").x(), 0, 1e-6);
}

TEST_F(TrackTest, WheelsTurnAsTheBeltRuns) {
  load(kConveyor);
  drive("conveyor/motor", 0.25);
  run(0.4);  // 0.1 m
  std::vector<double> angles;
  for (const VisualGroup& group : simulation_->model().visuals) {
    if (!group.head) continue;
    // Where the wheel's x axis, at angle 0 along the world's, points to now: about +y it goes down.
    const Vec3 x = (group.X_WG.R * group.shape_poses[0].R) * Vec3::UnitX();
    angles.push_back(std::atan2(-x.z(), x.x()));
  }
  EXPECT_THAT(angles, testing::ElementsAre(testing::DoubleNear(0.1 / 0.1, 1e-9),
                                           testing::DoubleNear(-0.1 / 0.2, 1e-9)));
}

TEST_F(TrackTest, ItsLinksAreSeenMovingAlongTheBelt) {
  load(
      R"(Robot { name "conveyor" controller "<none>" children [ Track { name "belt" translation 0 0 1
    device [ LinearMotor { name "motor" } ] geometriesCount 4 animatedGeometry Shape { geometry Box { size 0.1 0.1 0.01 } }
    children [ TrackWheel { position -1 0 radius 0.25 } TrackWheel { position 1 0 radius 0.25 } ] } ] })");
  drive("conveyor/motor", 0.5);
  run(0.8);
  std::vector<double> x;
  for (const VisualGroup& group : simulation_->model().visuals) {
    if (group.belt) x.push_back(group.X_WG.p.x());
  }
  ASSERT_EQ(x.size(), 4u);
  EXPECT_NEAR(x[0], -1 + 0.4, 1e-9);  // on top
  EXPECT_NEAR(x[2], 1 - 0.4, 1e-9);   // half of the belt farther, below
}

TEST_F(TrackTest, AWheelElsewhereIsAMistake) {
  EXPECT_THAT(message_of<std::runtime_error>(
                  [&] { world_.load("Robot { children [\nTrackWheel { } ] }"); }),
              testing::HasSubstr("4:1: error: a TrackWheel stands in the children of a Track"));
}

}  // namespace
}  // namespace protobeam
