#include <gtest/gtest.h>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

/// A bar from its hinge at the origin along +x; the hinge's axis is -y, so that up is positive.
class Arm : public testing::Test {
 protected:
  static constexpr double kMass = 2, kLength = 0.8;

  void build(World& world, const MotorSpec& motor) {
    const BodySpec spec = box("bar", kMass, {kLength, 0.05, 0.05}, {kLength / 2, 0, 0});
    bar_ = world.add_body(spec);
    joint_ = world.add_joint(hinge(bar_, spec.X_WB, -Vec3::UnitY(), Vec3::Zero()));
    world.add_motor(joint_, 0, motor);
  }
  static double inertia() {
    return kMass * (kLength * kLength + 0.05 * 0.05) / 12 + kMass * kLength * kLength / 4;
  }
  static double weight_torque() { return kMass * kGravity * kLength / 2; }

  BodyId bar_ = 0;
  JointId joint_ = 0;
};

TEST_F(Arm, HoldsWithoutACommandIfItsTorqueSuffices) {
  World world(world_spec(0.016));
  build(world, {.max_effort = 1.02 * weight_torque()});
  run(world, 3);
  EXPECT_NEAR(world.joint_position(joint_, 0), 0, 1e-6);
  EXPECT_NEAR(world.motor_effort(joint_, 0), weight_torque(), 1e-4 * weight_torque());
}

TEST_F(Arm, SagsIfItsTorqueDoesNotSuffice) {
  World world(world_spec(0.016));
  build(world, {.max_effort = 0.98 * weight_torque()});
  run(world, 0.5);
  // The torque that is missing accelerates it, while it is still almost level.
  const double t = world.time();
  EXPECT_NEAR(world.joint_position(joint_, 0), -0.5 * 0.02 * weight_torque() / inertia() * t * t,
              0.002);
  EXPECT_NEAR(world.motor_effort(joint_, 0), 0.98 * weight_torque(), 1e-6);
}

TEST_F(Arm, SagsWhenTheAvailableTorqueIsCut) {
  World world(world_spec(0.016));
  build(world, {.max_effort = 2 * weight_torque()});
  run(world, 3);  // asleep by now
  EXPECT_TRUE(world.asleep(bar_));
  world.set_motor_available_effort(joint_, 0, 0.5 * weight_torque());
  run(world, 0.5);
  EXPECT_LT(world.joint_position(joint_, 0), -0.3);
}

TEST_F(Arm, ApproachesItsTargetAsTheProportionalLawSays) {
  const double dt = 0.016, target = 0.5;
  World world(world_spec(dt, Vec3::Zero()));
  build(world, {.max_velocity = 100, .max_effort = 1e6});
  world.set_motor_position(joint_, 0, target);
  for (int n = 1; n <= 60; ++n) {
    world.step();
    const double error = target * std::pow(1 - 10 * dt, n);
    EXPECT_NEAR(target - world.joint_position(joint_, 0), error, 1e-5) << n;
  }
}

TEST_F(Arm, KeepsItsCommandedVelocityOnTheWay) {
  World world(world_spec(0.016));
  build(world, {.max_velocity = 3, .max_effort = 1000});
  world.set_motor_position(joint_, 0, 2);
  world.set_motor_velocity(joint_, 0, 0.7);
  run(world, 1);
  EXPECT_NEAR(world.joint_velocity(joint_, 0), 0.7, 1e-6);
  EXPECT_NEAR(world.joint_position(joint_, 0), 0.7 * world.time(), 1e-3);
  world.set_motor_velocity(joint_, 0, 50);  // more than it can
  world.step();
  world.step();
  EXPECT_NEAR(world.joint_velocity(joint_, 0), 3, 1e-6);
}

TEST_F(Arm, AcceleratesAsMuchAsItIsAllowed) {
  World world(world_spec(0.01));
  build(world, {.max_velocity = 10, .max_effort = 1000, .acceleration = 1.5});
  world.set_motor_position(joint_, 0, kUnlimited);
  world.set_motor_velocity(joint_, 0, 2);
  run(world, 1);
  EXPECT_NEAR(world.joint_velocity(joint_, 0), 1.5 * world.time(), 1e-6);
  EXPECT_NEAR(world.joint_position(joint_, 0), 0.75 * world.time() * world.time(), 0.003);
  run(world, 1);
  EXPECT_NEAR(world.joint_velocity(joint_, 0), 2, 1e-6);
}

