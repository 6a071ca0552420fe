// A pitot tube outside of a world.
#include <gtest/gtest.h>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

double pressure(DeviceModel& sensor, const Vec3& v_W, double z,
                const Quat& R_WS = Quat::Identity()) {
  SampleInput in;
  in.gravity_W = Vec3(0, 0, -9.81);
  in.X_WS = {R_WS, {0, 0, z}};
  in.v_WS = v_W;
  return sample_values(sensor, in).at(0);
}

// Densities by the U.S. Standard Atmosphere, 1976, table I by geometric altitude.
TEST(AirSpeed, IsTheDynamicPressureAhead) {
  const auto sensor = make_sensor("AirSpeed");
  EXPECT_NEAR(pressure(*sensor, {20, 0, 0}, 0), 0.5 * 1.2250 * 400, 1e-9);
  EXPECT_NEAR(pressure(*sensor, {20, 0, 0}, 1000), 0.5 * 1.1117 * 400, 0.02);
  EXPECT_NEAR(pressure(*sensor, {20, 0, 0}, 5000), 0.5 * 0.73643 * 400, 0.1);
  EXPECT_NEAR(pressure(*sensor, {-20, 0, 0}, 0), -0.5 * 1.2250 * 400, 1e-9);
  EXPECT_EQ(pressure(*sensor, {0, 20, 5}, 0), 0);
}

TEST(AirSpeed, CountsTheVelocityAlongItsOwnAxis) {
  const auto sensor = make_sensor("AirSpeed");
  const Quat to_the_left = axis_angle(Vec3::UnitZ(), kPi / 3);
  EXPECT_NEAR(pressure(*sensor, {20, 0, 0}, 0, to_the_left), 0.5 * 1.2250 * 100, 1e-9);
}

TEST(AirSpeed, AltitudeIsThatOfTheMapAndItsOffset) {
  const auto sensor = make_sensor("AirSpeed", {{"altitudeOffset", "400"}});
  EXPECT_NEAR(pressure(*sensor, {20, 0, 0}, 600), 0.5 * 1.1117 * 400, 0.02);
  SampleInput in;
  in.v_WS = {20, 0, 0};
  in.to_geodetic = [](const Vec3& p) { return Vec3(46, 6, p.z() + 600); };
  EXPECT_NEAR(sample_values(*sensor, in).at(0), 0.5 * 1.1117 * 400, 0.02);
}

}  // namespace
}  // namespace protobeam
