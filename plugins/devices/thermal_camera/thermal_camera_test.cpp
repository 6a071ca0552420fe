// A thermal camera in a world.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "device/topics.h"
#include "message/sensor_msgs.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

/// A plate that fills the left half of the view at 2 m, with a smaller one at the right.
std::string plates(const std::string& left, const std::string& right) {
  return fmt::format(
      "Solid {{ name \"body\" {} children [ Pose {{ translation 2 5 0 children [ Shape {{ geometry "
      "Box "
      "{{ size 0.1 10 10 }} }} ] }} Solid {{ name \"part\" {} translation 2 -0.5 0 children [ "
      "Shape "
      "{{ geometry Box {{ size 0.1 0.6 0.6 }} }} ] }} ] }} ",
      left, right);
}

class ThermalWorld {
 public:
  ThermalWorld(const std::string& scene, const std::string& fields)
      : simulation_(world_.load(fmt::format(
            "{} Robot {{ name \"r\" controller \"<none>\" children [ ThermalCamera {{ width 40 "
            "height 40 fieldOfView 1 samplingPeriod 8 {} }} ] }}",
            scene, fields))) {
    EXPECT_EQ(world_.diagnostics().to_string(), "");
    simulation_.step();
  }
  std::vector<std::uint16_t> image() {
    Device& device = camera();
    const auto levels = Sample(device.data, device.model->layout()).channel<std::uint16_t>(0);
    return {levels.begin(), levels.end()};
  }
  int at(std::size_t column, std::size_t row) { return image().at(row * 40 + column); }
  message::Image message() {
    TopicInput in;
    in.data = camera().data;
    return message::from_cdr<message::Image>(camera().model->topics({}).at(0).make(in).at(0).cdr());
  }
  Device& camera() { return *simulation_.find_device("thermal camera"); }

 private:
  WorldText world_;
  Simulation& simulation_;
};

TEST(ThermalWorldImage, APixelHasTheTemperatureOfTheSolid) {
  ThermalWorld world(plates("temperature 310", "temperature 400.004"), "");
  EXPECT_EQ(world.at(10, 20), 31000);
  EXPECT_EQ(world.at(29, 20), 40000);
  EXPECT_EQ(world.at(39, 1), 28815) << "the background";
  EXPECT_EQ(world.message().encoding, "mono16");
  EXPECT_EQ(world.message().data.at(2 * (20 * 40 + 10)), 31000 % 256);
}

TEST(ThermalWorldImage, WhatHasNoneHasThatOfTheSolidAroundIt) {
  ThermalWorld inherited(plates("temperature 310", ""), "ambientTemperature 250");
  EXPECT_EQ(inherited.at(29, 20), 31000);
  ThermalWorld none(plates("", "temperature 400"), "ambientTemperature 250");
  EXPECT_EQ(none.at(10, 20), 25000);
  EXPECT_EQ(none.at(29, 20), 40000);
}

TEST(ThermalWorldImage, LevelsEndAtTheLimits) {
  ThermalWorld world(plates("temperature 310", "temperature 400"),
                     "minTemperature 300 maxTemperature 350 resolution 0.5");
  EXPECT_EQ(world.at(10, 20), 620);
  EXPECT_EQ(world.at(29, 20), 700);
  EXPECT_EQ(world.at(39, 1), 600);
  ThermalWorld hot(plates("temperature 60000", ""), "maxTemperature 65535");
  EXPECT_EQ(hot.at(10, 20), 65535) << "more levels than 16 bits have";
  ThermalWorld coarse(plates("temperature 310", ""), "resolution 3 bitDepth 8");
  EXPECT_EQ(coarse.at(10, 20), 103);  // 310 / 3
  EXPECT_EQ(coarse.message().encoding, "mono8");
  EXPECT_EQ(coarse.message().data.at(20 * 40 + 10), 103);
  ThermalWorld eight(plates("temperature 310", ""), "resolution 1 bitDepth 8");
  EXPECT_EQ(eight.at(10, 20), 255);
}

TEST(ThermalWorldImage, EndsAtItsFarPlane) {
  ThermalWorld world(plates("temperature 310", ""), "far 1.9");
  EXPECT_EQ(world.at(10, 20), 28815);
}

TEST(ThermalWorldImage, NoiseHasItsStandardDeviation) {
  ThermalWorld world("", "noise 2");
  double sum = 0, squares = 0;
  for (const std::uint16_t level : world.image()) {
    const double away = level * 0.01 - 288.15;
    sum += away, squares += away * away;
  }
  // Of 1600 pixels the mean is right within 5 sigma, and the deviation within 5 of its own.
  EXPECT_NEAR(sum / 1600, 0, 5 * 2 / 40.0);
  EXPECT_NEAR(std::sqrt(squares / 1600), 2, 5 * 2 / std::sqrt(3200.0));
}

TEST(ThermalWorldImage, LimitsThatContradictEachOtherAreErrors) {
  EXPECT_THAT(problem_of([] { ThermalWorld("", "minTemperature 300 maxTemperature 200"); }),
              testing::HasSubstr("field 'minTemperature' of ThermalCamera must be at most"));
}

}  // namespace
}  // namespace protobeam
