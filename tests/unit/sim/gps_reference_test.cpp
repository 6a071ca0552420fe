// WorldInfo.gpsReference of worlds without geodetic coordinates.
#include <gmock/gmock.h>
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

// The Eiffel tower in zone 31 and the opera of Sydney in zone 56, south of the equator; coordinates
// by the series of Krueger.
TEST(GpsReference, GivesTheZoneOfAWorldInUtm) {
  struct Place {
    const char *reference, *at;
    double latitude, longitude;
  };
  for (const Place& place :
       {Place{"48.9 2.4 35", "448251.7952055 5411932.6776212 120", 48.8582, 2.2945},
        Place{"-33.9 151.1 0", "334900.5696564 6252288.7529113 120", -33.8568, 151.2153}}) {
    WorldText world;
    Simulation& simulation =
        world.load(std::string("Robot { controller \"<none>\" translation ") + place.at +
                       " children [ GPS { } ] }",
                   std::string("gpsCoordinateSystem \"UTM\" gpsReference ") + place.reference);
    simulation.enable(device_named(simulation, "gps"), 0.008);
    simulation.step();
    EXPECT_NEAR(first(simulation, "gps", 0), place.latitude, 1e-8) << place.at;
    EXPECT_NEAR(first(simulation, "gps", 1), place.longitude, 1e-8) << place.at;
    EXPECT_NEAR(first(simulation, "gps", 2), 120, 1e-6);
  }
}

TEST(GpsReference, HasALatitudeWhereItIsAPlaceOnTheEarth) {
  WorldText world;
  const auto problem = [&](const char* system) {
    return problem_of([&] {
      world.load("", std::string("gpsReference 95 200 0 gpsCoordinateSystem ") + system);
    });
  };
  EXPECT_EQ(problem("\"local\""), "");
  for (const char* system : {"\"WGS84\"", "\"UTM\""}) {
    EXPECT_THAT(problem(system),
                testing::HasSubstr("2:42: error: field 'gpsReference' of WorldInfo begins with a "
                                   "latitude, from -90 to 90, got 95"));
  }
}

}  // namespace
}  // namespace protobeam
