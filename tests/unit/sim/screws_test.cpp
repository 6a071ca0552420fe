// Hinges with a threadPitch, as they are written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

std::string table(const std::string& parameters, const std::string& joint = "HingeJoint",
                  const std::string& translation = "0.3 0 1.1") {
  return "Robot { name \"r\" controller \"<none>\" children [ " + joint +
         " { jointParameters HingeJointParameters { axis 0 0 1 anchor 0.2 0 0 " + parameters +
         " } endPoint Solid { name \"table\" translation " + translation +
         " boundingObject Box { size 0.1 0.1 0.1 } physics Physics { density -1 mass 1 } } } ] }";
}

Pose pose(const Simulation& simulation) {
  for (const auto& solid : simulation.model().solids) {
    if (solid.name == "table") return simulation.model().physics->pose(solid.body);
  }
  throw std::runtime_error("no table");
}

// The written pose is that at `position`: half a revolution back, it is 0.05 m lower.
TEST(Screws, AreWrittenAtTheirPosition) {
  WorldText world;
  Simulation& simulation =
      world.load(table("position 3.141592653589793 threadPitch 0.1"), "gravity 0");
  EXPECT_LT((pose(simulation).p - Vec3(0.3, 0, 1.1)).norm(), 1e-9);
  simulation.model().physics->set_joint_position(0, 0, 0);
  EXPECT_LT((pose(simulation).p - Vec3(0.1, 0, 1.05)).norm(), 1e-9);
  simulation.model().physics->set_joint_position(0, 0, -kPi);
  EXPECT_LT((pose(simulation).p - Vec3(0.3, 0, 1.0)).norm(), 1e-9);
}

TEST(Screws, HaveNoSuspensionAndNoSecondAxis) {
  WorldText world;
  world.load(table("threadPitch 0.1 suspensionSpringConstant 1000 suspensionAxis 0 0 1"));
  EXPECT_THAT(world.diagnostics().to_string(), testing::HasSubstr("a screw has no suspension"));
  world.load(
      table("threadPitch 0.1 } jointParameters2 JointParameters { axis 1 0 0", "Hinge2Joint"));
  EXPECT_THAT(world.diagnostics().to_string(),
              testing::HasSubstr("threadPitch has an effect in a HingeJoint only"));
}

}  // namespace
}  // namespace protobeam
