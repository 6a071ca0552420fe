// Gazebo's plugins that drive a robot by its wheels.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tests/unit/urdf/drive_text.h"

namespace protobeam::urdf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST_F(DriveTest, IsReadFromGazeboClassic) {
  // gazebo_ros_pkgs, gazebo_plugins/include/gazebo_plugins/gazebo_ros_diff_drive.hpp
  const auto world = read(cart(plugin(
      "libgazebo_ros_diff_drive.so",
      "<ros><namespace>/</namespace></ros><update_rate>50</update_rate>"
      "<left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>"
      "<wheel_separation>0.42</wheel_separation><wheel_diameter>0.18</wheel_diameter>"
      "<max_wheel_torque>7</max_wheel_torque><max_wheel_acceleration>2</max_wheel_acceleration>"
      "<command_topic>cmd_vel</command_topic><publish_odom>true</publish_odom>"
      "<odometry_frame>odom</odometry_frame><robot_base_frame>base_link</robot_base_frame>")));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  const wbt::Node& drive = node(*world, "MotorDrive");
  EXPECT_THAT(texts(drive, "leftMotors"), ElementsAre("left_joint"));
  EXPECT_THAT(texts(drive, "rightMotors"), ElementsAre("right_joint"));
  EXPECT_THAT(numbers(drive, "wheelSeparation"), ElementsAre(0.42));
  EXPECT_THAT(numbers(drive, "wheelRadius"), ElementsAre(0.09));
  EXPECT_THAT(numbers(drive, "maxAcceleration"), ElementsAre(2));
  EXPECT_THAT(numbers(drive, "translation"), ElementsAre(0, 0, 0.1));
  EXPECT_THAT(numbers(node(*world, "RotationalMotor", "left_joint"), "maxTorque"), ElementsAre(7));
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("no effect")));
}

TEST_F(DriveTest, IsReadFromRos1) {
  const auto world =
      read(cart(plugin("libgazebo_ros_diff_drive.so",
                       "<leftJoint>left_joint</leftJoint><rightJoint>right_joint</rightJoint>"
                       "<wheelSeparation>0.4</wheelSeparation><wheelDiameter>0.2</wheelDiameter>"
                       "<wheelTorque>5</wheelTorque><commandTopic>robot/cmd_vel</commandTopic>"
                       "<odometryTopic>wheel_odom</odometryTopic>")));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "wheelRadius"), ElementsAre(0.1));
  EXPECT_THAT(topics(*world), ElementsAre("cmd_vel robot/cmd_vel", "odom wheel_odom"));
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("no effect")));
}

TEST_F(DriveTest, IsMeasuredWhereGazeboHasItsOwnDefaults) {
  const auto world = read(cart(plugin("gz-sim-diff-drive-system",
                                      "<left_joint>left_joint</left_joint>"
                                      "<right_joint>right_joint</right_joint>")));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "wheelSeparation"), ElementsAre(0.4));
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "wheelRadius"), ElementsAre(0.1));
}

TEST_F(DriveTest, HasFourWheelsWithSkidSteeringAndMecanum) {
  const std::string four = wheel("front_left", 0.2, 0.2) + wheel("front_right", 0.2, -0.2) +
                           wheel("back_left", -0.3, 0.2) + wheel("back_right", -0.3, -0.2);
  auto world = read(cart(four + plugin("libgazebo_ros_skid_steer_drive.so",
                                       "<leftFrontJoint>front_left_joint</leftFrontJoint>"
                                       "<rightFrontJoint>front_right_joint</rightFrontJoint>"
                                       "<leftRearJoint>back_left_joint</leftRearJoint>"
                                       "<rightRearJoint>back_right_joint</rightRearJoint>")));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  EXPECT_THAT(texts(node(*world, "MotorDrive"), "leftMotors"),
              ElementsAre("front_left_joint", "back_left_joint"));
  world = read(cart(four + plugin("libignition-gazebo-mecanum-drive-system.so",
                                  "<front_left_joint>front_left_joint</front_left_joint>"
                                  "<front_right_joint>front_right_joint</front_right_joint>"
                                  "<back_left_joint>back_left_joint</back_left_joint>"
                                  "<back_right_joint>back_right_joint</back_right_joint>")));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  const wbt::Node& drive = node(*world, "MotorDrive");
  EXPECT_THAT(texts(drive, "kinematics"), ElementsAre("mecanum"));
  EXPECT_THAT(texts(drive, "rightMotors"), ElementsAre("front_right_joint", "back_right_joint"));
  EXPECT_THAT(numbers(drive, "wheelbase"), ElementsAre(0.5));
  EXPECT_THAT(numbers(drive, "translation"),
              ElementsAre(testing::DoubleNear(-0.05, 1e-12), 0, 0.1));
}

