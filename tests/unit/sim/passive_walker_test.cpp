// A wheel without a rim, the simplest thing that walks down a slope by itself: each spoke is a leg,
// and each leg that lands takes a known share of the speed.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/libm.h"
#include "base/math.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

constexpr int kLegs = 12;
constexpr double kSpoke = 0.5;         // m, from the hub to the middle of a foot
constexpr double kSpokeEnd = 0.005;    // m, radius
constexpr double kWheelMass = 10;      // kg
constexpr double kWheelInertia = 0.2;  // kg m^2, about each axis through the hub

std::string feet() {
  std::string out;
  for (const double y : {-0.2, 0.2}) {
    for (int leg = 0; leg < kLegs; ++leg) {
      const double angle = 2 * kPi * leg / kLegs;
      out += "Pose { translation " + std::to_string(kSpoke * libm::sin(angle)) + " " +
             std::to_string(y) + " " + std::to_string(-kSpoke * libm::cos(angle)) +
             " children [ Sphere { radius " + std::to_string(kSpokeEnd) + " subdivision 1 } ] } ";
    }
  }
  return out;
}

/// rad/s just before each landing in the last 6 of 12 seconds.
std::vector<double> speeds_at_landings(double slope, double first_speed) {
  const double height = kSpoke + kSpokeEnd;
  WorldText text;
  Simulation& simulation = text.load(
      "Solid { rotation 0 1 0 " + std::to_string(slope) +
          " boundingObject Plane { size 200 200 } }\n"
          "DEF WHEEL Solid { translation " +
          std::to_string(height * libm::sin(slope)) + " 0 " +
          std::to_string(height * libm::cos(slope)) + " rotation 0 1 0 " + std::to_string(slope) +
          " boundingObject Group { children [ " + feet() +
          "] } physics Physics { density -1 mass " + std::to_string(kWheelMass) +
          " centerOfMass [ 0 0 0 ] inertiaMatrix [ " + std::to_string(kWheelInertia) + " " +
          std::to_string(kWheelInertia) + " " + std::to_string(kWheelInertia) +
          ", 0 0 0 ] } angularVelocity 0 " + std::to_string(first_speed) + " 0 linearVelocity " +
          std::to_string(first_speed * kSpoke * libm::cos(slope)) + " 0 " +
          std::to_string(-first_speed * kSpoke * libm::sin(slope)) + " }",
      "gravity 9.81 contactProperties [ ContactProperties { coulombFriction 5 bounce 0 } ]", {}, 1);
  auto& physics = *simulation.model().physics;
  const physics::BodyId body = simulation.model().solids.at(1).body;
  std::vector<double> landings;
  double before = first_speed;
  for (int step = 0; step < 12'000; ++step) {
    simulation.step();
    const double speed = physics.angular_velocity(body).y();
    // A landing takes a share of the speed at once; between two of them it changes little by
    // little.
    if (speed < before - 0.1 && step > 6000) landings.push_back(before);
    before = speed;
  }
  return landings;
}

// McGeer, "Passive dynamic walking" (1990), section 2: a landing keeps the angular momentum about
// the foot that lands, and in steady state the slope gives back what landings take.
constexpr double kHalf = kPi / kLegs;
constexpr double kAboutFoot = kWheelInertia + kWheelMass * kSpoke * kSpoke;
const double kKept =
    (kWheelInertia + kWheelMass * kSpoke * kSpoke * libm::cos(2 * kHalf)) / kAboutFoot;

double closed_form(double slope) {
  const double gained =
      4 * kWheelMass * 9.81 * kSpoke * libm::sin(kHalf) * libm::sin(slope) / kAboutFoot;
  return std::sqrt(gained / (1 - kKept * kKept));
}

TEST(PassiveWalker, WalksDownASlopeAtTheSpeedOfItsClosedForm) {
  for (const double slope : {0.06, 0.1}) {
    for (const double first : {1.5, 4.0}) {
      const auto landings = speeds_at_landings(slope, first);
      ASSERT_GE(landings.size(), 20u);
      for (const double speed : landings) {
        EXPECT_NEAR(speed, closed_form(slope), 0.03 * closed_form(slope));
      }
    }
  }
}

TEST(PassiveWalker, StopsOnASlopeThatIsTooGentleToSwingOverTheFoot) {
  // What is left after a landing has to lift the hub over the foot.
  const auto walks = [](double slope) {
    const double left = kKept * closed_form(slope);
    return kAboutFoot * left * left / 2 >
           kWheelMass * 9.81 * kSpoke * (1 - libm::cos(kHalf - slope));
  };
  ASSERT_TRUE(walks(0.025));
  EXPECT_FALSE(speeds_at_landings(0.025, 2.0).empty());
  ASSERT_FALSE(walks(0.01));
  EXPECT_TRUE(speeds_at_landings(0.01, 2.0).empty());
}

}  // namespace
}  // namespace protobeam
