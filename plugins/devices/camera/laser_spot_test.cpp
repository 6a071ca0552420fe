// Cameras see where the beam of a DistanceSensor of type "laser" meets a surface.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

/// A camera and a laser beside each other, and a dark wall 1 m before them.
class LaserSpot : public testing::Test {
 protected:
  void load(const std::string& laser, const std::string& wall = "", const std::string& light = "") {
    simulation_ =
        &world_.load("Background { skyColor [ 0 0 0 ] luminosity 0 }\n" + light +
                     "\nSolid { translation 1.05 0 0 " + wall +
                     " children [ DEF WALL Shape { appearance PBRAppearance { baseColor 0 0 0 } "
                     "geometry Box { size 0.1 9 9 } } ] boundingObject USE WALL }\n"
                     "Robot { name \"r\" controller \"<none>\" children [\n"
                     "Camera { width 9 height 9 fieldOfView 0.785398 }\n"
                     "DistanceSensor { lookupTable [ 0 0 0, 5 5 0 ] " +
                     laser + " } ] }");
    simulation_->enable(*simulation_->find_device("r/camera"), 0.008);
    simulation_->enable(*simulation_->find_device("r/distance sensor"), 0.008);
    simulation_->step();
  }
  /// Blue, green, red.
  std::vector<int> pixel(std::size_t x, std::size_t y) {
    const Device& camera = *simulation_->find_device("r/camera");
    const auto image = camera.model->channel<std::uint8_t>(camera.data, 0);
    const auto at = static_cast<std::ptrdiff_t>(4 * (9 * y + x));
    return {image.begin() + at, image.begin() + at + 3};
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

const auto kBlack = testing::Each(testing::Le(5));
const auto kRed = testing::ElementsAre(testing::Le(5), testing::Le(5), testing::Ge(200));

TEST_F(LaserSpot, IsARedDiscOfTheRadiusThatApertureSays) {
  load("type \"laser\" aperture 0.1");
  // A pixel is 2 tan(22.5 deg) / 9 = 0.092 m wide there: the next ones are in the disc, diagonal
  // ones, at 0.13 m, are not.
  EXPECT_THAT(pixel(4, 4), kRed);
  for (const auto& [x, y] : {std::pair(3, 4), std::pair(5, 4), std::pair(4, 3), std::pair(4, 5)}) {
    EXPECT_THAT(pixel(x, y), kRed) << x << " " << y;
  }
  for (const auto& [x, y] : {std::pair(3, 3), std::pair(5, 5), std::pair(2, 4), std::pair(4, 6)}) {
    EXPECT_THAT(pixel(x, y), kBlack) << x << " " << y;
  }
}

// Webots, tests/api/controllers/distance_sensor_laser: red is 0xEF there.
TEST_F(LaserSpot, ScattersAmbientLightBesideItsOwn) {
  load("type \"laser\" aperture 0.1");
  EXPECT_EQ(pixel(4, 4).at(2), 0xCF);
  load("type \"laser\" aperture 0.1", "", "DirectionalLight { ambientIntensity 1 intensity 0 }");
  EXPECT_EQ(pixel(4, 4), (std::vector<int>{0, 0, 0xEF}));
}

TEST_F(LaserSpot, LiesOnTheSurface) {
  // Turned by 60 degrees about the vertical the disc is seen half as wide.
  load("type \"laser\" aperture 0.1", "rotation 0 0 1 1.047198");
  EXPECT_THAT(pixel(4, 4), kRed);
  EXPECT_THAT(pixel(4, 3), kRed);
  EXPECT_THAT(pixel(3, 4), kBlack);
  EXPECT_THAT(pixel(5, 4), kBlack);
}

TEST_F(LaserSpot, IsOfLasersThatAreOnAndMeetSomethingNotTooAslant) {
  load("type \"generic\" aperture 0.1");
  EXPECT_THAT(pixel(4, 4), kBlack);
  load("type \"laser\" aperture 0");
  EXPECT_THAT(pixel(4, 4), kBlack);
  load("type \"laser\" aperture 0.1", "rotation 0 0 1 1.45");  // 83 degrees
  EXPECT_THAT(pixel(4, 4), kBlack);
  load("type \"laser\" aperture 0.1 rotation 0 0 1 3.1416");
  EXPECT_THAT(pixel(4, 4), kBlack);
  load("type \"laser\" aperture 0.1");
  EXPECT_THAT(pixel(4, 4), kRed);
  simulation_->find_device("r/distance sensor")->period = 0;  // switched off
  simulation_->step();
  EXPECT_THAT(pixel(4, 4), kBlack);
}

}  // namespace
}  // namespace protobeam