TEST_F(Arm, GetsADirectTorqueUntilTheNextTarget) {
  World world(world_spec(0.01, Vec3::Zero()));
  build(world, {.max_effort = 5});
  world.set_motor_effort(joint_, 0, 0.4);
  run(world, 0.5);
  EXPECT_NEAR(world.joint_velocity(joint_, 0), 0.4 / inertia() * world.time(), 1e-4);
  EXPECT_NEAR(world.motor_effort(joint_, 0), 0.4, 1e-9);
  world.set_motor_effort(joint_, 0, 100);
  world.step();
  EXPECT_NEAR(world.motor_effort(joint_, 0), 5, 1e-9);
  world.set_motor_position(joint_, 0, 0.25);
  run(world, 5);
  EXPECT_NEAR(world.joint_position(joint_, 0), 0.25, 1e-4);
}

TEST_F(Arm, FollowsTheWholePidLaw) {
  const double dt = 0.008, target = 0.3;
  World world(world_spec(dt));
  build(world, {.max_velocity = 10, .max_effort = 1000, .p = 5, .i = 2, .d = 0.01});
  world.set_motor_position(joint_, 0, target);
  double q = 0, integral = 0, before = target;
  for (int n = 0; n < 200; ++n) {
    const double error = target - q;
    integral += error * dt;
    q += dt * (5 * error + 2 * integral + 0.01 * (error - before) / dt);
    before = error;
    world.step();
    EXPECT_NEAR(world.joint_position(joint_, 0), q, 2e-5) << n;
  }
}

TEST_F(Arm, StaysWithinItsSoftLimits) {
  World world(world_spec(0.016));
  build(world, {.max_effort = 100, .min_position = -0.2, .max_position = 0.4});
  world.set_motor_position(joint_, 0, 3);
  run(world, 3);
  EXPECT_NEAR(world.joint_position(joint_, 0), 0.4, 1e-4);
}

TEST_F(Arm, IgnoresCommandsThatAreNotNumbers) {
  World world(world_spec(0.016));
  build(world, {.max_effort = 100});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  world.set_motor_position(joint_, 0, nan);
  world.set_motor_velocity(joint_, 0, nan);
  world.set_motor_velocity(joint_, 0, kUnlimited);
  world.set_motor_effort(joint_, 0, nan);
  world.set_motor_acceleration(joint_, 0, nan);
  world.set_motor_available_effort(joint_, 0, kUnlimited);
  world.set_motor_pid(joint_, 0, nan, 0, 0);
  world.set_brake(joint_, 0, nan);
  run(world, 1);
  EXPECT_NEAR(world.joint_position(joint_, 0), 0, 1e-6);
}

// As Webots (WbMotor::setTargetPosition asks std::isinf).
TEST_F(Arm, TurnsOnAndOnForEitherInfinity) {
  for (const double target : {kUnlimited, -kUnlimited}) {
    World world(world_spec(0.016));
    build(world, {.max_effort = 100});
    world.set_motor_position(joint_, 0, target);
    world.set_motor_velocity(joint_, 0, 0.5);
    run(world, 2);
    EXPECT_NEAR(world.joint_velocity(joint_, 0), 0.5, 1e-3) << target;
    EXPECT_NEAR(world.joint_position(joint_, 0), 1, 0.05) << target;
  }
}

TEST_F(Arm, MovesOnAfterSleepWhenCommanded) {
  World world(world_spec(0.016));
  build(world, {.max_effort = 100});
  run(world, 3);
  ASSERT_TRUE(world.asleep(bar_));
  world.set_motor_position(joint_, 0, kUnlimited);
  world.set_motor_velocity(joint_, 0, 0.004);  // slower than what counts as moving
  run(world, 5);
  EXPECT_FALSE(world.asleep(bar_));
  EXPECT_NEAR(world.joint_velocity(joint_, 0), 0.004, 1e-6);
}

