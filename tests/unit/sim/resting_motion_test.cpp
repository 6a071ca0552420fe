// Solids without Physics whose fields give them a velocity (Webots, WbSolid::prePhysicsStep).
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/libm.h"
#include "geometry/files.h"
#include "sim/supervisor/supervisor.h"
#include "tests/unit/sim/device_named.h"
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

TEST(SolidsWithoutPhysics, MoveAtTheEndOfAJointThatTurnsThem) {
  WorldText world;
  Simulation& simulation = world.load(
      R"(Robot { translation 0 0 1 controller "<none>" children [ HingeJoint {
           jointParameters HingeJointParameters { axis 0 0 1 } device RotationalMotor { name "m" }
           endPoint Solid { name "hand" translation 1 0 0 linearVelocity 0 0 0.5 } } ] })");
  for (int round = 0; round < 2; ++round) {
    device_named(simulation, "m").model->send_command("position", {HUGE_VAL});
    device_named(simulation, "m").model->send_command("velocity", {2});
    step_all(simulation, 100);
    const auto& physics = *simulation.model().physics;
    const double angle = physics.joint_position(device_named(simulation, "m").joint, 0);
    EXPECT_NEAR(angle, 1.4, 0.1);  // 2 rad/s for 0.8 s, less what it takes to get there
    const Vec3 expected(libm::cos(angle), libm::sin(angle), 1 + 0.8 * 0.5);
    EXPECT_LT((pose_of_solid(simulation, "hand").p - expected).norm(), 1e-9);
    simulation.reset_now({});
    EXPECT_LT((pose_of_solid(simulation, "hand").p - Vec3(1, 0, 1)).norm(), 1e-9);
  }
}

TEST(SolidsWithoutPhysics, AGpsOnThemMeasuresHowFastTheyMove) {
  WorldText world;
  Simulation& simulation = world.load(
      R"(Robot { controller "<none>" linearVelocity 0 3 4 angularVelocity 0 0 2
           children [ GPS { } GPS { name "aside" translation 1 0 0 } Gyro { } ] })");
  for (const char* name : {"gps", "aside", "gyro"}) {
    simulation.enable(device_named(simulation, name), 0.008);
  }
  const auto values = [&](const char* name, std::size_t channel) {
    Device& device = device_named(simulation, name);
    return Sample(device.data, device.model->layout()).channel<double>(channel);
  };
  step_all(simulation, 50);
  EXPECT_NEAR(values("gps", 1)[0], 5, 1e-9);
  // As Webots: half a chord of the circle from one step to the next.
  const Vec3 aside(-2 * libm::sin(2 * 0.396), 3 + 2 * libm::cos(2 * 0.396), 4);
  const auto velocity = values("aside", 2);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(velocity[static_cast<std::size_t>(i)], aside[i], 1e-3) << i;
  EXPECT_EQ(values("gyro", 0)[2], 0);  // it needs a body
}

/// What a supervisor brings in at the end of a field.
void import_nodes(Simulation& simulation, int node, const link::FieldAddress& field,
                  const std::string& text) {
  link::SupervisorRequest request;
  request.op = link::SupervisorOp::kImportNode;
  request.node = node;
  request.field = field;
  request.index = -1;
  request.text = text;
  const auto answers = simulation.supervisor().answer(0, {&request, 1});
  ASSERT_TRUE(answers.at(0).good) << answers.at(0).text;
}