double central_limit(double separation) {  // at which the inner wheel stands at 0.6 rad
  return std::atan(1 / (1 / std::tan(0.6) + separation / 2 / 0.5));
}

TEST_F(DriveTest, SteersACarOfGazebo) {
  auto world = read(car(
      plugin("gz-sim-ackermann-steering-system",
             "<left_joint>front_left_joint</left_joint><left_joint>left_joint</left_joint>"
             "<right_joint>front_right_joint</right_joint><right_joint>right_joint</right_joint>"
             "<left_steering_joint>left_steering</left_steering_joint>"
             "<right_steering_joint>right_steering</right_steering_joint><kingpin_width>0.36</"
             "kingpin_width>"
             "<wheel_separation>0.4</wheel_separation><wheel_base>0.5</wheel_base>"
             "<steering_limit>0.7</steering_limit><wheel_radius>0.1</wheel_radius>"
             "<max_acceleration>3</max_acceleration>")));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  const wbt::Node& drive = node(*world, "MotorDrive");
  EXPECT_THAT(texts(drive, "kinematics"), ElementsAre("ackermann"));
  EXPECT_THAT(texts(drive, "leftMotors"), ElementsAre("front_left_joint", "left_joint"));
  EXPECT_THAT(texts(drive, "rightMotors"), ElementsAre("front_right_joint", "right_joint"));
  EXPECT_THAT(texts(drive, "steeringMotors"), ElementsAre("left_steering", "right_steering"));
  EXPECT_THAT(numbers(drive, "wheelSeparation"), ElementsAre(0.4));
  EXPECT_THAT(numbers(drive, "wheelbase"), ElementsAre(0.5));
  EXPECT_THAT(numbers(drive, "steeringSeparation"), ElementsAre(0.36));
  EXPECT_THAT(numbers(drive, "maxSteeringAngle"),
              ElementsAre(testing::DoubleNear(central_limit(0.36), 1e-9)));
  EXPECT_THAT(numbers(drive, "accelerationLimits"), ElementsAre(-1e9, 3));
  // gz-sim, src/systems/ackermann_steering: wheels steer by 1/s times what they lack.
  const wbt::Node& steered = node(*world, "RotationalMotor", "left_steering");
  EXPECT_THAT(numbers(steered, "controlPID"), ElementsAre(1, 0, 0));
  EXPECT_THAT(numbers(drive, "translation"), ElementsAre(0, 0, 0.1));
  EXPECT_FALSE(drive.find("twistSteers"));
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("no effect")));
  // Its least radius is the wheelbase over the sine of the limit.
  world = read(car(plugin("gz-sim-ackermann-steering-system",
                          "<left_joint>left_joint</left_joint>"
                          "<right_joint>right_joint</right_joint>"
                          "<left_steering_joint>left_steering</left_steering_joint>"
                          "<right_steering_joint>right_steering</right_steering_joint>"
                          "<steer_p_gain>20</steer_p_gain><steering_limit>0.3</steering_limit>")));
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "maxSteeringAngle"),
              ElementsAre(testing::DoubleNear(std::atan(std::sin(0.3)), 1e-9)));
  EXPECT_THAT(numbers(node(*world, "RotationalMotor", "right_steering"), "controlPID"),
              ElementsAre(20, 0, 0));
  // gazebo_plugins/src/gazebo_ros_ackermann_drive.cpp: all is measured.
  world = read(car(plugin("libgazebo_ros_ackermann_drive.so",
                          "<front_left_joint>front_left_joint</front_left_joint>"
                          "<front_right_joint>front_right_joint</front_right_joint>"
                          "<rear_left_joint>left_joint</rear_left_joint>"
                          "<rear_right_joint>right_joint</rear_right_joint>"
                          "<left_steering_joint>left_steering</left_steering_joint>"
                          "<right_steering_joint>right_steering</right_steering_joint>"
                          "<max_steer>0.3</max_steer>")));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("wheelbase")));
  const wbt::Node& measured = node(*world, "MotorDrive");
  EXPECT_THAT(texts(measured, "leftMotors"), ElementsAre("left_joint"));
  EXPECT_THAT(numbers(measured, "wheelbase"), ElementsAre(0.5));
  EXPECT_THAT(numbers(measured, "maxSteeringAngle"), ElementsAre(0.3));
  // Its twists are of a speed and a steering angle.
  EXPECT_TRUE(measured.find("twistSteers"));
}

