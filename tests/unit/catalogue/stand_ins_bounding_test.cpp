// The stand-ins of protos/webots collide where Webots' own PROTOs do: the extents of their
// boundingObjects against those that a person read in the originals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/simulation.h"
#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/paths.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;

/// A line of tests/data/webots_bounding.txt.
struct Row {
  std::string proto, fields;
  std::string solid;             ///< "" for all together
  std::optional<Bounds> extent;  ///< null for "none"; NaN where Webots' is not ours
  std::optional<double> mass;    ///< kg
};

double number(const std::string& text) {
  return text == "*" ? std::numeric_limits<double>::quiet_NaN() : std::stod(text);
}

std::vector<Row> rows_of_webots() {
  std::ifstream in(fs::path(source_dir()) / "tests/data/webots_bounding.txt");
  std::vector<Row> rows;
  std::string line, proto;
  const test::Pattern head(R"(\[(\S+)\].*)");
  const test::Pattern row(R"re(\{ (.*)\}(?: "(.*)")? (none|\S+(?: \S+){5})(?: mass (\S+))?)re");
  while (std::getline(in, line)) {
    if (const auto name = head.match(line); !name.empty()) proto = name[1];
    const auto part = row.match(line);
    if (part.empty()) continue;
    Row made{proto, part[1], part[2], {}, {}};
    if (part[3] != "none") {
      std::istringstream words(part[3]);
      std::array<std::string, 6> word;
      for (auto& w : word) words >> w;
      made.extent = Bounds{{number(word[0]), number(word[1]), number(word[2])},
                           {number(word[3]), number(word[4]), number(word[5])}};
    }
    if (!part[4].empty()) made.mass = number(part[4]);
    rows.push_back(std::move(made));
  }
  return rows;
}

std::map<std::string, fs::path> stand_ins() {
  std::map<std::string, fs::path> files;
  for (const char* folder : {"objects", "robots", "vehicles", "devices"}) {
    for (const auto& entry :
         fs::directory_iterator(fs::path(source_dir()) / "protos/webots" / folder)) {
      files[entry.path().stem().string()] = entry.path();
    }
  }
  return files;
}

std::unique_ptr<Simulation> load_robot(const fs::path& file, const std::string& fields,
                                       const TemporaryFolder& folder) {
  const std::string name = file.stem().string();
  std::string node = name + " { translation 0 0 0 " + fields;
  const fs::path kind = file.parent_path().filename();
  if (kind == "robots" || kind == "vehicles") node += "controller \"<none>\" ";
  node += "}\n";
  if (kind == "devices") node = "Robot { controller \"<none>\" children [ " + node + "] }\n";
  const fs::path world =
      folder.write("worlds/" + name + ".wbt",
                   fmt::format("#VRML_SIM R2025a utf8\nEXTERNPROTO \"{}\"\nWorldInfo {{ }}\n{}",
                               file.string(), node));
  SimulationOptions options;
  options.proto_path = {fs::path(source_dir()) / "protos/webots"};
  Diagnostics diagnostics;
  auto simulation = Simulation::load(world, options, diagnostics);
  EXPECT_TRUE(simulation) << diagnostics.to_string();
  return simulation;
}

/// Of the collision shapes of that Solid ("": of all), in the world.
Bounds extent_of(const WorldModel& model, const std::string& solid) {
  Bounds all;
  for (const CollisionInfo& shape : model.collisions) {
    if (!solid.empty() && model.solids.at(static_cast<std::size_t>(shape.solid)).name != solid)
      continue;
    const Pose X_WS = shape.body == physics::kWorldBody
                          ? shape.X_BS
                          : model.physics->pose(shape.body) * shape.X_BS;
    for (const Vec3& corner : triangulated(*shape.geometry, 180).vertices) {
      const Vec3 p = X_WS * corner;
      all.min = all.min.cwiseMin(p);
      all.max = all.max.cwiseMax(p);
    }
  }
  return all;
}

double mass_of(const WorldModel& model, const std::string& solid) {
  for (const SolidInfo& info : model.solids) {
    if (info.name == solid && info.body != physics::kWorldBody)
      return model.physics->mass(info.body);
  }
  return 0;
}

