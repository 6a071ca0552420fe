// What supervisors do to bodies and joints, against Webots' sources.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sim/supervisor/supervisor.h"
#include "tests/unit/sim/device_named.h"
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
