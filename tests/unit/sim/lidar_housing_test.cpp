// Lidars in shapes of their own robot look out of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam::lidar_housing {
namespace {

const char* const kShape = "Shape { appearance PBRAppearance { } geometry ";
const char* const kWall = "Shape { appearance PBRAppearance { lidarReflectance 0.5 } geometry ";
const char* const kGlass = "Shape { appearance PBRAppearance { transparency 0.9 } geometry ";

std::string turned(const std::string& shape) {
  return "Pose { rotation 0 1 0 1 translation 0.1 0 0 children [ " + shape + " ] }";
}
std::string box(const std::string& shape = kShape) { return shape + "Box { size 0.6 0.4 0.5 } }"; }
std::string mesh() {
  return std::string(kShape) +
         "IndexedFaceSet { coord Coordinate { point [ -1 -1 -1, 1 0 0, 0 1 0, 0 0 1 ] }\n"
         "  coordIndex [ 0 2 1 -1 0 1 3 -1 0 3 2 -1 1 2 3 -1 ] } }";
}

/// What a lidar may stand in; beams have origins up to 0.05 m from the middle.
std::vector<std::string> housings() {
  return {box(),
          turned(std::string(kShape) + "Cylinder { radius 0.3 height 0.5 } }"),
          std::string(kShape) + "Sphere { radius 0.7 } }",
          std::string(kShape) + "Capsule { radius 0.2 height 0.5 } }",
          "Pose { translation 0 0 0.1 children [ " + std::string(kShape) +
              "Cone { bottomRadius 0.5 height 1 } } ] }",
          mesh(),
          box() + " " + mesh(),
          box(kGlass)};
}

/// Uneven beams, some of which begin beside the device's origin.
const char* const kBeams =
    "horizontalResolution 720 beamElevations_deg [ -20, -7, 0, 6, 15 ]\n"
    "  beamTimes [ 0, 1e-5, 2e-5, 3e-5, 4e-5 ]\n"
    "  beamOrigins [ 0.03 0 0, 0.03 0.02 0, 0 0 0.04, 0 -0.02 0, 0.03 0 -0.02 ]\n";

/// Every kind of lidar, by its fields.
std::vector<std::string> lidars() {
  const std::string beams = kBeams;
  return {"numberOfLayers 5 horizontalResolution 90 fieldOfView 6 verticalFieldOfView 1",
          "numberOfLayers 64 horizontalResolution 512 fieldOfView 6 verticalFieldOfView 1",
          "numberOfLayers 5 projection \"planar\" fieldOfView 2 verticalFieldOfView 1",
          "type \"rotating\" numberOfLayers 5 horizontalResolution 720 verticalFieldOfView 1",
          "scanLaw \"spinning\" " + beams,
          "scanLaw \"spinning\" motionDistortion TRUE " + beams,
          "scanLaw \"oscillating\" fieldOfView 2 horizontalResolution 200 motionDistortion TRUE",
          "scanLaw \"risley\" pointRate 20000 prismRates [ 121, -77 ]",
          "beamModel \"datasheet\" numberOfLayers 5 horizontalResolution 90 fieldOfView 6",
          "beamModel \"datasheet\" returnMode \"dual\" beamDivergence 0.02 numberOfLayers 5\n"
          "  horizontalResolution 90 fieldOfView 6 verticalFieldOfView 1",
          "scanLaw \"spinning\" motionDistortion TRUE beamModel \"datasheet\" returnMode \"dual\"\n"
          "  beamDivergence 0.003 " +
              beams};
}

/// Walls around a robot with a lidar in the shapes, which may move.
std::string robot_in(const std::string& shapes, const std::string& lidar,
                     const std::string& fields = "") {
  return fmt::format(
      "Robot {{ name \"r\" controller \"<none>\" {} children [ {}\n"
      "  Lidar {{ {} {} {} }} ] }}\n"
      "Solid {{ name \"room\" children [ {} Box {{ size 18 14 8 }} }} ] }}\n",
      fields, shapes, lidar.find("minRange") < lidar.size() ? "" : "minRange 1",
      lidar.find("maxRange") < lidar.size() ? "" : "maxRange 50", lidar, kWall);
}

/// The second frame, or what is in the image after 0.4 s.
std::vector<BeamReturn> look(const std::string& text, const SimulationOptions& options = {},
                             int step_ms = 8) {
  WorldText world;
  Simulation& simulation = world.load(text, "gravity 0", options, step_ms);
  Device& device = device_named(simulation, "r/lidar");
  simulation.enable(device, step_ms / 1000.0);
  for (int step = 0, frames = 0; step < 50 && frames < 2; ++step) {
    simulation.step();
    if (device.model->frame_complete()) ++frames;
  }
  return dynamic_cast<BeamSensor&>(*device.model).beams(device.data);
}

std::vector<float> ranges(const std::vector<BeamReturn>& beams) {
  std::vector<float> out;
  for (const BeamReturn& beam : beams) out.push_back(beam.range);
  return out;
}

/// How many beams have other ranges.
std::size_t differing(const std::vector<BeamReturn>& a, const std::vector<BeamReturn>& b) {
  EXPECT_EQ(a.size(), b.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += a[i].range != b[i].range;
  return count;
}

/// From the walls of the room, m.
double off_the_walls(const BeamReturn& beam) {
  const Vec3 p = Vec3(beam.x, beam.y, beam.z).cwiseAbs() - Vec3(9, 7, 4);
  return std::abs(p.maxCoeff());
}

TEST(LidarHousing, IsNotSeenFromInside) {
  for (const std::string& lidar : lidars()) {
    const auto bare = look(robot_in("", lidar));
    ASSERT_GT(bare.size(), 100u) << lidar;
    // Beams that are wide mix what they meet at the edges of the room.
    const auto far = std::ranges::count_if(
        bare, [](const BeamReturn& beam) { return !(off_the_walls(beam) < 0.2); });
    EXPECT_LT(static_cast<double>(far), 0.02 * static_cast<double>(bare.size())) << lidar;
    for (const std::string& shapes : housings()) {
      EXPECT_EQ(differing(look(robot_in(shapes, lidar)), bare), 0u) << lidar << "\n" << shapes;
    }
  }
}

TEST(LidarHousing, IsNotSeenByTheReferenceEngineEither) {
  SimulationOptions options;
  options.build.bullet_rays = true;
  const std::string lidar = lidars().front();
  for (const BeamReturn& beam : look(robot_in(box(), lidar), options)) {
    EXPECT_NEAR(off_the_walls(beam), 0, 1e-5);
  }
}

TEST(LidarHousing, TurnsAndMovesWithItsRobot) {
  const std::string moves =
      "translation 0.5 -0.3 0.2 linearVelocity 3 1 0 angularVelocity 0.4 0.2 2\n"
      "physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.01 }";
  const std::string spinning = std::string("scanLaw \"spinning\" motionDistortion TRUE ") + kBeams;
  for (const std::string& lidar : {lidars().front(), spinning}) {
    const auto bare = look(robot_in("", lidar, moves));
    EXPECT_EQ(differing(look(robot_in(box(), lidar, moves)), bare), 0u) << lidar;
    EXPECT_EQ(differing(look(robot_in(mesh(), lidar, moves)), bare), 0u) << lidar;
  }
}

TEST(LidarHousing, OnALongArmIsLeftOnItsArc) {
  // The lidar's place is interpolated along the chord; what is around it goes with the body.
  const std::string moves =
      "rotation 0 1 0 0.3 angularVelocity 0 0.4 4\n"
      "physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.01 }";
  const std::string spinning =
      std::string("translation 2 1 0 scanLaw \"spinning\" motionDistortion TRUE ") + kBeams;
  const std::string shapes = "Pose { translation 2 1 0 children [ " + box() + " ] }";
  for (const std::string& lidar :
       {spinning, spinning + "beamModel \"datasheet\" beamDivergence 0.003"}) {
    const auto bare = look(robot_in("", lidar, moves), {}, 32);
    EXPECT_EQ(differing(look(robot_in(shapes, lidar, moves), {}, 32), bare), 0u) << lidar;
  }
}

TEST(LidarHousing, IsLeftWithinTheRoundingOfItsPlace) {
  // 100 m from the origin of the ray scene single precision is some micrometres.
  const std::string hall = std::string(kWall) + "Box { size 260 260 260 } }\n";
  for (int i = 0; i < 40; ++i) {
    const std::string at =
        fmt::format("translation {} {} {} rotation 0.3 {} 1 {}", 99.1 + 0.617 * i,
                    -87.3 - 0.331 * i, 101.7 + 0.113 * i, 0.1 * i, 0.7 * i);
    const std::string lidar = lidars().front() + " maxRange 500";
    const auto beams = look(robot_in(box(), lidar, at) + hall);
    const auto bare = look(robot_in("", lidar, at) + hall);
    EXPECT_EQ(differing(beams, bare), 0u) << at;
  }
}

TEST(LidarHousing, IsNotSeenByALidarOnItsSurface) {
  // Rounding takes beams along the surface inside, as soon as the robot is not level.
  const std::string lidar = "numberOfLayers 7 horizontalResolution 90 fieldOfView 6";
  const auto below = [](const std::string& translation, const std::string& geometry) {
    return "Pose { translation " + translation + " children [ " + kShape + geometry + " } ] }";
  };
  const std::vector<std::string> bodies = {
      below("0 0 -0.025", "Cylinder { radius 1.2 height 0.05 }"),
      below("0.3 0.1 -0.05", "Box { size 3 2.8 0.1 }"), below("0 0 -1.7", "Sphere { radius 1.7 }"),
      below("0 0 -1.5", "Capsule { radius 1.2 height 0.6 }")};
  for (int i = 0; i < 12; ++i) {
    const std::string at =
        fmt::format("translation {} {} 0.3 rotation 0.6 {} 0.1 {}", 0.617 * i - 3, 2 - 0.331 * i,
                    0.8 - 0.1 * i, 1e-6 + 0.003 * i);
    const auto bare = look(robot_in("", lidar, at));
    for (const std::string& body : bodies) {
      EXPECT_EQ(differing(look(robot_in(body, lidar, at)), bare), 0u) << at << body;
    }
  }
}

TEST(LidarHousing, HidesNoPartOfItsRobotThatBeamsMeetBefore) {
  const std::string lidar = "numberOfLayers 1 horizontalResolution 91 fieldOfView 1";
  const std::string pole = "Pose { translation 2 0 0 children [ " + std::string(kShape) +
                           "Cylinder { radius 0.1 height 0.2 } } ] }";
  const std::string hall = std::string(kShape) + "Box { size 6 6 6 } }";
  const std::string floor =
      "Pose { translation 0 0 -0.5 children [ " + std::string(kShape) + "Box { size 6 6 1 } } ] }";
  const auto bare = look(robot_in(pole, lidar));
  EXPECT_FLOAT_EQ(bare[45].range, 1.9f);
  EXPECT_EQ(differing(look(robot_in(pole + hall, lidar)), bare), 0u);
  EXPECT_EQ(differing(look(robot_in(pole + floor, lidar)), bare), 0u);
}

TEST(LidarHousing, IsSeenFromOutside) {
  const std::string part = "Pose { translation 2 0 0 children [ " + std::string(kShape) +
                           "Box { size 0.2 0.2 0.2 } } ] }";
  const std::string lidar = "numberOfLayers 1 horizontalResolution 91 fieldOfView 1";
  const auto beside = look(robot_in(part, lidar));
  EXPECT_FLOAT_EQ(beside[45].range, 1.9f);
  EXPECT_FLOAT_EQ(beside[45].x, 1.9f);
  // Parts of its own robot that are not around it stay as they are.
  EXPECT_EQ(differing(look(robot_in(box() + part, lidar)), beside), 0u);
}

TEST(LidarHousing, ThatIsNotOfItsRobotIsSeen) {
  const std::string lidar = "numberOfLayers 1 horizontalResolution 91 fieldOfView 1";
  const auto beams = look(robot_in("", lidar) + "Solid { name \"other\" children [ " +
                          std::string(kShape) + "Box { size 2.4 2.4 2.4 } } ] }");
  EXPECT_FLOAT_EQ(beams[45].range, 1.2f);
}

TEST(LidarHousing, ThatTurnsAsItsHeadIsNotSeenEither) {
  const std::string rotating =
      "type \"rotating\" numberOfLayers 5 horizontalResolution 720 verticalFieldOfView 1 ";
  const std::string spinning = std::string("scanLaw \"spinning\" motionDistortion TRUE ") + kBeams;
  for (const std::string& lidar : {rotating, spinning}) {
    const auto bare = look(robot_in("", lidar));
    for (const std::string& shape : {box(), mesh(), turned(box())}) {
      const std::string head = " rotatingHead Solid { children [ " + shape + " ] }";
      EXPECT_EQ(differing(look(robot_in("", lidar + head)), bare), 0u) << lidar << head;
    }
  }
}

TEST(LidarHousing, SendsNoLightBackWithinItInFog) {
  // Fog of 20 m: light that is scattered in front of the housing's wall would come back from there.
  const std::string fog = "Atmosphere { visibility 20 }\n";
  const std::string lidar =
      "minRange 0.05 beamModel \"datasheet\" returnMode \"first\" overlapRange 0\n"
      "  numberOfLayers 20 horizontalResolution 400 fieldOfView 6 verticalFieldOfView 1";
  const std::string ball = std::string(kShape) + "Sphere { radius 3 } }";
  const auto bare = look(fog + robot_in("", lidar)), housed = look(fog + robot_in(ball, lidar));
  const auto nearest = [](const std::vector<BeamReturn>& beams) {
    return std::ranges::min(ranges(beams));
  };
  EXPECT_LT(nearest(bare), 2.5f);
  EXPECT_GT(nearest(housed), 2.9f);
}

TEST(LidarHousing, IsSeenWhenTheLidarSaysSo) {
  const std::string lidar = "numberOfLayers 1 horizontalResolution 91 fieldOfView 1";
  const std::string ball = std::string(kShape) + "Sphere { radius 3 } }";
  EXPECT_FLOAT_EQ(look(robot_in(ball, lidar + " housingVisible TRUE"))[45].range, 3);
  // What it does not see at all hides nothing that is in it.
  const std::string within = "Solid { name \"within\" translation 2 0 0 children [ " +
                             std::string(kShape) + "Box { size 0.2 0.2 0.2 } } ] }";
  EXPECT_FLOAT_EQ(look(robot_in(ball, lidar + " ownRobotVisible FALSE") + within)[45].range, 1.9f);
  EXPECT_FLOAT_EQ(look(robot_in(ball, lidar) + within)[45].range, 9);
}

}  // namespace
}  // namespace protobeam::lidar_housing
