// Hinges with a pitch: what turns about the axis moves along it.
#include <gtest/gtest.h>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

constexpr double kPitch = 0.02;  // m/rad

JointSpec screw(BodyId child, const Pose& X_WC, const Vec3& axis, const Vec3& anchor) {
  JointSpec spec = hinge(child, X_WC, axis, anchor);
  spec.pitch = kPitch;
  return spec;
}

/// A nut of mass m and moment I on a thread without friction falls with g m p^2 / (I + m p^2).
TEST(Screw, FallsAsSlowlyAsItsMomentLetsIt) {
  for (const Vec3& anchor : {Vec3(0, 0, 3), Vec3(0.3, -0.2, 1)}) {
    for (const double direction : {1.0, -1.0}) {
      World world(world_spec(0.004));
      const BodySpec nut = ball("nut", 2, 0.05, {anchor.x(), anchor.y(), 2});
      const BodyId b = world.add_body(nut);
      const JointId thread = world.add_joint(screw(b, nut.X_WB, direction * Vec3::UnitZ(), anchor));
      run(world, 1);
      const double inertia = 0.4 * 2 * 0.05 * 0.05, along = 2 * kPitch * kPitch;
      const double fallen = 0.5 * kGravity * along / (inertia + along);
      EXPECT_NEAR(world.pose(b).p.z(), 2 - fallen, 0.01 * fallen);
      EXPECT_NEAR(world.joint_position(thread, 0), -direction * fallen / kPitch,
                  0.01 * fallen / kPitch);
      EXPECT_LT((world.pose(b).p - Vec3(anchor.x(), anchor.y(), world.pose(b).p.z())).norm(), 1e-6);
    }
  }
}

/// Both ends are free: what the one turns the other turns back, and their middle stays.
TEST(Screw, KeepsMomentum) {
  World world(world_spec(0.004, Vec3::Zero()));
  const BodySpec bolt = ball("bolt", 3, 0.1, {0, 0, 0}), nut = ball("nut", 1, 0.1, {0.4, 0, 0});
  const BodyId a = world.add_body(bolt), b = world.add_body(nut);
  JointSpec spec = screw(b, Pose::translation({0.4, 0, 0}), Vec3::UnitX(), Vec3::Zero());
  spec.parent = a;
  const JointId thread = world.add_joint(spec);
  world.add_motor(thread, 0, {.max_velocity = 50, .max_effort = 5});
  world.set_motor_position(thread, 0, kUnlimited);
  world.set_motor_velocity(thread, 0, 3);
  run(world, 2);
  EXPECT_NEAR(world.joint_velocity(thread, 0), 3, 1e-6);
  const double apart = world.pose(b).p.x() - world.pose(a).p.x();
  EXPECT_NEAR(apart, 0.4 + kPitch * world.joint_position(thread, 0), 1e-6);
  EXPECT_NEAR(3 * world.pose(a).p.x() + world.pose(b).p.x(), 0.4, 1e-6);
  const double spin = 3 * world.angular_velocity(a).x() + world.angular_velocity(b).x();
  EXPECT_NEAR(spin, 0, 1e-6);  // of balls of the same size
}

/// A weight of F needs the torque F p.
TEST(Screw, IsHeldByTheTorqueOfItsLoad) {
  for (const double torque : {0.9, 1.1}) {
    World world(world_spec(0.004));
    const BodySpec table = box("table", 40, {0.4, 0.4, 0.1}, {0, 0, 1});
    const BodyId b = world.add_body(table);
    const JointId thread = world.add_joint(screw(b, table.X_WB, Vec3::UnitZ(), Vec3::Zero()));
    world.add_motor(thread, 0, {.max_velocity = 50, .max_effort = torque * 40 * kGravity * kPitch});
    world.set_motor_position(thread, 0, 0);
    run(world, 1);
    EXPECT_EQ(world.pose(b).p.z() > 0.999, torque > 1) << world.pose(b).p.z();
  }
}

TEST(Screw, MovesWhatMovesAsItIsTold) {
  World world(world_spec(0.004));
  BodySpec nut = box("nut", 1, {0.1, 0.1, 0.1}, {0.2, 0, 1});
  nut.motion = Motion::kKinematic;
  const BodyId b = world.add_body(nut);
  JointSpec spec = screw(b, nut.X_WB, Vec3::UnitZ(), Vec3::Zero());
  spec.axes[0].position = kPi;
  const JointId thread = world.add_joint(spec);
  EXPECT_LT((world.pose(b).p - Vec3(-0.2, 0, 1 + kPi * kPitch)).norm(), 1e-12);
  world.add_motor(thread, 0, {.max_velocity = 5, .max_effort = 1});
  world.set_motor_position(thread, 0, kUnlimited);
  world.set_motor_velocity(thread, 0, 2);
  run(world, 3);
  EXPECT_NEAR(world.pose(b).p.z(), 1 + kPitch * world.joint_position(thread, 0), 1e-9);
  EXPECT_GT(world.joint_position(thread, 0), kPi + 3);
}

}  // namespace
}  // namespace protobeam::physics
