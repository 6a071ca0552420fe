// Which region counts where, by the table of what each one says.
#include "sim/property_region.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

PropertyRegion box(const Vec3& min, const Vec3& max, double friction) {
  PropertyRegion region;
  region.min = min;
  region.max = max;
  region.friction = friction;
  return region;
}

TEST(PropertyRegions, FacesBelongToABox) {
  PropertyRegions regions;
  regions.add(box({-1, -2, 0}, {1, 2, 3}, 0.5));
  for (const Vec3& p : {Vec3(-1, -2, 0), Vec3(1, 2, 3), Vec3(0, 0, 1), Vec3(1, 0, 0)}) {
    EXPECT_EQ(regions.friction_at(p), 0.5) << p.transpose();
  }
  for (const Vec3& p : {Vec3(1.001, 0, 1), Vec3(0, -2.001, 1), Vec3(0, 0, 3.001)}) {
    EXPECT_FALSE(regions.friction_at(p)) << p.transpose();
  }
}

TEST(PropertyRegions, TheLastOneThatSaysItCounts) {
  PropertyRegions regions;
  regions.add(box({-10, -10, -1}, {10, 10, 1}, 0.8));
  regions.add(box({-1, -1, -1}, {1, 1, 1}, 0.1));
  PropertyRegion other = box({-1, -1, -1}, {1, 1, 1}, 0);
  other.friction.reset();
  other.rolling_resistance = 0.05;
  regions.add(other);
  EXPECT_EQ(regions.friction_at({0, 0, 0}), 0.1);
  EXPECT_EQ(regions.rolling_resistance_at({0, 0, 0}), 0.05);
  EXPECT_EQ(regions.friction_at({5, 0, 0}), 0.8);
  EXPECT_FALSE(regions.rolling_resistance_at({5, 0, 0}));
  EXPECT_FALSE(regions.friction_at({50, 0, 0}));
}

TEST(PropertyRegions, AnOutageMayHaveAHoleWithSky) {
  PropertyRegions regions;
  PropertyRegion hall = box({0, 0, 0}, {10, 10, 5}, 0), yard = box({4, 4, 0}, {6, 6, 5}, 0);
  hall.gnss_outage = true;
  yard.gnss_outage = false;
  regions.add(hall);
  regions.add(yard);
  EXPECT_TRUE(regions.gnss_outage_at({1, 1, 1}));
  EXPECT_FALSE(regions.gnss_outage_at({5, 5, 1}));
  EXPECT_FALSE(regions.gnss_outage_at({1, 1, 6}));
}

//   +-----------+
//   |  +-----+  |    an outline like a U: the notch is outside, the edges inside
//   |  |     |  |
//   +--+     +--+
TEST(PropertyRegions, PolygonsMayHaveDents) {
  PropertyRegions regions;
  PropertyRegion u = box({0, 0, -1}, {0, 0, 1}, 0.3);
  u.polygon = {{0, 0}, {1, 0}, {1, 2}, {3, 2}, {3, 0}, {4, 0}, {4, 3}, {0, 3}};
  regions.add(u);
  for (const Vec2& p : {Vec2(0.5, 1), Vec2(3.5, 0), Vec2(2, 2.5), Vec2(1, 1), Vec2(4, 3)}) {
    EXPECT_TRUE(regions.friction_at({p.x(), p.y(), 0})) << p.transpose();
  }
  for (const Vec2& p : {Vec2(2, 1), Vec2(1.001, 0), Vec2(-0.001, 1), Vec2(2, 3.001)}) {
    EXPECT_FALSE(regions.friction_at({p.x(), p.y(), 0})) << p.transpose();
  }
  EXPECT_FALSE(regions.friction_at({0.5, 1, 1.1}));
}

TEST(PropertyRegionText, StandsWhereItsFrameSays) {
  WorldText world;
  const auto& model =
      world.load("Pose { translation 10 0 0 rotation 0 0 1 1.5707963267948966 children [ "
                 "PropertyRegion { min 0 0 0 max 4 1 1 friction 0.2 } ] }")
          .model();
  EXPECT_EQ(model.regions.friction_at({9.5, 3.5, 0.5}), 0.2);
  EXPECT_FALSE(model.regions.friction_at({10.5, 3.5, 0.5}));
}

