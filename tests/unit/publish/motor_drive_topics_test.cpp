// Robots that a MotorDrive moves: they are told twists, and tell odometry.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "message/control_msgs.h"
#include "message/controller_manager_services.h"
#include "message/std_msgs.h"
#include "tests/unit/publish/collected.h"

namespace protobeam {
namespace {

using message::Odometry;
using testing::Contains;
using testing::ElementsAre;

/// A part on a motor.
std::string hinged(const std::string& motor, double x, double y, const std::string& axis) {
  return fmt::format(R"(
  HingeJoint {{
    jointParameters HingeJointParameters {{ axis {3} anchor {0} {1} 0 }}
    device RotationalMotor {{ name "{2}" maxVelocity 100 }}
    endPoint Solid {{ name "{2} wheel" translation {0} {1} 0
      boundingObject Sphere {{ radius 0.05 }} physics Physics {{ density -1 mass 0.2 }} }}
  }})",
                     x, y, motor, axis);
}

std::string spinning(const std::string& motor, double y, double x = 0.1) {
  return hinged(motor, x, y, "0 1 0");
}

std::string steered(const std::string& motor, double y) { return hinged(motor, 0.4, y, "0 0 1"); }

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

/// Parents and children in tf and tf_static of a robot, each once.
std::set<std::string> tree(const Collected& collected, const std::string& space) {
  std::set<std::string> out;
  for (const char* topic : {"/tf", "/tf_static"})
    for (const auto& one : collected.last<message::TFMessage>(space + topic).transforms)
      out.insert(one.header.frame_id + " " + one.child_frame_id);
  return out;
}

TEST(MotorDriveTopics, TellFramesWithThePrefixOfTheirRobot) {
  const auto with = [](const std::string& prefix) {
    return cart(R"(Gyro { } Topic { message "tf" frame "chassis" framePrefix ")" + prefix +
                R"(" } Topic { device "drive" message "odom" frame "wheel_odom" }
      Topic { device "gyro" frame "left_wheel" })");
  };
  const std::string other = R"( Robot { name "b" controller "<none>" translation 5 0 0 })";
  const auto check = [&](const std::string& text, const std::string& space,
                         const std::string& prefix) {
    SCOPED_TRACE(text);
    PublishedWorld world(text);
    world.run(0.1);
    const Collected& collected = world.finish();
    const auto& odom = collected.last<Odometry>(space + "/odom");
    EXPECT_EQ(odom.header.frame_id, prefix + "wheel_odom");
    EXPECT_EQ(odom.child_frame_id, prefix + "chassis");
    EXPECT_EQ(collected.last<message::Imu>(space + "/gyro").header.frame_id, prefix + "left_wheel");
    const auto& truth = collected.last<Odometry>(space + "/base_pose_ground_truth");
    EXPECT_EQ(truth.header.frame_id, "map");
    EXPECT_EQ(truth.child_frame_id, prefix + "chassis");
    std::set<std::string> wanted = {"map " + prefix + "wheel_odom",
                                    prefix + "wheel_odom " + prefix + "chassis"};
    for (const char* part :
         {"base_footprint", "base_link", "drive", "gyro", "left_wheel", "right_wheel"})
      wanted.insert(prefix + "chassis " + prefix + part);
    EXPECT_EQ(tree(collected, space), wanted);
  };
  check(with("~"), "", "");
  check(with("~") + other, "/cart", "cart/");
  check(with("~/fleet/") + other, "/cart", "cart/fleet/");
  check(with("~/cart") + other, "/cart", "cart/");
  check(with("r1"), "", "r1/");
  check(with("/r1/a/") + other, "/cart", "r1/a/");
}