TEST(SolidsWithoutPhysics, MoveByTheVelocitiesInTheirFieldsWhenASupervisorImportsThem) {
  WorldText world;
  Simulation& simulation = world.load(
      R"(DEF SHELF Solid { name "shelf" translation 0 5 0 }
         DEF CART Solid { name "cart" translation 1 0 0 linearVelocity 0.5 0 0 })");
  step_all(simulation, 25);
  const link::FieldAddress root{link::FieldAddress::kOwn, 0, 0};
  import_nodes(
      simulation, LiveTree::kRoot, root,
      R"(Solid { name "tray" translation 0 0 1 linearVelocity 0 0.5 0 boundingObject Box { }
              children [ Solid { name "mill" translation 0 0 1 angularVelocity 0 0 2 } ] })");
  import_nodes(simulation, LiveTree::kRoot, root, R"(Solid { name "post" translation 3 0 0 })");
  auto& tree = simulation.tree();
  const auto shelf = tree.node(tree.from_def("SHELF"));
  import_nodes(simulation, tree.id(shelf.get()), tree.address(tree.field_of(shelf, "children")),
               R"(Solid { name "cup" linearVelocity 0 0 0.5 })");
  const auto cart = tree.node(tree.from_def("CART"));
  import_nodes(simulation, tree.id(cart.get()), tree.address(tree.field_of(cart, "children")),
               R"(Solid { name "load" translation 0 0 1 linearVelocity 0 0 0.5 })");
  Diagnostics diagnostics;
  ASSERT_GE(simulation.add_solid("Solid { angularVelocity 0 0 2 }", "top", {}, diagnostics), 0);
  step_all(simulation, 50);  // 0.4 s
  EXPECT_LT((pose_of_solid(simulation, "tray").p - Vec3(0, 0.2, 1)).norm(), 1e-9);
  EXPECT_LT((pose_of_solid(simulation, "mill").p - Vec3(0, 0.2, 2)).norm(), 1e-9);
  for (const char* turning : {"mill", "top"}) {
    EXPECT_LT(pose_of_solid(simulation, turning).R.angularDistance(axis_angle(Vec3::UnitZ(), 0.8)),
              1e-7)
        << turning;
  }
  EXPECT_LT((pose_of_solid(simulation, "cup").p - Vec3(0, 5, 0.2)).norm(), 1e-9);
  EXPECT_EQ(pose_of_solid(simulation, "post").p, Vec3(3, 0, 0));
  EXPECT_LT((pose_of_solid(simulation, "cart").p - Vec3(1.3, 0, 0)).norm(), 1e-9) << "not twice";
  EXPECT_LT((pose_of_solid(simulation, "load").p - Vec3(1.3, 0, 1.2)).norm(), 1e-9);
}

TEST(SolidsWithoutPhysics, StandStillWithoutAVelocity) {
  WorldText world;
  Simulation& simulation = world.load("Solid { name \"post\" translation 3 0 0 }");
  step_all(simulation, 5);
  EXPECT_NO_THROW(simulation.save());  // the nodes are as loaded
}

/// The image of a camera that sees a painted box with this rotation after some steps; `turned`: it
/// has been put there by a supervisor.
std::vector<std::byte> image_of_painted_box(const std::string& rotation, const Quat* turned) {
  WorldText world;
  std::filesystem::create_directories(world.folder().path() / "worlds");
  save_png(Image{2, 1, 3, {255, 0, 0, 0, 0, 255}}, world.folder().path() / "worlds/paint.png");
  Simulation& simulation = world.load(
      R"(DirectionalLight { direction 1 0.5 -1 }
         Solid { name "box" translation 3 0 0 rotation )" +
      rotation + R"( children [ Shape { geometry Box { size 1 2 1 } appearance PBRAppearance {
           metalness 0 baseColorMap ImageTexture { url "paint.png" } } } ] }
         Robot { controller "<none>" children [ Camera { width 64 height 48 } ] })");
  Device& camera = device_named(simulation, "camera");
  simulation.enable(camera, 0.008);
  step_all(simulation, 2);
  if (turned) {
    EXPECT_TRUE(simulation.move_solid(0, {*turned, Vec3(3, 0, 0)}));
  }
  step_all(simulation, 2);
  return {camera.data.begin(), camera.data.end()};
}

TEST(SolidsWithoutPhysics, LookAsIfTheyHadAlwaysBeenWhereTheyWereMoved) {
  const Quat turn = axis_angle(Vec3::UnitZ(), 2);
  const auto moved = image_of_painted_box("0 0 1 0", &turn);
  EXPECT_TRUE(moved == image_of_painted_box("0 0 1 2", nullptr));
  EXPECT_FALSE(moved == image_of_painted_box("0 0 1 0", nullptr));
}

}  // namespace
}  // namespace protobeam