/// A wheel whose joint has static friction as well as a motor, which goes round as long as it is
/// told to.
class StiffAxle : public testing::Test {
 protected:
  static constexpr double kLimit = 1, kInertia = 0.4 * 5 * 0.04;

  void build(double friction) {
    const BodySpec spec = ball("wheel", 5, 0.2, Vec3::Zero());
    wheel_ = world_.add_body(spec);
    JointSpec joint = hinge(wheel_, spec.X_WB, Vec3::UnitZ(), Vec3::Zero());
    joint.axes[0].static_friction = friction;
    axle_ = world_.add_joint(joint);
    world_.add_motor(axle_, 0, {.max_velocity = 100, .max_effort = kLimit});
    world_.set_motor_position(axle_, 0, kUnlimited);
    world_.set_motor_velocity(axle_, 0, 0);
  }
  /// Under that torque for half a second; how much faster it is each second.
  double push(double torque) {
    const double start = world_.time(), before = world_.joint_velocity(axle_, 0);
    while (world_.time() < start + 0.5 - 1e-9) {
      world_.apply_torque(wheel_, {0, 0, torque});
      world_.step();
    }
    return (world_.joint_velocity(axle_, 0) - before) / (world_.time() - start);
  }

  World world_{world_spec(0.016, Vec3::Zero())};
  BodyId wheel_ = 0;
  JointId axle_ = 0;
};

// Webots has one row for both: dParamFMax is the greater one (WbHingeJoint::prePhysicsStep).
TEST_F(StiffAxle, IsDrivenWithTheWholeOfItsMotorsTorque) {
  build(0.4);
  world_.set_motor_velocity(axle_, 0, 0.5);
  push(-0.9);
  EXPECT_NEAR(world_.joint_velocity(axle_, 0), 0.5, 1e-6);
  EXPECT_NEAR(world_.motor_effort(axle_, 0), 0.9, 1e-6);
}

TEST_F(StiffAxle, IsHeldByTheMotorOrTheFrictionNotByBoth) {
  build(0.4);
  EXPECT_NEAR(push(0.99 * kLimit), 0, 1e-6);
  EXPECT_NEAR(push(kLimit + 0.2), 0.2 / kInertia, 1e-6);
}

TEST_F(StiffAxle, IsDrivenWithItsFrictionIfThatIsMoreThanTheMotorHas) {
  build(2);
  world_.set_motor_velocity(axle_, 0, 0.5);
  push(-1.9);
  EXPECT_NEAR(world_.joint_velocity(axle_, 0), 0.5, 1e-6);
  EXPECT_NEAR(push(-2.2), -0.2 / kInertia, 1e-6);
}

TEST_F(StiffAxle, IsBrakedByItsFrictionOnceTheMotorHasNoTorque) {
  build(0.4);
  world_.set_motor_velocity(axle_, 0, 3);
  push(0);
  EXPECT_NEAR(world_.joint_velocity(axle_, 0), 3, 1e-6);
  world_.set_motor_available_effort(axle_, 0, 0);
  push(0);
  EXPECT_NEAR(world_.joint_velocity(axle_, 0), 3 - 0.4 / kInertia * 0.512, 1e-6);
  push(0);
  EXPECT_NEAR(world_.joint_velocity(axle_, 0), 0, 1e-6);
  EXPECT_NEAR(push(0.5), 0.1 / kInertia, 1e-6);
}

TEST_F(StiffAxle, BrakesADirectTorque) {
  build(0.4);
  world_.set_motor_effort(axle_, 0, 0.39);
  EXPECT_NEAR(push(0), 0, 1e-6);
  world_.set_motor_effort(axle_, 0, 0.6);
  EXPECT_NEAR(push(0), 0.2 / kInertia, 1e-6);
}

