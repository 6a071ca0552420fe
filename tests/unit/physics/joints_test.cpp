#include <gtest/gtest.h>

#include <numbers>
#include <vector>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

double pendulum_period(double amplitude) {
  World world(world_spec(0.002));
  const double length = 1;
  // Almost a point mass.
  const Vec3 p(length * std::sin(amplitude), 0, -length * std::cos(amplitude));
  BodySpec bob = ball("bob", 1, 0.001, p);
  const BodyId b = world.add_body(bob);
  world.add_joint(hinge(b, bob.X_WB, -Vec3::UnitY(), Vec3::Zero()));
  // Position 0 is where it starts: count from the bottom instead.
  double low = world.pose(b).p.x(), first = -1, last = -1;
  int count = -1;
  while (count < 5) {
    world.step();
    const double x = world.pose(b).p.x();
    if (low < 0 && x >= 0) {
      last = world.time() - 0.002 * x / (x - low);
      if (++count == 0) first = last;
    }
    low = x;
    if (world.time() > 60) return -1;
  }
  EXPECT_NEAR(world.pose(b).p.norm(), length, 1e-3);
  return (last - first) / 5;
}

TEST(Hinge, SwingsWithThePeriodOfAPendulum) {
  const double small = 2 * kPi / std::sqrt(kGravity);
  EXPECT_NEAR(pendulum_period(0.02), small, 0.001 * small);
  // Exact for any amplitude: T = 4 sqrt(l / g) K(sin(amplitude / 2)).
  const double wide = 4 / std::sqrt(kGravity) * std::comp_ellint_1(std::sin(kPi / 4));
  EXPECT_NEAR(pendulum_period(kPi / 2), wide, 0.002 * wide);
}

TEST(Hinge, TellsTheForceOnItsChild) {
  World world(world_spec(0.016));
  const BodySpec bob = ball("bob", 2, 0.1, {0, 0, -0.5});
  const BodyId b = world.add_body(bob);
  const JointId pivot = world.add_joint(hinge(b, bob.X_WB, Vec3::UnitY(), Vec3::Zero()));
  run(world, 0.5);
  EXPECT_LT((world.joint_force(pivot) - Vec3(0, 0, 2 * kGravity)).norm(), 1e-6);
}

TEST(Slider, MovesItsMotorAtTheCommandedSpeed) {
  World world(world_spec(0.016));
  const BodySpec cart = box("cart", 2, {0.2, 0.2, 0.2}, {0, 0, 1});
  const BodyId c = world.add_body(cart);
  JointSpec spec = slider(c, cart.X_WB);
  const JointId rail = world.add_joint(spec);
  world.add_motor(rail, 0, {.max_velocity = 5, .max_effort = 100});
  world.set_motor_position(rail, 0, kUnlimited);
  world.set_motor_velocity(rail, 0, 0.5);
  run(world, 2);
  EXPECT_NEAR(world.joint_velocity(rail, 0), 0.5, 1e-6);
  EXPECT_NEAR(world.joint_position(rail, 0), 0.5 * world.time(), 0.002);
  EXPECT_NEAR(world.pose(c).p.z(), 1, 1e-4);
}

TEST(Slider, SwingsOnASpringWithoutLoss) {
  World world(world_spec(0.016, Vec3::Zero()));
  BodySpec cart = box("cart", 2, {0.2, 0.2, 0.2}, {0, 0, 1});
  cart.v_WB = {1, 0, 0};
  const BodyId c = world.add_body(cart);
  JointSpec spec = slider(c, cart.X_WB);
  spec.axes[0].spring_constant = 200;
  const JointId rail = world.add_joint(spec);
  const double w = std::sqrt(200 / 2.0);
  double worst = 0;
  while (world.time() < 10) {
    world.step();
    worst =
        std::max(worst, std::abs(world.joint_position(rail, 0) - std::sin(w * world.time()) / w));
  }
  EXPECT_LT(worst, 0.02 / w);
}

