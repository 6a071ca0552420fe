// Grippers in worlds: what they hold, and at which force they lose it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/sim/world_text.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

class VacuumGripperTest : public testing::Test {
 protected:
  /// A gripper under the ceiling, its face at z = 1, and a cube of 0.2 m that rises towards it.
  void load(const std::string& gripper, const std::string& more = "") {
    simulation_ = &world_.load(
        "Robot { name \"ceiling\" controller \"<none>\" children [ VacuumGripper { translation 0 0 "
        "1.01 "
        "rotation 0 1 0 1.57079632679 boundingObject Box { size 0.02 0.1 0.1 } " +
            gripper +
            " } ] }\n"
            "Solid { name \"load\" translation 0 0 0.85 linearVelocity 0 0 0.2 boundingObject Box "
            "{ size 0.2 0.2 "
            "0.2 } physics Physics { density -1 mass 1 } }" +
            more,
        "gravity 0 contactProperties [ ContactProperties { bounce 0 } ]");
    gripper_ = simulation_->find_device("ceiling/vacuum gripper");
    ASSERT_NE(gripper_, nullptr);
    simulation_->enable(*gripper_, 0.008);
  }
  void run(double seconds, const Vec3& force_W = Vec3::Zero()) {
    const auto steps = std::lround(seconds / 0.008);
    for (long i = 0; i < steps; ++i) {
      if (!force_W.isZero(0))
        physics().apply_force(body("load"), force_W, physics().pose(body("load")).p);
      simulation_->step();
    }
  }
  void press() { run(0.4, {0, 0, 5}); }  ///< the load against the gripper
  bool holds() { return gripper_->model->channel<std::int32_t>(gripper_->data, 0)[0] == 1; }
  Vec3 force() {
    const auto f = gripper_->model->channel<double>(gripper_->data, 1);
    return {f[0], f[1], f[2]};
  }
  physics::World& physics() { return *simulation_->model().physics; }
  physics::BodyId body(const std::string& name) {
    for (const auto& solid : simulation_->model().solids) {
      if (solid.name == name) return solid.body;
    }
    throw std::runtime_error("no solid " + name);
  }
  double height() { return physics().pose(body("load")).p.z(); }

  WorldText world_;
  Simulation* simulation_ = nullptr;
  Device* gripper_ = nullptr;
};

TEST_F(VacuumGripperTest, HoldsWhatTouchesItWhileItIsOn) {
  load("isOn TRUE");
  run(0.16);
  EXPECT_FALSE(holds());  // 5 cm at 0.2 m/s take 0.25 s
  press();
  EXPECT_TRUE(holds());
  run(1, {0, 0, -50});
  EXPECT_TRUE(holds());
  EXPECT_NEAR(height(), 0.9, 1e-3);
  EXPECT_NEAR(force().x(), 50, 1e-3);  // pulled out of the ceiling along x
  EXPECT_NEAR(force().tail<2>().norm(), 0, 1e-3);
  EXPECT_EQ(gripper_->model->send_command("off"), "");
  run(0.4, {0, 0, -1});
  EXPECT_FALSE(holds());
  EXPECT_LT(height(), 0.85);
}

TEST_F(VacuumGripperTest, IsOffUntilItIsTold) {
  load("");
  press();
  EXPECT_FALSE(holds());
  EXPECT_EQ(gripper_->model->send_command("on"), "");
  press();
  EXPECT_TRUE(holds());
}

TEST_F(VacuumGripperTest, GripsOnlyWithEnoughContactPoints) {
  load("isOn TRUE contactPoints 9");
  press();
  EXPECT_FALSE(holds());
}

TEST_F(VacuumGripperTest, LosesItsLoadAboveItsStrengths) {
  struct Case {
    const char* strength;
    Vec3 force;
    bool holds;
  };
  for (const Case& c : {Case{"tensileStrength 20", {0, 0, -19}, true},
                        {"tensileStrength 20", {0, 0, -21}, false},
                        {"tensileStrength 20", {30, 0, 0}, true},
                        {"shearStrength 20", {0, 0, -30}, true},
                        {"shearStrength 20", {13, 13, 0}, true},      // 18.4 N
                        {"shearStrength 20", {15, 15, 0}, false}}) {  // 21.2 N
    load(std::string("isOn TRUE ") + c.strength);
    press();
    ASSERT_TRUE(holds());
    run(0.16, c.force);
    EXPECT_EQ(holds(), c.holds) << c.strength << " " << c.force.transpose();
  }
}

TEST_F(VacuumGripperTest, LiftsWithItsRobot) {
  simulation_ = &world_.load(
      "Solid { boundingObject Plane { size 9 9 } }\n"
      "Robot { name \"ceiling\" controller \"<none>\" children [ SliderJoint { jointParameters "
      "JointParameters { "
      "axis 0 0 1 } device LinearMotor { name \"lift\" maxForce 1000 maxVelocity 0.1 } endPoint "
      "Solid { translation "
      "0 0 0.3 boundingObject Box { size 0.05 0.05 0.05 } physics Physics { density -1 mass 1 } "
      "children [ "
      "VacuumGripper { translation 0 0 -0.05 rotation 0 1 0 1.57079632679 boundingObject Box { "
      "size 0.02 0.1 0.1 } "
      "isOn TRUE } ] } } ] }\n"
      "Solid { name \"load\" translation 0 0 0.1 boundingObject Box { size 0.2 0.2 0.2 } physics "
      "Physics { density -1 "
      "mass 2 } }",
      "gravity 9.81 contactProperties [ ContactProperties { bounce 0 } ]");
  gripper_ = simulation_->find_device("ceiling/vacuum gripper");
  simulation_->enable(*gripper_, 0.008);
  Device* lift = simulation_->find_device("ceiling/lift");
  lift->model->send_command("position", {-0.045});  // its face comes to 0.195 m, in the load
  run(2);
  ASSERT_TRUE(holds());
  lift->model->send_command("position", {0.2});
  run(4);
  EXPECT_TRUE(holds());
  EXPECT_NEAR(height(), 0.1 + 0.245, 0.01);
  EXPECT_NEAR(force().x(), 2 * kGravity, 0.05);
}

}  // namespace
}  // namespace protobeam