// Links of a gram or ten that push what weighs a hundred times as much: sweeps alone hand it a
// thousandth of the motor's impulse each time.
TEST(LightLink, PushesAHeavyBoxToItsTarget) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(0.5));
  world.add_body(ground());
  const BodyId load = world.add_body(box("load", 1, {0.1, 0.1, 0.1}, {0.2, 0.061, 0.05}));
  const BodySpec arm = box("arm", 0.001, {0.2, 0.02, 0.02}, {0.1, 0, 0.05});
  const BodyId link = world.add_body(arm);
  const JointId axle = world.add_joint(hinge(link, arm.X_WB, Vec3::UnitZ(), {0, 0, 0.05}));
  world.add_motor(axle, 0, {.max_velocity = 10, .max_effort = 10});
  world.set_motor_position(axle, 0, 0.3);
  run(world, 2);
  EXPECT_NEAR(world.joint_position(axle, 0), 0.3, 0.003);
  EXPECT_GT(world.pose(load).p.y(), 0.11);
}

/// A smooth ram of a gram on a rail along x, before a box of 1 kg on the ground.
class LightRam : public testing::Test {
 protected:
  void push(double friction, double force, double speed, double seconds) {
    const int smooth = world_.material("smooth");
    world_.set_contact_rule(0, 0, rule(friction));
    world_.set_contact_rule(0, smooth, rule(0));
    world_.add_body(ground());
    load_ = world_.add_body(box("load", 1, {0.1, 0.1, 0.1}, {0.061, 0, 0.05}));
    BodySpec ram = box("ram", 0.001, {0.02, 0.05, 0.05}, {0, 0, 0.05});
    ram.shapes[0].material = smooth;
    JointSpec slider = hinge(world_.add_body(ram), ram.X_WB, Vec3::UnitX(), Vec3::Zero());
    slider.kind = JointKind::kSlider;
    rail_ = world_.add_joint(slider);
    world_.add_motor(rail_, 0, {.max_velocity = speed, .max_effort = force});
    world_.set_motor_position(rail_, 0, kUnlimited);
    world_.set_motor_velocity(rail_, 0, speed);
    run(world_, seconds);
    EXPECT_NEAR(world_.motor_effort(rail_, 0), force, 1e-3);
  }

  World world_{world_spec(0.016)};
  BodyId load_ = 0;
  JointId rail_ = 0;
};

TEST_F(LightRam, PushesNoHarderThanItsMotor) {
  // Friction is 0.5 m g = 4.9 N: with 9.81 N the box speeds up by 4.9 m/s^2.
  push(0.5, kGravity, 10, 0.5);
  EXPECT_NEAR(world_.velocity(load_).x(), 0.5 * kGravity * 0.5, 0.05 * 0.5 * kGravity * 0.5);
}

TEST_F(LightRam, DoesNotPushABoxThatFrictionHolds) {
  push(1, 0.9 * kGravity, 0.2, 5);
  EXPECT_NEAR(world_.pose(load_).p.x(), 0.061, 0.001);
}

TEST(LightLink, FingersHoldAHeavyBoxByFriction) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(0.8));
  const BodyId load = world.add_body(box("load", 2, {0.06, 0.06, 0.06}, {0, 0, 0.5}));
  for (const double side : {-1.0, 1.0}) {
    const BodySpec finger = box("finger", 0.01, {0.01, 0.02, 0.06}, {0.0351 * side, 0, 0.5});
    const BodyId link = world.add_body(finger);
    JointSpec slider = hinge(link, finger.X_WB, -side * Vec3::UnitX(), Vec3::Zero());
    slider.kind = JointKind::kSlider;
    const JointId rail = world.add_joint(slider);
    // 2 * 0.8 * 20 N carry 32 N; the box weighs 19.6 N.
    world.add_motor(rail, 0, {.max_velocity = 1, .max_effort = 20});
    world.set_motor_position(rail, 0, kUnlimited);
    world.set_motor_velocity(rail, 0, 0.1);
  }
  run(world, 5);
  EXPECT_NEAR(world.pose(load).p.z(), 0.5, 0.001);
  EXPECT_LT(world.pose(load).R.angularDistance(Quat::Identity()), 0.01);
}

