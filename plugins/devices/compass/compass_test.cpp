// A compass turned about each axis of the world: where north lies is plain geometry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

constexpr double kError = 1e-12;

std::vector<double> north_of(const Quat& R_WS, std::map<std::string, std::string> fields = {},
                             const Vec3& north_W = Vec3::UnitY()) {
  const DevicePlugin& plugin = load_sensor_plugin("Compass");
  DeviceContext context;
  context.north_W = north_W;
  const auto compass = make_device(plugin, TestFields(plugin.schema, std::move(fields)), context);
  SampleInput in;
  in.X_WS.R = R_WS;
  return sample_values(*compass, in);
}

auto near(double x, double y, double z) {
  return ElementsAre(DoubleNear(x, kError), DoubleNear(y, kError), DoubleNear(z, kError));
}

//   north (+y)
//     ^
//     |   the device's x axis, turned by yaw from east (+x)
//     |  /
//     +------> east
TEST(Compass, LiesToTheLeftOfADeviceThatLooksEast) {
  EXPECT_THAT(north_of(Quat::Identity()), near(0, 1, 0));
  EXPECT_THAT(north_of(axis_angle(Vec3::UnitZ(), kPi / 2)), near(1, 0, 0));  // it looks north
  EXPECT_THAT(north_of(axis_angle(Vec3::UnitZ(), kPi)), near(0, -1, 0));     // it looks west
  EXPECT_THAT(north_of(axis_angle(Vec3::UnitZ(), kPi / 6)),
              near(std::sin(kPi / 6), std::cos(kPi / 6), 0));
}

TEST(Compass, SinksIntoTheFloorOfADeviceThatRolls) {
  // Rolled to the right by 30 degrees: its y axis rises, and north lies below it.
  EXPECT_THAT(north_of(axis_angle(Vec3::UnitX(), kPi / 6)),
              near(0, std::cos(kPi / 6), -std::sin(kPi / 6)));
}

TEST(Compass, FollowsTheNorthOfTheWorld) {
  EXPECT_THAT(north_of(Quat::Identity(), {}, Vec3::UnitX()), near(1, 0, 0));  // "NUE"
}

TEST(Compass, SwitchedOffAxesReadNaN) {
  const auto values = north_of(Quat::Identity(), {{"xAxis", "FALSE"}, {"zAxis", "FALSE"}});
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(values[1], 1);
  EXPECT_TRUE(std::isnan(values[2]));
}

TEST(Compass, GoesThroughTheLookupTable) {
  const auto values = north_of(Quat::Identity(), {{"lookupTable", "[ -1 -100 0, 1 100 0 ]"}});
  EXPECT_THAT(values, near(0, 100, 0));
}

}  // namespace
}  // namespace protobeam
