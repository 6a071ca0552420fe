#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "physics/bullet.h"
#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

TEST(Body, FallsAsGalileiSays) {
  World world(world_spec(0.016));
  BodySpec spec = ball("stone", 2, 0.1, {0, 0, 100});
  spec.v_WB = {3, 0, 0};
  const BodyId stone = world.add_body(spec);
  run(world, 2);
  // Semi-implicit Euler with n substeps of h falls g t h / 2 further.
  const double t = world.time(), h = 0.002;
  EXPECT_NEAR(world.pose(stone).p.z(), 100 - kGravity * t * t / 2 - kGravity * t * h / 2, 1e-9);
  EXPECT_NEAR(world.pose(stone).p.x(), 3 * t, 1e-9);
  EXPECT_NEAR(world.velocity(stone).z(), -kGravity * t, 1e-9);
}

TEST(Body, HasItsOriginWhereTheCallerPutItAndTurnsAboutItsCentreOfMass) {
  World world(world_spec(0.01, Vec3::Zero()));
  BodySpec spec = box("hammer", 1, {1, 1, 1}, {1, 2, 3});
  spec.X_WB.R = axis_angle({1, 2, 3}, 1.0);
  spec.mass.com = {0.5, 0, 0};
  spec.mass.inertia << 0.3, 0.05, 0, 0.05, 0.2, 0.01, 0, 0.01, 0.25;
  const BodyId hammer = world.add_body(spec);
  EXPECT_LT((world.pose(hammer).p - spec.X_WB.p).norm(), 1e-14);
  EXPECT_LT(world.pose(hammer).R.angularDistance(spec.X_WB.R), 1e-7);
  const Vec3 com = spec.X_WB * spec.mass.com;
  const Vec3 w(0, 0, 2);
  world.set_velocity(hammer, w.cross(spec.X_WB.p - com), w);  // the centre of mass rests
  EXPECT_LT((world.velocity(hammer) - w.cross(spec.X_WB.p - com)).norm(), 1e-14);
  run(world, 1);
  EXPECT_LT((world.pose(hammer) * spec.mass.com - com).norm(), 1e-9);
}

TEST(Body, WithoutWeightFliesOnStraight) {
  World world(world_spec(0.016));
  BodySpec spec = box("balloon", 2, {1, 1, 1}, {0, 0, 10});
  spec.v_WB = {1, 2, 3};
  spec.weightless_mass = spec.mass.mass;
  const BodyId balloon = world.add_body(spec);
  run(world, 2);
  EXPECT_LT((world.pose(balloon).p - Vec3(1, 2, 3) * world.time() - Vec3(0, 0, 10)).norm(), 1e-9);
  world.set_gravity({0, 0, -1});
  run(world, 1);
  EXPECT_LT((world.velocity(balloon) - Vec3(1, 2, 3)).norm(), 1e-12);
}

// 1 kg of 4 kg, 0.6 m ahead of the centre of mass, has no weight: 3 kg pull 0.2 m behind it.
TEST(Body, IsTurnedByTheWeightOfItsHeavyPart) {
  World world(world_spec(0.002));
  BodySpec spec = box("drone", 4, {1, 1, 1}, {0, 0, 10});
  spec.X_WB.R = axis_angle(Vec3::UnitZ(), 0.5);
  spec.mass.com = {0.1, 0, 0};
  spec.mass.inertia = Mat3(Vec3(0.3, 0.4, 0.5).asDiagonal());
  spec.weightless_mass = 1;
  spec.weightless_com = {0.7, 0, 0};
  const BodyId drone = world.add_body(spec);
  world.step();
  const double dt = world.time();
  const Vec3 w_B = spec.X_WB.R.conjugate() * world.angular_velocity(drone);
  EXPECT_LT((w_B - Vec3(0, -3 * 0.2 * kGravity / 0.4 * dt, 0)).norm(), 1e-9);
  EXPECT_NEAR(world.rigid_state(drone).v_W.z(), -0.75 * kGravity * dt, 1e-12);
}