/// Within 2 % of the size; at least a millimetre, at most a centimetre.
void expect_near(const Bounds& ours, const Bounds& webots) {
  for (int axis = 0; axis < 3; ++axis) {
    if (std::isnan(webots.min[axis])) continue;
    const double tolerance = std::clamp(0.02 * (webots.max[axis] - webots.min[axis]), 0.001, 0.01);
    EXPECT_NEAR(ours.min[axis], webots.min[axis], tolerance) << "min "
                                                             << "xyz"[axis];
    EXPECT_NEAR(ours.max[axis], webots.max[axis], tolerance) << "max "
                                                             << "xyz"[axis];
  }
}

TEST(StandInsBounding, CollideWhereWebotsPROTOsDo) {
  const auto files = stand_ins();
  const TemporaryFolder folder;
  std::set<std::string> compared;
  for (const Row& row : rows_of_webots()) {
    SCOPED_TRACE(row.proto + " { " + row.fields + "} " + row.solid);
    ASSERT_TRUE(files.count(row.proto));
    compared.insert(row.proto);
    const auto simulation = load_robot(files.at(row.proto), row.fields, folder);
    if (!simulation) continue;
    const Bounds ours = extent_of(simulation->model(), row.solid);
    EXPECT_EQ(ours.empty(), !row.extent);
    if (row.extent && !ours.empty()) expect_near(ours, *row.extent);
    if (row.mass) {
      EXPECT_NEAR(mass_of(simulation->model(), row.solid), *row.mass, 0.01 * *row.mass);
    }
  }
  for (const auto& [name, file] : files) {
    // Not Solids, sensors without a boundingObject, what a car is seen by, or wheels and trailers,
    // which are compared in their cars.
    static const std::set<std::string> kNothing = {
        "BmwX5AntiFogLight",
        "BmwX5BackwardsLight",
        "BmwX5BrakingLight",
        "BmwX5CentralMirror",
        "BmwX5CentralMirrorFrame",
        "BmwX5FrontLight",
        "BmwX5InnerWindow",
        "BmwX5Interior",
        "BmwX5LeftIndicator",
        "BmwX5LeftWingMirror",
        "BmwX5LeftWiper",
        "BmwX5Mesh",
        "BmwX5RearInterior",
        "BmwX5RearLight",
        "BmwX5RightIndicator",
        "BmwX5RightWingMirror",
        "BmwX5RightWiper",
        "BmwX5Wheel",
        "BusWheel",
        "CarSteeringWheel",
        "CitroenCZeroFrontWheel",
        "CitroenCZeroRearWheel",
        "E-puckDistanceSensor",
        "E-puckGroundSensors",
        "Extrusion",
        "Forest",
        "JetBotRaspberryPiCamera",
        "Khepera3_DistanceSensor",
        "Khepera4InfraredSensor",
        "MotorbikeDriver",
        "MotorbikeWheel",
        "Pioneer3DistanceSensor",
        "PipeBoundingObject",
        "Rectangle",
        "RoadLine",
        "ScooterDriver",
        "ScooterWheel",
        "ScrewHole",
        "SharpGP2D120",
        "SharpGP2Y0A02YK0F",
        "SharpGP2Y0A41SK0F",
        "SumoInterface",
        "TexturedBackground",
        "TexturedBackgroundLight",
        "TexturedBox",
        "TexturedBoxShape",
        "Thymio2DistanceSensor",
        "Thymio2LED",
        "ToyotaPriusWheel",
        "TrafficLightArrowLampGeometry",
        "TrafficLightStandardLampGeometry",
        "TruckTankSimple",
        "TruckTrailerSimple",
        "TruckWheel",
        "VehicleLights",
        "VehicleWheel",
    };
    EXPECT_NE(compared.count(name), kNothing.count(name)) << name;
  }
}