TEST(LightLink, FourLegsStandStillUnderAHeavyBody) {
  World world(world_spec(0.016));
  world.set_contact_rule(0, 0, rule(1));
  world.add_body(ground());
  const BodyId trunk = world.add_body(box("trunk", 50, {0.6, 0.4, 0.1}, {0, 0, 0.4}));
  for (const double x : {-0.3, 0.3}) {
    for (const double y : {-0.3, 0.3}) {
      JointSpec hip;
      hip.name = "hip";
      hip.parent = trunk;
      hip.child = world.add_body(box("leg", 0.01, {0.04, 0.04, 0.4}, {x, y, 0.2}));
      hip.anchor_P = {x, y, 0};
      hip.X_PC0 = Pose::translation({x, y, -0.2});
      hip.axes[0].axis_P = Vec3::UnitY();
      world.add_motor(world.add_joint(hip), 0, {.max_effort = 2000});
    }
  }
  run(world, 1);
  EXPECT_NEAR(world.pose(trunk).p.z(), 0.4, 0.001);
  EXPECT_LT(world.velocity(trunk).norm() + world.angular_velocity(trunk).norm(), 1e-4);
}

TEST(Motor, CountsTurns) {
  World world(world_spec(0.016));
  const BodySpec wheel = ball("wheel", 1, 0.1, {0, 0, 1});
  const BodyId w = world.add_body(wheel);
  const JointId axle = world.add_joint(hinge(w, wheel.X_WB, Vec3::UnitY(), {0, 0, 1}));
  world.add_motor(axle, 0, {.max_velocity = 30, .max_effort = 10});
  world.set_motor_position(axle, 0, kUnlimited);
  world.set_motor_velocity(axle, 0, 20);
  run(world, 4);
  EXPECT_NEAR(world.joint_velocity(axle, 0), 20, 1e-6);
  EXPECT_NEAR(world.joint_position(axle, 0), 20 * world.time(), 0.1);
}

TEST(Motor, TurnsAKinematicChildExactly) {
  World world(world_spec(0.032));
  BodySpec head;
  head.name = "head";
  head.motion = Motion::kKinematic;
  head.X_WB = Pose::translation({1, 0, 1});
  const BodyId h = world.add_body(head);
  const JointId axle = world.add_joint(hinge(h, head.X_WB, Vec3::UnitZ(), {1, 0, 1}));
  world.add_motor(axle, 0, {.max_velocity = 100, .max_effort = 1e4});
  world.set_motor_position(axle, 0, kUnlimited);
  world.set_motor_velocity(axle, 0, 31);
  run(world, 10);
  EXPECT_NEAR(world.joint_position(axle, 0), 31 * world.time(), 1e-9);
  EXPECT_LT(world.pose(h).R.angularDistance(axis_angle(Vec3::UnitZ(), 31 * world.time())), 1e-7);
  EXPECT_EQ(world.angular_velocity(h), Vec3(0, 0, 31));
}

/// A joint about z whose child has no mass.
JointId add_head(World& world, const MotorSpec& motor) {
  BodySpec head;
  head.name = "head";
  head.motion = Motion::kKinematic;
  const JointId axle =
      world.add_joint(hinge(world.add_body(head), head.X_WB, Vec3::UnitZ(), Vec3::Zero()));
  world.add_motor(axle, 0, motor);
  return axle;
}

TEST(Motor, BringsAKinematicChildToItsTargetWithItsAcceleration) {
  const double dt = 0.01;
  World world(world_spec(dt));
  const JointId axle = add_head(world, {.max_velocity = 0.5, .max_effort = 10, .acceleration = 2});
  world.set_motor_position(axle, 0, 1);
  double position = 0, velocity = 0;
  for (int k = 0; k < 300; ++k) {
    world.step();
    velocity = std::min(velocity + 2 * dt, 0.5);
    position = std::min(position + velocity * dt, 1.0);
    ASSERT_NEAR(world.joint_position(axle, 0), position, 1e-9) << k;
  }
  EXPECT_EQ(world.joint_velocity(axle, 0), 0);
  // Back with the same speed at once, as it is on its way.
  world.set_motor_position(axle, 0, 0);
  run(world, 1);
  const double before = world.joint_position(axle, 0);
  world.set_motor_position(axle, 0, 1);
  world.step();
  EXPECT_NEAR(world.joint_position(axle, 0), before + 0.5 * dt, 1e-9);
}