TEST(MotorDriveTopics, AreDeadWhileTheirControllerIsNotActive) {
  PublishedWorld world(cart(R"(Topic { device "drive" message "cmd_vel" name "base/cmd_vel" }
    Ros2Controller { name "base" type "diff_drive_controller/DiffDriveController"
      topics [ "base/cmd_vel" "odom" ] })"));
  const auto switch_over = [&](std::vector<std::string> start, std::vector<std::string> stop) {
    world.collected().ask("/controller_manager/switch_controller",
                          message::control::SwitchController::Request{
                              std::move(start), std::move(stop), 2, true, {}});
  };
  const auto sent = [&] {
    const auto& all = world.publisher().table().streams();
    return (*std::ranges::find(all, "/odom", [](const auto& one) { return one->topic().name; }))
        ->sent();
  };
  world.collected().commands.push_back(twist("/base/cmd_vel", 0.4, 0));
  world.run(1);
  switch_over({}, {"base"});
  world.run(1.1);
  const auto before = sent();
  world.collected().commands.push_back(twist("/base/cmd_vel", 0.4, 0));
  world.run(2);
  EXPECT_EQ(sent(), before);
  switch_over({"base"}, {});
  world.run(2.5);
  EXPECT_GT(sent(), before);
  world.collected().commands.push_back(twist("/base/cmd_vel", -0.2, 0));
  world.run(3.5);
  const auto all = world.finish().all<Odometry>("/odom");
  const auto speed_at = [&](double time) {
    for (const Odometry* one : all)
      if (one->header.stamp.sec + 1e-9 * one->header.stamp.nanosec > time)
        return one->twist.twist.linear.x;
    return 100.0;
  };
  EXPECT_NEAR(speed_at(0.9), 0.4, 1e-3);
  EXPECT_NEAR(speed_at(1.2), 0, 1e-3) << "it has stopped, and is told of when it is active again";
  EXPECT_NEAR(speed_at(3.4), -0.2, 1e-3);
}

// ros2_controllers, steering_controllers_library.cpp and steering_odometry.cpp
TEST(MotorDriveTopics, TellTheStateOfAControllerThatSteers) {
  const auto car = [](const std::string& feedback) {
    return R"(Robot { name "car" controller "<none>" children [)" + spinning("rl", 0.15) +
           spinning("rr", -0.15) + steered("fl", 0.15) + steered("fr", -0.15) + R"(
    MotorDrive { kinematics "ackermann" translation 0.1 0 0 leftMotors "rl" rightMotors "rr"
      steeringMotors [ "fl" "fr" ] wheelbase 0.3 wheelRadius 0.05 wheelSeparation 0.3 commandTimeout 0 }
    Topic { device "drive" message "odom" frame "wheel_odom" }
    Ros2Controller { name "steers" type "ackermann_steering_controller/AckermannSteeringController"
      stateRate 20 commands [ "rr/velocity" "rl/velocity" "fr/position" "fl/position" ]
      states [ "rr/)" +
           feedback + R"(" "rl/)" + feedback + R"(" "fr/position" "fl/position" ] } ]
    boundingObject Box { size 0.2 0.1 0.05 } physics Physics { density -1 mass 3 } })";
  };
  using State = message::SteeringControllerStatus;
  using testing::DoubleNear;
  PublishedWorld world(car("velocity"));
  world.run(0.2);
  world.collected().commands.push_back(twist("/cmd_vel", 0.2, 0.2));
  world.run(2);
  const auto all = world.finish().all<State>("/steers/controller_state");
  EXPECT_EQ(all.size(), 40u);
  EXPECT_THAT(all[0]->linear_velocity_command, ElementsAre(0, 0));
  EXPECT_THAT(all[0]->steering_angle_command, ElementsAre(testing::IsNan(), testing::IsNan()));
  const State& last = *all.back();
  EXPECT_EQ(last.header.frame_id, "wheel_odom");
  // About a point 1 m to the left of the middle of the rear axle.
  const double right = std::atan(0.3 / 1.15), left = std::atan(0.3 / 0.85);
  EXPECT_THAT(last.steering_angle_command,
              ElementsAre(DoubleNear(right, 1e-9), DoubleNear(left, 1e-9)));
  EXPECT_THAT(last.steer_positions, ElementsAre(DoubleNear(right, 1e-3), DoubleNear(left, 1e-3)));
  EXPECT_THAT(last.linear_velocity_command,
              ElementsAre(DoubleNear(4.6, 1e-2), DoubleNear(3.4, 1e-2)));
  EXPECT_THAT(last.traction_wheels_velocity,
              ElementsAre(DoubleNear(4.6, 1e-2), DoubleNear(3.4, 1e-2)));
  EXPECT_THAT(last.traction_wheels_position, ElementsAre());

  PublishedWorld other(car("position"));
  other.collected().commands.push_back(twist("/cmd_vel", 0.2, 0));
  other.run(2);
  const State& straight = other.finish().last<State>("/steers/controller_state");
  EXPECT_THAT(straight.traction_wheels_velocity, ElementsAre());
  // The wheels have gone 0.4 m.
  EXPECT_THAT(straight.traction_wheels_position,
              ElementsAre(DoubleNear(8, 0.1), DoubleNear(8, 0.1)));
}

