// Belts in worlds: what lies on them, and what drives on them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

TEST_F(TrackTest, AForceIsASpeedByTheMassOfTheBody) {
  load(kTank);
  run(0.4);
  for (const char* motor : {"tank/left motor", "tank/right motor"}) command(motor, "effort", 8);
  run(1);
  // 10 kg: 8 N in 8 ms.
  EXPECT_NEAR(velocity("tank").x(), 8 * 0.008 / 10, 1e-4);
  for (const char* motor : {"tank/left motor", "tank/right motor"}) command(motor, "effort", -8);
  run(1);
  EXPECT_NEAR(velocity("tank").x(), -8 * 0.008 / 10, 1e-4);
  // A speed is told again.
  drive("tank/left motor", 0.4);
  drive("tank/right motor", 0.4);
  run(1);
  EXPECT_NEAR(velocity("tank").x(), 0.4, 1e-3);
}

TEST_F(TrackTest, ABeltThatStandsInTheWorldHasItsOwnMass) {
  load(kConveyor);  // 0.4 m^3 of 1000 kg/m^3
  command("conveyor/motor", "effort", 10);
  Device* sensor = simulation_->find_device("conveyor/sensor");
  simulation_->enable(*sensor, 0.008);
  run(0.8);
  EXPECT_NEAR(sensor->model->channel<double>(sensor->data, 0)[0], 10 * 0.008 / 400 * 0.8, 1e-9);
}

TEST_F(TrackTest, ABrakeTakesFromAForceByTheSpeedOfTheStepBefore) {
  load(R"(Robot { name "tank" controller "<none>" boundingObject Box { size 0.5 0.3 0.1 }
    physics Physics { density -1 mass 1 } children [ Track { name "belt"
      device [ LinearMotor { name "motor" maxForce 100 } Brake { name "brake" }
               PositionSensor { name "sensor" } ] } ] })");
  Device* sensor = simulation_->find_device("tank/sensor");
  simulation_->enable(*sensor, 0.008);
  command("tank/motor", "effort", 50);
  command("tank/brake", "damping", 25);
  double v = 0, x = 0;
  for (int i = 0; i < 20; ++i) {
    if (i == 10) simulation_->restore(simulation_->save());  // the brake stays as it is
    simulation_->step();
    v = (50 - 25 * v) * 0.008 / 1;
    x += v * 0.008;
    sensor = simulation_->find_device("tank/sensor");
    EXPECT_NEAR(sensor->model->channel<double>(sensor->data, 0)[0], x, 1e-9) << i;
  }
  // And nothing from a speed.
  drive("tank/motor", 1);
  run(0.8);
  EXPECT_NEAR(sensor->model->channel<double>(sensor->data, 0)[0], x + 0.8, 1e-9);
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

TEST_F(TrackTest, WheelsMayBeUsedAgainAndTurnWithTheirOwnBelt) {
  load(R"(Robot { name "tank" controller "<none>" children [
    Track { name "left" translation 0 0.5 1 device LinearMotor { name "left motor" } children [
      DEF REAR TrackWheel { position -1 0 radius 0.25 children [ Shape { geometry Sphere { radius 0.25 } } ] }
      DEF FRONT TrackWheel { position 1 0 radius 0.25 children [ Shape { geometry Sphere { radius 0.25 } } ] } ] }
    Track { name "right" translation 0 -0.5 1 device LinearMotor { name "right motor" } children [
      USE REAR USE FRONT ] } ] })");
  drive("tank/right motor", 0.25);
  run(0.4);  // 0.1 m
  std::vector<double> x, y, angles;
  for (const VisualGroup& group : simulation_->model().visuals) {
    if (!group.head) continue;
    const Pose X_W = group.X_WG * group.shape_poses[0];
    x.push_back(X_W.p.x());
    y.push_back(X_W.p.y());
    const Vec3 axis = X_W.R * Vec3::UnitX();
    angles.push_back(std::atan2(-axis.z(), axis.x()));
  }
  const auto near = [](double value) { return testing::DoubleNear(value, 1e-9); };
  EXPECT_THAT(x, testing::ElementsAre(near(-1), near(1), near(-1), near(1)));
  EXPECT_THAT(y, testing::ElementsAre(near(0.5), near(0.5), near(-0.5), near(-0.5)));
  EXPECT_THAT(angles, testing::ElementsAre(near(0), near(0), near(0.4), near(0.4)));
}