TEST(Motor, BringsAKinematicChildUpToSpeedByNoMoreThanItsEffort) {
  const double dt = 0.01;
  World world(world_spec(dt));
  for (const double acceleration : {-1.0, 500.0}) {
    const JointId axle =
        add_head(world, {.max_velocity = 6, .max_effort = 10, .acceleration = acceleration});
    world.set_motor_position(axle, 0, kUnlimited);
    world.set_motor_velocity(axle, 0, -6);
    world.step();
    EXPECT_NEAR(world.joint_velocity(axle, 0), -0.1, 1e-12);
    run(world, 0.3);
    EXPECT_NEAR(world.joint_velocity(axle, 0), -10 * (dt + 0.3), 1e-9);
    run(world, 0.5);
    EXPECT_EQ(world.joint_velocity(axle, 0), -6);
  }
}

TEST(Motor, StopsAKinematicChildAtItsSoftLimit) {
  World world(world_spec(0.01));
  const JointId axle = add_head(world, {.min_position = -0.5, .max_position = 0.3});
  world.set_motor_position(axle, 0, kUnlimited);
  world.set_motor_velocity(axle, 0, 2);
  run(world, 1);
  EXPECT_NEAR(world.joint_position(axle, 0), 0.3, 1e-6);
  EXPECT_EQ(world.joint_velocity(axle, 0), 0);
  world.set_motor_velocity(axle, 0, -2);
  run(world, 2);
  EXPECT_NEAR(world.joint_position(axle, 0), -0.5, 1e-6);
}

TEST(Motor, MovesAChainOfKinematicChildrenOnADynamicBody) {
  World world(world_spec(0.016, Vec3::Zero()));
  BodySpec base = box("base", 10, {1, 1, 0.2}, {0, 0, 1});
  base.v_WB = {2, 0, 0};
  const BodyId b = world.add_body(base);
  BodySpec mast, tip;
  mast.name = "mast";
  tip.name = "tip";
  mast.motion = tip.motion = Motion::kKinematic;
  const BodyId t = world.add_body(tip);
  const BodyId m = world.add_body(mast);
  JointSpec pan;
  pan.name = "pan";
  pan.parent = m;
  pan.child = t;
  pan.anchor_P = {0.5, 0, 0};
  pan.X_PC0 = Pose::translation({0.5, 0.25, 0});
  pan.axes[0].axis_P = Vec3::UnitZ();
  const JointId p = world.add_joint(pan);  // the child first: order does not matter
  JointSpec lift;
  lift.name = "lift";
  lift.kind = JointKind::kSlider;
  lift.parent = b;
  lift.child = m;
  lift.axes[0] = {.axis_P = Vec3::UnitZ(), .position = 0.1, .min_stop = 0, .max_stop = 0.4};
  const JointId l = world.add_joint(lift);
  EXPECT_EQ(world.pose(t).p, Vec3(0.5, 0.25, 1.1));
  for (const JointId j : {p, l}) {
    world.add_motor(j, 0, {.max_velocity = 10, .max_effort = 1e4});
    world.set_motor_position(j, 0, kUnlimited);
    world.set_motor_velocity(j, 0, 0.25);
  }
  run(world, 1);
  const double s = world.time(), angle = 0.25 * s;
  const Vec3 arm(-0.25 * std::sin(angle), 0.25 * std::cos(angle), 0);
  EXPECT_LT((world.pose(t).p - Vec3(2 * s + 0.5, 0, 1.1 + angle) - arm).norm(), 1e-9);
  const Vec3 v = Vec3(2, 0, 0.25) + Vec3(0, 0, 0.25).cross(arm);
  EXPECT_LT((world.velocity(t) - v).norm(), 1e-9);
  run(world, 1);
  EXPECT_NEAR(world.joint_position(l, 0), 0.4, 1e-12) << "the stop";
  EXPECT_NEAR(world.velocity(b).x(), 2, 1e-9) << "nothing pushes back";
}

}  // namespace
}  // namespace protobeam::physics
