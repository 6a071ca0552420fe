// Every small sensor's field table against the defaults of the Webots reference manual, and the
// fields of ours, which change nothing unless they are given.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using Defaults = std::map<std::string, std::string>;

const std::map<std::string, Defaults> kReference = {
    {"GPS",
     {{"name", "\"gps\""},
      {"type", "\"satellite\""},
      {"accuracy", "0"},
      {"verticalAccuracy", "-1"},
      {"noiseCorrelation", "0"},
      {"offset", "0 0 0"},
      {"turnOnBias", "0 0 0"},
      {"turnOnMean", "0 0 0"},
      {"resolution", "-1"},
      {"speedNoise", "0"},
      {"speedResolution", "-1"}}},
    {"InertialUnit",
     {{"name", "\"inertial unit\""},
      {"lookupTable", "[ ]"},
      {"xAxis", "TRUE"},
      {"yAxis", "TRUE"},
      {"zAxis", "TRUE"},
      {"resolution", "-1"},
      {"noise", "0"}}},
    {"Gyro",
     {{"name", "\"gyro\""},
      {"lookupTable", "[ ]"},
      {"xAxis", "TRUE"},
      {"yAxis", "TRUE"},
      {"zAxis", "TRUE"},
      {"resolution", "-1"},
      {"noise", "0"},
      {"biasWalk", "0"}}},
    {"Accelerometer",
     {{"name", "\"accelerometer\""},
      {"lookupTable", "[ ]"},
      {"xAxis", "TRUE"},
      {"yAxis", "TRUE"},
      {"zAxis", "TRUE"},
      {"resolution", "-1"},
      {"noise", "0"},
      {"biasWalk", "0"}}},
    {"DistanceSensor",
     {{"name", "\"distance sensor\""},
      {"lookupTable", "[ 0 0 0, 0.1 1000 0 ]"},
      {"type", "\"generic\""},
      {"numberOfRays", "1"},
      {"aperture", "1.5708"},
      {"gaussianWidth", "1"},
      {"resolution", "-1"},
      {"redColorSensitivity", "1"}}},
    {"TouchSensor",
     {{"name", "\"touch sensor\""},
      {"type", "\"bumper\""},
      {"lookupTable", "[ 0 0 0, 5000 50000 0 ]"},
      {"resolution", "-1"}}},
};

TEST(SmallSensors, HaveTheFieldsAndDefaultsOfWebots) {
  for (const auto& [node, expected] : kReference) {
    const DevicePlugin& plugin = load_sensor_plugin(node);
    EXPECT_EQ(plugin.schema.name, node);
    EXPECT_STREQ(plugin.schema.base, "Device");
    Defaults actual;
    for (const FieldSpec& field : plugin.schema.fields) actual[field.name] = field.default_text;
    EXPECT_EQ(actual, expected) << node;
  }
}

// As in Webots: PROTOs have parameters of that type for it, and supervisors ask for triples.
TEST(SmallSensors, LookupTablesAreListsOfVectors) {
  for (const char* node : {"Accelerometer", "Compass", "DistanceSensor", "Gyro", "InertialUnit",
                           "LightSensor", "TouchSensor"}) {
    const DevicePlugin& plugin = load_sensor_plugin(node);
    const auto table = std::ranges::find_if(plugin.schema.fields, [](const FieldSpec& field) {
      return std::string_view(field.name) == "lookupTable";
    });
    ASSERT_NE(table, plugin.schema.fields.end()) << node;
    EXPECT_EQ(table->type, FieldType::kMFVec3f) << node;
  }
}

TEST(SmallSensors, DefaultsLieInTheirOwnRanges) {
  for (const auto& [node, unused] : kReference) {
    const DevicePlugin& plugin = load_sensor_plugin(node);
    const TestFields fields(plugin.schema);
    for (const FieldSpec& field : plugin.schema.fields) {
      if (single(field.type) != FieldType::kFloat && single(field.type) != FieldType::kInt32)
        continue;
      for (const double value : fields.numbers(field.name)) {
        EXPECT_TRUE(field.range.contains(value)) << node << "." << field.name << " " << value;
      }
    }
  }
}

}  // namespace
}  // namespace protobeam
