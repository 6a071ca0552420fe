// The lidars of protos/lidars against the Webots user guide ("Lidar sensors") and the makers'
// figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "catalogue_fixture.h"

namespace protobeam {
namespace {

using namespace catalogue;

struct Figures {
  const char* text;
  int layers, points;
  double fov_deg, vertical_deg, min_range, max_range, noise_m, resolution_m;
  const char* type;
  const char* projection;
};

TEST(Lidars, HaveTheFiguresOfTheUserGuide) {
  const Figures table[] = {
      {"IbeoLux { }", 4, 680, 80, 3.2, 0.8, 200, 0.1, 0.04, "fixed", "cylindrical"},
      {"IbeoLux { useExtendedFieldOfView TRUE }", 4, 680, 110, 3.2, 0.8, 200, 0.1, 0.04, "fixed",
       "cylindrical"},
      {"IbeoLux { fastModel TRUE }", 4, 680, 80, 3.2, 0.8, 200, 0, -1, "fixed", "planar"},
      {"SickLms291 { }", 1, 180, 180, -1, 0.01, 80, 0, -1, "fixed", "cylindrical"},
      {"SickLms291 { noise 0.02 resolution 361 }", 1, 361, 180, -1, 0.01, 80, 0.02, -1, "fixed",
       "cylindrical"},
      {"SickLdMrs { }", 4, 170, 85, 2.4, 0.5, 300, 0.3, -1, "fixed", "cylindrical"},
      {"SickLdMrs { noise 0 angularResolution 0.002181661564993 }", 4, 680, 85, 2.4, 0.5, 300, 0,
       -1, "fixed", "cylindrical"},
      {"SickLdMrs { numberOfLayers 2 angularResolution 0.00436 }", 2, 440, 110, 2.4, 0.5, 300, 0.3,
       -1, "fixed", "cylindrical"},
      {"SickLdMrs { type \"800001S01\" }", 8, 170, 85, 5.6, 0.5, 300, 0.3, -1, "fixed",
       "cylindrical"},
      {"VelodyneVLP-16 { }", 16, 3600, 360, 30, 1, 100, 0.03, -1, "fixed", "cylindrical"},
      {"VelodyneVLP-16 { fastModel TRUE }", 16, 3600, 360, 30, 1, 100, 0, -1, "fixed",
       "cylindrical"},
      {"VelodyneHDL-32E { }", 32, 4500, 360, 41.333, 1, 70, 0.02, -1, "rotating", "cylindrical"},
      {"VelodyneHDL-64E { }", 64, 4500, 360, 26.8, 0.8, 120, 0.02, -1, "rotating", "cylindrical"},
      {"VelodynePuck { }", 16, 3600, 360, 30, 1, 100, 0.03, -1, "fixed", "cylindrical"},
      {"VelodynePuck { version \"Puck LITE\" noise 0 }", 16, 3600, 360, 30, 1, 100, 0, -1, "fixed",
       "cylindrical"},
      {"VelodynePuck { version \"Puck Hi-Res\" }", 16, 3600, 360, 20, 1, 100, 0.03, -1, "fixed",
       "cylindrical"},
      {"SickS300 { }", 1, 540, 270, -1, 0.01, 30, 0, -1, "fixed", "cylindrical"},
      {"HokuyoUrg04lx { noise 0.03 }", 1, 667, 240, -1, 0.06, 4.096, 0.03, -1, "fixed",
       "cylindrical"},
      {"HokuyoUtm30lx { resolution 1081 }", 1, 1081, 270, -1, 0.1, 30, 0, -1, "fixed",
       "cylindrical"},
      {"RobotisLds01 { }", 1, 360, 360, -1, 0.12, 3.5, 0.015, -1, "fixed", "cylindrical"},
      {"RpLidarA2 { }", 1, 400, 360, -1, 0.2, 12, 0.01, 0.01, "rotating", "cylindrical"},
  };
  for (const Figures& expected : table) {
    SCOPED_TRACE(expected.text);
    const Loaded loaded = load(expected.text);
    EXPECT_EQ(loaded.messages, "");
    const NodePtr node = find(loaded.world, "Lidar");
    ASSERT_NE(node, nullptr);
    const NodeView lidar(*node, schemas());
    EXPECT_EQ(lidar.integer("numberOfLayers"), expected.layers);
    EXPECT_EQ(lidar.integer("horizontalResolution"), expected.points);
    EXPECT_NEAR(lidar.number("fieldOfView") / kDegree, expected.fov_deg, 1e-6);
    if (expected.layers > 1) {
      EXPECT_NEAR(lidar.number("verticalFieldOfView") / kDegree, expected.vertical_deg, 1e-3);
    }
    EXPECT_EQ(lidar.number("minRange"), expected.min_range);
    EXPECT_EQ(lidar.number("maxRange"), expected.max_range);
    EXPECT_NEAR(lidar.number("noise") * lidar.number("maxRange"), expected.noise_m, 1e-12);
    EXPECT_EQ(lidar.number("resolution"), expected.resolution_m);
    EXPECT_EQ(lidar.string("type"), expected.type);
    EXPECT_EQ(lidar.string("projection"), expected.projection);
    EXPECT_LE(lidar.number("near"), lidar.number("minRange"));
    const auto sensor = make_device(load_sensor_plugin("Lidar"), lidar);
    EXPECT_EQ(sensor->layout().channels.at(0).shape,
              (std::vector<std::size_t>{static_cast<std::size_t>(expected.layers),
                                        static_cast<std::size_t>(expected.points)}));
  }
}

TEST(Lidars, HaveTheNamesOfTheUserGuide) {
  const std::pair<const char*, const char*> names[] = {{"IbeoLux", "ibeo"},
                                                       {"SickLms291", "lms291"},
                                                       {"SickLdMrs", "LD-MRS"},
                                                       {"VelodyneVLP-16", "velodyne"},
                                                       {"VelodyneHDL-32E", "velodyne"},
                                                       {"VelodyneHDL-64E", "velodyne"},
                                                       {"VelodynePuck", "Velodyne Puck"},
                                                       {"SickS300", "Sick S300"},
                                                       {"HokuyoUrg04lx", "Hokuyo URG-04LX"},
                                                       {"HokuyoUtm30lx", "Hokuyo UTM-30LX"},
                                                       {"RobotisLds01", "LDS-01"},
                                                       {"RpLidarA2", "RPlidar A2"}};
  for (const auto& [proto, name] : names) {
    const Loaded loaded = load(std::string(proto) + " { }");
    const NodePtr lidar = find(loaded.world, "Lidar");
    ASSERT_NE(lidar, nullptr) << proto << "\n" << loaded.messages;
    EXPECT_EQ(NodeView(*lidar, schemas()).string("name"), name);
  }
}

TEST(Lidars, RotatingOnesLookAsTheDevicesDo) {
  const struct {
    const char* text;
    std::size_t layers;
    double top_deg, bottom_deg;
  } table[] = {{"VelodyneHDL-32E { }", 32, 10.67, -30.67}, {"VelodyneHDL-64E { }", 64, 2, -24.8}};
  for (const auto& expected : table) {
    const Loaded loaded = load(expected.text);
    const NodePtr node = find(loaded.world, "Lidar");
    ASSERT_NE(node, nullptr) << loaded.messages;
    const NodeView lidar(*node, schemas());
    const auto angles = lidar.numbers("layerAngles");
    ASSERT_EQ(angles.size(), expected.layers);
    EXPECT_NEAR(angles.front() / kDegree, expected.top_deg, 0.005);
    EXPECT_NEAR(angles.back() / kDegree, expected.bottom_deg, 0.005);
    EXPECT_TRUE(std::is_sorted(angles.rbegin(), angles.rend()));
    EXPECT_NE(lidar.node("rotatingHead"), nullptr);
  }
}

// Layer 0 at the bottom, the first point at the right, the fan turned right by the offset.
TEST(Lidars, LdMrsScansFromTheRightAndFromTheBottom) {
  const struct {
    const char* text;
    double first_deg, last_deg;
  } table[] = {{"SickLdMrs { }", -50, 35}, {"SickLdMrs { numberOfLayers 2 }", -60, 50}};
  for (const auto& expected : table) {
    const Loaded loaded = load(expected.text);
    const NodePtr node = find(loaded.world, "Lidar");
    ASSERT_NE(node, nullptr) << loaded.messages;
    const NodeView lidar(*node, schemas());
    const Quat R = lidar.rotation("rotation");
    const double half = lidar.number("fieldOfView") / 2;
    const Vec3 first = R * Vec3(std::cos(half), std::sin(half), 0);  // a Lidar's left edge
    const Vec3 last = R * Vec3(std::cos(half), -std::sin(half), 0);
    EXPECT_NEAR(std::atan2(first.y(), first.x()) / kDegree, expected.first_deg, 1e-6);
    EXPECT_NEAR(std::atan2(last.y(), last.x()) / kDegree, expected.last_deg, 1e-6);
    EXPECT_NEAR((R * Vec3::UnitZ()).z(), -1, 1e-9);
  }
}

TEST(Lidars, PhysicsCanBeSwitchedOff) {
  const std::pair<const char*, double> masses[] = {{"IbeoLux { }", 1},
                                                   {"SickLdMrs { }", 1},
                                                   {"VelodyneVLP-16 { }", 0.83},
                                                   {"VelodyneHDL-32E { }", 2},
                                                   {"VelodyneHDL-64E { }", 15},
                                                   {"SickLms291 { }", 0},
                                                   {"SickLdMrs { physics FALSE }", 0},
                                                   {"SickLdMrs { enablePhysics FALSE }", 0},
                                                   {"VelodyneHDL-64E { enablePhysics FALSE }", 0},
                                                   {"VelodynePuck { version \"Puck LITE\" }", 0.59},
                                                   {"VelodynePuck { }", 0.83},
                                                   {"SickS300 { }", 1.2},
                                                   {"HokuyoUrg04lx { }", 0.16},
                                                   {"HokuyoUtm30lx { }", 0.37},
                                                   {"HokuyoUtm30lx { enablePhysics FALSE }", 0},
                                                   {"RobotisLds01 { }", 0.125},
                                                   {"RpLidarA2 { enablePhysics FALSE }", 0},
                                                   {"OusterOS2 { enablePhysics FALSE }", 0},
                                                   {"Helios32Fov31 { enablePhysics FALSE }", 0}};
  for (const auto& [text, mass] : masses) {
    const Loaded loaded = load(text);
    EXPECT_EQ(loaded.messages, "") << text;
    const NodePtr physics = find(loaded.world, "Physics");
    EXPECT_EQ(physics ? NodeView(*physics, schemas()).number("mass") : 0, mass) << text;
  }
}

TEST(Lidars, LdMrsRefusesWhatTheDeviceCannotDo) {
  EXPECT_THAT(load("SickLdMrs { angularResolution 0.5 }").messages,
              ::testing::HasSubstr("angularResolution 0.5 is not 0.125, 0.25 or 0.5 degrees"));
  EXPECT_THAT(load("SickLdMrs { measurementLayers 8 }").messages,
              ::testing::HasSubstr("measurementLayers 8"));
  EXPECT_NE(load("SickLdMrs { numberOfLayers 3 }").messages, "");
}

/// Half extents of a primitive.
Vec3 half_size(const Node& node) {
  const NodeView view(node, schemas());
  if (node.type == "Box") return view.vec3("size") / 2;
  const double r = view.number("radius");
  if (node.type == "Sphere") return {r, r, r};
  return {r, r, view.number("height") / 2};
}

bool is_primitive(const Node& node) {
  return node.type == "Box" || node.type == "Sphere" || node.type == "Cylinder";
}

/// Corners of the boxes around a lidar's visible primitives, in the Lidar's own frame.
std::vector<Vec3> visible_corners(const wbt::LoadedWorld& world) {
  Pose X_WL;
  std::vector<Vec3> corners;
  for (const NodePtr& root : world.nodes) {
    walk(root, {}, [&](const NodePtr& node, const Pose& X_WF) {
      if (node->type == "Lidar") {
        const NodeView view(*node, schemas());
        X_WL = X_WF * Pose{view.rotation("rotation"), view.vec3("translation")};
      }
      if (node->type != "Shape") return;
      const NodePtr geometry = NodeView(*node, schemas()).node("geometry");
      if (!geometry || !is_primitive(*geometry)) {
        ADD_FAILURE() << "a lidar's body is made of boxes, cylinders and spheres";
        return;
      }
      const Vec3 half = half_size(*geometry);
      for (int i = 0; i < 8; ++i) {
        const Vec3 sign(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
        corners.push_back(X_WF * Vec3(half.cwiseProduct(sign)));
      }
    });
  }
  for (Vec3& corner : corners) corner = X_WL.inverse() * corner;
  return corners;
}

TEST(Lidars, DoNotSeeTheirOwnBodies) {
  for (const char* text : {"IbeoLux { }", "SickLdMrs { }", "VelodyneVLP-16 { }", "VelodynePuck { }",
                           "VelodyneHDL-32E { }", "VelodyneHDL-64E { }", "VelodyneVLP-32C { }",
                           "Helios32Fov26 { }", "Helios32Fov31 { }", "Helios32Fov70 { }",
                           "OusterOS0 { }", "OusterOS1 { }", "OusterOS2 { }"}) {
    const Loaded loaded = load(text);
    const NodePtr lidar = find(loaded.world, "Lidar");
    ASSERT_NE(lidar, nullptr) << text << "\n" << loaded.messages;
    const double near = NodeView(*lidar, schemas()).number("near");
    const auto corners = visible_corners(loaded.world);
    EXPECT_GE(corners.size(), 8u * 3);
    for (const Vec3& corner : corners) EXPECT_LT(corner.norm(), near) << text;
  }
}

// Of a single layer, what is not within `near` must be above, below or behind the scan.
TEST(Lidars, OfOneLayerLookPastTheirHousings) {
  for (const char* text :
       {"SickLms291 { }", "SickS300 { }", "HokuyoUrg04lx { }", "HokuyoUtm30lx { }",
        "RobotisLds01 { }", "RpLidarA2 { }", "Lidar2D { }", "Lidar2D { fov 360 minRange 0.001 }"}) {
    SCOPED_TRACE(text);
    const Loaded loaded = load(text);
    const NodePtr lidar = find(loaded.world, "Lidar");
    ASSERT_NE(lidar, nullptr) << loaded.messages;
    const NodeView view(*lidar, schemas());
    const double near = view.number("near");
    EXPECT_LE(near, view.number("minRange"));
    const bool sees_back = view.number("fieldOfView") > kPi + 1e-9;
    const auto corners = visible_corners(loaded.world);
    ASSERT_GE(corners.size(), 8u * 3);
    for (std::size_t i = 0; i < corners.size(); i += 8) {
      double lowest = 1, highest = -1, foremost = -1, farthest = 0;
      for (std::size_t k = i; k < i + 8; ++k) {
        lowest = std::min(lowest, corners[k].z());
        highest = std::max(highest, corners[k].z());
        foremost = std::max(foremost, corners[k].x());
        farthest = std::max(farthest, corners[k].norm());
      }
      EXPECT_TRUE(farthest < near || lowest > 0 || highest < 0 || (!sees_back && foremost < -0.01))
          << "shape " << i / 8;
    }
  }
}

}  // namespace
}  // namespace protobeam
