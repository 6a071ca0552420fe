// Controllers of ros2_control that drive a robot, by their parameters.
#include <gmock/gmock.h>

#include "tests/unit/urdf/drive_text.h"

namespace protobeam::urdf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST_F(DriveTest, SteersACarOfRos2Control) {
  folder_.write("cart/package.xml", "<package><name>cart</name></package>");
  const auto import = [&](const std::string& parameters) {
    folder_.write("cart/config/controllers.yaml",
                  "controller_manager: {ros__parameters: {steers: {type: "
                  "ackermann_steering_controller/AckermannSteeringController}}}\n"
                  "steers: {ros__parameters: {reference_timeout: 2.0, " +
                      parameters + "}}\n");
    return read(car(plugin("libgazebo_ros2_control.so",
                           "<parameters>/opt/share/cart/config/controllers.yaml</parameters>")));
  };
  // Right before left, as in ros2_controllers' documentation.
  for (const char* parameters :
       {"traction_joints_names: [right_joint, left_joint], steering_joints_names: [right_steering, "
        "left_steering], wheelbase: 0.5, traction_track_width: 0.4, steering_track_width: 0.36, "
        "traction_wheels_radius: 0.1",
        "front_steering: true, rear_wheels_names: [right_joint, left_joint], front_wheels_names: "
        "[right_steering, left_steering], wheelbase: 0.5, rear_wheel_track: 0.4, "
        "front_wheel_track: "
        "0.36, rear_wheels_radius: 0.1, front_wheels_radius: 0.2"}) {
    const auto world = import(parameters);
    ASSERT_TRUE(world) << diagnostics_.to_string();
    const wbt::Node& drive = node(*world, "MotorDrive");
    EXPECT_THAT(texts(drive, "kinematics"), ElementsAre("ackermann"));
    EXPECT_THAT(texts(drive, "leftMotors"), ElementsAre("left_joint"));
    EXPECT_THAT(texts(drive, "rightMotors"), ElementsAre("right_joint"));
    EXPECT_THAT(texts(drive, "steeringMotors"), ElementsAre("left_steering", "right_steering"));
    EXPECT_THAT(numbers(drive, "wheelRadius"), ElementsAre(0.1));
    EXPECT_THAT(numbers(drive, "steeringSeparation"), ElementsAre(0.36));
    EXPECT_THAT(numbers(drive, "commandTimeout"), ElementsAre(2));
    EXPECT_THAT(numbers(node(*world, "Ros2Controller"), "stateRate"), ElementsAre()) << "as usual";
    EXPECT_THAT(topics(*world), ElementsAre("cmd_vel steers/reference geometry_msgs/TwistStamped",
                                            "cmd_vel steers/reference_unstamped",
                                            "odom steers/odometry", "cmd_vel cmd_vel"));
  }
  import(
      "front_steering: false, rear_wheels_names: [left_joint], front_wheels_names: "
      "[front_left_joint]");
  EXPECT_THAT(
      diagnostics_.to_string(),
      HasSubstr("the controller 'steers' has no effect: its steered wheels are not ahead of "
                "those that drive"));
}

const char* const kParameters = R"(
controller_manager:
  ros__parameters:
    update_rate: 30
    joint_broad: {type: joint_state_broadcaster/JointStateBroadcaster}
    diff_cont:
      type: diff_drive_controller/DiffDriveController
diff_cont:
  ros__parameters:
    left_wheel_names: ['left_joint']
    right_wheel_names: ['right_joint']
    wheel_separation: 0.5
    wheel_separation_multiplier: 0.8
    wheel_radius: 0.11
    cmd_vel_timeout: 0.25
    linear:
      x:
        max_acceleration: 1.5
)";