TEST(PropertyRegionText, WheelsFeelTheLastOneThatSaysIt) {
  WorldText world;
  const auto& model = world.load("PropertyRegion { min -5 -5 -1 max 5 5 1 friction 0.8 }\n"
                                 "PropertyRegion { min -1 -1 -1 max 1 1 1 friction 0.1 }\n"
                                 "PropertyRegion { min -9 -9 -1 max 9 9 1 rollingResistance 0.02 }")
                          .model();
  EXPECT_EQ(model.regions.friction_at({0, 0, 0}), 0.1);
  EXPECT_EQ(model.regions.rolling_resistance_at({0, 0, 0}), 0.02);
  EXPECT_EQ(model.regions.friction_at({3, 0, 0}), 0.8);
  EXPECT_FALSE(model.regions.friction_at({7, 0, 0}));
}

TEST(PropertyRegionText, MistakesAreNamed) {
  const auto message = [](const std::string& text) {
    WorldText world;
    return message_of<std::runtime_error>([&] { world.load(text); });
  };
  EXPECT_THAT(message("PropertyRegion { min 0 2 0 max 1 1 1 friction 1 }"),
              HasSubstr("field 'min' of PropertyRegion must be at most 'max', got y 2 and 1"));
  EXPECT_THAT(message("PropertyRegion { polygon [ 0 0, 1 0 ] friction 1 }"),
              HasSubstr("needs 3 points or more"));
  EXPECT_THAT(message("PropertyRegion { friction -0.5 }"), HasSubstr("friction"));
  EXPECT_THAT(message("Solid { physics Physics { density -1 mass 1 } boundingObject Sphere { } "
                      "children [ PropertyRegion { friction 1 } ] }"),
              HasSubstr("cannot stand in a body that moves"));
}

Eigen::Matrix<double, 7, 1> gps(const std::string& type, const std::string& regions,
                                const std::string& info = "gravity 0") {
  WorldText world;
  Simulation& simulation =
      world.load(regions + "Robot { controller \"<none>\" translation 3 4 5 children [ GPS { type \"" +
                     type + "\" } ] }",
                 info);
  Device& device = device_named(simulation, "gps");
  simulation.enable(device, 0.008);
  simulation.step();
  Eigen::Matrix<double, 7, 1> values;
  std::memcpy(values.data(), device.data.data(), sizeof values);
  return values;
}

TEST(GnssOutage, LeavesASatelliteReceiverWithoutAFix) {
  const std::string outage = "PropertyRegion { min 2 3 4 max 4 5 6 gnssOutage TRUE }\n";
  EXPECT_TRUE(gps("satellite", outage).array().isNaN().all());
  EXPECT_EQ(gps("satellite", "")[0], 3);
  EXPECT_EQ(gps("laser", outage)[0], 3);
  EXPECT_EQ(gps("satellite", outage + "PropertyRegion { gnssOutage FALSE min 0 0 0 max 9 9 9 }\n")[0],
            3);
}

// 111.2 km a degree of latitude on a sphere; WGS84 differs by less than a percent.
TEST(GpsRotation, IsTheAngleFromEastToTheXAxis) {
  const std::string info =
      "gravity 0 gpsCoordinateSystem \"WGS84\" gpsReference 45 8 100 gpsRotation ";
  const auto along_x = gps("satellite", "", info + "0");
  const auto turned = gps("satellite", "", info + "1.5707963267948966");
  const double metre = 1 / 111.2e3;
  EXPECT_NEAR((along_x[0] - 45) / metre, 4, 0.05);
  EXPECT_NEAR((along_x[1] - 8) / metre * std::cos(45 * kPi / 180), 3, 0.05);
  // x points north, y west.
  EXPECT_NEAR((turned[0] - 45) / metre, 3, 0.05);
  EXPECT_NEAR((turned[1] - 8) / metre * std::cos(45 * kPi / 180), -4, 0.05);
}

TEST(GpsAxes, AreThoseOfTheWorld) {
  const double metre = 1 / 111.2e3;
  // 3 m north, 4 m up, 5 m east.
  const auto nue = gps("satellite", "",
                       "coordinateSystem \"NUE\" gravity 0 gpsCoordinateSystem \"WGS84\" gpsReference 45 8 100");
  EXPECT_NEAR((nue[0] - 45) / metre, 3, 0.05);
  EXPECT_NEAR((nue[1] - 8) / metre * std::cos(45 * kPi / 180), 5, 0.05);
  EXPECT_NEAR(nue[2], 104, 1e-3);
}

}  // namespace
}  // namespace protobeam
