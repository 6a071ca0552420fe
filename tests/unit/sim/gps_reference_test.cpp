// WorldInfo.gpsReference of worlds without geodetic coordinates.
#include <gtest/gtest.h>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

double first(Simulation& simulation, const char* name, std::size_t index = 0) {
  Device& device = device_named(simulation, name);
  return Sample(device.data, device.model->layout()).channel<double>(0)[index];
}

TEST(GpsReference, IsAddedToLocalPositions) {
  for (const bool y_up : {false, true}) {
    WorldText world;
    Simulation& simulation = world.load(
        "Robot { controller \"<none>\" translation 1 2 3 children [ GPS { } Altimeter { } ] }",
        std::string("gpsReference 100 200 300 ") + (y_up ? "coordinateSystem \"NUE\"" : ""));
    for (const char* name : {"gps", "altimeter"}) {
      simulation.enable(device_named(simulation, name), 0.008);
    }
    simulation.step();
    EXPECT_EQ(first(simulation, "gps", 0), 101);
    EXPECT_EQ(first(simulation, "gps", 1), 202);
    EXPECT_EQ(first(simulation, "gps", 2), 303);
    EXPECT_EQ(first(simulation, "altimeter"), y_up ? 202 : 303);
  }
}

}  // namespace
}  // namespace protobeam