TEST_F(DriveTest, IsReadFromTheParametersOfRos2Control) {
  folder_.write("cart/package.xml", "<package><name>cart</name></package>");
  folder_.write("cart/config/controllers.yaml", kParameters);
  const std::string text = cart(
      R"(<ros2_control name="c" type="system"><joint name="left_joint"><command_interface name="velocity"/>
      </joint><joint name="right_joint"><command_interface name="velocity"/></joint></ros2_control>)" +
      plugin("libgazebo_ros2_control.so",
             "<parameters>/opt/ros/install/cart/share/cart/config/controllers.yaml</parameters>"));
  const auto world = read(text);
  ASSERT_TRUE(world) << diagnostics_.to_string();
  const wbt::Node& drive = node(*world, "MotorDrive");
  EXPECT_THAT(texts(drive, "rightMotors"), ElementsAre("right_joint"));
  EXPECT_THAT(numbers(drive, "wheelSeparation"), ElementsAre(0.4));
  EXPECT_THAT(numbers(drive, "wheelRadius"), ElementsAre(0.11));
  EXPECT_THAT(numbers(drive, "commandTimeout"), ElementsAre(0.25));
  EXPECT_THAT(numbers(drive, "accelerationLimits"), ElementsAre(-1.5, 1.5));
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("warning")));
  std::string wrong = kParameters;
  wrong.replace(wrong.find("0.11"), 4, "wide");
  folder_.write("cart/config/controllers.yaml", wrong);
  EXPECT_THAT(messages(text),
              HasSubstr("controllers.yaml:14:19: error: 'wheel_radius' must be a number"));
  folder_.write("cart/config/controllers.yaml", "controller_manager: [\n");
  EXPECT_THAT(messages(text), HasSubstr("controllers.yaml:2:1: error: "));
  EXPECT_THAT(
      messages(cart(plugin("gz_ros2_control-system", "<parameters>/no/where.yaml</parameters>"))),
      HasSubstr("warning: there is no file '/no/where.yaml'; --package NAME=FOLDER says where a "
                "package is"));
}

TEST_F(DriveTest, IsHeardAndTellsUnderTheNamesOfItsController) {
  // ros2_controllers, diff_drive_controller/src/diff_drive_controller.cpp
  const std::string stamped = "cmd_vel base/cmd_vel geometry_msgs/TwistStamped";
  EXPECT_THAT(topics(*controlled("enable_odom_tf: true")),
              ElementsAre(stamped, "odom base/odom", "cmd_vel cmd_vel"));
  EXPECT_THAT(topics(*controlled("use_stamped_vel: False, enable_odom_tf: false")),
              ElementsAre("cmd_vel base/cmd_vel_unstamped", "odom base/odom", "cmd_vel cmd_vel",
                          "odom_tf off"));
  EXPECT_THAT(topics(*controlled("use_stamped_vel: false", "",
                                 "<ros><namespace>/one</namespace><remapping>"
                                 "base/cmd_vel_unstamped:=drive</remapping></ros>")),
              ElementsAre("cmd_vel /one/drive", "odom /one/base/odom", "cmd_vel cmd_vel"));
  controlled("enable_odom_tf: maybe");
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("error: 'enable_odom_tf' must be true or false"));
}

TEST_F(DriveTest, IsATricycleOfRos2Control) {
  folder_.write(
      "c.yaml",
      "forks: {ros__parameters: {type: tricycle_controller/TricycleController, "
      "traction_joint_name: pull, steering_joint_name: steer, wheelbase: 1.2, wheel_radius: "
      "0.1, cmd_vel_timeout: 250, traction: {max_acceleration: 5.0}, steering: "
      "{min_position: -1.57, max_position: 1.0}}}\n");
  const std::string text =
      robot(link("base_link") + link("fork") + link("wheel") +
            joint("steer", "continuous", "base_link", "fork",
                  "<origin xyz=\"0.9 0 0.1\"/><axis xyz=\"0 0 1\"/>") +
            joint("pull", "continuous", "fork", "wheel", "<axis xyz=\"0 1 0\"/>") +
            plugin("gz_ros2_control-system", "<parameters>c.yaml</parameters>"));
  const auto world = read(text);
  ASSERT_TRUE(world) << diagnostics_.to_string();
  const wbt::Node& drive = node(*world, "MotorDrive");
  EXPECT_THAT(texts(drive, "kinematics"), ElementsAre("tricycle"));
  EXPECT_THAT(texts(drive, "leftMotors"), ElementsAre("pull"));
  EXPECT_THAT(texts(drive, "steeringMotors"), ElementsAre("steer"));
  EXPECT_THAT(numbers(drive, "translation"), ElementsAre(testing::DoubleNear(-0.3, 1e-12), 0, 0.1));
  EXPECT_THAT(numbers(drive, "wheelbase"), ElementsAre(1.2));
  EXPECT_THAT(numbers(drive, "wheelRadius"), ElementsAre(0.1));
  EXPECT_THAT(numbers(drive, "maxSteeringAngle"), ElementsAre(1));
  EXPECT_THAT(numbers(drive, "maxAcceleration"), ElementsAre(0.5));
  EXPECT_THAT(numbers(drive, "commandTimeout"), ElementsAre(0.25));
  EXPECT_THAT(topics(*world), ElementsAre("cmd_vel forks/cmd_vel geometry_msgs/TwistStamped",
                                          "odom forks/odom", "cmd_vel cmd_vel"));
  EXPECT_THAT(texts(node(*world, "Ros2Controller"), "commands"),
              ElementsAre("pull/velocity", "steer/position"));
}