TEST(Hinge, TurnsNoFasterThanItsMaxVelocity) {
  for (const double way : {1.0, -1.0}) {
    World world(world_spec(0.016, Vec3::Zero()));
    const BodySpec wheel = ball("wheel", 5, 0.2, Vec3::Zero());
    const BodyId w = world.add_body(wheel);
    JointSpec spec = hinge(w, wheel.X_WB, Vec3::UnitZ(), Vec3::Zero());
    spec.axes[0].max_velocity = 2;
    const JointId axle = world.add_joint(spec);
    const double inertia = 0.4 * 5 * 0.04, torque = 0.8, ramp = 2 / (torque / inertia);
    const auto push = [&](double seconds) {
      const double end = world.time() + seconds - 1e-9;
      while (world.time() < end) {
        world.apply_torque(w, {0, 0, way * torque});
        world.step();
      }
    };
    push(ramp / 2);
    EXPECT_NEAR(way * world.joint_velocity(axle, 0), torque / inertia * world.time(), 1e-6);
    push(1 - ramp / 2);
    EXPECT_NEAR(way * world.joint_velocity(axle, 0), 2, 1e-6);
    EXPECT_NEAR(way * world.joint_position(axle, 0), 2 * (world.time() - ramp) + ramp, 0.02);
    // What it does not drive against goes on.
    world.set_velocity(w, Vec3::Zero(), {0, 0, way * 1.5});
    run(world, 1);
    EXPECT_NEAR(way * world.joint_velocity(axle, 0), 1.5, 1e-6);
  }
}

TEST(Slider, SwingsAboutWhereItsSpringIsAtRest) {
  World world(world_spec(0.016, Vec3::Zero()));
  const BodySpec cart = box("cart", 2, {0.2, 0.2, 0.2}, {0, 0, 1});
  const BodyId c = world.add_body(cart);
  JointSpec spec = slider(c, cart.X_WB);
  spec.axes[0].spring_constant = 200;
  spec.axes[0].spring_reference = 0.3;
  const JointId rail = world.add_joint(spec);
  const double w = std::sqrt(200 / 2.0);
  while (world.time() < 2) {
    world.step();
    ASSERT_NEAR(world.joint_position(rail, 0), 0.3 * (1 - std::cos(w * world.time())), 0.006);
  }
}

TEST(Slider, SettlesOnAStiffSpring) {
  World world(world_spec(0.032));
  const BodySpec cart = box("cart", 0.01, {0.1, 0.1, 0.1}, {0, 0, 1});
  const BodyId c = world.add_body(cart);
  JointSpec spec = slider(c, cart.X_WB);
  spec.axes[0] = {.axis_P = Vec3::UnitZ(), .spring_constant = 1e6};
  const JointId rail = world.add_joint(spec);
  run(world, 1);
  EXPECT_NEAR(world.joint_position(rail, 0), -0.01 * kGravity / 1e6, 1e-9);
}

TEST(Hinge, LosesSpeedToItsDamperAndBrake) {
  World world(world_spec(0.016, Vec3::Zero()));
  BodySpec wheel = ball("wheel", 5, 0.2, Vec3::Zero());
  wheel.w_WB = {0, 0, 10};
  const BodyId w = world.add_body(wheel);
  JointSpec spec = hinge(w, wheel.X_WB, Vec3::UnitZ(), Vec3::Zero());
  spec.axes[0].damping_constant = 0.05;
  const JointId axle = world.add_joint(spec);
  const double inertia = 0.4 * 5 * 0.04;
  run(world, 1);
  const double t = world.time(), after = world.joint_velocity(axle, 0);
  EXPECT_NEAR(after, 10 * std::exp(-0.05 / inertia * t), 0.01);
  world.set_brake(axle, 0, 0.2);
  run(world, 0.5);
  EXPECT_NEAR(world.joint_velocity(axle, 0), after * std::exp(-0.25 / inertia * (world.time() - t)),
              0.01);
}