TEST(Body, AcceleratesUnderATorqueAsItsInertiaSays) {
  World world(world_spec(0.01, Vec3::Zero()));
  BodySpec spec = box("rotor", 1, {1, 1, 1}, Vec3::Zero());
  // Principal axes turned by 30 degrees about z: the torque acts about a principal axis.
  const Mat3 R = axis_angle(Vec3::UnitZ(), kPi / 6).toRotationMatrix();
  spec.mass.inertia = R * Vec3(0.2, 0.5, 0.6).asDiagonal() * R.transpose();
  const BodyId rotor = world.add_body(spec);
  const Vec3 axis = R.col(1);
  while (world.time() < 0.5 - 1e-9) {
    world.apply_torque(rotor, axis * 2);
    world.step();
  }
  EXPECT_LT((world.angular_velocity(rotor) - axis * (2 * 0.5 / 0.5)).norm(), 1e-9);
}

TEST(Body, TumblesWithBulletsBits) {
  World world(world_spec(0.002));
  BodySpec spec = box("book", 2, {0.2, 0.3, 0.05}, {1, 2, 300});
  spec.v_WB = {1, -2, 5};
  spec.w_WB = {0.03, 7, 0.02};  // about the middle axis: it turns over
  const BodyId book = world.add_body(spec);

  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld plain(&dispatcher, &broadphase, &solver, &configuration);
  plain.setGravity(btVector3(0, 0, -kGravity));
  btBoxShape shape(btVector3(0.1, 0.15, 0.025));
  btRigidBody::btRigidBodyConstructionInfo what(2, nullptr, &shape,
                                                to_bullet(spec.mass.inertia.diagonal()));
  what.m_startWorldTransform = btTransform(btQuaternion::getIdentity(), btVector3(1, 2, 300));
  btRigidBody body(what);
  body.setLinearVelocity(btVector3(1, -2, 5));
  body.setAngularVelocity(btVector3(0.03, 7, 0.02));
  body.setActivationState(DISABLE_DEACTIVATION);
  plain.addRigidBody(&body);
  for (int i = 0; i < 2000; ++i) {
    world.step();
    plain.stepSimulation(0.002, 0);
    ASSERT_EQ(world.pose(book).p, from_bullet(body.getWorldTransform().getOrigin())) << i;
    ASSERT_EQ(world.angular_velocity(book), from_bullet(body.getAngularVelocity())) << i;
  }
  plain.removeRigidBody(&body);
}

TEST(Body, FeelsAForceAtAPointForOneStepOnly) {
  World world(world_spec(0.008, Vec3::Zero()));
  const BodyId body = world.add_body(ball("puck", 2, 0.5, {1, 0, 0}));
  world.apply_force(body, {0, 4, 0}, {1.5, 0, 0});
  world.step();
  world.step();
  EXPECT_NEAR(world.velocity(body).y(), 4 * 0.008 / 2, 1e-12);
  EXPECT_NEAR(world.angular_velocity(body).z(), 0.5 * 4 * 0.008 / (0.4 * 2 * 0.25), 1e-9);
}

TEST(Body, LosesTheDampedFractionOfItsSpeedEachSecond) {
  World world(world_spec(0.032, Vec3::Zero()));
  BodySpec spec = ball("leaf", 1, 0.1, Vec3::Zero());
  spec.linear_damping = 0.2;
  spec.angular_damping = 0.7;
  spec.v_WB = {5, 0, 0};
  spec.w_WB = {0, 0, 3};
  const BodyId leaf = world.add_body(spec);
  run(world, 3.2);
  EXPECT_NEAR(world.velocity(leaf).x(), 5 * std::pow(0.8, 3.2), 1e-6);
  EXPECT_NEAR(world.angular_velocity(leaf).z(), 3 * std::pow(0.3, 3.2), 1e-6);
}

TEST(Body, IsRefusedByNameWhenItMakesNoSense) {
  World world(WorldSpec{});
  const auto refuses = [&](const BodySpec& spec, const char* why) {
    try {
      world.add_body(spec);
      ADD_FAILURE() << "accepted: " << why;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("\"crate\""));
      EXPECT_THAT(error.what(), testing::HasSubstr(why));
    }
  };
  const BodySpec good = box("crate", 1, {1, 1, 1}, Vec3::Zero());
  BodySpec bad = good;
  bad.mass.mass = 0;
  refuses(bad, "mass");
  bad = good;
  bad.mass.mass = std::numeric_limits<double>::quiet_NaN();
  refuses(bad, "mass");
  bad = good;
  bad.mass.inertia(1, 1) = -1;
  refuses(bad, "inertia");
  bad = good;
  bad.shapes = {shape(Box{{1, 0, 1}})};
  refuses(bad, "Box size 1 0 1");
  bad.shapes = {shape(Sphere{kUnlimited})};
  refuses(bad, "Sphere radius");
  bad.shapes = {shape(Plane{})};
  refuses(bad, "Plane");
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 3}};
  bad.shapes = {shape(mesh)};
  refuses(bad, "vertex");
  bad = good;
  bad.X_WB.p.x() = kUnlimited;
  refuses(bad, "pose");
  EXPECT_EQ(world.body_count(), 0);
}

