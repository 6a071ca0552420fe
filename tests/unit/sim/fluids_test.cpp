// Things in water, against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

constexpr double kStandardGravity = 9.81, kWater = 1000;

class FluidTest : public testing::Test {
 protected:
  /// A pool of 10 x 10 x 40 m whose surface is at z = 0, and `text`.
  void load(const std::string& text, double gravity = kStandardGravity,
            const std::string& fluid = "") {
    simulation_ = &world_.load(
        "Fluid { translation 0 0 -20 boundingObject Box { size 10 10 40 } " + fluid + " }\n" + text,
        "gravity " + std::to_string(gravity));
  }
  void ball(double density, const std::string& properties, double gravity = kStandardGravity,
            const std::string& more = "", const std::string& fluid = "") {
    load(
        "Solid { name \"thing\" translation 0 0 -1 boundingObject Sphere { radius 0.1 } physics "
        "Physics { density " +
            std::to_string(density) +
            " } immersionProperties [ ImmersionProperties { fluidName \"fluid\" " + properties +
            " } ] " + more + " }",
        gravity, fluid);
  }
  void run(double seconds) {
    const auto steps = std::lround(seconds / 0.008);
    for (long i = 0; i < steps; ++i) simulation_->step();
  }
  Pose pose() { return simulation_->model().physics->pose(0); }
  Vec3 velocity() { return simulation_->model().physics->velocity(0); }
  Vec3 rotation() { return simulation_->model().physics->angular_velocity(0); }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

constexpr double kRadius = 0.1, kVolume = 4 * kPi / 3 * kRadius * kRadius * kRadius;

TEST_F(FluidTest, ABoxFloatsAsDeepAsItsDensityIsToTheFluids) {
  load(
      "Solid { translation 0 0 0.3 rotation 1 0 0 0.2 boundingObject Box { size 1 1.2 0.3 } "
      "physics Physics { density "
      "600 } immersionProperties [ ImmersionProperties { fluidName \"fluid\" "
      "viscousResistanceForceCoefficient 5e5 "
      "viscousResistanceTorqueCoefficient 2e5 } ] }");
  run(30);
  EXPECT_NEAR(pose().p.z(), 0.3 * (0.5 - 0.6), 1e-4);
  // Its weight and the buoyancy have righted it.
  EXPECT_NEAR((pose().R * Vec3::UnitZ()).z(), 1, 1e-6);
  EXPECT_NEAR(velocity().norm(), 0, 1e-4);
}

TEST_F(FluidTest, ASubmergedBallRisesByTheDifferenceOfTheMasses) {
  ball(400, "");
  run(0.08);
  EXPECT_NEAR(velocity().z(), (kWater / 400 - 1) * kStandardGravity * 0.08, 1e-6);
}

TEST_F(FluidTest, ASinkingBallReachesTheSpeedAtWhichDragOfItsWetAreaCarriesIt) {
  ball(2000, "dragForceCoefficients 0.5 9 9");
  run(4);
  // (2000 - 1000) V g = c 1000 v^2 4 pi r^2
  EXPECT_NEAR(velocity().z(), -std::sqrt(kRadius * kStandardGravity / (3 * 0.5)), 1e-3);
}

TEST_F(FluidTest, DragOfProjectedAreasHasACoefficientForEachAxis) {
  // Its frame is turned: what counts is its own x axis, which points down.
  ball(2000, "referenceArea \"xyz-projected area\" dragForceCoefficients 0.5 7 7", kStandardGravity,
       "rotation 0 1 0 1.5707963267949");
  run(4);
  EXPECT_NEAR(velocity().z(), -std::sqrt(4 * kRadius * kStandardGravity / (3 * 0.5)), 1e-3);
}

TEST_F(FluidTest, TheWordForProjectedAreasMayBeThatOfWebotsSourceToo) {
  ball(2000, "referenceArea \"xyz-projection\" dragForceCoefficients 7 7 0.5", kStandardGravity);
  run(4);
  EXPECT_NEAR(velocity().z(), -std::sqrt(4 * kRadius * kStandardGravity / (3 * 0.5)), 1e-3);
}

TEST_F(FluidTest, ViscousResistanceIsLinear) {
  ball(2000, "viscousResistanceForceCoefficient 20", kStandardGravity, "", "viscosity 2");
  run(4);
  EXPECT_NEAR(velocity().z(), -1000 * kVolume * kStandardGravity / (2 * 20), 1e-3);
}

TEST_F(FluidTest, AStreamTakesThingsAlong) {
  ball(1000, "viscousResistanceForceCoefficient 3000", 0, "", "streamVelocity 0.5 0 0");
  run(0.8);
  const double k = 0.001 * 3000 / (1000 * kVolume);
  EXPECT_NEAR(velocity().x(), 0.5 * (1 - std::exp(-k * 0.8)), 2e-3);
}

TEST_F(FluidTest, DragStopsRotation) {
  ball(1000, "dragTorqueCoefficients 0.001 0 0", 0, "angularVelocity 3 0 4");
  run(0.8);
  // I dw/dt = -t density w^2 area
  const double inertia = 0.4 * 1000 * kVolume * kRadius * kRadius;
  const double k = 0.001 * kWater * 4 * kPi * kRadius * kRadius / inertia;
  const double w = 5 / (1 + k * 5 * 0.8);
  EXPECT_NEAR(rotation().norm(), w, 0.01 * w);
  EXPECT_NEAR(rotation().x() / rotation().z(), 0.75, 1e-6);
}

TEST_F(FluidTest, ViscousTorqueIsLinearAndByTheShareThatIsWet) {
  // Half of it is in the water.
  load(
      "Solid { boundingObject Sphere { radius 0.1 } physics Physics { density 500 } "
      "angularVelocity 0 0 2 "
      "immersionProperties [ ImmersionProperties { fluidName \"fluid\" "
      "viscousResistanceTorqueCoefficient 10 } ] }");
  run(0.4);
  const double inertia = 0.4 * 500 * kVolume * kRadius * kRadius;
  EXPECT_NEAR(rotation().z(), 2 * std::exp(-0.5 * 0.001 * 10 / inertia * 0.4), 0.01);
  EXPECT_NEAR(pose().p.z(), 0, 1e-3);
}

TEST_F(FluidTest, EndsWhereItsBoundingObjectEnds) {
  ball(500, "");
  simulation_->model().physics->set_pose(0, Pose::translation({5.5, 0, -1}));
  run(0.4);
  EXPECT_NEAR(velocity().z(), -kStandardGravity * 0.4, 1e-9);
}

TEST_F(FluidTest, OnlyWhatNamesItFeelsIt) {
  load(
      "Solid { translation 0 0 -1 boundingObject Sphere { radius 0.1 } physics Physics { density "
      "500 } }");
  run(0.4);
  EXPECT_NEAR(velocity().z(), -kStandardGravity * 0.4, 1e-9);
  ball(500, "");
  EXPECT_EQ(world_.diagnostics().to_string(), "");
  ball(500, "fluidName \"oil\"");
  EXPECT_THAT(world_.diagnostics().to_string(), HasSubstr("no Fluid has the name 'oil'"));
  run(0.4);
  EXPECT_NEAR(velocity().z(), -kStandardGravity * 0.4, 1e-9);
}

TEST_F(FluidTest, ResistanceNeverTurnsAMotionRound) {
  ball(1000,
       "dragForceCoefficients 1e9 0 0 dragTorqueCoefficients 1e9 0 0 "
       "viscousResistanceForceCoefficient 1e12",
       0, "linearVelocity 5 0 0 angularVelocity 0 9 0");
  for (int i = 0; i < 50; ++i) {
    simulation_->step();
    ASSERT_GE(velocity().x(), -1e-9);
    ASSERT_GE(rotation().y(), -1e-9);
  }
  EXPECT_NEAR(velocity().norm(), 0, 1e-6);
}

}  // namespace
}  // namespace protobeam