// As Gazebo's Prius, whose model has y ahead.
TEST_F(DriveTest, SteersACarThatHeadsAnywhere) {
  const auto turned = [&](const std::string& file, double yaw) {
    std::string text =
        car(plugin(file,
                   "<rear_left_joint>left_joint</rear_left_joint><rear_right_joint>right_joint"
                   "</rear_right_joint><left_joint>left_joint</left_joint><right_joint>right_joint"
                   "</right_joint><left_steering_joint>left_steering</left_steering_joint>"
                   "<right_steering_joint>right_steering</right_steering_joint>"
                   "<left_steering_pid_gain>1500 900 450</left_steering_pid_gain>"));
    const std::string up = R"(<origin xyz="0 0 0.1"/>)";
    return text.replace(text.find(up), up.size(),
                        fmt::format(R"(<origin xyz="0 0 0.1" rpy="0 0 {}"/>)", yaw));
  };
  for (const char* file :
       {"libgazebo_ros_ackermann_drive.so", "gz-sim-ackermann-steering-system"}) {
    for (const double yaw : {0.0, 0.2, kPi / 2, -kPi / 2, kPi}) {
      const auto world = read(turned(file, yaw));
      ASSERT_TRUE(world) << diagnostics_.to_string();
      EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("no effect"))) << yaw;
      EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("the axis of"))) << yaw;
      const wbt::Node& drive = node(*world, "MotorDrive");
      EXPECT_NEAR(numbers(drive, "wheelbase").at(0), yaw == 0.2 ? 0.5 * std::cos(0.2) : 0.5, 1e-9);
      EXPECT_NEAR(numbers(drive, "steeringSeparation").at(0),
                  yaw == 0.2 ? 0.36 * std::cos(0.2) : 0.36, 1e-9);
      const wbt::Field* rotation = drive.find("rotation");
      const double quarter = yaw == 0.2 ? 0 : yaw;
      ASSERT_EQ(rotation != nullptr, quarter != 0) << yaw;
      if (!rotation) continue;
      const auto& n = rotation->value.numbers;
      EXPECT_LT((axis_angle(Vec3(n[0], n[1], n[2]), n[3]) * Vec3::UnitX() -
                 axis_angle(Vec3::UnitZ(), quarter) * Vec3::UnitX())
                    .norm(),
                1e-9);
    }
  }
  // Wheels that steer behind are none of a car that goes backwards.
  std::string text = turned("libgazebo_ros_ackermann_drive.so", 0);
  for (auto at = text.find("xyz=\"0.5 "); at != text.npos; at = text.find("xyz=\"0.5 "))
    text.replace(at, 9, "xyz=\"-0.5 ");
  EXPECT_THAT(messages(text), HasSubstr("its steered wheels are not ahead of those that drive"));
}