/// What stands for a boundingObject only.
TEST(StandInsBounding, APipeOfBoxesReachesItsRadiusAndHeight) {
  const TemporaryFolder folder;
  const auto world = folder.write("worlds/pipe.wbt", fmt::format(R"(#VRML_SIM R2025a utf8
EXTERNPROTO "{}/protos/webots/objects/PipeBoundingObject.proto"
WorldInfo {{ }}
Solid {{ name "pipe" boundingObject PipeBoundingObject {{ radius 0.5 thickness 0.1 height 0.4 translation 1 0 0 }} }}
)",
                                                                 source_dir()));
  Diagnostics diagnostics;
  const auto simulation = Simulation::load(world, {}, diagnostics);
  ASSERT_TRUE(simulation) << diagnostics.to_string();
  EXPECT_EQ(simulation->model().collisions.size(), 24u);
  expect_near(extent_of(simulation->model(), "pipe"), {{0.5, -0.5, -0.2}, {1.5, 0.5, 0.2}});
}

/// A cross-section moved along a path: straight, and by the rules for corners.
TEST(StandInsBounding, AnExtrusionFollowsItsSpine) {
  const TemporaryFolder folder;
  const auto extent = [&](const std::string& fields) {
    const auto world = folder.write("worlds/rod.wbt", fmt::format(R"(#VRML_SIM R2025a utf8
EXTERNPROTO "{}/protos/webots/objects/Extrusion.proto"
WorldInfo {{ }}
Solid {{ name "rod" boundingObject Extrusion {{ {} }} }}
)",
                                                                  source_dir(), fields));
    Diagnostics diagnostics;
    const auto simulation = Simulation::load(world, {}, diagnostics);
    EXPECT_TRUE(simulation) << diagnostics.to_string();
    return simulation ? extent_of(simulation->model(), "rod") : Bounds{};
  };
  expect_near(extent(""), {{-1, -1, 0}, {1, 1, 1}});
  expect_near(extent("scale [ 1 1, 0.5 2 ] splineSubdivision 0"), {{-1, -2, 0}, {1, 2, 1}});
  // Square bars of 0.2 m: up, and then along x; the corner is cut at right angles to its middle.
  const double corner = 0.1 * std::sqrt(0.5);
  expect_near(extent("crossSection [ 0.1 0.1, 0.1 -0.1, -0.1 -0.1, -0.1 0.1, 0.1 0.1 ] "
                     "spine [ 0 0 0, 0 0 2, 2 0 2 ] splineSubdivision 0"),
              {{-0.1, -0.1, 0}, {2, 0.1, 2.1}});
  expect_near(extent("crossSection [ 0.1 0.1, 0.1 -0.1, -0.1 -0.1, -0.1 0.1, 0.1 0.1 ] "
                     "spine [ 0 0 0, 0 0 2, 1 0 3 ] splineSubdivision 0"),
              {{-0.1, -0.1, 0}, {1 + corner, 0.1, 3 + corner}});
}

/// A node type of Protobeam has the name of one of Webots' PROTOs, VehicleWheel. Files without
/// EXTERNPROTO cannot say which they mean: those of R2022a and before know only Webots'.
TEST(StandInsBounding, AnOldCarStandsOnWheelsOfWebots) {
  const TemporaryFolder folder;
  const auto world = folder.write("worlds/old.wbt", R"(#VRML_SIM R2021b utf8
WorldInfo { }
Car { controller "" wheelFrontRight VehicleWheel {
  name "small" tireRadius 0.25 thickness 0.2 rimRadius 0.2 rimBeamThickness 0.1 rimBeamOffset 0 } }
)");
  SimulationOptions options;
  const fs::path catalogue = fs::path(source_dir()) / "protos";
  options.proto_path = {catalogue, catalogue / "webots"};
  Diagnostics diagnostics;
  const auto simulation = Simulation::load(world, options, diagnostics);
  ASSERT_TRUE(simulation) << diagnostics.to_string();
  // y is up and z forward; the default translation lifts the rear axle by 0.4 m.
  expect_near(extent_of(simulation->model(), "small"), {{-0.95, 0.15, 3.75}, {-0.75, 0.65, 4.25}});
}

}  // namespace
}  // namespace protobeam
