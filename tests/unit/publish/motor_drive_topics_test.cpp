// Robots that a MotorDrive moves: they are told twists, and tell odometry.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/unit/publish/collected.h"

namespace protobeam {
namespace {

using message::Odometry;
using testing::Contains;
using testing::ElementsAre;

std::string spinning(const std::string& motor, double y) {
  return fmt::format(R"(
  HingeJoint {{
    jointParameters HingeJointParameters {{ axis 0 1 0 anchor 0.1 {0} 0 }}
    device RotationalMotor {{ name "{1}" maxVelocity 100 }}
    endPoint Solid {{ name "{1} wheel" translation 0.1 {0} 0
      boundingObject Sphere {{ radius 0.05 }} physics Physics {{ density -1 mass 0.2 }} }}
  }})",
                     y, motor);
}

/// In the air: what the wheels say is all that there is. Its axle lies 0.1 m ahead of its origin.
std::string cart(const std::string& more = "") {
  return R"(Robot { name "cart" controller "<none>" children [)" + spinning("left", 0.15) +
         spinning("right", -0.15) + R"(
    MotorDrive { translation 0.1 0 0 leftMotors "left" rightMotors "right" wheelRadius 0.05
      wheelSeparation 0.3 commandTimeout 0 } )" +
         more + R"( ]
    boundingObject Box { size 0.2 0.1 0.05 } physics Physics { density -1 mass 3 } })";
}

Received twist(const std::string& topic, double vx, double w) {
  message::Twist wanted;
  wanted.linear.x = vx;
  wanted.angular.z = w;
  return {topic, message::to_cdr(wanted)};
}

TEST(MotorDriveTopics, TellWhereWheelsSayThatTheBaseIs) {
  PublishedWorld world(cart());
  EXPECT_THAT(world.collected().subscribed, Contains("/cmd_vel"));
  world.collected().commands.push_back(twist("/cmd_vel", 0, 0.5));
  world.run(2);
  const Collected& collected = world.finish();
  const auto& odom = collected.last<Odometry>("/odom");
  EXPECT_EQ(odom.header.frame_id, "odom");
  EXPECT_EQ(odom.child_frame_id, "base_link");
  const auto& pose = odom.pose.pose;
  const double yaw = 2 * std::atan2(pose.orientation.z, pose.orientation.w);
  EXPECT_NEAR(yaw, 1, 0.01);
  // It turns about the middle of the axle, and the origin swings around that.
  EXPECT_NEAR(pose.position.x, 0.1 - 0.1 * std::cos(yaw), 1e-9);
  EXPECT_NEAR(pose.position.y, -0.1 * std::sin(yaw), 1e-9);
  EXPECT_NEAR(odom.twist.twist.angular.z, 0.5, 1e-3);
  EXPECT_NEAR(odom.twist.twist.linear.x, 0, 1e-3);
  EXPECT_NEAR(odom.twist.twist.linear.y, -0.1 * 0.5, 1e-4);
  // map to odom makes up for what the wheels say and the robot does not.
  const auto& transforms = collected.last<message::TFMessage>("/tf").transforms;
  EXPECT_EQ(transforms[1].header.frame_id, "odom");
  EXPECT_EQ(transforms[1].child_frame_id, "base_link");
  EXPECT_NEAR(transforms[1].transform.translation.y, pose.position.y, 1e-9);
}

TEST(MotorDriveTopics, CanHaveOtherNames) {
  PublishedWorld world(cart(R"(Topic { device "drive" message "cmd_vel" name "wheels/twist" })"));
  EXPECT_THAT(world.collected().subscribed, Contains("/wheels/twist"));
  EXPECT_THAT(world.collected().subscribed, testing::Not(Contains("/cmd_vel")));
  world.collected().commands.push_back(twist("/wheels/twist", 0.4, 0));
  world.run(1);
  EXPECT_NEAR(world.finish().last<Odometry>("/odom").twist.twist.linear.x, 0.4, 1e-3);
}