// ros2_controllers, mecanum_drive_controller.cpp
TEST(MotorDriveTopics, TellTheStateOfAMecanumController) {
  const std::string cart = R"(Robot { name "cart" controller "<none>" children [)" +
                           spinning("fl", 0.15) + spinning("rl", 0.15, -0.1) +
                           spinning("fr", -0.15) + spinning("rr", -0.15, -0.1) + R"(
    MotorDrive { kinematics "mecanum" leftMotors [ "fl" "rl" ] rightMotors [ "fr" "rr" ]
      wheelRadius 0.05 wheelSeparation 0.3 wheelbase 0.2 commandTimeout 0.5 }
    Ros2Controller { name "m" type "mecanum_drive_controller/MecanumDriveController"
      commands [ "fl/velocity" "rl/velocity" "fr/velocity" "rr/velocity" ] } ]
    boundingObject Box { size 0.2 0.1 0.05 } physics Physics { density -1 mass 3 } })";
  using State = message::MecanumDriveControllerState;
  /// Some time after one command.
  const auto state_after = [&](double seconds) {
    PublishedWorld world(cart);
    message::Twist wanted;
    wanted.linear = {0.3, 0.1, 0};
    wanted.angular.z = 0.4;
    world.collected().commands.push_back({"/cmd_vel", message::to_cdr(wanted)});
    world.run(seconds);
    return State(world.finish().last<State>("/m/controller_state"));
  };
  const State told = state_after(0.4);
  EXPECT_EQ(told.header.frame_id, "odom");
  EXPECT_NEAR(told.reference_velocity.linear.x, 0.3, 1e-12);
  EXPECT_NEAR(told.reference_velocity.linear.y, 0.1, 1e-12);
  EXPECT_NEAR(told.reference_velocity.angular.z, 0.4, 1e-12);
  // (vx -+ vy -+ 0.25 w) / r
  EXPECT_NEAR(told.front_left_wheel_velocity, (0.3 - 0.1 - 0.1) / 0.05, 0.02);
  EXPECT_NEAR(told.back_left_wheel_velocity, (0.3 + 0.1 - 0.1) / 0.05, 0.02);
  EXPECT_NEAR(told.front_right_wheel_velocity, (0.3 + 0.1 + 0.1) / 0.05, 0.02);
  EXPECT_NEAR(told.back_right_wheel_velocity, (0.3 - 0.1 + 0.1) / 0.05, 0.02);
  const State silent = state_after(1.5);
  EXPECT_TRUE(std::isnan(silent.reference_velocity.linear.x)) << "nobody has told it anything";
  EXPECT_NEAR(silent.front_right_wheel_velocity, 0, 0.02);
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
  EXPECT_EQ(world.publisher().table().subscriptions().back().topic.type->ros2_name,
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
  world.collected().commands.push_back(twist("/cmd_vel", 0.1, 0));
  world.run(2);
  const auto told = world.finish().all<Odometry>("/odom");
  const auto later =
      std::ranges::find_if(told, [](const Odometry* one) { return one->header.stamp.sec >= 1; });
  ASSERT_NE(later, told.begin());
  ASSERT_NE(later, told.end());
  EXPECT_NEAR((*std::prev(later))->twist.twist.linear.x, 0.4, 1e-3);
  EXPECT_NEAR(told.back()->twist.twist.linear.x, 0.1, 1e-3);
}

TEST(MotorDriveTopics, HaveAnotherNameForOdometryAndNoTransformOfIt) {
  PublishedWorld world(cart(R"(Topic { device "drive" message "odom" name "base/odom" }
    Topic { device "drive" message "odom_tf" enabled FALSE })"));
  world.collected().commands.push_back(twist("/cmd_vel", 0.4, 0));
  world.run(1);
  const Collected& collected = world.finish();
  EXPECT_NEAR(collected.last<Odometry>("/base/odom").twist.twist.linear.x, 0.4, 1e-3);
  EXPECT_FALSE(collected.topics.contains("/odom"));
  // Nor one from map: where odom is, whoever tells that transform knows.
  for (const auto& one : collected.last<message::TFMessage>("/tf").transforms)
    EXPECT_EQ(one.header.frame_id, "base_link") << one.child_frame_id;
}

/// A cart as URDFs have it: below a base_footprint, with an own base_link 0.1 m above and 0.04 m
/// ahead.
std::string standing_cart(const std::string& more) {
  return cart(R"(Solid { name "base_link" translation 0.04 0 0.1 }
    Topic { message "tf" frame "base_footprint" } )" +
              more);
}

/// "PARENT CHILD", of all messages on the topic.
std::multiset<std::string> edges(const Collected& collected, const std::string& topic) {
  std::multiset<std::string> out;
  for (const auto& one : collected.last<message::TFMessage>(topic).transforms)
    out.insert(one.header.frame_id + " " + one.child_frame_id);
  return out;
}