// gazebo-classic, plugins/DiffDrivePlugin.cc and SkidSteerDrivePlugin.cc
TEST_F(DriveTest, IsReadFromThePluginsOfGazeboItself) {
  auto world =
      read(cart(plugin("libDiffDrivePlugin.so",
                       "<left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>"
                       "<torque>5</torque>")));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  EXPECT_THAT(texts(node(*world, "MotorDrive"), "leftMotors"), ElementsAre("left_joint"));
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "wheelSeparation"), ElementsAre(0.4));
  EXPECT_THAT(numbers(node(*world, "RotationalMotor", "left_joint"), "maxTorque"), ElementsAre(5));
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("no effect")));
  const std::string rear = wheel("back_left", -0.3, 0.2) + wheel("back_right", -0.3, -0.2);
  world = read(cart(rear + plugin("libSkidSteerDrivePlugin.so",
                                  "<left_front>left_joint</left_front><right_front>right_joint"
                                  "</right_front><left_rear>back_left_joint</left_rear><right_rear>"
                                  "back_right_joint</right_rear><MaxForce>6</MaxForce>")));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  EXPECT_THAT(texts(node(*world, "MotorDrive"), "rightMotors"),
              ElementsAre("right_joint", "back_right_joint"));
  EXPECT_THAT(numbers(node(*world, "RotationalMotor", "back_left_joint"), "maxTorque"),
              ElementsAre(6));
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("no effect")));
}

TEST_F(DriveTest, TellsOfAWheelbaseThatIsNotThere) {
  const char* const joints =
      "<left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>"
      "<left_steering_joint>left_steering</left_steering_joint>"
      "<right_steering_joint>right_steering</right_steering_joint><wheel_base>0.3</wheel_base>";
  EXPECT_THAT(messages(car(plugin("gz-sim-ackermann-steering-system", joints))),
              HasSubstr("says that the wheelbase is 0.3 m, but its joints have 0.5 m: the robot "
                        "turns less than it is told"));
}

TEST_F(DriveTest, TellsWhichJointsTurnTheOtherWay) {
  const std::string drive = plugin("libgazebo_ros_diff_drive.so",
                                   "<left_joint>left_joint</left_joint>"
                                   "<right_joint>right_joint</right_joint>");
  std::string text = cart(drive);
  EXPECT_THAT(messages(text), Not(HasSubstr("the axis of")));
  const std::string axis = R"(<axis xyz="0 0 1"/>)";
  text.replace(text.rfind(axis), axis.size(), R"(<axis xyz="0 0 -1"/>)");
  EXPECT_THAT(messages(text),
              HasSubstr("warning: the axis of joint 'right_joint' points to the right: the wheel "
                        "rolls back when it is told ahead"));
}

TEST_F(DriveTest, LeavesCastersFree) {
  const std::string caster = wheel("caster", -0.2, 0) + wheel("turntable", -0.1, 0);
  const std::string drive = plugin("libgazebo_ros_diff_drive.so",
                                   "<left_joint>left_joint</left_joint>"
                                   "<right_joint>right_joint</right_joint>");
  const auto world = read(cart(caster + drive + R"(<transmission name="t">
    <joint name="turntable_joint"/></transmission>)"));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  const auto has = [&](const char* type, const char* name) {
    return std::ranges::any_of(world->nodes,
                               [&](const auto& one) { return find(one, type, name); });
  };
  EXPECT_TRUE(has("RotationalMotor", "left_joint"));
  EXPECT_TRUE(has("RotationalMotor", "turntable_joint"));
  EXPECT_FALSE(has("RotationalMotor", "caster_joint"));
  EXPECT_TRUE(has("PositionSensor", "caster_joint_sensor"));
}