TEST_F(DriveTest, IsOneOfTheControllersOfItsManager) {
  const auto world = controlled("position_feedback: false", "",
                                "<controller_manager_name>boss</controller_manager_name>");
  const wbt::Node& one = node(*world, "Ros2Controller");
  EXPECT_THAT(texts(one, "name"), ElementsAre("base"));
  EXPECT_THAT(texts(one, "type"), ElementsAre("diff_drive_controller/DiffDriveController"));
  EXPECT_THAT(texts(one, "manager"), ElementsAre("boss"));
  EXPECT_THAT(texts(one, "commands"), ElementsAre("left_joint/velocity", "right_joint/velocity"));
  EXPECT_THAT(texts(one, "states"), ElementsAre("left_joint/velocity", "right_joint/velocity"));
  EXPECT_THAT(texts(one, "topics"), ElementsAre("base/cmd_vel", "base/odom", "cmd_vel"));
  EXPECT_THAT(numbers(one, "stateRate"), ElementsAre(0)) << "it tells none";
}

TEST_F(DriveTest, KeepsToTheLimitsOfItsController) {
  const std::string limits =
      "linear.x.max_velocity: 0.7, linear.x.max_acceleration: 1.5, angular.z.max_velocity: 2.5";
  auto world = controlled(limits);
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "maxVelocity"), ElementsAre(0.7));
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "accelerationLimits"), ElementsAre(-1.5, 1.5));
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "maxYawRate"), ElementsAre(2.5));
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("min_velocity")));
  controlled(limits + ", linear.x.min_velocity: -0.7, angular.z.min_velocity: .nan");
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("min_velocity")));
  // ros2_controllers, diff_drive_controller/src/speed_limiter.cpp: each number for itself.
  world = controlled(limits +
                     ", linear.x.min_velocity: -0.2, linear.x.min_acceleration: -3, "
                     "angular.z.max_acceleration: 4, linear.x.max_jerk: 5, "
                     "angular.z.min_velocity: -2.5");
  const wbt::Node& drive = node(*world, "MotorDrive");
  EXPECT_THAT(numbers(drive, "maxVelocity"), ElementsAre());
  EXPECT_THAT(numbers(drive, "speedLimits"), ElementsAre(-0.2, 0.7));
  EXPECT_THAT(numbers(drive, "maxYawRate"), ElementsAre(2.5));
  EXPECT_THAT(numbers(drive, "accelerationLimits"), ElementsAre(-3, 1.5));
  EXPECT_THAT(numbers(drive, "yawAccelerationLimits"), ElementsAre(-4, 4));
  EXPECT_THAT(numbers(drive, "jerkLimits"), ElementsAre(-5, 5));
  controlled("linear.x.min_velocity: -0.2");
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("warning: 'linear.x.min_velocity' has no effect without a max_velocity"));
  // ROS 2 Humble's switches
  world = controlled(limits +
                     ", linear.x.has_velocity_limits: false, "
                     "linear.x.has_acceleration_limits: false");
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "maxVelocity"), ElementsAre());
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "accelerationLimits"), ElementsAre());
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "maxYawRate"), ElementsAre(2.5));
}

TEST_F(DriveTest, TellsOdometryAsOftenAsItsController) {
  const auto rate = [&](const std::string& parameters) -> std::vector<double> {
    const auto world = controlled(parameters);
    for (const wbt::NodePtr& one : node(*world, "Robot").find("children")->value.nodes)
      if (one->type == "Topic" && texts(*one, "message").at(0) == "odom")
        return numbers(*one, "rate");
    return {-1};
  };
  EXPECT_THAT(rate("publish_rate: 20.0"), ElementsAre(20));
  EXPECT_THAT(rate("wheel_radius: 0.1"), ElementsAre());
  EXPECT_THAT(rate("publish_rate: 0.0"), ElementsAre());
}