TEST(Hinge, SticksUpToItsStaticFriction) {
  World world(world_spec(0.016, Vec3::Zero()));
  const BodySpec wheel = ball("wheel", 5, 0.2, Vec3::Zero());
  const BodyId w = world.add_body(wheel);
  JointSpec spec = hinge(w, wheel.X_WB, Vec3::UnitZ(), Vec3::Zero());
  spec.axes[0].static_friction = 0.5;
  const JointId axle = world.add_joint(spec);
  const auto push = [&](double torque) {
    const double end = world.time() + 1 - 1e-9;
    const double start = world.time();
    while (world.time() < end) {
      world.apply_torque(w, {0, 0, torque});
      world.step();
    }
    return world.time() - start;
  };
  push(0.49);
  EXPECT_NEAR(world.joint_position(axle, 0), 0, 1e-9);
  const double t = push(0.7);
  EXPECT_NEAR(world.joint_velocity(axle, 0), 0.2 / (0.4 * 5 * 0.04) * t, 1e-6);
}

TEST(Hinge, RestsAtItsStop) {
  World world(world_spec(0.016));
  const BodySpec bar = box("bar", 2, {0.8, 0.05, 0.05}, {0.4, 0, 0});
  const BodyId b = world.add_body(bar);
  JointSpec spec = hinge(b, bar.X_WB, -Vec3::UnitY(), Vec3::Zero());
  spec.axes[0].min_stop = -0.5;
  spec.axes[0].max_stop = 0.3;
  const JointId joint = world.add_joint(spec);
  double lowest = 0;
  while (world.time() < 3) {
    world.step();
    lowest = std::min(lowest, world.joint_position(joint, 0));
  }
  EXPECT_GT(lowest, -0.502);
  EXPECT_NEAR(world.joint_position(joint, 0), -0.5, 1e-4);
  world.set_velocity(b, Vec3(0, 0, 8) * 0.4, Vec3(0, -8, 0));
  double highest = -1;
  for (int i = 0; i < 30; ++i) {
    world.step();
    highest = std::max(highest, world.joint_position(joint, 0));
  }
  EXPECT_NEAR(highest, 0.3, 0.002);
}

TEST(Hinge, SinksOntoItsSuspension) {
  World world(world_spec(0.016));
  const BodySpec wheel = ball("wheel", 10, 0.3, {0, 0, 1});
  const BodyId w = world.add_body(wheel);
  JointSpec spec = hinge(w, wheel.X_WB, Vec3::UnitY(), {0, 0, 1});
  spec.suspension_spring = 5000;
  spec.suspension_damping = 300;
  spec.suspension_axis_P = Vec3::UnitZ();
  world.add_joint(spec);
  world.apply_force(w, {500, 0, 0}, {0, 0, 1});
  run(world, 2);
  EXPECT_NEAR(world.pose(w).p.z(), 1 - 10 * kGravity / 5000, 1e-5);
  EXPECT_NEAR(world.pose(w).p.x(), 0, 1e-4);
}

TEST(Fixed, WeldsTwoBodiesIntoOne) {
  World world(world_spec(0.01, Vec3::Zero()));
  const BodySpec left = box("left", 3, {0.4, 0.4, 0.4}, {-0.5, 0, 0});
  const BodySpec right = box("right", 1, {0.2, 0.2, 0.2}, {0.5, 0, 0});
  const BodyId l = world.add_body(left), r = world.add_body(right);
  JointSpec weld;
  weld.name = "weld";
  weld.kind = JointKind::kFixed;
  weld.parent = l;
  weld.child = r;
  weld.X_PC0 = Pose::translation({1, 0, 0});
  world.add_joint(weld);
  while (world.time() < 1 - 1e-9) {
    world.apply_torque(r, {0, 0, 0.5});
    world.step();
  }
  // Centre of mass at x = -0.25; parallel axis theorem.
  const double inertia = 3 * 0.16 / 6 + 3 * 0.0625 + 1 * 0.04 / 6 + 0.5625;
  EXPECT_NEAR(world.angular_velocity(l).z(), 0.5 / inertia, 2e-3 * 0.5 / inertia);
  EXPECT_NEAR((world.pose(r).p - world.pose(l).p).norm(), 1, 1e-4);
  EXPECT_LT(world.pose(r).R.angularDistance(world.pose(l).R), 1e-4);
}

