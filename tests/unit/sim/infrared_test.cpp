// What infra-red DistanceSensors see of Shapes in worlds.
#include <gtest/gtest.h>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

/// The value of a sensor that looks at a box 1 m away.
double seen(const std::string& appearance) {
  WorldText world;
  Simulation& simulation = world.load(R"(
Robot { children [ DistanceSensor { type "infra-red" lookupTable [ 0 0 0, 100 100 0 ]
  samplingPeriod 8 } ] }
Solid { translation 1.5 0 0 children [ Shape { geometry Box { size 1 1 1 } )" +
                                      appearance + " } ] }");
  simulation.step();
  const Device& sensor = simulation.model().robots.at(0).devices.at(0);
  return sensor.model->channel<double>(sensor.data, 0)[0];
}

TEST(InfraRedWorld, APbrAppearanceCountsWithItsColourAsWrittenAndItsRoughness) {
  EXPECT_NEAR(seen("appearance PBRAppearance { baseColor 0.5 1 1 roughness 0 }"), 1 / 0.6, 1e-6);
  EXPECT_NEAR(seen("appearance PBRAppearance { baseColor 0.5 0 0 roughness 1 }"), 1 / 0.4, 1e-6);
}

TEST(InfraRedWorld, AnOldAppearanceIsNeverRough) {
  EXPECT_NEAR(seen("appearance Appearance { material Material { diffuseColor 0.5 0 0 } }"), 1 / 0.6,
              1e-6);
  EXPECT_NEAR(seen("appearance Appearance { }"), 1, 1e-6);
}

TEST(InfraRedWorld, AShapeWithoutAppearanceIsWhite) { EXPECT_NEAR(seen(""), 1, 1e-6); }

}  // namespace
}  // namespace protobeam