TEST_F(DriveTest, GoesByTopicsAndLimitsOfGazebosPlugins) {
  const std::string wheels =
      "<left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>";
  auto world =
      read(cart(plugin("libgazebo_ros_diff_drive.so",
                       "<ros><namespace>/demo</namespace><remapping>cmd_vel:=cmd_demo</remapping>"
                       "<remapping>odom:=odom_demo</remapping></ros>" +
                           wheels + "<publish_odom_tf>false</publish_odom_tf>")));
  EXPECT_THAT(topics(*world),
              ElementsAre("cmd_vel /demo/cmd_demo", "odom /demo/odom_demo", "odom_tf off"));
  // The last twist holds, as in Gazebo.
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "commandTimeout"), ElementsAre(0));
  world = read(cart(
      plugin("gz-sim-diff-drive-system",
             wheels + "<max_linear_velocity>0.46</max_linear_velocity><min_linear_velocity>-0.46"
                      "</min_linear_velocity><max_angular_velocity>1.9</max_angular_velocity>"
                      "<min_angular_velocity>-1.5</min_angular_velocity><tf_topic>/tf</tf_topic>"
                      "<topic>cmd_vel</topic><odom_topic>odom</odom_topic>")));
  EXPECT_THAT(topics(*world), ElementsAre());
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "maxVelocity"), ElementsAre(0.46));
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "yawRateLimits"), ElementsAre(-1.5, 1.9));
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("_velocity>")));
  // Those of one kind of speed count before those of both.
  world = read(cart(plugin(
      "gz-sim-diff-drive-system",
      wheels + "<max_velocity>2</max_velocity><min_velocity>-1</min_velocity>"
               "<max_angular_velocity>1.9</max_angular_velocity><max_acceleration>3"
               "</max_acceleration><min_linear_acceleration>-4</min_linear_acceleration>"
               "<min_angular_acceleration>-5</min_angular_acceleration><max_angular_acceleration>6"
               "</max_angular_acceleration><max_jerk>7</max_jerk><min_jerk>-8</min_jerk>"
               "<odom_publish_frequency>20</odom_publish_frequency>")));
  const wbt::Node& drive = node(*world, "MotorDrive");
  EXPECT_THAT(numbers(drive, "speedLimits"), ElementsAre(-1, 2));
  EXPECT_THAT(numbers(drive, "yawRateLimits"), ElementsAre(-1, 1.9));
  EXPECT_THAT(numbers(drive, "accelerationLimits"), ElementsAre(-4, 3));
  EXPECT_THAT(numbers(drive, "yawAccelerationLimits"), ElementsAre(-5, 6));
  EXPECT_THAT(numbers(drive, "jerkLimits"), ElementsAre(-8, 7));
  EXPECT_THAT(numbers(drive, "yawJerkLimits"), ElementsAre(-8, 7));
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("no effect")));
  EXPECT_THAT(topics(*world), ElementsAre("odom"));
  EXPECT_THAT(
      messages(cart(plugin("gz-sim-diff-drive-system", wheels + "<min_velocity>1</min_velocity>"))),
      HasSubstr("error: <min_velocity> must be at most 0, got 1"));
}

TEST_F(DriveTest, TurnsWheelsWhoseLimitsNothingReaches) {
  std::string text = cart(plugin("libgazebo_ros_diff_drive.so",
                                 "<left_joint>left_joint</left_joint>"
                                 "<right_joint>right_joint</right_joint>"));
  for (std::size_t at; (at = text.find("\"continuous\"")) != std::string::npos;)
    text.replace(at, 12, "\"revolute\"");
  for (std::size_t at = 0; (at = text.find("<axis", at)) != std::string::npos; at += 80)
    text.insert(at, R"(<limit effort="1000" lower="-1e+16" upper="1e+16" velocity="3.5"/>)");
  const auto world = read(text);
  ASSERT_TRUE(world) << diagnostics_.to_string();
  EXPECT_THAT(texts(node(*world, "MotorDrive"), "leftMotors"), ElementsAre("left_joint"));
}

TEST_F(DriveTest, MovesTheRobotAsItIsTold) {
  load(cart(plugin("libgazebo_ros_diff_drive.so",
                   "<left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>"
                   "<max_wheel_acceleration>1</max_wheel_acceleration>")));
  DeviceModel& drive = *simulation_->find_device("drive")->model;
  const auto go = [&](double v, double w) {
    for (int i = 0; i < 4; ++i) {
      drive.send_command("twist", {v, 0, w});
      run(0.5);
    }
  };
  go(0.3, 0);
  const Pose ahead = pose("r");
  EXPECT_NEAR(ahead.p.x(), 0.3 * 2 - 0.3 * 0.3 / 2, 0.01);
  EXPECT_NEAR(ahead.p.y(), 0, 0.005);
  EXPECT_NEAR(drive.odometry()->pose.x, ahead.p.x(), 0.005);
  go(0, 0);
  const double x = pose("r").p.x();
  EXPECT_NEAR(x, 0.6, 0.01);
  go(0, 0.5);
  // Its wheels are cylinders: on which edge they stand makes 3 cm of the 40 between them.
  const Pose turned = pose("r");
  EXPECT_NEAR(2 * std::atan2(turned.R.z(), turned.R.w()), 0.95, 0.1);
  EXPECT_NEAR(std::hypot(turned.p.x() - x, turned.p.y()), 0, 0.01);
}

