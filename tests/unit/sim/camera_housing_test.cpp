// Cameras in shapes of their own robot, and what they recognise.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "plugins/devices/camera/camera_declaration.h"
#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

const char* const kShape = "Shape { appearance PBRAppearance { } geometry ";

/// A wall and a barrel before a robot with a RangeFinder and a Camera in the shapes.
std::string robot_in(const std::string& shapes) {
  return fmt::format(
      "Robot {{ name \"r\" children [ {0}\n"
      "  RangeFinder {{ samplingPeriod 0.008 width 31 height 21 fieldOfView 0.8 maxRange 9 }}\n"
      "  Camera {{ samplingPeriod 0.008 width 101 height 81 fieldOfView 0.8\n"
      "    recognition Recognition {{ occlusion 2 segmentation TRUE }} }}\n"
      "] }}\n"
      "Solid {{ name \"wall\" translation 3 0 0 children [ {1} Box {{ size 1 9 9 }} }} ] }}\n"
      "Solid {{ name \"barrel\" translation 2 0.1 0 rotation 0 0 1 0.7 recognitionColors [ 1 0 0 "
      "]\n"
      "  children [ {1} Cylinder {{ radius 0.1 height 0.3 }} }} ] }}\n",
      shapes, kShape);
}

template <typename T>
std::vector<T> channel_of(Simulation& simulation, const std::string& device, std::size_t number) {
  Device& of = device_named(simulation, "r/" + device);
  const auto values = Sample(of.data, of.model->layout()).channel<T>(number);
  return {values.begin(), values.end()};
}

struct Seen {
  std::vector<float> depth;
  std::vector<std::uint8_t> segments;
  int objects = 0;
  ObjectRecord first{};
};
Seen look(const std::string& world_text) {
  WorldText world;
  Simulation& simulation = world.load(world_text, "gravity 0");
  DeviceModel& camera = *device_named(simulation, "r/camera").model;
  EXPECT_EQ(camera.send_command("recognition", {0.008}), "");
  EXPECT_EQ(camera.send_command("segmentation", {1}), "");
  for (int i = 0; i < 3; ++i) simulation.step();
  Seen seen;
  seen.depth = channel_of<float>(simulation, "range-finder", 0);
  seen.objects = channel_of<std::int32_t>(simulation, "camera", kObjectCount)[0];
  seen.first = channel_of<ObjectRecord>(simulation, "camera", kObjects)[0];
  seen.segments = channel_of<std::uint8_t>(simulation, "camera", kSegmentation);
  return seen;
}

TEST(CameraHousing, IsNotSeenFromInside) {
  const Seen bare = look(robot_in(""));
  ASSERT_FLOAT_EQ(bare.depth[10 * 31 + 25], 2.5f);
  ASSERT_EQ(bare.objects, 1);
  const std::string box = std::string(kShape) + "Box { size 0.3 0.2 0.4 } }";
  const std::string mesh =
      std::string(kShape) +
      "IndexedFaceSet { coord Coordinate { point [ -1 -1 -1, 1 0 0, 0 1 0, 0 0 1 ] }\n"
      "  coordIndex [ 0 2 1 -1 0 1 3 -1 0 3 2 -1 1 2 3 -1 ] } }";
  for (const std::string& shapes :
       {box,
        "Pose { rotation 0 1 0 1 translation 0.1 0 0 children [ " + std::string(kShape) +
            "Cylinder { radius 0.3 height 0.5 } } ] }",
        std::string(kShape) + "Sphere { radius 0.7 } }",
        std::string(kShape) + "Capsule { radius 0.2 height 0.5 } }",
        "Pose { translation 0 0 0.1 children [ " + std::string(kShape) +
            "Cone { bottomRadius 0.5 height 1 } } ] }",
        mesh, box + " " + mesh}) {
    const Seen seen = look(robot_in(shapes));
    EXPECT_EQ(seen.depth, bare.depth) << shapes;
    EXPECT_EQ(seen.segments, bare.segments) << shapes;
    EXPECT_EQ(seen.objects, 1) << shapes;
  }
}

