// Joints in motion, against closed forms.
#include <gmock/gmock.h>

#include "tests/unit/urdf/robot_text.h"

namespace protobeam::urdf {
namespace {

using testing::HasSubstr;

const std::string kLimit = "<limit lower=\"-1\" upper=\"1\" effort=\"100\" velocity=\"5\"/>";
const std::string kWorld = "<link name=\"world\"/>";

void expect_pose(const Pose& actual, const Pose& expected) {
  EXPECT_LT((actual.p - expected.p).norm(), 2e-3)
      << actual.p.transpose() << " instead of " << expected.p.transpose();
  EXPECT_LT(actual.R.angularDistance(expected.R), 2e-3);
}

TEST_F(RobotTest, TurnsAboutItsAxisInTheFrameOfTheJoint) {
  load(robot(
      kWorld + link("a", 1) +
      joint("hinge", "revolute", "world", "a",
            "<origin xyz=\"0.5 0.2 3\" rpy=\"0.3 -0.4 0.7\"/><axis xyz=\"1 2 2\"/>" + kLimit)));
  command("hinge", "position", 0.6);
  run(4);
  const Eigen::Quaterniond origin = Eigen::AngleAxisd(0.7, Vec3::UnitZ()) *
                                    Eigen::AngleAxisd(-0.4, Vec3::UnitY()) *
                                    Eigen::AngleAxisd(0.3, Vec3::UnitX());
  expect_pose(pose("a"), {origin * Eigen::AngleAxisd(0.6, Vec3(1, 2, 2) / 3), {0.5, 0.2, 3}});
}

TEST_F(RobotTest, TheEndOfAChainIsWhereForwardKinematicsHaveIt) {
  load(robot(kWorld + link("a", 1) + link("b", 0.5) + link("c", 0.2) +
             joint("1", "revolute", "world", "a",
                   "<origin xyz=\"0 0 3\"/><axis xyz=\"0 0 1\"/>" + kLimit) +
             joint("2", "continuous", "a", "b",
                   "<origin xyz=\"0.4 0 0\" rpy=\"1.5707963267948966 0 0\"/><axis xyz=\"0 0 "
                   "-1\"/><limit effort=\"50\" velocity=\"3\"/>") +
             joint("3", "prismatic", "b", "c",
                   "<origin xyz=\"0.3 0 0\"/><axis xyz=\"1 0 0\"/><limit lower=\"0\" upper=\"0.4\" "
                   "effort=\"100\" velocity=\"1\"/>")));
  command("1", "position", 0.5);
  command("2", "position", -0.8);
  command("3", "position", 0.25);
  run(5);
  const auto turn = [](double angle, const Vec3& axis) {
    return Eigen::Isometry3d(Eigen::AngleAxisd(angle, axis));
  };
  const auto move = [](double x, double y, double z) {
    return Eigen::Isometry3d(Eigen::Translation3d(x, y, z));
  };
  const Eigen::Isometry3d end = move(0, 0, 3) * turn(0.5, Vec3::UnitZ()) * move(0.4, 0, 0) *
                                turn(kPi / 2, Vec3::UnitX()) * turn(0.8, Vec3::UnitZ()) *
                                move(0.3 + 0.25, 0, 0);
  expect_pose(pose("c"), {Quat(end.rotation()), end.translation()});
}

TEST_F(RobotTest, StopsAtItsLimits) {
  // A pendulum without a motor: it hangs 1 m out and falls on its stop.
  load(robot(kWorld + "<link name=\"a\"><inertial><origin xyz=\"1 0 0\"/><mass value=\"1\"/>" +
             "<inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\"/></inertial></link>" +
             joint("hinge", "revolute", "world", "a",
                   "<origin xyz=\"0 0 3\"/><axis xyz=\"0 1 0\"/><limit lower=\"-0.2\" "
                   "upper=\"0.7\" effort=\"1\" velocity=\"1\"/><dynamics damping=\"1\"/>") +
             "<ros2_control name=\"c\"><joint name=\"hinge\"><state_interface "
             "name=\"position\"/></joint></ros2_control>"));
  run(5);
  expect_pose(pose("a"), {Quat(Eigen::AngleAxisd(0.7, Vec3::UnitY())), {0, 0, 3}});
  EXPECT_THROW(device("hinge"), std::runtime_error);
  EXPECT_EQ(device("hinge_sensor").type, "PositionSensor");
}

TEST_F(RobotTest, AMimicJointFollowsByItsMultiplierAndOffset) {
  const auto text = [](const std::string& mimic) {
    return robot(kWorld + link("a", 1) + link("b", 1) +
                 joint("left", "prismatic", "world", "a",
                       "<origin xyz=\"0 1 3\"/><axis xyz=\"0 1 0\"/>" + kLimit) +
                 joint("right", "prismatic", "world", "b",
                       "<origin xyz=\"0 -1 3\"/><axis xyz=\"0 1 0\"/>" + kLimit + mimic));
  };
  load(text("<mimic joint=\"left\" multiplier=\"-0.5\"/>"));
  command("left::left", "position", 0.4);
  run(4);
  expect_pose(pose("a"), Pose::translation({0, 1.4, 3}));
  expect_pose(pose("b"), Pose::translation({0, -1.2, 3}));
  load(text("<mimic joint=\"left\" multiplier=\"2\" offset=\"0.3\"/>"));
  EXPECT_THAT(
      diagnostics_.to_string(),
      HasSubstr("warning: the positions of mimic joint 'right' are counted from its offset, 0.3"));
  command("left::left", "position", 0.1);
  run(4);
  expect_pose(pose("b"), Pose::translation({0, -1 + 2 * 0.1 + 0.3, 3}));
}

TEST_F(RobotTest, StartsWithinItsLimits) {
  load(robot(kWorld + link("a", 1) +
             joint("hinge", "revolute", "world", "a",
                   "<origin xyz=\"0 0 3\"/><axis xyz=\"0 0 1\"/><limit lower=\"0.5\" upper=\"1\" "
                   "effort=\"100\" velocity=\"5\"/>")));
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("warning: 0 is outside of the limits of joint 'hinge': it starts at 0.5"));
  expect_pose(pose("a"), {Quat(Eigen::AngleAxisd(0.5, Vec3::UnitZ())), {0, 0, 3}});
  run(1);
  expect_pose(pose("a"), {Quat(Eigen::AngleAxisd(0.5, Vec3::UnitZ())), {0, 0, 3}});
  command("hinge", "position", 0.9);
  run(3);
  expect_pose(pose("a"), {Quat(Eigen::AngleAxisd(0.9, Vec3::UnitZ())), {0, 0, 3}});
}

TEST_F(RobotTest, ADampedSlideFallsAtItsTerminalVelocity) {
  // 2 kg at 40 N s/m: v = m g / d = 0.4905 m/s, reached within m / d = 0.05 s.
  load(robot(kWorld + link("a", 2) +
             joint("slide", "prismatic", "world", "a",
                   "<origin xyz=\"0 0 50\"/><axis xyz=\"0 0 1\"/><limit lower=\"-40\" upper=\"0\" "
                   "effort=\"1\" velocity=\"1\"/><dynamics damping=\"40\"/>") +
             "<ros2_control name=\"c\"/>"));
  run(1);
  const double before = pose("a").p.z();
  run(1);
  EXPECT_NEAR(before - pose("a").p.z(), 2 * 9.81 / 40, 0.01);
}

TEST_F(RobotTest, ALinkWithoutGravityDoesNotFall) {
  const auto lowest_after_a_second = [&](const std::string& gazebo) {
    // A slide of 0.5 m.
    load(robot(
        kWorld + link("a", 2) +
        joint("slide", "prismatic", "world", "a",
              "<origin xyz=\"0 0 50\"/><axis xyz=\"0 0 1\"/><limit lower=\"-0.5\" upper=\"0.5\" "
              "effort=\"1\" velocity=\"1\"/>") +
        "<ros2_control name=\"c\"/><gazebo reference=\"a\">" + gazebo + "</gazebo>"));
    run(1);
    return pose("a").p.z();
  };
  EXPECT_NEAR(lowest_after_a_second("<turnGravityOff>true</turnGravityOff>"), 50, 1e-9);
  EXPECT_NEAR(lowest_after_a_second("<gravity>0</gravity>"), 50, 1e-9);
  EXPECT_NEAR(lowest_after_a_second("<turnGravityOff>false</turnGravityOff>"), 49.5, 1e-3);
  EXPECT_EQ(diagnostics_.to_string().find("<turnGravityOff>"), std::string::npos);
}

TEST_F(RobotTest, ALockedJointIsFixed) {
  const auto world =
      read(robot(kWorld + link("a", 1) +
                 joint("j", "revolute", "world", "a", "<limit effort=\"1\" velocity=\"1\"/>")));
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("warning: joint 'j' cannot move: its limits are 0 and 0; it is fixed"));
  EXPECT_THROW(node(*world, "HingeJoint"), std::runtime_error);
}

}  // namespace
}  // namespace protobeam::urdf
