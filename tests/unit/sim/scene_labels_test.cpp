// Labels of points: which object a beam has met, in whole worlds.
#include "sim/scene_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "sim/supervisor/supervisor.h"
#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::ElementsAre;

/// A box of 2 m, its middle `x` m ahead and `y` m to the left.
std::string box(const std::string& name, double x, double y, const std::string& fields = "") {
  return "Solid { name \"" + name + "\" translation " + std::to_string(x) + " " + std::to_string(y) +
         " 0 " + fields + " children [ Shape { geometry Box { size 2 2 2 } } ] }\n";
}

std::string lidar(const std::string& fields) {
  return "Robot { name \"r\" controller \"<none>\" children [ Lidar { horizontalResolution 360 maxRange 50 "
         "minRange 0.1 " + fields + " } ] }\n";
}

std::vector<std::string> names(const SceneLabels& labels) {
  std::vector<std::string> out;
  for (const auto& instance : labels.instances()) out.push_back(instance.name);
  return out;
}

/// The first sweep, labelled, and the labels.
std::vector<BeamReturn> labelled_sweep(Simulation& simulation) {
  simulation.model().labels = std::make_unique<SceneLabels>(simulation.model());
  Device& device = device_named(simulation, "lidar");
  device.labelled = true;
  simulation.enable(device, 0.008);
  for (int step = 0; step < 40 && device.frames == 0; ++step) simulation.step();
  return dynamic_cast<BeamSensor&>(*device.model).beams(device.data);
}

/// Where a beam ends, as boxes around (5, 0), (0, 5) and (-5, 0) tell it apart.
std::string expected_name(const BeamReturn& beam) {
  if (!std::isfinite(beam.range)) return "";
  if (std::abs(beam.x) > std::abs(beam.y)) return beam.x > 0 ? "ahead" : "behind";
  return beam.y > 0 ? "left" : "?";
}

class LabelledLidar : public testing::TestWithParam<const char*> {};

TEST_P(LabelledLidar, KnowsWhatEachBeamHasMet) {
  WorldText world;
  Simulation& simulation =
      world.load(box("behind", -5, 0, "model \"crate\"") + box("left", 0, 5) +
                 box("ahead", 5, 0, "model \"crate\"") + lidar(GetParam()));
  const auto beams = labelled_sweep(simulation);
  const SceneLabels& labels = *simulation.model().labels;
  EXPECT_THAT(names(labels), ElementsAre("behind", "left", "ahead", "r"));
  EXPECT_THAT(labels.classes(), ElementsAre("crate", "left", "r"));
  std::map<std::string, int> seen;
  for (const BeamReturn& beam : beams) {
    const std::size_t instance = beam.label >> 16, kind = beam.label & 0xffff;
    const std::string expected = expected_name(beam);
    ++seen[expected];
    if (expected.empty()) {
      EXPECT_EQ(beam.label, 0u);
      continue;
    }
    ASSERT_GE(instance, 1u);
    ASSERT_LE(instance, 4u);
    EXPECT_EQ(labels.instances()[instance - 1].name, expected);
    EXPECT_EQ(labels.classes()[kind - 1], expected == "left" ? "left" : "crate");
  }
  EXPECT_GT(seen["ahead"], 20);
  EXPECT_GT(seen["left"], 20);
  EXPECT_GT(seen["behind"], 20);
}

constexpr const char* kSpinning = "scanLaw \"spinning\" defaultFrequency 10 beamElevations_deg [ -2, 0, 2 ] "
                                  "beamTimes [ 0, 1e-5, 2e-5 ] ";
INSTANTIATE_TEST_SUITE_P(
    Kinds, LabelledLidar,
    testing::Values("type \"fixed\" fieldOfView 6.28 numberOfLayers 3 verticalFieldOfView 0.1",
                    "type \"rotating\" fieldOfView 6.28 numberOfLayers 3 verticalFieldOfView 0.1",
                    "scanLaw \"spinning\" defaultFrequency 10 beamElevations_deg [ -2, 0, 2 ] "
                    "beamTimes [ 0, 1e-5, 2e-5 ]",
                    "scanLaw \"spinning\" defaultFrequency 10 beamElevations_deg [ -2, 0, 2 ] "
                    "beamTimes [ 0, 1e-5, 2e-5 ] motionDistortion TRUE",
                    "scanLaw \"spinning\" defaultFrequency 10 beamElevations_deg [ -2, 0, 2 ] "
                    "beamTimes [ 0, 1e-5, 2e-5 ] beamModel \"datasheet\"",
                    "scanLaw \"spinning\" defaultFrequency 10 beamElevations_deg [ -2, 0, 2 ] "
                    "beamTimes [ 0, 1e-5, 2e-5 ] beamModel \"datasheet\" beamDivergence 0.003"));