TEST(MotorDriveTopics, HangOnTheBaseFootprintOfTheRobot) {
  PublishedWorld world(standing_cart(""));
  world.collected().commands.push_back(twist("/cmd_vel", 0, 0.5));
  world.run(1);
  const Collected& collected = world.finish();
  EXPECT_EQ(collected.last<Odometry>("/odom").child_frame_id, "base_footprint");
  EXPECT_EQ(collected.last<Odometry>("/base_pose_ground_truth").child_frame_id, "base_footprint");
  // REP-105: each frame has one parent.
  EXPECT_THAT(edges(collected, "/tf"),
              ElementsAre("base_footprint left_wheel", "base_footprint right_wheel", "map odom",
                          "odom base_footprint"));
  EXPECT_THAT(edges(collected, "/tf_static"),
              ElementsAre("base_footprint base_link", "base_footprint drive"));
  const auto& fixed = collected.last<message::TFMessage>("/tf_static").transforms;
  const auto base =
      std::ranges::find(fixed, "base_link", &message::TransformStamped::child_frame_id);
  EXPECT_NEAR(base->transform.translation.z, 0.1, 1e-12);
  EXPECT_THAT(collected.last<message::String>("/robot_description").data,
              testing::HasSubstr("<parent link=\"base_footprint\" />"));
}

TEST(MotorDriveTopics, TellThePoseOfAnotherPartInAFrameOfAnotherName) {
  PublishedWorld world(standing_cart(
      R"(Topic { device "drive" message "odom" frame "wheel_odom" childFrame "base_link" })"));
  world.collected().commands.push_back(twist("/cmd_vel", 0, 0.5));
  world.run(1);
  const Collected& collected = world.finish();
  const auto& odom = collected.last<Odometry>("/odom");
  EXPECT_EQ(odom.header.frame_id, "wheel_odom");
  EXPECT_EQ(odom.child_frame_id, "base_link");
  // About the middle of the axle, which is 0.1 m ahead of the origin, and so 0.06 m ahead of it.
  const auto& pose = odom.pose.pose;
  const double yaw = 2 * std::atan2(pose.orientation.z, pose.orientation.w);
  EXPECT_NEAR(yaw, 0.5, 0.02);
  EXPECT_NEAR(pose.position.x, 0.1 - 0.06 * std::cos(yaw), 1e-9);
  EXPECT_NEAR(pose.position.y, -0.06 * std::sin(yaw), 1e-9);
  EXPECT_NEAR(pose.position.z, 0.1, 1e-9);
  EXPECT_NEAR(odom.twist.twist.linear.y, -0.06 * 0.5, 1e-4);
  EXPECT_THAT(edges(collected, "/tf"), Contains("wheel_odom base_footprint"));
  EXPECT_THAT(edges(collected, "/tf"), Contains("map wheel_odom"));
}

TEST(MotorDriveTopics, AreOfNoPartThatIsNotThere) {
  try {
    PublishedWorld wrong(
        standing_cart(R"(Topic { device "drive" message "odom" childFrame "bass_link" })"));
    FAIL();
  } catch (const std::invalid_argument& problem) {
    EXPECT_THAT(problem.what(), testing::HasSubstr("robot 'cart' has no fixed part 'bass_link'; "
                                                   "did you mean 'base_link'?"));
  }
  try {
    PublishedWorld wrong(cart(R"(Topic { message "tf" })"));
    FAIL();
  } catch (const std::invalid_argument& problem) {
    EXPECT_THAT(problem.what(), testing::HasSubstr("robot 'cart': a Topic has a device, motors, or "
                                                   "the message tf with a frame"));
  }
}

TEST(MotorDriveTopics, LeaveBaseLinkWhereTheRobotHasNone) {
  PublishedWorld world(cart(R"(Topic { message "tf" frame "base_footprint" })"));
  world.run(0.1);
  EXPECT_THAT(edges(world.finish(), "/tf_static"), Contains("base_footprint base_link"));
}

TEST(MotorDriveTopics, LeaveTheFootprintToARobotThatHasOne) {
  PublishedWorld world(cart(R"(Solid { name "base_footprint" translation 0 0 -0.05 })"));
  world.run(0.1);
  const Collected& collected = world.finish();
  EXPECT_THAT(edges(collected, "/tf_static"), Contains("base_link base_footprint"));
  EXPECT_THAT(edges(collected, "/tf"), testing::Not(Contains("base_link base_footprint")));
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