/// In Webots the belt is a part of what is scaled: it is seen moving so much slower. Up to R2023a a
/// Track had a scale itself, since then it stands in a Transform.
TEST_F(TrackTest, AScaledTrackHasScaledWheelsAndLinks) {
  const std::string contents =
      R"( name "belt" device [ LinearMotor { name "motor" } ]
      geometriesCount 4 animatedGeometry Group { children [ Pose { translation 0 0 0.1 children [
        Shape { geometry Box { size 0.1 0.1 0.01 } } ] } ] }
      children [
        TrackWheel { position -1 0 radius 0.25 children [ Shape { geometry Sphere { radius 0.25 } } ] }
        TrackWheel { position 1 0 radius 0.25 } ] } ] )";
  const std::string robot =
      "Robot { name \"conveyor\" controller \"<none>\" translation 0 0 1 children [ ";
  const std::string worlds[] = {
      "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 8 }\n" + robot +
          "Transform { scale 0.5 0.5 0.5 children [ Track { " + contents + "} ] }",
      "#VRML_SIM R2022a utf8\nWorldInfo { basicTimeStep 8 }\n" + robot +
          "Track { scale 0.5 0.5 0.5 " + contents + "}"};
  for (const std::string& text : worlds) {
    const auto file = world_.folder().write("worlds/scaled.wbt", text);
    Diagnostics diagnostics;
    const auto simulation = Simulation::load(file, {}, diagnostics);
    ASSERT_TRUE(simulation) << diagnostics.to_string();
    EXPECT_EQ(diagnostics.to_string(), "");
    simulation_ = simulation.get();
    drive("conveyor/motor", 0.5);
    run(0.8);  // 0.4 m of the belt
    std::vector<Vec3> links, wheels;
    for (const VisualGroup& group : simulation->model().visuals) {
      if (!group.head) continue;
      (group.belt ? links : wheels).push_back((group.X_WG * group.shape_poses.at(0)).p);
    }
    ASSERT_EQ(links.size(), 4u);
    EXPECT_NEAR((links[0] - Vec3(-0.3, 0, 1.175)).norm(), 0, 1e-9);  // on top
    EXPECT_NEAR((links[2] - Vec3(0.3, 0, 0.825)).norm(), 0, 1e-9);
    ASSERT_EQ(wheels.size(), 1u);
    EXPECT_NEAR((wheels[0] - Vec3(-0.5, 0, 1)).norm(), 0, 1e-9);
  }
}

TEST_F(TrackTest, AWheelIsSeenAsBeforeWhenItsBodyIsLookedAtAgain) {
  load(R"(Robot { name "tank" controller "<none>" boundingObject Box { } physics Physics { } children [
    Track { name "belt" device LinearMotor { name "motor" } children [
      TrackWheel { position 1 0 children [ Shape { geometry Cylinder { radius 0.1 height 0.04 } } ] } ] } ] })");
  const auto wheel = [&]() -> const VisualGroup& {
    const auto& groups = simulation_->model().visuals;
    return *std::find_if(groups.begin(), groups.end(), [](const auto& one) { return one.head; });
  };
  const Pose before = wheel().X_WG * wheel().shape_poses.at(0);
  Diagnostics diagnostics;
  EXPECT_TRUE(simulation_->look_again(*simulation_->model().solids.at(0).node, diagnostics));
  ASSERT_EQ(wheel().shape_poses.size(), 1u);
  const Pose after = wheel().X_WG * wheel().shape_poses[0];
  EXPECT_NEAR((after.p - before.p).norm() + after.R.angularDistance(before.R), 0, 1e-9);
}

TEST_F(TrackTest, HowFarAWheelHadTurnedInASavedWorldDoesNotCount) {
  const auto loaded = [&](const std::string& rotation) {
    load(
        R"(Robot { name "tank" controller "<none>" boundingObject Box { } physics Physics { } children [
      Track { name "belt" device LinearMotor { name "motor" } children [
        TrackWheel { position 1 0 )" +
        rotation + " children [ Shape { geometry Sphere { } } ] } ] } ] }");
    const auto& groups = simulation_->model().visuals;
    const auto& wheel =
        *std::find_if(groups.begin(), groups.end(), [](const auto& one) { return one.head; });
    return wheel.X_WG * wheel.shape_poses.at(0);
  };
  const Pose before = loaded("");
  const Pose after = loaded("rotation 0.9 0.3 -0.3 1.67");
  EXPECT_EQ(world_.diagnostics().to_string(), "");
  EXPECT_EQ((after.p - before.p).norm() + after.R.angularDistance(before.R), 0);
}

TEST_F(TrackTest, AWheelElsewhereIsAMistake) {
  EXPECT_THAT(message_of<std::runtime_error>(
                  [&] { world_.load("Robot { children [\nTrackWheel { } ] }"); }),
              testing::HasSubstr("4:1: error: a TrackWheel stands in the children of a Track"));
}

}  // namespace
}  // namespace protobeam