TEST_F(DriveTest, TellsWhichOfSeveralControllersDrives) {
  const std::string other =
      "other: {ros__parameters: {type: diff_drive_controller/DiffDriveController, "
      "left_wheel_names: [left_joint], right_wheel_names: [right_joint], wheel_radius: 0.3}}\n"
      "forks: {ros__parameters: {type: swerve_drive_controller/SwerveDriveController}}\n"
      "states: {ros__parameters: {type: joint_state_broadcaster/JointStateBroadcaster}}\n"
      "controller_manager: {ros__parameters: {base: {type: diff_drive_controller/"
      "DiffDriveController}}}\n";
  auto world = controlled("wheel_radius: 0.1", other);
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "wheelRadius"), ElementsAre(0.1));
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("c.yaml:2:33: warning: the controller 'other' has no effect: 'base' drives "
                        "the robot"));
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("c.yaml:3:33: warning: the controller 'forks' has no effect: "
                        "swerve_drive_controller/SwerveDriveController is not known"));
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("'states'")));
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("'base' has no effect")));
  // One whose wheels are not there is not the one.
  const std::string both =
      "first: {ros__parameters: {type: diff_drive_controller/"
      "DiffDriveController, left_wheel_names: [a], right_wheel_names: [b]}}\n";
  folder_.write("c.yaml", both + other);
  world = read(cart(plugin("gz_ros2_control-system", "<parameters>c.yaml</parameters>")));
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "wheelRadius"), ElementsAre(0.3));
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("the controller 'first' has no effect"));
  // Nor is the first one whose wheels have another size.
  world = controlled("wheel_radius: 0.3",
                     "right: {ros__parameters: {type: diff_drive_controller/"
                     "DiffDriveController, left_wheel_names: [left_joint], right_wheel_names: "
                     "[right_joint], wheel_radius: 0.105}}\n");
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "wheelRadius"), ElementsAre(0.105));
}

TEST_F(DriveTest, IsReadFromParametersInANamespaceAndWithTheirOwnType) {
  const std::string four = wheel("fl", 0.2, 0.2) + wheel("fr", 0.2, -0.2) + wheel("rl", -0.2, 0.2) +
                           wheel("rr", -0.2, -0.2);
  const std::string text =
      cart(four + plugin("gz_ros2_control-system", "<parameters>c.yaml</parameters>"));
  folder_.write("c.yaml", R"(
controller_manager: {ros__parameters: {update_rate: 100}}
joint_state_broadcaster: {ros__parameters: {type: joint_state_broadcaster/JointStateBroadcaster}}
base:
  ros__parameters:
    type: diff_drive_controller/DiffDriveController
    left_wheel_names: ['left_joint']
    right_wheel_names: ['right_joint']
    wheel_radius: 0.12
)");
  auto world = read(text);
  ASSERT_TRUE(world) << diagnostics_.to_string();
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "wheelRadius"), ElementsAre(0.12));
  folder_.write("c.yaml", R"(
/**:
  controller_manager:
    ros__parameters:
      base: {type: mecanum_drive_controller/MecanumDriveController}
  base:
    ros__parameters:
      front_left_wheel_name: fl_joint
      front_right_wheel_name: fr_joint
      rear_left_wheel_name: rl_joint
      rear_right_wheel_name: rr_joint
      wheel_separation_x: 0.44
      wheel_separation_y: 0.6
      wheel_radius: 0.1
)");
  world = read(text);
  ASSERT_TRUE(world) << diagnostics_.to_string();
  EXPECT_THAT(texts(node(*world, "MotorDrive"), "kinematics"), ElementsAre("mecanum"));
  EXPECT_THAT(texts(node(*world, "MotorDrive"), "rightMotors"),
              ElementsAre("fr_joint", "rr_joint"));
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "wheelbase"), ElementsAre(0.44));
  EXPECT_THAT(numbers(node(*world, "MotorDrive"), "wheelSeparation"), ElementsAre(0.6));
  folder_.write("c.yaml", R"(
controller_manager: {ros__parameters: {m: {type: mecanum_drive_controller/MecanumDriveController}}}
m:
  ros__parameters:
    reference_timeout: 0.9
    front_left_wheel_command_joint_name: "fl_joint"
    front_right_wheel_command_joint_name: "fr_joint"
    rear_right_wheel_command_joint_name: "rr_joint"
    rear_left_wheel_command_joint_name: "rl_joint"
    kinematics:
      wheels_radius: 0.05
      sum_of_robot_center_projection_on_X_Y_axis: 0.35
)");
  world = read(text);
  ASSERT_TRUE(world) << diagnostics_.to_string();
  const wbt::Node& drive = node(*world, "MotorDrive");
  EXPECT_THAT(texts(drive, "leftMotors"), ElementsAre("fl_joint", "rl_joint"));
  EXPECT_THAT(numbers(drive, "wheelRadius"), ElementsAre(0.05));
  EXPECT_THAT(numbers(drive, "commandTimeout"), ElementsAre(0.9));
  // (a + b) / 2 of the node is the sum.
  EXPECT_EQ(numbers(drive, "wheelbase")[0] / 2 + numbers(drive, "wheelSeparation")[0] / 2, 0.35);
}

}  // namespace
}  // namespace protobeam::urdf
