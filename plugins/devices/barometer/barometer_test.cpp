// A barometer outside of a world.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

double pressure(DeviceModel& sensor, double z) {
  SampleInput in;
  in.gravity_W = Vec3(0, 0, -9.81);
  in.X_WS.p.z() = z;
  return sample_values(sensor, in).at(0);
}

// U.S. Standard Atmosphere, 1976, table I by geometric altitude.
TEST(Barometer, ReadsTheStandardAtmosphere) {
  const auto sensor = make_sensor("Barometer");
  EXPECT_NEAR(pressure(*sensor, 0), 101325, 1e-9);
  EXPECT_NEAR(pressure(*sensor, 1000), 89876, 0.7);
  EXPECT_NEAR(pressure(*sensor, 5000), 54048, 0.7);
  EXPECT_NEAR(pressure(*sensor, 11000), 22700, 1);
  EXPECT_NEAR(pressure(*sensor, 15000), 12112, 1);
}

// gz-sensors, test/integration/air_pressure.cc: 2 m above a reference of 1 m.
TEST(Barometer, ReadsWhatGazebosDoes) {
  const auto sensor = make_sensor("Barometer", {{"altitudeOffset", "1"}});
  EXPECT_NEAR(pressure(*sensor, 2), 101288.9657925308, 1e-7);
}

TEST(Barometer, AltitudeIsThatOfTheMap) {
  const auto sensor = make_sensor("Barometer");
  SampleInput in;
  in.to_geodetic = [](const Vec3& p) { return Vec3(46, 6, p.z() + 1000); };
  EXPECT_NEAR(sample_values(*sensor, in).at(0), 89876, 0.7);
}

TEST(Barometer, NoiseIsAddedToThePressure) {
  const auto sensor = make_sensor("Barometer", {{"noise", "3"}});
  SampleInput in;
  double squares = 0;
  for (in.noise.frame = 0; in.noise.frame < 20000; ++in.noise.frame) {
    const double error = sample_values(*sensor, in).at(0) - 101325;
    squares += error * error;
  }
  EXPECT_NEAR(std::sqrt(squares / 20000), 3, 0.06);
}

}  // namespace
}  // namespace protobeam