TEST(MotorDriveTopics, AreOfTwistsWithAStampForWhoWishesThem) {
  PublishedWorld world(
      cart(R"(Topic { device "drive" message "cmd_vel" type "geometry_msgs/TwistStamped" })"));
  message::TwistStamped wanted;
  wanted.twist.linear.x = 0.4;
  world.collected().commands.push_back({"/cmd_vel", message::to_cdr(wanted)});
  world.run(1);
  EXPECT_NEAR(world.finish().last<Odometry>("/odom").twist.twist.linear.x, 0.4, 1e-3);
  EXPECT_EQ(world.publisher().table().subscriptions().back().first.type->ros2_name,
            "geometry_msgs/msg/TwistStamped");
  try {
    PublishedWorld wrong(
        cart(R"(Topic { device "drive" message "cmd_vel" type "geometry_msgs/Pose" })"));
    FAIL();
  } catch (const std::invalid_argument& problem) {
    EXPECT_THAT(problem.what(), testing::HasSubstr("device 'cart/drive': 'cmd_vel' is of type "
                                                   "geometry_msgs/Twist or "
                                                   "geometry_msgs/TwistStamped, not "
                                                   "'geometry_msgs/Pose'"));
  }
}

TEST(MotorDriveTopics, AreHeardUnderSeveralNames) {
  PublishedWorld world(cart(R"(
    Topic { device "drive" message "cmd_vel" name "base/cmd_vel" type "geometry_msgs/TwistStamped" }
    Topic { device "drive" message "cmd_vel" name "cmd_vel" })"));
  EXPECT_THAT(world.collected().subscribed,
              ElementsAre("/joint_commands", "/base/cmd_vel", "/cmd_vel"));
  message::TwistStamped wanted;
  wanted.twist.linear.x = 0.4;
  world.collected().commands.push_back({"/base/cmd_vel", message::to_cdr(wanted)});
  world.run(1);
  EXPECT_NEAR(world.collected().last<Odometry>("/odom").twist.twist.linear.x, 0.4, 1e-3);
  world.collected().commands.push_back(twist("/cmd_vel", 0.1, 0));
  world.run(2);
  EXPECT_NEAR(world.finish().last<Odometry>("/odom").twist.twist.linear.x, 0.1, 1e-3);
}

TEST(MotorDriveTopics, HaveAnotherNameForOdometryAndNoTransformOfIt) {
  PublishedWorld world(cart(R"(Topic { device "drive" message "odom" name "base/odom" }
    Topic { device "drive" message "odom_tf" enabled FALSE })"));
  world.collected().commands.push_back(twist("/cmd_vel", 0.4, 0));
  world.run(1);
  const Collected& collected = world.finish();
  EXPECT_NEAR(collected.last<Odometry>("/base/odom").twist.twist.linear.x, 0.4, 1e-3);
  EXPECT_FALSE(collected.topics.contains("/odom"));
  for (const auto& one : collected.last<message::TFMessage>("/tf").transforms)
    EXPECT_NE(one.header.frame_id, "odom") << one.child_frame_id;
}

TEST(MotorDriveTopics, TellWhatMessagesTheyHave) {
  try {
    PublishedWorld wrong(cart(R"(Topic { device "drive" message "odum" name "x" })"));
    FAIL();
  } catch (const std::invalid_argument& problem) {
    EXPECT_THAT(problem.what(), testing::HasSubstr("device 'cart/drive' has no messages 'odum'; "
                                                   "did you mean 'odom'?"));
  }
}

TEST(MotorDriveTopics, TakeNothingThatIsNoTwist) {
  PublishedWorld world(cart());
  world.collected().commands.push_back({"/cmd_vel", {0, 1, 0, 0, 1, 2}});
  world.run(0.2);
  EXPECT_NEAR(world.finish().last<Odometry>("/odom").twist.twist.linear.x, 0, 1e-6);
}

}  // namespace
}  // namespace protobeam