TEST(SceneLabels, RangesAreTheSameWithAndWithoutThem) {
  const std::string text = box("behind", -5, 0) + box("left", 0, 5) + box("ahead", 5, 0) +
                           lidar(std::string(kSpinning) + "noise 0.001");
  std::vector<float> ranges[2];
  for (const bool labelled : {false, true}) {
    WorldText world;
    Simulation& simulation = world.load(text);
    if (labelled) simulation.model().labels = std::make_unique<SceneLabels>(simulation.model());
    Device& device = device_named(simulation, "lidar");
    device.labelled = labelled;
    simulation.enable(device, 0.008);
    for (int step = 0; step < 40; ++step) simulation.step();
    const auto range = device.model->channel<float>(device.data, 0);
    ranges[labelled].assign(range.begin(), range.end());
  }
  EXPECT_EQ(ranges[0], ranges[1]);
}

/// A beam with a width at an edge has echoes of two objects; behind glass a beam has a second one.
TEST(SceneLabels, TheSecondReturnHasItsOwn) {
  WorldText world;
  Simulation& simulation = world.load(
      "Solid { name \"pane\" translation 3 0 0 children [ Shape { appearance PBRAppearance { transparency "
      "0.8 roughness 1 metalness 0 } geometry Box { size 0.01 40 10 } } ] }\n" +
      box("ahead", 6, 0) + lidar(std::string(kSpinning) + "beamModel \"datasheet\" returnMode \"dual\""));
  const auto beams = labelled_sweep(simulation);
  const SceneLabels& labels = *simulation.model().labels;
  int behind = 0;
  for (const BeamReturn& beam : beams) {
    if (!std::isfinite(beam.range)) continue;
    const std::size_t instance = beam.label >> 16;
    ASSERT_GE(instance, 1u);
    const std::string expected = beam.x > 4.5 ? "ahead" : "pane";
    EXPECT_EQ(labels.instances()[instance - 1].name, expected) << beam.x << " " << beam.return_number;
    behind += beam.x > 4.5;
  }
  EXPECT_GT(behind, 10);
}

TEST(SceneLabels, AnObjectIsTheTopmostSolidUnlessAPartHasRecognitionColors) {
  WorldText world;
  Simulation& simulation = world.load(R"(
    Solid { name "ground" children [
      Solid { name "part of the ground" children [ Shape { geometry Sphere { radius 1 } } ] }
      Solid { name "tree 1" model "tree" recognitionColors [ 0 1 0 ] children [
        Solid { name "branch" children [ Shape { geometry Sphere { radius 1 } } ] } ] }
      Solid { name "tree 2" model "tree" recognitionColors [ 0 0.5 0 ] children [
        Shape { geometry Sphere { radius 1 } } ] } ] }
    Shape { geometry Sphere { radius 1 } })");
  const SceneLabels labels(simulation.model());
  EXPECT_THAT(names(labels), ElementsAre("ground", "tree 1", "tree 2"));
  EXPECT_THAT(labels.classes(), ElementsAre("ground", "tree"));
  EXPECT_EQ(labels.instances()[2].colors[0], Eigen::Vector3f(0, 0.5f, 0));
  std::map<std::uint32_t, int> shapes;
  for (const VisualGroup& group : simulation.model().visuals) {
    for (std::uint32_t i = 0; i < group.solids.size(); ++i) ++shapes[labels.table().at(group.instance, i)];
  }
  const std::map<std::uint32_t, int> expected{
      {0, 1}, {1u << 16 | 1, 1}, {2u << 16 | 2, 1}, {3u << 16 | 2, 1}};
  EXPECT_EQ(shapes, expected);
}

TEST(SceneLabels, NumbersAreNotGivenTwice) {
  WorldText world;
  Simulation& simulation = world.load(box("a", 5, 0) + box("b", 0, 5));
  SceneLabels labels(simulation.model());
  Diagnostics diagnostics;
  const int a = simulation.solid_of(*simulation.model().solids[0].node);
  ASSERT_EQ(simulation.remove_solid(a), "");
  const std::string text = "Solid { children [ Shape { geometry Box { } } ] }";
  const int c = simulation.add_solid(text, "c", Pose(), diagnostics);
  ASSERT_GE(c, 0) << diagnostics.to_string();
  labels.update(simulation.model());
  labels.update(simulation.model());
  EXPECT_THAT(names(labels), ElementsAre("a", "b", "c"));
  EXPECT_EQ(labels.table().at(kNoHit, 0), 0u);
}

}  // namespace
}  // namespace protobeam
