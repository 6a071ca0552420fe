// An altimeter outside of a world, beside a GPS at the same place.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

double altitude(DeviceModel& sensor, const SampleInput& in) {
  return sample_values(sensor, in).at(0);
}

TEST(Altimeter, IsWebotsNode36) { EXPECT_EQ(make_sensor("Altimeter")->type().webots_node, 36); }

TEST(Altimeter, MeasuresHeightAlongTheWorldsUpAxis) {
  const auto sensor = make_sensor("Altimeter");
  SampleInput in;
  in.X_WS = {axis_angle(Vec3::UnitX(), 2), Vec3(10, -20, 3)};
  in.gravity_W = Vec3(0, -1, -9.81);  // tilted
  EXPECT_EQ(altitude(*sensor, in), 3);
  in.up_W = Vec3::UnitY();  // "NUE"
  EXPECT_EQ(altitude(*sensor, in), -20);
  in.gravity_W = Vec3::Zero();
  EXPECT_EQ(altitude(*sensor, in), -20);
}

TEST(Altimeter, ReportsTheHeightOfAGps) {
  const auto sensor = make_sensor("Altimeter"), gps = make_sensor("GPS");
  SampleInput in;
  for (const bool geodetic : {false, true}) {
    if (geodetic) {
      in.to_geodetic = [](const Vec3& p) {
        return Vec3(46, 6, p.z() + 400 + 1e-7 * p.x() * p.x());
      };
    }
    for (int i = 0; i < 20; ++i) {
      in.X_WS.p = Vec3(100 * i, 7, 0.3 * i - 2);
      EXPECT_EQ(altitude(*sensor, in), sample_values(*gps, in)[2]);
    }
  }
}

TEST(Altimeter, MayMeasureFromTheStart) {
  const auto sensor = make_sensor("Altimeter", {{"fromStart", "TRUE"}});
  SampleInput in;
  in.to_geodetic = [](const Vec3& p) { return Vec3(46, 6, p.z() + 400); };
  in.X_WS.p.z() = 3;
  EXPECT_EQ(altitude(*sensor, in), 0);
  in.X_WS.p.z() = 1.25;
  EXPECT_EQ(altitude(*sensor, in), -1.75);
}

TEST(Altimeter, AccuracyIsTheStandardDeviationOfEachSample) {
  const auto sensor = make_sensor("Altimeter", {{"accuracy", "0.4"}});
  SampleInput in;
  in.X_WS.p.z() = 7;
  double squares = 0, products = 0, last = 0;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    in.noise.frame = static_cast<std::uint64_t>(i);
    const double error = altitude(*sensor, in) - 7;
    squares += error * error;
    products += error * last;
    last = error;
  }
  EXPECT_NEAR(std::sqrt(squares / kCount) / 0.4, 1, 0.05);
  EXPECT_NEAR(products / squares, 0, 0.03);  // white
}

TEST(Altimeter, ResolutionActsOnTheNoisyHeight) {
  const auto sensor = make_sensor("Altimeter", {{"accuracy", "1"}, {"resolution", "0.5"}});
  SampleInput in;
  in.X_WS.p.z() = 7.2;
  bool moved = false;
  for (in.noise.frame = 0; in.noise.frame < 50; ++in.noise.frame) {
    const double height = altitude(*sensor, in);
    EXPECT_EQ(height * 2, std::round(height * 2));
    moved = moved || height != 7;
  }
  EXPECT_TRUE(moved);
  const auto exact = make_sensor("Altimeter", {{"resolution", "0.5"}});
  EXPECT_EQ(altitude(*exact, in), 7);
}

}  // namespace
}  // namespace protobeam
