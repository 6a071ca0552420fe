// What supervisors do to bodies and joints, against Webots' sources.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sim/supervisor/supervisor.h"
#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/set_field.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using link::SupervisorOp;

class SupervisedMotion : public testing::Test {
 protected:
  void load(const std::string& nodes) { simulation_ = &world_.load(nodes); }
  /// A hinge with a motor, which ends in a Solid of DEF HAND; it may turn from -2 to 2 rad.
  void load_hinge(const std::string& motor = "") {
    load(
        "DEF ROBOT Robot { controller \"<none>\" children [ DEF JOINT HingeJoint {\n"
        "jointParameters DEF PARAMETERS HingeJointParameters { axis 0 0 1 minStop -2 maxStop 2 }\n"
        "device [ RotationalMotor { name \"m\" maxTorque 100 " +
        motor +
        " } ]\nendPoint DEF HAND Solid { boundingObject Sphere { radius 0.1 } "
        "physics Physics { density -1 mass 1 } } } ] }");
  }
  link::SupervisorAnswer ask(SupervisorOp op, const char* def, std::vector<double> numbers = {},
                             int index = 0, const std::string& text = "") {
    link::SupervisorRequest request;
    request.op = op;
    request.node = simulation_->tree().from_def(def);
    request.numbers = std::move(numbers);
    request.index = index;
    request.text = text;
    return simulation_->supervisor().answer(0, {&request, 1}).at(0);
  }
  void run(double seconds) {
    const auto steps = std::lround(seconds / 0.008);
    for (long i = 0; i < steps; ++i) simulation_->step();
  }
  Device& motor() { return device_named(*simulation_, "m"); }
  double position() { return simulation_->model().physics->joint_position(motor().joint, 0); }
  double velocity() { return simulation_->model().physics->joint_velocity(motor().joint, 0); }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

/// Webots, WbSupervisorUtilities::handleMessage, C_SUPERVISOR_NODE_ADD_FORCE_WITH_OFFSET: the
/// offset counts from the Solid's origin, not from its centre of mass.
TEST_F(SupervisedMotion, AForceWithAnOffsetActsAtAPointOfTheSolidsFrame) {
  load(
      "DEF BALL Solid { translation 0 0 5 rotation 0 0 1 1.5707963267948966 boundingObject Pose {\n"
      "translation 1 0 0 children [ Sphere { radius 0.1 } ] } physics Physics { density -1 mass 2 "
      "} }");
  // At the centre of mass: no rotation.
  EXPECT_TRUE(ask(SupervisorOp::kAddForceWithOffset, "BALL", {10, 0, 0, 1, 0, 0}).good);
  simulation_->step();
  auto v = ask(SupervisorOp::kNodeVelocity, "BALL").numbers;
  EXPECT_NEAR(v.at(0), 10.0 / 2 * 0.008, 1e-9);
  EXPECT_NEAR(v.at(5), 0, 1e-9);
  // At its origin, 1 m below in the world: I = 2/5 m r^2 = 0.008 kg m^2.
  EXPECT_TRUE(ask(SupervisorOp::kSetVelocity, "BALL", {0, 0, 0, 0, 0, 0}).good);
  EXPECT_TRUE(ask(SupervisorOp::kAddForceWithOffset, "BALL", {0.01, 0, 0, 0, 0, 0}).good);
  simulation_->step();
  v = ask(SupervisorOp::kNodeVelocity, "BALL").numbers;
  EXPECT_NEAR(v.at(5), 0.01 / 0.008 * 0.008, 1e-6);
}

/// Webots, WbJoint::setPosition: the motor's target comes along.
TEST_F(SupervisedMotion, AJointStaysWhereItIsPut) {
  load_hinge();
  motor().model->send_command("position", {-1});
  run(0.5);
  EXPECT_TRUE(ask(SupervisorOp::kSetJointPosition, "JOINT", {0.7}, 1).good);
  run(1);
  EXPECT_NEAR(position(), 0.7, 1e-6);
  // A wheel that was told a velocity is told a position now.
  motor().model->send_command("position", {HUGE_VAL});
  motor().model->send_command("velocity", {0.5});
  run(0.1);
  EXPECT_NEAR(velocity(), 0.5, 1e-3);
  EXPECT_TRUE(ask(SupervisorOp::kSetJointPosition, "JOINT", {1.5}, 1).good);
  run(1);
  EXPECT_NEAR(position(), 1.5, 1e-6);
  // Stops hold it back, and the motor does not push against them.
  EXPECT_TRUE(ask(SupervisorOp::kSetJointPosition, "JOINT", {3}, 1).good);
  run(1);
  EXPECT_NEAR(position(), 2, 1e-3);
}

/// The field alone leaves the motor with what it was told (Webots, WbHingeJoint::updatePosition).
TEST_F(SupervisedMotion, TheFieldPositionLeavesTheMotorItsTarget) {
  load_hinge();
  motor().model->send_command("position", {-0.5});
  LiveTree& tree = simulation_->tree();
  const auto node = tree.node(tree.from_def("PARAMETERS"));
  link::SupervisorRequest request;
  request.op = SupervisorOp::kSetField;
  request.node = tree.id(node.get());
  request.field = tree.address(tree.field_of(node, "position"));
  request.numbers = {0.5};
  ASSERT_TRUE(simulation_->supervisor().answer(0, {&request, 1}).at(0).good);
  EXPECT_NEAR(position(), 0.5, 1e-9);
  run(2);
  EXPECT_NEAR(position(), -0.5, 1e-3);
}

/// In Webots a joint changes in place (WbJoint::updateParameters).
TEST_F(SupervisedMotion, MotorsGoOnWhileTheirJointIsMadeAnew) {
  load_hinge();
  motor().model->send_command("velocity", {0.4});
  motor().model->send_command("position", {1});
  run(0.5);
  EXPECT_NEAR(velocity(), 0.4, 1e-3);
  LiveTree& tree = simulation_->tree();
  const auto node = tree.node(tree.from_def("PARAMETERS"));
  link::SupervisorRequest request;
  request.op = SupervisorOp::kSetField;
  request.node = tree.id(node.get());
  request.field = tree.address(tree.field_of(node, "dampingConstant"));
  request.numbers = {0.01};
  ASSERT_TRUE(simulation_->supervisor().answer(0, {&request, 1}).at(0).good);
  run(0.5);
  EXPECT_NEAR(velocity(), 0.4, 1e-2);
  EXPECT_NEAR(position(), 0.4, 1e-2);
  run(3);
  EXPECT_NEAR(position(), 1, 1e-3);
}

/// Webots, WbHingeJoint::updateEndPointZeroTranslationAndRotation.
TEST_F(SupervisedMotion, ASolidWithoutPhysicsGoesOnTurningFromWhereItIsPut) {
  load(
      "Robot { controller \"<none>\" children [ HingeJoint {\n"
      "jointParameters HingeJointParameters { axis 0 0 1 } device [ RotationalMotor { name \"m\" "
      "} ]\nendPoint Slot { endPoint Slot { endPoint DEF HAND Solid { translation 0.5 0 0 children "
      "[ Shape { geometry Sphere { radius 0.1 } } ] } } } } ] }");
  motor().model->send_command("position", {HUGE_VAL});
  motor().model->send_command("velocity", {1});
  run(0.8);
  const double before = position();
  EXPECT_NEAR(before, 0.75, 0.02);  // 10 rad/s^2 at first
  ASSERT_TRUE(set_field(*simulation_, "HAND", "translation", {1, 0, 0.5}).good);
  // The last column of the pose in the world.
  const auto place = [&](std::size_t axis) {
    return ask(SupervisorOp::kNodePose, "HAND", {}, -1).numbers.at(4 * axis + 3);
  };
  EXPECT_NEAR(place(0), 1, 1e-9);
  EXPECT_NEAR(place(2), 0.5, 1e-9);
  EXPECT_NEAR(position(), before, 1e-9);
  run(0.8);
  const double turned = position() - before;
  EXPECT_NEAR(turned, 0.8, 1e-3);
  EXPECT_NEAR(place(0), std::cos(turned), 1e-9);
  EXPECT_NEAR(place(1), std::sin(turned), 1e-9);
  EXPECT_NEAR(place(2), 0.5, 1e-9);
  ASSERT_TRUE(ask(SupervisorOp::kSetVelocity, "HAND", {0, 0, 1, 0, 0, 0}).good);
  run(0.08);
  EXPECT_NEAR(place(0), std::cos(position() - before), 1e-9);
  EXPECT_NEAR(place(2), 0.58, 1e-9);
}

/// Webots, WbMotor::reset and WbJoint::reset.
TEST_F(SupervisedMotion, ASavedStateHasMotorsHoldTheirJoints) {
  load_hinge("maxVelocity 4");
  EXPECT_TRUE(ask(SupervisorOp::kSetJointPosition, "JOINT", {0.7}, 1).good);
  run(0.1);
  EXPECT_TRUE(ask(SupervisorOp::kSaveState, "ROBOT", {}, 0, "here").good);
  motor().model->send_command("velocity", {0.1});
  motor().model->send_command("position", {-1});
  run(1);
  EXPECT_LT(position(), 0.65);
  EXPECT_TRUE(ask(SupervisorOp::kLoadState, "ROBOT", {}, 0, "here").good);
  run(1);
  EXPECT_NEAR(position(), 0.7, 1e-6);
  motor().model->send_command("position", {-1});  // at full speed again
  run(0.1);
  EXPECT_NEAR(velocity(), -4, 0.01);
}

/// Webots, WbMotor::setTargetPosition: std::isinf() takes both.
TEST_F(SupervisedMotion, EitherInfinityIsVelocityControl) {
  load_hinge();
  motor().model->send_command("position", {-HUGE_VAL});
  motor().model->send_command("velocity", {0.5});
  run(0.1);
  EXPECT_NEAR(velocity(), 0.5, 1e-3);
}

}  // namespace
}  // namespace protobeam
