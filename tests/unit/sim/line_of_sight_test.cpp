// What stands between two devices.
#include "sim/line_of_sight.h"

#include <gtest/gtest.h>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

/// Whether one robot's Emitter, at the origin, sees another's that is 4 m away on x.
bool blocked(const std::string& between, const std::string& own = "") {
  WorldText world;
  const Simulation& simulation = world.load(
      R"(Robot { name "a" children [ Emitter { } ] )" + own +
      R"( } Robot { name "b" translation 4 0 0 children [ Emitter { } ] boundingObject Box { } } )" +
      between);
  const auto& robots = simulation.model().robots;
  return sight_blocked(simulation.model(), robots.at(0).devices.at(0), robots.at(1).devices.at(0));
}

constexpr const char* kBox = "boundingObject Box { size 0.1 1 1 }";

TEST(LineOfSight, ABoundingObjectBetweenStops) {
  EXPECT_FALSE(blocked(""));
  EXPECT_TRUE(blocked(std::string("Solid { translation 2 0 0 ") + kBox + " }"));
  EXPECT_FALSE(blocked(std::string("Solid { translation 2 0.6 0 ") + kBox + " }"));
  EXPECT_FALSE(blocked(std::string("Solid { translation 6 0 0 ") + kBox + " }"));
}

TEST(LineOfSight, WhatIsOnlySeenDoesNotStop) {
  EXPECT_FALSE(blocked("Solid { translation 2 0 0 children [ Shape { geometry Box { } } ] }"));
}

TEST(LineOfSight, TheTwoRobotsThemselvesDoNotStop) {
  const std::string shield =
      "boundingObject Pose { translation 1 0 0 children [ Box { size 0.1 1 1 } ] }";
  EXPECT_FALSE(blocked("", shield));
  // One behind it does.
  EXPECT_TRUE(blocked(std::string("Solid { translation 2 0 0 ") + kBox + " }", shield));
}

}  // namespace
}  // namespace protobeam