TEST(Ball, CirclesAsAConicalPendulum) {
  World world(world_spec(0.008));
  const double angle = 0.6, length = 1.2;
  const double w = std::sqrt(kGravity / (length * std::cos(angle)));
  const Vec3 p(length * std::sin(angle), 0, -length * std::cos(angle));
  BodySpec bob = ball("bob", 1, 0.001, p);
  bob.v_WB = {0, w * p.x(), 0};
  bob.w_WB = {0, 0, w};
  const BodyId b = world.add_body(bob);
  JointSpec spec;
  spec.name = "cord";
  spec.kind = JointKind::kBall;
  spec.child = b;
  spec.X_PC0 = bob.X_WB;
  spec.axes = {JointAxis{.axis_P = Vec3::UnitX()}, JointAxis{.axis_P = Vec3::UnitY()},
               JointAxis{.axis_P = Vec3::UnitZ()}};
  world.add_joint(spec);
  run(world, 4);
  const Vec3 q = world.pose(b).p;
  EXPECT_NEAR(q.norm(), length, 1e-3);
  EXPECT_NEAR(q.z(), p.z(), 0.01);
  const double turned = std::atan2(q.y(), q.x());
  EXPECT_NEAR(std::remainder(turned - w * world.time(), 2 * kPi), 0, 0.02);
}

TEST(Ball, HasAngleMotorsAndStopsOnEachAxis) {
  World world(world_spec(0.016, Vec3::Zero()));
  const BodySpec bob = ball("eye", 1, 0.1, Vec3::Zero());
  const BodyId b = world.add_body(bob);
  JointSpec spec;
  spec.name = "socket";
  spec.kind = JointKind::kBall;
  spec.child = b;
  spec.axes = {JointAxis{.axis_P = Vec3::UnitZ()},
               JointAxis{.axis_P = Vec3::UnitY(), .min_stop = -0.3, .max_stop = 0.3},
               JointAxis{.axis_P = Vec3::UnitX()}};
  const JointId joint = world.add_joint(spec);
  for (int i = 0; i < 3; ++i) world.add_motor(joint, i, {.max_velocity = 5, .max_effort = 10});
  world.set_motor_position(joint, 0, 0.8);
  world.set_motor_position(joint, 1, 1.0);
  world.set_motor_position(joint, 2, -0.5);
  run(world, 4);
  const Quat R = axis_angle(Vec3::UnitZ(), 0.8) * axis_angle(Vec3::UnitY(), 0.3) *
                 axis_angle(Vec3::UnitX(), -0.5);
  EXPECT_LT(world.pose(b).R.angularDistance(R), 2e-3);
  EXPECT_NEAR(world.joint_position(joint, 1), 0.3, 2e-3);
}

TEST(Hinge2, SteersAndDrives) {
  World world(world_spec(0.016, Vec3::Zero()));
  const BodySpec wheel = ball("wheel", 1, 0.3, {0, 0, 1});
  const BodyId w = world.add_body(wheel);
  JointSpec spec;
  spec.name = "hub";
  spec.kind = JointKind::kHinge2;
  spec.child = w;
  spec.anchor_P = {0, 0, 1};
  spec.X_PC0 = wheel.X_WB;
  spec.axes = {JointAxis{.axis_P = Vec3::UnitZ()}, JointAxis{.axis_P = Vec3::UnitY()}, JointAxis{}};
  const JointId hub = world.add_joint(spec);
  world.add_motor(hub, 0, {.max_velocity = 5, .max_effort = 1000});
  world.add_motor(hub, 1, {.max_velocity = 50, .max_effort = 1000});
  world.set_motor_position(hub, 0, 0.4);
  world.set_motor_position(hub, 1, kUnlimited);
  world.set_motor_velocity(hub, 1, 12);
  run(world, 3);
  EXPECT_NEAR(world.joint_position(hub, 0), 0.4, 1e-3);
  EXPECT_NEAR(world.joint_velocity(hub, 1), 12, 1e-4);
  EXPECT_NEAR(world.joint_position(hub, 1), 12 * world.time(), 0.05);
  const Vec3 axle = axis_angle(Vec3::UnitZ(), 0.4) * Vec3::UnitY();
  EXPECT_LT((world.angular_velocity(w) - 12 * axle).norm(), 0.02);
}

