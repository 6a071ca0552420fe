// Solids without Physics whose fields give them a velocity (Webots, WbSolid::prePhysicsStep).
#include <gtest/gtest.h>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

Pose pose_of_solid(Simulation& simulation, const std::string& name) {
  for (const SolidInfo& solid : simulation.model().solids) {
    if (solid.name != name) continue;
    return solid.body == physics::kWorldBody
               ? solid.X_BS
               : simulation.model().physics->pose(solid.body) * solid.X_BS;
  }
  throw std::runtime_error("no Solid " + name);
}

void step_all(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) simulation.step();
}

TEST(SolidsWithoutPhysics, MoveByTheVelocitiesInTheirFields) {
  WorldText world;
  Simulation& simulation = world.load(
      R"(Pose { rotation 0 0 1 1.5707963267948966 children [
           Solid { name "cart" translation 1 0 0 linearVelocity 0.5 0 0 boundingObject Box { }
             children [ Solid { name "lamp" translation 0 0 1 } ] } ] }
         Solid { name "table" angularVelocity 0 0 2 }
         Solid { name "ball" translation 0 9 0 linearVelocity 1 0 0
           boundingObject Sphere { } physics Physics { } }
         Solid { name "post" translation 3 0 0 })");
  for (int round = 0; round < 2; ++round) {
    step_all(simulation, 50);  // 0.4 s; velocities are in the frame of the parent
    EXPECT_LT((pose_of_solid(simulation, "cart").p - Vec3(0, 1.2, 0)).norm(), 1e-9);
    EXPECT_LT((pose_of_solid(simulation, "lamp").p - Vec3(0, 1.2, 1)).norm(), 1e-9);
    EXPECT_LT(pose_of_solid(simulation, "table").R.angularDistance(axis_angle(Vec3::UnitZ(), 0.8)),
              1e-7);
    EXPECT_NEAR(pose_of_solid(simulation, "ball").p.x(), 0.4, 1e-6);
    EXPECT_EQ(pose_of_solid(simulation, "post").p, Vec3(3, 0, 0));
    simulation.reset_now({});
    EXPECT_LT((pose_of_solid(simulation, "cart").p - Vec3(0, 1, 0)).norm(), 1e-9);
  }
}

TEST(SolidsWithoutPhysics, StandStillWithoutAVelocity) {
  WorldText world;
  Simulation& simulation = world.load("Solid { name \"post\" translation 3 0 0 }");
  step_all(simulation, 5);
  EXPECT_NO_THROW(simulation.save());  // the nodes are as loaded
}

}  // namespace
}  // namespace protobeam
