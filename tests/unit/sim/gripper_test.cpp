// A gripper of light links lifts what weighs hundreds of times as much.
#include <gtest/gtest.h>

#include "base/libm.h"
#include "sim/simulation.h"
#include "tests/support/program.h"
#include "tests/unit/sim/device_named.h"

namespace protobeam {
namespace {

/// Two fingers, each kept parallel by two cranks of 5 cm that the motor turns, on a slide along z.
/// Of a crank and its twin weighs each 0.2 g, of a finger 1.5 g.
std::string finger(const std::string& name, int side) {
  const std::string y = std::to_string(0.01 * side), far = std::to_string(0.03 * side);
  const std::string along = std::to_string(0.03 * side);  // and 0.04 ahead
  const auto crank = [&](const std::string& at, const std::string& device, const std::string& tip,
                         const std::string& twin) {
    return "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 anchor 0 " + at +
           " 0 } " + device + " endPoint Solid { translation 0 " + at + " 0 name \"" + name + twin +
           "\" children [ HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 anchor "
           "0.04 " +
           along + " 0 } endPoint " + tip +
           " } ] boundingObject Cylinder { height 0.01 radius 0.003 } physics Physics { density -1 "
           "mass 0.0002 } } }\n";
  };
  return crank(y, "device RotationalMotor { name \"" + name + "\" }",
               "Solid { translation 0.04 " + along + " 0 name \"" + name +
                   " finger\" boundingObject Pose { translation 0.02 " +
                   std::to_string(-0.01 * side) +
                   " 0 children Box { size 0.04 0.006 0.012 } } physics Physics { density -1 mass "
                   "0.0015 } }",
               " crank") +
         crank(far, "", "SolidReference { solidName \"" + name + " finger\" }", " twin");
}

TEST(Gripper, OfAFewGramsLiftsAKilogram) {
  TemporaryFolder folder;
  const auto file = folder.write("worlds/gripper.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 8 }
Solid { name "table" translation 0 0 -0.02 boundingObject Box { size 1 1 0.02 } }
Robot { name "gripper" controller "<none>" children SliderJoint {
  jointParameters JointParameters { axis 0 0 1 }
  device LinearMotor { name "slide" maxForce 15 maxVelocity 0.1 }
  endPoint Solid { name "carriage" boundingObject Box { size 0.01 0.02 0.01 }
    physics Physics { density -1 mass 0.01 } children [
)" + finger("left", 1) + finger("right", -1) + R"(] } } }
Solid { name "load" translation 0.06 0.003 0 boundingObject Box { size 0.03 0.024 0.02 }
  physics Physics { density -1 mass 1 } }
)");
  Diagnostics diagnostics;
  const auto simulation = Simulation::load(file, {}, diagnostics);
  ASSERT_TRUE(simulation) << diagnostics.to_string();
  const auto send = [&](const std::string& motor, double position) {
    EXPECT_EQ(device_named(*simulation, motor).model->send_command("position", {position}), "");
  };
  const auto height = [&] {
    for (const SolidInfo& solid : simulation->model().solids)
      if (solid.name == "load") return simulation->model().physics->pose(solid.body).p.z();
    return 0.0;
  };
  const auto run = [&](double seconds) {
    for (int i = 0; i < std::lround(seconds / 0.008); ++i) simulation->step();
  };
  run(0.2);
  ASSERT_NEAR(height(), 0, 0.001);
  send("left", -0.6);
  send("right", 0.6);
  run(0.8);
  send("slide", 0.1);
  run(2);
  EXPECT_NEAR(height(), 0.1, 0.003);
  send("left", 0);
  send("right", 0);
  run(1);
  EXPECT_NEAR(height(), 0, 0.03) << "dropped";
}

}  // namespace
}  // namespace protobeam