TEST_F(DriveTest, PushesARobotWithoutDrivenWheels) {
  const std::string text = cart(plugin("libgazebo_ros_planar_move.so",
                                       "<commandTopic>base/cmd_vel</commandTopic>"
                                       "<odometryTopic>odom</odometryTopic>"
                                       "<odometryRate>20</odometryRate>"
                                       "<robotBaseFrame>base_footprint</robotBaseFrame>"));
  load(text);
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("warning")));
  DeviceModel& drive = *simulation_->find_device("drive")->model;
  for (int i = 0; i < 4; ++i) {
    drive.send_command("twist", {0.1, 0.3, 0});
    run(0.5);
  }
  EXPECT_NEAR(pose("r").p.x(), 0.2, 0.01);
  EXPECT_NEAR(pose("r").p.y(), 0.6, 0.01);
  EXPECT_NEAR(drive.odometry()->pose.y, 0.6, 0.01);
  const auto world = read(text);
  EXPECT_THAT(texts(node(*world, "MotorDrive"), "kinematics"), ElementsAre("planar"));
  EXPECT_THAT(topics(*world), ElementsAre("cmd_vel base/cmd_vel"));
}

TEST_F(DriveTest, MovesMecanumWheelsSideways) {
  const std::string four = wheel("front_left", 0.2, 0.2) + wheel("front_right", 0.2, -0.2) +
                           wheel("back_left", -0.2, 0.2) + wheel("back_right", -0.2, -0.2);
  std::string text = cart(four +
                          plugin("gz-sim-mecanum-drive-system",
                                 "<front_left_joint>front_left_joint</front_left_joint>"
                                 "<front_right_joint>front_right_joint</front_right_joint>"
                                 "<back_left_joint>back_left_joint</back_left_joint>"
                                 "<back_right_joint>back_right_joint</back_right_joint>") +
                          R"(<gazebo reference="base_link"><mu1>0</mu1></gazebo>
    <gazebo reference="left_wheel"><mu1>0</mu1></gazebo>
    <gazebo reference="right_wheel"><mu1>0</mu1></gazebo>)");
  load(text);
  DeviceModel& drive = *simulation_->find_device("drive")->model;
  for (int i = 0; i < 4; ++i) {
    drive.send_command("twist", {0, 0.2, 0});
    run(0.5);
  }
  EXPECT_NEAR(pose("r").p.x(), 0, 0.01);
  EXPECT_NEAR(pose("r").p.y(), 0.4, 0.02);
  EXPECT_NEAR(drive.odometry()->pose.y, 0.4, 0.01);
}

TEST_F(DriveTest, HasTheFrictionsOfGazebo) {
  const std::string ball =
      R"(<link name="ball"><collision><geometry><sphere radius="0.05"/></geometry>
    </collision></link><joint name="b" type="fixed"><parent link="base_link"/><child link="ball"/></joint>)";
  const std::string text =
      cart(ball + R"(<gazebo reference="ball"><mu1 value="0.001"/><mu2 value="0.001"/>
    </gazebo><gazebo reference="left_wheel"><mu1>50</mu1><mu2>2</mu2></gazebo>)");
  const auto world = read(text);
  ASSERT_TRUE(world) << diagnostics_.to_string();
  EXPECT_THAT(texts(node(*world, "Solid", "ball"), "contactMaterial"), ElementsAre("ball"));
  const wbt::Field* all = node(*world, "WorldInfo").find("contactProperties");
  ASSERT_EQ(all->value.nodes.size(), 2u);
  EXPECT_THAT(texts(*all->value.nodes[0], "material1"), ElementsAre("ball"));
  EXPECT_THAT(numbers(*all->value.nodes[0], "coulombFriction"), ElementsAre(0.001));
  EXPECT_THAT(numbers(*all->value.nodes[1], "coulombFriction"), ElementsAre(50));
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("warning: a <mu2> of <gazebo> that is not <mu1> has no effect"));
  EXPECT_THAT(messages(cart("<gazebo reference=\"base_link\"><mu1>-1</mu1></gazebo>")),
              HasSubstr("error: <mu1> must be at least 0, got -1"));
  EXPECT_THAT(messages(cart("<gazebo reference=\"base_link\"><mu1>much</mu1></gazebo>")),
              HasSubstr("error: "));
  Diagnostics diagnostics;
  robot_ = read_robot_text(text, folder_.path() / "r.urdf", options_, diagnostics);
  to_proto(*robot_, "R", options_, {}, diagnostics);
  EXPECT_THAT(diagnostics.to_string(),
              HasSubstr("warning: <mu1> or <mu2> of <gazebo> has no effect (2 times); "
                        "ContactProperties of the world say it"));
}