TEST(CameraHousing, IsSeenFromOutside) {
  const Seen seen = look(robot_in("Pose { translation 0.5 0 0 children [ " + std::string(kShape) +
                                  "Box { size 0.2 0.2 0.2 } } ] }"));
  EXPECT_FLOAT_EQ(seen.depth[10 * 31 + 15], 0.4f);
  // Its own robot's parts that are not around it stay as they are.
  const Seen both = look(robot_in(std::string(kShape) +
                                  "Box { size 0.3 0.3 0.3 } } Pose { "
                                  "translation 0.5 0 0 children [ " +
                                  kShape + "Box { size 0.2 0.2 0.2 } } ] }"));
  EXPECT_EQ(both.depth, seen.depth);
}

TEST(CameraHousing, ThatEndsAtTheNearPlaneHidesNothingFromRecognition) {
  const Seen seen =
      look(robot_in("Pose { translation -0.015 0 0 rotation 0 1 0 1.5707963 children [ " +
                    std::string(kShape) + "Cylinder { radius 0.02 height 0.03 } } ] }"));
  EXPECT_EQ(seen.objects, 1);
}

TEST(Recognition, SizesAreThoseOfTheShapesNotOfTheirBoxes) {
  const Seen seen = look(robot_in(""));
  EXPECT_NEAR(seen.first.size[0], 0.2, 1e-9);
  EXPECT_NEAR(seen.first.size[1], 0.3, 1e-9);
  const Seen ball =
      look(robot_in("") +
           "Solid { name \"ball\" translation 1 0 0 rotation 1 1 0 0.9 recognitionColors "
           "[ 0 1 0 ] children [ Shape { appearance PBRAppearance { } geometry Sphere { "
           "radius 0.2 } } ] }");
  // It hides the barrel.
  ASSERT_EQ(ball.objects, 1);
  EXPECT_NEAR(ball.first.size[0], 0.4, 1e-9);
  EXPECT_NEAR(ball.first.size[1], 0.4, 1e-9);
}

TEST(Recognition, LeavesOutTheRobotItselfAndItsSolids) {
  const std::string part =
      "Solid { name \"part\" translation 0.8 0 0 recognitionColors [ 0 0 1 ] children [ " +
      std::string(kShape) + "Box { size 0.05 0.05 0.05 } } ] }";
  const Seen seen = look(robot_in(part));
  EXPECT_EQ(seen.objects, 1);
  EXPECT_EQ(seen.first.number_of_colors, 1);
  EXPECT_NEAR(seen.first.position[0], 2, 1e-9);
  // The segmentation shows it, in the middle of the image; blue comes first.
  const std::size_t middle = (40 * 101 + 50) * 4;
  EXPECT_EQ(seen.segments[middle], 255);
  EXPECT_EQ(seen.segments[middle + 2], 0);
}

/// What a camera finds of a world with a box 1 m before it and one 1 m behind it.
Seen look_around(const std::string& projection) {
  const std::string box =
      "0 0 recognitionColors [ 1 0 0 ] children [ Shape { geometry Box { size 0.1 0.4 0.1 } } ] }\n";
  return look("Robot { name \"r\" children [ Camera { samplingPeriod 0.008 width 100 height 50 " +
              projection + " recognition Recognition { occlusion 0 segmentation TRUE } } RangeFinder { } ] }\n" +
              "Solid { name \"ahead\" translation 1 " + box +
              "Solid { name \"behind\" translation -1 " + box);
}

TEST(CameraObjects, WhatIsBehindACylindricalCameraIsNotInItsImage) {
  const Seen seen = look_around("projection \"cylindrical\" fieldOfView 3");
  EXPECT_EQ(seen.objects, 1);
  EXPECT_NEAR(seen.first.position[0], 1, 1e-9);
  EXPECT_NEAR(seen.first.position_on_image[0], 50, 1);
}

TEST(CameraObjects, AreKnownByTheIdOfTheirNode) {
  WorldText world;
  Simulation& simulation = world.load(robot_in(""), "gravity 0");
  DeviceModel& camera = *device_named(simulation, "r/camera").model;
  EXPECT_EQ(camera.send_command("recognition", {0.008}), "");
  for (int i = 0; i < 3; ++i) simulation.step();
  const int id = channel_of<ObjectRecord>(simulation, "camera", kObjects)[0].id;
  const wbt::NodePtr node = simulation.tree().node(id);
  ASSERT_TRUE(node);
  EXPECT_EQ(wbt::NodeView(*node, simulation.schemas()).string("name"), "barrel");
}

}  // namespace
}  // namespace protobeam
