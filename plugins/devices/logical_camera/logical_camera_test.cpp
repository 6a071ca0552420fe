// A logical camera in a world.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "device/topics.h"
#include "message/vision_msgs.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

struct SeenModel {
  std::string name;
  Vec3 p;
  Quat R;
};

std::vector<SeenModel> seen(const std::string& world_text, const std::string& fields,
                            const std::string& pose = "translation 0 0 0") {
  WorldText world;
  Simulation& simulation = world.load(
      fmt::format("{} Robot {{ {} name \"robot\" controller \"<none>\" children [ LogicalCamera {{ "
                  "samplingPeriod 8 {} }} ] }}",
                  world_text, pose, fields));
  EXPECT_EQ(world.diagnostics().to_string(), "");
  simulation.step();
  Device& device = *simulation.find_device("logical camera");
  TopicInput in;
  in.data = device.data;
  const auto told = message::from_cdr<message::Detection3DArray>(
      device.model->topics({}).at(0).make(in).at(0).cdr());
  std::vector<SeenModel> out;
  for (const message::Detection3D& one : told.detections) {
    const message::Pose& at = one.bbox.center;
    out.push_back({one.results.at(0).hypothesis.class_id,
                   {at.position.x, at.position.y, at.position.z},
                   {at.orientation.w, at.orientation.x, at.orientation.y, at.orientation.z}});
  }
  return out;
}

std::string box(const std::string& name, const std::string& pose) {
  return "Solid { name \"" + name + "\" " + pose +
         " children [ Solid { translation 0 0 1 name \"part\" } Shape { geometry Box { } } ] } ";
}

// gz-sim, test/integration/logical_camera_system.cc: near 0.55, far 5, 1.04719755 rad, 1.778.
TEST(LogicalCameraWorld, TellsModelsInItsFrustum) {
  const std::string text =
      box("box", "translation 1 0 0.5") + box("another", "translation 2 1 0.5") +
      box("beside", "translation 2 1.2 0.5") +  // tan(30 deg) 2 = 1.1547
      box("above", "translation 2 0 1.2") +     // / 1.778 = 0.649
      box("near", "translation 0.5 0 0.5") + box("far", "translation 5.1 0 0.5") +
      box("behind", "translation -2 0 0.5");
  const auto models =
      seen(text, "near 0.55 far 5 horizontalFieldOfView 1.04719755 aspectRatio 1.778",
           "translation 0.05 0.05 0.55");
  ASSERT_EQ(models.size(), 2u);
  EXPECT_EQ(models[0].name, "another");  // by name
  EXPECT_EQ(models[1].name, "box");
  EXPECT_LT((models[1].p - Vec3(0.95, -0.05, -0.05)).norm(), 1e-12);
}

TEST(LogicalCameraWorld, PosesAreInItsOwnAxes) {
  // It looks along y; the thing is turned by 0.5 rad about z in the world.
  const auto models = seen(box("thing", "translation 0.2 3 0 rotation 0 0 1 0.5"), "far 4",
                           "rotation 0 0 1 1.5707963267948966");
  ASSERT_EQ(models.size(), 2u);
  EXPECT_EQ(models[0].name, "robot");  // at the tip, with a near of 0
  EXPECT_LT((models[1].p - Vec3(3, -0.2, 0)).norm(), 1e-12);
  EXPECT_NEAR(models[1].R.angularDistance(axis_angle(Vec3::UnitZ(), 0.5 - kPi / 2)), 0, 1e-9);
}

TEST(LogicalCameraWorld, SeesWhatMovesWhereItIs) {
  const auto models = seen(
      "Solid { name \"cart\" translation 2 0 0 linearVelocity 10 0 0 physics Physics { mass 1 "
      "density "
      "-1 } boundingObject Box { size 0.1 0.1 0.1 } } ",
      "near 1 far 4");
  ASSERT_EQ(models.size(), 1u);
  EXPECT_NEAR(models[0].p.x(), 2.08, 1e-9);  // 8 ms
}

TEST(LogicalCameraWorld, NearIsLessThanFar) {
  EXPECT_THAT(problem_of([] { seen("", "near 2 far 1"); }),
              testing::HasSubstr("field 'near' of LogicalCamera must be less than far"));
}

}  // namespace
}  // namespace protobeam
