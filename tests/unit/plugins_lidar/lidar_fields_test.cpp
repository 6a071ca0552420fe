#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "lidar_fixture.h"

namespace protobeam {
namespace {

using testing::HasSubstr;
using testing::StrEq;
using testing::ThrowsMessage;

void expect_lidar_refused(std::map<std::string, std::string> fields, const std::string& message) {
  EXPECT_THAT([&] { make_sensor("Lidar", fields); },
              ThrowsMessage<std::invalid_argument>(StrEq(message)));
}

TEST(LidarFields, HaveTheDefaultsOfTheWebotsReference) {
  const DevicePlugin& plugin = load_sensor_plugin("Lidar");
  EXPECT_STREQ(plugin.schema.base, "Device");
  const std::map<std::string, std::string> reference{{"name", "\"lidar\""},
                                                     {"tiltAngle", "0"},
                                                     {"horizontalResolution", "512"},
                                                     {"fieldOfView", "1.5708"},
                                                     {"numberOfLayers", "4"},
                                                     {"verticalFieldOfView", "0.2"},
                                                     {"near", "0.01"},
                                                     {"minRange", "0.01"},
                                                     {"maxRange", "1"},
                                                     {"type", "\"fixed\""},
                                                     {"noise", "0"},
                                                     {"projection", "\"cylindrical\""},
                                                     {"resolution", "-1"},
                                                     {"defaultFrequency", "10"},
                                                     {"minFrequency", "1"},
                                                     {"maxFrequency", "25"},
                                                     {"rotatingHead", "NULL"},
                                                     {"spherical", "TRUE"}};
  for (const auto& [name, text] : reference) {
    const auto field = std::ranges::find(plugin.schema.fields, name, &FieldSpec::name);
    ASSERT_NE(field, plugin.schema.fields.end()) << name;
    EXPECT_EQ(field->default_text, text) << name;
  }
  const auto lidar = make_sensor("Lidar");
  EXPECT_EQ(lidar->type().webots_node, 48);
  EXPECT_EQ(lidar->layout().size, 4u * 512 * 24);
  EXPECT_FALSE(lidar->every_step());
}

TEST(LidarFields, ContradictionsAreRefusedWithTheCure) {
  expect_lidar_refused({{"minRange", "0.9"}, {"maxRange", "0.5"}},
                       "field 'maxRange' of Lidar must be greater than minRange (0.9), got 0.5");
  expect_lidar_refused({{"near", "0.07"}, {"minRange", "0.05"}},
                       "field 'near' of Lidar must not be greater than minRange (0.05), got 0.07");
  expect_lidar_refused(
      {{"type", "\"rotating\""}, {"minFrequency", "30"}},
      "field 'maxFrequency' of Lidar must not be less than minFrequency (30), got 25");
  expect_lidar_refused({{"type", "\"rotating\""}, {"defaultFrequency", "50"}},
                       "field 'defaultFrequency' of Lidar must be in [1, 25] (minFrequency, "
                       "maxFrequency), got 50");
  expect_lidar_refused(
      {{"type", "\"rotating\""}, {"maxFrequency", "1e30"}},
      "field 'maxFrequency' of Lidar must be at most 1e+06 for a head that moves, got 1e+30");
  EXPECT_NO_THROW(make_sensor("Lidar", {{"maxFrequency", "1e30"}}));  // a fixed one has no head
  expect_lidar_refused({{"projection", "\"planar\""}, {"fieldOfView", "3.2"}},
                       "field 'fieldOfView' of a planar Lidar must be less than pi, got 3.2");
  expect_lidar_refused({{"layerAngles", "[ 0.1, 0 ]"}},
                       "field 'layerAngles' of Lidar has 2 angles for 4 layers (numberOfLayers)");
  expect_lidar_refused(
      {{"horizontalResolution", "100000"}, {"numberOfLayers", "1000"}},
      "numberOfLayers 1000 times horizontalResolution 100000 of Lidar is more than "
      "16777216 beams");
}

TEST(LidarFields, DatasheetsThatNoReceiverFollowsAreRefused) {
  const std::string field = "field 'detectionRange' of Lidar (-1: maxRange): no receiver sees a ";
  expect_lidar_refused({{"beamModel", "\"datasheet\""}, {"maxRange", "1e30"}},
                       field + "reflectance of 0.1 at 1e+30 m with overlapRange 2");
  expect_lidar_refused({{"maxRange", "50"}, {"overlapRange", "1e30"}},
                       field + "reflectance of 0.1 at 50 m with overlapRange 1e+30");
  expect_lidar_refused({{"detectionRange", "1e-30"}},
                       field + "reflectance of 0.1 at 1e-30 m with overlapRange 2");
  expect_lidar_refused({{"maxRange", "50"}, {"detectionReflectance", "1e-30"}},
                       field + "reflectance of 1e-30 at 50 m with overlapRange 2");
}

TEST(LidarFields, SphericalIsTheOldSpellingOfProjection) {
  const auto projection = [](std::map<std::string, std::string> fields) {
    return std::get<std::string>(make_sensor("Lidar", fields)->properties().at("projection"));
  };
  EXPECT_EQ(projection({}), "cylindrical");
  EXPECT_EQ(projection({{"spherical", "FALSE"}}), "planar");
  EXPECT_EQ(projection({{"spherical", "FALSE"}, {"projection", "\"cylindrical\""}}), "cylindrical");
}

TEST(LidarCommands, FrequencyHasLimits) {
  const auto lidar = make_sensor("Lidar", {{"minFrequency", "5"}, {"maxFrequency", "20"}});
  EXPECT_EQ(lidar->send_command("frequency", {12}), "");
  EXPECT_EQ(lidar->send_command("frequency", {50}),
            "frequency 50 Hz is outside [5, 20]");
  EXPECT_EQ(lidar->send_command("frequency", {NAN}),
            "command 'frequency' holds nan");
  EXPECT_NE(lidar->send_command("position", {1}), "");
}

}  // namespace
}  // namespace protobeam
