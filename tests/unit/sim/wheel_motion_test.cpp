// Robots without Physics drive as their wheels roll.
#include <gtest/gtest.h>

#include "base/libm.h"
#include "sim/simulation.h"
#include "tests/support/program.h"

namespace protobeam {
namespace {

class WheelMotion : public testing::Test {
 protected:
  /// Wheels of 5 cm at y = +-0.1, axes along y, motors "left" and "right".
  std::string wheel(const std::string& name, double y) {
    return "HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0 " +
           std::to_string(y) + " 0.05 } device RotationalMotor { maxTorque 1000 name \"" + name +
           "\" } endPoint Solid { name \"" + name + "\" translation 0 " + std::to_string(y) +
           " 0.05 boundingObject Pose { rotation 1 0 0 1.5708 children Cylinder { radius 0.05 "
           "height "
           "0.02 } } } }\n";
  }
  void load(const std::string& robot) {
    const auto file = folder_.write(
        "worlds/rolling.wbt", "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 16 }\n" + robot);
    Diagnostics diagnostics;
    simulation_ = Simulation::load(file, {}, diagnostics);
    ASSERT_TRUE(simulation_) << diagnostics.to_string();
  }
  void drive(const std::string& motor, double velocity) {
    Device* device = simulation_->find_device(motor);
    ASSERT_TRUE(device);
    EXPECT_EQ(device->model->send_command("position", {std::numeric_limits<double>::infinity()}),
              "");
    EXPECT_EQ(device->model->send_command("velocity", {velocity}), "");
  }
  Pose pose() {
    const SolidInfo& robot = simulation_->model().solids.front();
    return simulation_->model().physics->pose(robot.body);
  }
  void run(double seconds) {
    for (int i = 0; i < std::lround(seconds / 0.016); ++i) simulation_->step();
  }

  TemporaryFolder folder_;
  std::unique_ptr<Simulation> simulation_;
};

TEST_F(WheelMotion, BothWheelsMoveItAheadBySpeedTimesRadius) {
  load("Robot { translation 1 2 0 rotation 0 0 1 0.5 children [\n" + wheel("left", 0.1) +
       wheel("right", -0.1) + "] }");
  ASSERT_EQ(simulation_->model().rolling.size(), 1u);
  drive("left", 4);
  drive("right", 4);
  run(0.16);  // the motors are up to speed
  const Pose before = pose();
  run(1.6);
  const Vec3 way = pose().p - before.p;
  EXPECT_NEAR(way.x(), 4 * 0.05 * 1.6 * libm::cos(0.5), 1e-6);
  EXPECT_NEAR(way.y(), 4 * 0.05 * 1.6 * libm::sin(0.5), 1e-6);
  EXPECT_NEAR(way.z(), 0, 1e-12);
}

TEST_F(WheelMotion, DifferentSpeedsMakeACircle) {
  load("Robot { children [\n" + wheel("left", 0.1) + wheel("right", -0.1) + "] }");
  drive("left", 2);
  drive("right", 6);
  run(0.16);
  const Pose start = pose();
  // v = 0.2 m/s, w = (0.3 - 0.1) / 0.2 = 1 rad/s: a circle of 0.2 m to the left.
  const Vec3 centre = start * Vec3(0, 0.2, 0);
  for (int i = 0; i < 100; ++i) {
    simulation_->step();
    EXPECT_NEAR((pose().p - centre).norm(), 0.2, 1e-6);
  }
  const Quat turned = start.R.conjugate() * pose().R;
  EXPECT_NEAR(2 * libm::atan2(turned.z(), turned.w()), 1.6, 1e-6);
}

TEST_F(WheelMotion, AnArmWithoutPhysicsStaysWhereItIs) {
  load("Robot { children [\n" + wheel("left", 0.1) + "] }");
  EXPECT_TRUE(simulation_->model().rolling.empty());
  drive("left", 4);
  run(0.5);
  EXPECT_EQ(simulation_->model().solids.front().body, physics::kWorldBody);
}

}  // namespace
}  // namespace protobeam
