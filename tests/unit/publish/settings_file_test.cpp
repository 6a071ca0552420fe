#include "publish/settings_file.h"

#include <gmock/gmock.h>

#include <cmath>

#include "sim/simulation.h"
#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

class SettingsFile : public testing::Test {
 protected:
  SettingsFile() {
    fill_schemas(schemas_, plugins_);
    schemas_.add({"TestRecorder", "Output", "For this test.",
                  {{"file", FieldType::kString, "\"\"", "", {}, "Its file"},
                   {"level", FieldType::kInt32, "1", "", Range::between(0, 9), "A number"}}});
  }
  OutputSettings read(const std::string& text) {
    return read_output_settings(folder_.write("outputs.yaml", text), schemas_, diagnostics_);
  }
  std::string problems(const std::string& text) {
    read(text);
    return diagnostics_.to_string();
  }

  TemporaryFolder folder_;
  PluginLoader plugins_;
  SchemaRegistry schemas_;
  Diagnostics diagnostics_;
};

TEST_F(SettingsFile, SaysWhatNodesOfAWorldMaySay) {
  const OutputSettings settings = read(R"(publishing:
  clockRate: 100
  fakeLocalization: false
  topics:
    - device: car/lidar
      name: points
      format: ouster
    - {device: car/gps, enabled: false}
outputs:
  - type: TestRecorder
    file: 2024.bag
    topics: ["/a*", /b]
    level: 3
)");
  ASSERT_FALSE(diagnostics_.has_errors()) << diagnostics_.to_string();
  ASSERT_TRUE(settings.publishing);
  EXPECT_EQ(settings.publishing->clock_rate, 100);
  EXPECT_FALSE(settings.publishing->fake_localization);
  ASSERT_EQ(settings.publishing->topics.size(), 2u);
  EXPECT_EQ(settings.publishing->topics[0].format, "ouster");
  EXPECT_TRUE(settings.publishing->topics[0].enabled);
  EXPECT_FALSE(settings.publishing->topics[1].enabled);
  ASSERT_EQ(settings.outputs.size(), 1u);
  const wbt::NodeView output(*settings.outputs[0], schemas_);
  EXPECT_EQ(output.string("file"), "2024.bag");
  EXPECT_EQ(output.integer("level"), 3);
  EXPECT_EQ(output.number("memory"), 256);
  EXPECT_EQ(output.strings("topics"), (std::vector<std::string>{"/a*", "/b"}));
}

TEST_F(SettingsFile, TakesAsManyNumbersAsAFieldHas) {
  const std::string text =
      problems("publishing: {mapHeights: [1, 2, 3], clockRate: [1], stateRate: [1, 2]}");
  EXPECT_THAT(text, HasSubstr("field 'mapHeights' of Publishing must be"));
  EXPECT_THAT(text, HasSubstr("field 'clockRate' of Publishing must be"));
  EXPECT_THAT(text, HasSubstr("field 'stateRate' of Publishing must be"));
}

TEST_F(SettingsFile, SaysNamedPoses) {
  const OutputSettings settings = read(R"(publishing:
  mapHeights: [0.1, 0.3]
  namedPoses:
    - {name: dock, tags: [parking, spawn], translation: [1, 2, 0], rotation: [0, 0, 1, 3.141592653589793]}
    - {name: door, boundsMin: [-1, 0, 0], boundsMax: [1, 0, 2]}
)");
  ASSERT_FALSE(diagnostics_.has_errors()) << diagnostics_.to_string();
  ASSERT_TRUE(settings.publishing);
  EXPECT_EQ(settings.publishing->map_heights, Vec2(0.1, 0.3));
  const auto& poses = settings.publishing->named_poses;
  ASSERT_EQ(poses.size(), 2u);
  EXPECT_EQ(poses[0].name, "dock");
  EXPECT_THAT(poses[0].tags, testing::ElementsAre("parking", "spawn"));
  EXPECT_EQ(poses[0].X_WN.p.y(), 2);
  EXPECT_NEAR(std::abs(poses[0].X_WN.R.z()), 1, 1e-12);
  EXPECT_FALSE(poses[0].bounded());
  EXPECT_TRUE(poses[1].bounded());
  EXPECT_THAT(problems("publishing:\n  namedPoses: [{name: a}, {name: a}]\n"),
              HasSubstr("outputs.yaml:2:34: error: there is a NamedPose 'a' already"));
}

TEST_F(SettingsFile, TellsWhereTheBoundsOfANamedPoseAreWrong) {
  EXPECT_THAT(problems("publishing:\n  namedPoses:\n  - name: a\n    boundsMin: [0, 0, 2]\n"),
              HasSubstr("outputs.yaml:4:16: error: boundsMin of NamedPose 'a' is not below its "
                        "boundsMax: z is 2 and 0"));
}

TEST_F(SettingsFile, MayBeEmpty) {
  const OutputSettings settings = read("");
  EXPECT_FALSE(settings.publishing);
  EXPECT_TRUE(settings.outputs.empty());
  EXPECT_FALSE(diagnostics_.has_errors());
}

TEST_F(SettingsFile, TellsWhereAMistakeIs) {
  EXPECT_THAT(problems("publishing:\n  clokRate: 5\n"),
              HasSubstr("outputs.yaml:2:3: error: unknown field 'clokRate' in Publishing; did you mean 'clockRate'?"));
}

TEST_F(SettingsFile, TellsWhatIsOutOfRange) {
  EXPECT_THAT(problems("outputs:\n  - type: TestRecorder\n    level: 10\n"),
              HasSubstr("outputs.yaml:3:12: error: field 'level' of TestRecorder must be in [0, 9], got 10"));
}

TEST_F(SettingsFile, TellsWhichTypesThereAreNot) {
  EXPECT_THAT(problems("outputs:\n  - type: TestRecoder\n"),
              HasSubstr("outputs.yaml:2:11: error:"));
}

TEST_F(SettingsFile, TellsOfAnOutputWithoutType) {
  EXPECT_THAT(problems("outputs:\n  - file: x\n"), HasSubstr(":2:5: error: an output needs its type"));
}

TEST_F(SettingsFile, TellsOfWhatIsNoYaml) {
  EXPECT_THAT(problems("outputs: [\n"), HasSubstr("outputs.yaml:2:1: error:"));
}

TEST_F(SettingsFile, TellsOfWordsThatNobodyKnows) {
  EXPECT_THAT(problems("output: []\n"), HasSubstr(":1:1: error: there is no 'output' here; did you mean 'outputs'?"));
}

TEST_F(SettingsFile, TakesNumbersOnlyWhereNumbersAre) {
  EXPECT_THAT(problems("publishing: {clockRate: fast}\n"), HasSubstr("outputs.yaml:1:25: error:"));
}

TEST_F(SettingsFile, TakesOutputsOnly) {
  EXPECT_THAT(problems("outputs:\n  - type: WorldInfo\n"), HasSubstr("a WorldInfo is no output"));
}

}  // namespace
}  // namespace protobeam