TEST(World, NamesTheBodyWhoseStateIsNotFinite) {
  World world(world_spec(0.01));
  world.add_body(ball("good", 1, 0.1, {0, 0, 1}));
  const BodyId bad = world.add_body(ball("bad", 1, 0.1, {5, 0, 1}));
  EXPECT_EQ(world.first_broken_body(), kWorldBody);
  world.set_velocity(bad, {std::numeric_limits<double>::quiet_NaN(), 0, 0}, Vec3::Zero());
  world.step();
  EXPECT_EQ(world.first_broken_body(), bad);
  EXPECT_EQ(world.body_name(bad), "bad");
}

TEST(Body, GivesItsNumberAndThatOfItsJointToTheNextOnes) {
  World world(world_spec(0.01, Vec3::Zero()));
  const BodyId first = world.add_body(ball("first", 1, 0.1, {0, 0, 0}));
  const BodyId second = world.add_body(ball("second", 1, 0.1, {1, 0, 0}));
  const BodyId third = world.add_body(ball("third", 1, 0.1, {2, 0, 0}));
  JointSpec hinge;
  hinge.parent = first;
  hinge.child = second;
  hinge.X_PC0 = Pose::translation({1, 0, 0});
  const JointId joint = world.add_joint(hinge);
  world.remove(second);
  EXPECT_FALSE(world.exists(second));
  EXPECT_FALSE(world.joint_exists(joint));
  EXPECT_TRUE(world.exists(first) && world.exists(third));
  world.step();
  EXPECT_EQ(world.body_count(), 3);
  EXPECT_EQ(world.add_body(ball("fourth", 1, 0.1, {5, 0, 0})), second);
  hinge.child = second;
  hinge.X_PC0 = Pose::translation({5, 0, 0});
  EXPECT_EQ(world.add_joint(hinge), joint);
  world.remove(third);
  world.remove(second);
  EXPECT_EQ(world.body_count(), 1);
  world.step();
}

TEST(Body, ThatCameAndWentLeavesTheOthersAsTheyWere) {
  const auto height = [](bool guests) {
    World world(world_spec(0.008));
    const BodyId stone = world.add_body(ball("stone", 1, 0.1, {0, 0, 2}));
    BodySpec floor;
    floor.name = "floor";
    floor.shapes = {{std::make_shared<const Geometry>(Plane{{10, 10}}), {}, 0, 0}};
    world.add_body(floor);
    for (int i = 0; i < 200; ++i) {
      const BodyId guest = guests ? world.add_body(box("guest", 1, {1, 1, 1}, {30, 0, 0.4})) : -1;
      world.step();
      if (guests) world.remove(guest);
    }
    return world.pose(stone).p;
  };
  EXPECT_EQ(height(true), height(false));
}

TEST(Body, IsWhereItsJointIsSet) {
  World world(world_spec(0.01, Vec3::Zero()));
  const BodyId arm = world.add_body(ball("arm", 1, 0.1, {1, 0, 0}));
  const BodyId hand = world.add_body(ball("hand", 1, 0.1, {2, 0, 0}));
  JointSpec hinge;
  hinge.child = arm;
  hinge.axes[0].axis_P = Vec3::UnitZ();
  hinge.X_PC0 = Pose::translation({1, 0, 0});
  const JointId shoulder = world.add_joint(hinge);
  hinge.parent = arm;
  hinge.child = hand;
  world.add_joint(hinge);
  world.set_joint_position(shoulder, 0, kPi / 2);
  EXPECT_NEAR(world.joint_position(shoulder, 0), kPi / 2, 1e-12);
  EXPECT_LT((world.pose(arm).p - Vec3(0, 1, 0)).norm(), 1e-12);
  EXPECT_LT((world.pose(hand).p - Vec3(0, 2, 0)).norm(), 1e-12);
  world.step();
  EXPECT_NEAR(world.joint_position(shoulder, 0), kPi / 2, 1e-9);
}

}  // namespace
}  // namespace protobeam::physics