/// Six links of 1 kg and 0.3 m along x, the last of mass `tip`, on hinges about -y.
std::vector<BodyId> add_chain(World& world, double tip, std::vector<JointId>& joints) {
  std::vector<BodyId> links;
  for (int i = 0; i < 6; ++i) {
    const BodySpec link = box("link", i == 5 ? tip : 1, {0.3, 0.05, 0.05}, {0.15 + 0.3 * i, 0, 0});
    JointSpec joint;
    joint.name = "joint";
    if (i > 0) joint.parent = links.back();
    joint.child = world.add_body(link);
    joint.anchor_P = {i > 0 ? 0.15 : 0, 0, 0};
    joint.X_PC0 = Pose::translation({i > 0 ? 0.3 : 0.15, 0, 0});
    joint.axes[0].axis_P = -Vec3::UnitY();
    joints.push_back(world.add_joint(joint));
    links.push_back(joint.child);
  }
  return links;
}

TEST(Chain, HoldsAHeavyTipWithTheTorquesOfStatics) {
  World world(world_spec(0.016));
  std::vector<JointId> joints;
  const auto links = add_chain(world, 100, joints);
  for (const JointId joint : joints) world.add_motor(joint, 0, {.max_effort = 1e5});
  run(world, 2);
  EXPECT_NEAR(world.pose(links.back()).p.z(), 0, 1e-6);
  double torque = 0;
  for (int i = 0; i < 6; ++i) torque += (i == 5 ? 100 : 1) * kGravity * (0.15 + 0.3 * i);
  EXPECT_NEAR(world.motor_effort(joints[0], 0), torque, 1e-6 * torque);
}

TEST(Chain, SwingsWithoutGainingEnergy) {
  World world(world_spec(0.016));
  std::vector<JointId> joints;
  const auto links = add_chain(world, 1, joints);
  const double inertia = (0.3 * 0.3 + 0.05 * 0.05) / 12;
  while (world.time() < 6) {
    world.step();
    double energy = 0;
    for (const BodyId link : links)
      energy += kGravity * world.pose(link).p.z() + world.velocity(link).squaredNorm() / 2 +
                inertia * world.angular_velocity(link).squaredNorm() / 2;
    ASSERT_LT(energy, 0.5) << "of 53 J that swing, at " << world.time();
    if (world.time() < 2) {
      ASSERT_GT(energy, -1);
    }
  }
}

TEST(Joint, IsRefusedByNameWhenItMakesNoSense) {
  World world(WorldSpec{});
  const BodyId s = world.add_body(ground());
  const BodyId b = world.add_body(ball("bob", 1, 0.1, Vec3::Zero()));
  const auto refuses = [&](JointSpec spec) {
    spec.name = "elbow";
    try {
      world.add_joint(spec);
      ADD_FAILURE() << "accepted";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("\"elbow\""), std::string::npos);
    }
  };
  JointSpec bad = hinge(s, {}, Vec3::UnitZ(), Vec3::Zero());
  refuses(bad);
  bad = hinge(b, {}, Vec3::Zero(), Vec3::Zero());
  refuses(bad);
  bad = hinge(b, {}, Vec3::UnitZ(), {0, 0, kUnlimited});
  refuses(bad);
  bad = hinge(b, {}, Vec3::UnitZ(), Vec3::Zero());
  bad.parent = b;
  refuses(bad);
  bad.parent = kWorldBody;
  bad.kind = JointKind::kHinge2;
  bad.axes[1].axis_P = Vec3::UnitZ();
  refuses(bad);
}

}  // namespace
}  // namespace protobeam::physics
