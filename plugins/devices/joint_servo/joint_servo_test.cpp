// JointServo: control laws against closed forms.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

constexpr double kBallInertia = 0.4 * 2 * 0.25;  // kg m^2, of the ball about its middle

/// A ball of 2 kg and 0.5 m that turns about the vertical, without gravity.
std::string turntable(const std::string& servo, const std::string& motors) {
  return R"(Robot { name "r" controller "<none>" children [
    HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 }
      device RotationalMotor { name "m" maxTorque 1e6 maxVelocity 1e4 }
      endPoint Solid { name "ball" boundingObject Sphere { radius 0.5 }
        physics Physics { density -1 mass 2 } } }
    JointServo { motors )" +
         motors + " " + servo + " } ] }";
}

class JointServoWorld : public testing::Test {
 protected:
  void load(const std::string& servo, const std::string& motors = "\"m\"") {
    simulation_ = &world_.load(turntable(servo, motors), "gravity 0 basicTimeStep 2");
  }
  std::string problem_of(const std::string& servo, const std::string& motors = "\"m\"") {
    try {
      load(servo, motors);
    } catch (const std::runtime_error& problem) {
      return problem.what();
    }
    return "";
  }
  void run(double seconds) {
    const double until = simulation_->time() + seconds;
    while (simulation_->time() < until - 1e-9) simulation_->step();
  }
  const JointPort& axis() { return *device_named(*simulation_, "m").joint_port; }
  void set(double point) {
    EXPECT_EQ(device_named(*simulation_, "servo").model->send_command("set point", {point}), "");
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

TEST_F(JointServoWorld, SwingsAsAnOscillatorByItsGains) {
  // I x'' = p (1 - x) - d x': damped by z, at w.
  const double p = 5, d = 0.4;
  load("setPoint 1 controlPID 5 0 0.4");
  const double w0 = std::sqrt(p / kBallInertia), decay = d / 2 / kBallInertia;
  const double w = std::sqrt(w0 * w0 - decay * decay);
  // Its first step sees the error come at once, a push of d on the axis.
  const double first = d / kBallInertia;
  for (const double t : {0.2, 0.5, 1.0}) {
    run(t - simulation_->time());
    const double x =
        1 - std::exp(-decay * t) * (std::cos(w * t) + (decay - first) / w * std::sin(w * t));
    EXPECT_NEAR(axis().position(), x, 0.02) << t;
  }
}

TEST_F(JointServoWorld, AddsUpWhatIsLackingWithinItsLimits) {
  load("setPoint 1 controlPID 0 1 0 integralLimits [ -0.1 0.1 ]");
  run(1);
  // The effort rises by 1 N m a second, for 0.1 s, and stays.
  const double v = (0.1 * 0.1 / 2 + 0.1 * 0.9) / kBallInertia;
  EXPECT_NEAR(axis().velocity(), v, 0.01);
  load("setPoint 1 controlPID 100 0 0 outputLimits [ -0.2 0.3 ] offset 7");
  run(0.5);
  EXPECT_NEAR(axis().velocity(), 0.3 * 0.5 / kBallInertia, 1e-3);
}

TEST_F(JointServoWorld, TurnsByVelocities) {
  load("by \"velocity\" setPoint -2");
  run(0.1);
  EXPECT_NEAR(axis().position(), -2, 1e-3);
  load("by \"velocity\" maxVelocity 0.5 setPoint -2");
  run(2);
  EXPECT_NEAR(axis().position(), -1, 0.01);
  run(4);
  EXPECT_NEAR(axis().position(), -2, 1e-3);
  load("by \"velocity\" quantity \"velocity\" setPoint 5");
  run(0.1);
  EXPECT_NEAR(axis().velocity(), 5, 1e-6);
  set(-3);
  run(0.1);
  EXPECT_NEAR(axis().velocity(), -3, 1e-6);
}

TEST_F(JointServoWorld, ReachesAVelocityByEfforts) {
  load("quantity \"velocity\" setPoint 4 controlPID 2 0 0");
  run(0.1);
  EXPECT_NEAR(axis().velocity(), 4 * (1 - std::exp(-0.1 * 2 / kBallInertia)), 0.05);
}

TEST_F(JointServoWorld, LetsGoOfAxesUntilItIsToldAnEffort) {
  load("quantity \"effort\"");
  simulation_->model().physics->set_velocity(0, Vec3::Zero(), {0, 0, 1.5});
  run(0.5);
  EXPECT_NEAR(axis().velocity(), 1.5, 1e-3);
  set(0.4);
  run(0.5);
  EXPECT_NEAR(axis().velocity(), 1.5 + 0.4 * 0.5 / kBallInertia, 0.01);
}

TEST_F(JointServoWorld, MovesSliders) {
  // 2 kg on a spring of the gain: half a period on, it is as far on the other side.
  simulation_ = &world_.load(R"(Robot { name "r" controller "<none>" children [
    SliderJoint { jointParameters JointParameters { axis 1 0 0 }
      device LinearMotor { name "m" maxForce 1e6 maxVelocity 1e4 }
      endPoint Solid { name "ball" boundingObject Sphere { radius 0.5 }
        physics Physics { density -1 mass 2 } } }
    JointServo { motors "m" setPoint 0.1 controlPID 50 0 0 } ] })",
                             "gravity 0 basicTimeStep 2");
  run(kPi * std::sqrt(2.0 / 50));
  EXPECT_NEAR(axis().position(), 0.2, 0.002);
  EXPECT_THAT(problem_of("", "\"n\""), HasSubstr("has no motor 'n'"));
}

TEST_F(JointServoWorld, SaysWhatIsWrong) {
  EXPECT_THAT(problem_of("", "[ ]"), HasSubstr("must name a motor"));
  EXPECT_THAT(problem_of("quantity \"effort\" by \"velocity\""),
              HasSubstr("field 'by' of JointServo must be \"effort\""));
  EXPECT_THAT(problem_of("outputLimits [ 2 1 ]"), HasSubstr("the least and the greatest"));
}

}  // namespace
}  // namespace protobeam
