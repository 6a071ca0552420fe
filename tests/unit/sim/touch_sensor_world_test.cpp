// TouchSensors on bodies that touch, carry and fall, against what weight and Newton's laws say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/sim/world_text.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kStep = 0.008;  // s
const std::string kGravityInfo = "gravity " + std::to_string(kGravity);
const std::string kFloor = "Solid { translation 0 0 -0.5 boundingObject Box { size 10 10 1 } }\n";

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

TEST_F(TouchSensorWorld, ABumperNeedsNoPhysics) {
  force(kFloor + "Robot { children [ TouchSensor { boundingObject Sphere { radius 0.1 } } ] }");
  EXPECT_THAT(world_.diagnostics().to_string(), Not(HasSubstr("Physics")));
}

}  // namespace
}  // namespace protobeam