TEST_F(DriveTest, TellsThatWheelsHaveAnotherRadius) {
  const std::string joints =
      "<left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>";
  EXPECT_THAT(
      messages(
          cart(plugin("gz-sim-diff-drive-system", joints + "<wheel_radius>0.15</wheel_radius>"))),
      HasSubstr("warning: Gazebo's <plugin> 'gz-sim-diff-drive-system' says that wheels have a "
                "radius of 0.15 m, but the shape of 'left_joint' has 0.1 m: the robot goes "
                "slower than it is told"));
  EXPECT_THAT(messages(cart(plugin("gz-sim-diff-drive-system",
                                   joints + "<wheel_radius>0.102</wheel_radius>"))),
              Not(HasSubstr("radius")));
}

TEST_F(DriveTest, TellsWhatIsMissing) {
  EXPECT_THAT(messages(cart(plugin("libgazebo_ros_diff_drive.so",
                                   "<left_joint>left_jiont</left_joint>"
                                   "<right_joint>right_joint</right_joint>"))),
              testing::AllOf(
                  HasSubstr("warning: there is no continuous joint 'left_jiont' for <left_joint>"),
                  HasSubstr("did you mean 'left_joint'?"),
                  HasSubstr("it names 0 joints that turn on the left and 1 on the right")));
  EXPECT_THAT(messages(cart(plugin("libgazebo_ros_diff_drive.so",
                                   "<left_joint>left_joint</left_joint>"
                                   "<right_joint>right_joint</right_joint>"
                                   "<wheel_diameter>-1</wheel_diameter>"))),
              HasSubstr("error: <wheel_diameter> must be at least 0, got -1"));
  EXPECT_THAT(messages(cart(plugin("libgazebo_ros_joint_state_publisher.so", "") +
                            plugin("libgazebo_ros_hand_of_god.so", ""))),
              testing::AllOf(Not(HasSubstr("joint_state")),
                             HasSubstr("Gazebo's <plugin> 'libgazebo_ros_hand_of_god.so' has no "
                                       "effect")));
}

TEST_F(DriveTest, RotorsTurnByMotorsOfTheirOwn) {
  const auto with_rotor = [](const std::string& limits) {
    return cart(link("screw", 0.1) +
                joint("screw_joint", limits.empty() ? "continuous" : "revolute", "base_link",
                      "screw", "<axis xyz=\"0 1 0\"/>" + limits) +
                plugin("libgazebo_ros_diff_drive.so",
                       "<left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>"
                       "<wheel_separation>0.4</wheel_separation>"
                       "<wheel_diameter>0.2</wheel_diameter>") +
                plugin("gz-sim-thruster-system",
                       "<joint_name>screw_joint</joint_name>"
                       "<thrust_coefficient>0.004</thrust_coefficient>"
                       "<propeller_diameter>0.2</propeller_diameter>"));
  };
  const auto world = read(with_rotor(""));
  EXPECT_EQ(diagnostics_.to_string(), "");
  const wbt::Node& rotor = node(*world, "Rotor", "screw_joint rotor");
  EXPECT_THAT(texts(rotor, "motors"), ElementsAre("screw_joint"));
  node(*world, "RotationalMotor", "screw_joint");
  EXPECT_NEAR(numbers(rotor, "thrustConstants")[0], 1000 * 0.004 * std::pow(0.2, 4), 1e-12);
  EXPECT_THAT(messages(with_rotor("<limit lower=\"0\" upper=\"0\" effort=\"1\" velocity=\"1\"/>")),
              HasSubstr("joint 'screw_joint' has no motor for a rotor"));
}

}  // namespace
}  // namespace protobeam::urdf
