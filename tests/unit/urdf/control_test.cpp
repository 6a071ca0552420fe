// Motors and position sensors.
#include <gmock/gmock.h>

#include "tests/unit/urdf/drive_text.h"

namespace protobeam::urdf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kTwo =
    link("a") + link("b") + link("c") +
    joint("turn", "revolute", "a", "b",
          "<axis xyz=\"0 1 0\"/><limit lower=\"-0.5\" upper=\"2\" effort=\"7\" "
          "velocity=\"3\"/><dynamics damping=\"0.4\" friction=\"0.2\"/>") +
    joint("slide", "prismatic", "b", "c",
          "<limit lower=\"0\" upper=\"0.3\" effort=\"9\" velocity=\"0.5\"/>");

TEST_F(RobotTest, LimitsAreThoseOfTheJointAndItsMotor) {
  const auto world = read(robot(kTwo));
  const wbt::Node& hinge = node(*world, "HingeJointParameters");
  EXPECT_THAT(numbers(hinge, "minStop"), ElementsAre(-0.5));
  EXPECT_THAT(numbers(hinge, "maxStop"), ElementsAre(2));
  EXPECT_THAT(numbers(hinge, "dampingConstant"), ElementsAre(0.4));
  EXPECT_THAT(numbers(hinge, "staticFriction"), ElementsAre(0.2));
  EXPECT_THAT(numbers(hinge, "axis"), ElementsAre(0, 1, 0));
  const wbt::Node& motor = node(*world, "RotationalMotor", "turn");
  EXPECT_THAT(numbers(motor, "minPosition"), ElementsAre(-0.5));
  EXPECT_THAT(numbers(motor, "maxPosition"), ElementsAre(2));
  EXPECT_THAT(numbers(motor, "maxTorque"), ElementsAre(7));
  EXPECT_THAT(numbers(motor, "maxVelocity"), ElementsAre(3));
  EXPECT_THAT(numbers(node(*world, "LinearMotor", "slide"), "maxForce"), ElementsAre(9));
  node(*world, "PositionSensor", "turn_sensor");
  node(*world, "PositionSensor", "slide_sensor");
}

TEST_F(RobotTest, Ros2ControlSaysWhichJointsAreDriven) {
  const auto world =
      read(robot(kTwo +
                 "<ros2_control name=\"x\" type=\"system\"><hardware><plugin>p</plugin></hardware>"
                 "<joint name=\"slide\"><command_interface name=\"velocity\"/><state_interface "
                 "name=\"position\"/></joint>\n"
                 "<joint name=\"slyde\"/></ros2_control>"));
  node(*world, "LinearMotor", "slide");
  EXPECT_THROW(node(*world, "RotationalMotor"), std::runtime_error);
  EXPECT_THROW(node(*world, "PositionSensor", "turn_sensor"), std::runtime_error);
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("warning: there is no joint 'slyde' for <ros2_control>"));
}

TEST_F(RobotTest, LimitsThatNothingReachesAreNone) {
  const auto world =
      read(robot(link("a") + link("b") +
                 joint("turn", "revolute", "a", "b",
                       "<limit lower=\"-1e16\" upper=\"1e16\" effort=\"1\" velocity=\"1\"/>")));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  EXPECT_EQ(node(*world, "HingeJointParameters").find("minStop"), nullptr);
}

TEST_F(RobotTest, AMotorTurnsWithTheVelocityThatItIsTold) {
  load(robot("<link name=\"world\"/>" + link("wheel") +
             joint("axle", "continuous", "world", "wheel",
                   "<origin xyz=\"0 0 2\"/><axis xyz=\"0 1 0\"/>")));
  command("axle", "position", std::numeric_limits<double>::infinity());
  command("axle", "velocity", 0.5);
  run(2);
  const Quat expected(Eigen::AngleAxisd(1.0, Vec3::UnitY()));
  EXPECT_LT(pose("wheel").R.angularDistance(expected), 0.01);
}

/// Each Topic of motors: motors, message, name, type.
std::vector<std::string> motor_topics(const wbt::Node& robot) {
  std::vector<std::string> out;
  for (const wbt::NodePtr& one : robot.find("children")->value.nodes) {
    if (one->type != "Topic" || !one->find("motors")) continue;
    std::string text;
    for (const char* field : {"motors", "message", "name", "type"}) {
      const wbt::Field* found = one->find(field);
      for (const std::string& word : found ? found->value.strings : std::vector<std::string>{})
        text += (text.empty() ? "" : " ") + word;
    }
    out.push_back(text);
  }
  return out;
}

TEST_F(RobotTest, ControllersThatForwardCommandsAreTopicsOfMotors) {
  folder_.write("c.yaml", R"(
controller_manager:
  ros__parameters:
    arm: {type: forward_command_controller/ForwardCommandController}
    lift: {type: position_controllers/JointGroupPositionController}
    push: {type: effort_controllers/JointGroupEffortController}
    states: {type: joint_state_broadcaster/JointStateBroadcaster}
    moveit: {type: joint_trajectory_controller/JointTrajectoryController}
arm: {ros__parameters: {joints: [slide, turn], interface_name: velocity}}
lift: {ros__parameters: {joints: [slide]}}
push: {ros__parameters: {joints: [elbow]}}
moveit: {ros__parameters: {joints: [turn, slide], command_interfaces: [position]}}
)");
  const auto world =
      read(robot(kTwo + plugin("libgz_ros2_control-system.so",
                               "<ros><namespace>/r1</namespace><remapping>lift/commands:=up"
                               "</remapping></ros><parameters>c.yaml</parameters>")));
  // ros2_controllers, forward_command_controller/src/forward_controllers_base.cpp
  EXPECT_THAT(motor_topics(node(*world, "Robot")),
              ElementsAre("slide turn velocity /r1/arm/commands", "slide position /r1/up",
                          "turn slide trajectory /r1/moveit/joint_trajectory"));
  EXPECT_THAT(
      diagnostics_.to_string(),
      HasSubstr("c.yaml:6:18: warning: '/r1/push/commands' has no effect: there is no joint "
                "'elbow' with a motor"));
  EXPECT_EQ(diagnostics_.to_string().find("moveit"), std::string::npos);
}

TEST_F(RobotTest, ControllersThatTakeGoalsSayWhenTheseAreReached) {
  folder_.write("c.yaml", R"(
controller_manager:
  ros__parameters:
    arm: {type: joint_trajectory_controller/JointTrajectoryController}
    hand: {type: position_controllers/GripperActionController}
    claw: {type: parallel_gripper_action_controller/GripperActionController}
arm:
  ros__parameters:
    joints: [turn, slide]
    constraints: {goal_time: 0.5, stopped_velocity_tolerance: 0.2, slide: {trajectory: 0.1, goal: 0.05}}
hand: {ros__parameters: {joint: slide, goal_tolerance: 0.002, allow_stalling: true}}
claw: {ros__parameters: {joint: turn}}
)");
  const auto world =
      read(robot(kTwo + plugin("libgz_ros2_control-system.so", "<parameters>c.yaml</parameters>")));
  ASSERT_TRUE(world);
  EXPECT_THAT(
      motor_topics(node(*world, "Robot")),
      ElementsAre("turn slide trajectory arm/joint_trajectory", "slide gripper hand/gripper_cmd",
                  "turn gripper claw/gripper_cmd control_msgs/ParallelGripperCommand"));
  std::vector<const wbt::Node*> topics;
  for (const wbt::NodePtr& one : node(*world, "Robot").find("children")->value.nodes)
    if (one->type == "Topic" && one->find("motors")) topics.push_back(one.get());
  const auto numbers = [&](std::size_t topic, const char* field) {
    const wbt::Field* found = topics[topic]->find(field);
    std::vector<double> out;
    if (found) out.assign(found->value.numbers.begin(), found->value.numbers.end());
    return out;
  };
  EXPECT_THAT(numbers(0, "goalTime"), ElementsAre(0.5));
  EXPECT_THAT(numbers(0, "stoppedVelocity"), ElementsAre(0.2));
  EXPECT_THAT(numbers(0, "pathTolerance"), ElementsAre(0, 0.1));
  EXPECT_THAT(numbers(0, "goalTolerance"), ElementsAre(0, 0.05));
  EXPECT_THAT(numbers(1, "goalTolerance"), ElementsAre(0.002));
  EXPECT_THAT(numbers(1, "allowStalling"), ElementsAre(1));
  EXPECT_THAT(numbers(2, "goalTolerance"), ElementsAre());
}

/// Each Ros2Controller and each Ros2Hardware: its fields that are texts.
std::vector<std::string> managed(const wbt::Node& robot) {
  std::vector<std::string> out;
  for (const wbt::NodePtr& one : robot.find("children")->value.nodes) {
    if (one->type != "Ros2Controller" && one->type != "Ros2Hardware") continue;
    std::string text = one->type.substr(4);
    for (const char* field :
         {"name", "type", "plugin", "manager", "commands", "states", "topics"}) {
      if (const wbt::Field* found = one->find(field))
        text += fmt::format(" {} {}", field, fmt::join(found->value.strings, ","));
    }
    if (const wbt::Field* rate = one->find("stateRate"))
      text += fmt::format(" rate {}", rate->value.numbers.at(0));
    out.push_back(text);
  }
  return out;
}

TEST_F(RobotTest, ControllersAreThoseOfTheirManager) {
  folder_.write("c.yaml", R"(
controller_manager:
  ros__parameters:
    states: {type: joint_state_broadcaster/JointStateBroadcaster}
    arm: {type: joint_trajectory_controller/JointTrajectoryController}
    fast: {type: joint_trajectory_controller/JointTrajectoryController}
    push: {type: effort_controllers/JointGroupEffortController}
    claw: {type: parallel_gripper_action_controller/GripperActionController}
    gone: {type: forward_command_controller/ForwardCommandController}
    pid: {type: pid_controller/PidController}
arm: {ros__parameters: {joints: [turn, slide], command_interfaces: [position, velocity], state_interfaces: [position]}}
fast: {ros__parameters: {joints: [turn], state_publish_rate: 200.0}}
push: {ros__parameters: {joints: [slide]}}
claw: {ros__parameters: {joint: slide, max_effort_interface: slide/set_gripper_max_effort}}
gone: {ros__parameters: {joints: [elbow], interface_name: position}}
)");
  const std::string control =
      "<ros2_control name=\"bench\" "
      "type=\"actuator\"><hardware><plugin>gz/System</plugin></hardware>"
      "<joint name=\"turn\"><command_interface name=\"position\"/><state_interface "
      "name=\"velocity\"/>"
      "</joint><joint name=\"slide\"><command_interface name=\"effort\"/></joint></ros2_control>";
  const auto world = read(robot(kTwo + control +
                                plugin("gz_ros2_control-system",
                                       "<ros><namespace>r1</namespace></ros>"
                                       "<parameters>c.yaml</parameters>")));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  // ros2_controllers: command_interface_configuration() and state_interface_configuration().
  EXPECT_THAT(
      managed(node(*world, "Robot")),
      ElementsAre(
          "Controller name arm type joint_trajectory_controller/JointTrajectoryController manager "
          "r1/controller_manager commands "
          "turn/position,turn/velocity,slide/position,slide/velocity "
          "states turn/position,slide/position topics r1/arm/joint_trajectory",
          "Controller name fast type joint_trajectory_controller/JointTrajectoryController manager "
          "r1/controller_manager commands turn/position states turn/position,turn/velocity topics "
          "r1/fast/joint_trajectory rate 200",
          "Controller name push type effort_controllers/JointGroupEffortController manager "
          "r1/controller_manager commands slide/effort topics r1/push/commands rate 0",
          "Controller name claw type parallel_gripper_action_controller/GripperActionController "
          "manager r1/controller_manager commands slide/position,slide/set_gripper_max_effort "
          "states slide/position,slide/velocity topics r1/claw/gripper_cmd rate 0",
          "Hardware name bench type actuator plugin gz/System manager r1/controller_manager "
          "commands turn/position,slide/effort states turn/velocity",
          "Controller name states type joint_state_broadcaster/JointStateBroadcaster manager "
          "r1/controller_manager states turn/velocity topics joint_states rate 0"));
  // Two robots in one text name the parameters of both.
  const std::string twice = plugin("gz_ros2_control-system", "<parameters>c.yaml</parameters>");
  EXPECT_EQ(managed(node(*read(robot(kTwo + twice + twice)), "Robot")).size(), 5u);
  // Without a plugin there is no manager.
  EXPECT_THAT(managed(node(*read(robot(kTwo + control)), "Robot")), ElementsAre());
}

TEST_F(RobotTest, SensorsOfRos2ControlHaveTheNamesOfTheirControllers) {
  folder_.write("c.yaml", R"(
tilt: {ros__parameters: {type: imu_sensor_broadcaster/IMUSensorBroadcaster, sensor_name: level, frame_id: b}}
push: {ros__parameters: {type: force_torque_sensor_broadcaster/ForceTorqueSensorBroadcaster, sensor_name: wrist}}
lost: {ros__parameters: {type: imu_sensor_broadcaster/IMUSensorBroadcaster, sensor_name: wrist}}
)");
  const auto world = read(
      robot(kTwo +
            "<gazebo reference=\"b\"><sensor name=\"level\" "
            "type=\"imu\"><topic>imu</topic></sensor></gazebo>"
            "<gazebo reference=\"slide\"><sensor name=\"wrist\" type=\"force_torque\"/></gazebo>"
            "<ros2_control name=\"x\" type=\"system\"><sensor name=\"level\"><state_interface "
            "name=\"orientation.x\"/></sensor></ros2_control>" +
            plugin("gz_ros2_control-system",
                   "<ros><namespace>/r1</namespace></ros><parameters>c.yaml</parameters>")));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  std::vector<std::string> named;
  for (const wbt::NodePtr& one : node(*world, "Robot").find("children")->value.nodes)
    if (one->type == "Topic" && one->find("device"))
      named.push_back(one->find("device")->value.strings.at(0) + " " +
                      one->find("name")->value.strings.at(0));
  EXPECT_THAT(named, ElementsAre("level /r1/tilt/imu", "wrist /r1/push/wrench"));
  const auto all = managed(node(*world, "Robot"));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_THAT(all[1], HasSubstr("name tilt type imu_sensor_broadcaster/IMUSensorBroadcaster"));
  EXPECT_THAT(all[1], HasSubstr("level/orientation.w,level/angular_velocity.x"));
  EXPECT_THAT(all[2], HasSubstr("wrist/torque.z topics /r1/push/wrench"));
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("c.yaml:4:32: warning: the controller 'lost' has no effect: there is no "
                        "Imu 'wrist'"));
  EXPECT_THAT(diagnostics_.to_string(), testing::Not(HasSubstr("<sensor> of <ros2_control>")));
}

TEST_F(RobotTest, PlacesFieldsAndRangesOfRos2ControlAreBroadcastToo) {
  folder_.write("c.yaml", R"(
where: {ros__parameters: {type: gps_sensor_broadcaster/GPSSensorBroadcaster, sensor_name: fix,
                          read_covariance_from_interface: true}}
north: {ros__parameters: {type: magnetometer_broadcaster/MagnetometerBroadcaster, sensor_name: needle}}
ahead: {ros__parameters: {type: range_sensor_broadcaster/RangeSensorBroadcaster, sensor_name: sonar}}
lost: {ros__parameters: {type: range_sensor_broadcaster/RangeSensorBroadcaster, sensor_name: needle}}
)");
  const auto world =
      read(robot(kTwo +
                 "<gazebo reference=\"b\"><sensor name=\"fix\" type=\"navsat\"/>"
                 "<sensor name=\"needle\" type=\"magnetometer\"/>"
                 "<sensor name=\"sonar\" type=\"ray\"><ray/></sensor></gazebo>" +
                 plugin("gz_ros2_control-system", "<parameters>c.yaml</parameters>")));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  std::vector<std::string> named;
  for (const wbt::NodePtr& one : node(*world, "Robot").find("children")->value.nodes) {
    if (one->type != "Topic" || !one->find("device")) continue;
    std::string text;
    for (const char* field : {"device", "message", "name"})
      text += (one->find(field) ? one->find(field)->value.strings.at(0) : "-") + " ";
    named.push_back(text);
  }
  EXPECT_THAT(named,
              ElementsAre("fix - where/gps/fix ", "needle magnetic_field north/magnetic_field ",
                          "sonar range ahead/range "));
  const auto all = managed(node(*world, "Robot"));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_THAT(all[0], HasSubstr("fix/status,fix/service,fix/latitude,fix/longitude,fix/altitude,"
                                "fix/latitude_covariance"));
  EXPECT_THAT(all[1], HasSubstr("needle/magnetic_field.z topics north/magnetic_field"));
  EXPECT_THAT(all[2], HasSubstr("states sonar/range topics ahead/range"));
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("the controller 'lost' has no effect: there is no Lidar 'needle'"));
}

TEST_F(RobotTest, RangesOfGazeboClassicAreNoScans) {
  const auto world = read(
      robot(kTwo +
            "<gazebo reference=\"b\"><sensor name=\"sonar\" type=\"ray\"><ray/>"
            "<plugin name=\"p\" filename=\"libgazebo_ros_ray_sensor.so\"><ros><remapping>~/out:="
            "ahead</remapping></ros><output_type>sensor_msgs/Range</output_type></plugin>"
            "</sensor></gazebo>"));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  const std::string text = wbt::to_text(*world);
  EXPECT_THAT(text, testing::ContainsRegex("message \"range\"[[:space:]]+name \"ahead\""));
  EXPECT_THAT(text, testing::ContainsRegex("device \"sonar\"[[:space:]]+enabled FALSE"));
}

// What ros2_control_node gets in a launch file.
TEST_F(RobotTest, ControllersMayComeFromOutsideOfTheText) {
  const auto file = folder_.write("c.yaml", R"(
controller_manager:
  ros__parameters:
    states: {type: joint_state_broadcaster/JointStateBroadcaster}
    lift: {type: position_controllers/JointGroupPositionController}
lift: {ros__parameters: {joints: [slide]}}
)");
  const std::string control =
      "<ros2_control name=\"x\" type=\"system\"><hardware>"
      "<plugin>mock_components/GenericSystem</plugin></hardware><joint name=\"slide\">"
      "<command_interface name=\"position\"/><state_interface name=\"position\"/></joint>"
      "</ros2_control>";
  EXPECT_THAT(managed(node(*read(robot(kTwo + control)), "Robot")), ElementsAre());
  options_.controllers = {file};
  const auto alone = read(robot(kTwo + control));
  ASSERT_TRUE(alone) << diagnostics_.to_string();
  EXPECT_THAT(
      managed(node(*alone, "Robot")),
      ElementsAre(HasSubstr("name lift type position_controllers/JointGroupPositionController"),
                  HasSubstr("Hardware name x plugin mock_components/GenericSystem"),
                  HasSubstr("name states type")));
  EXPECT_THAT(motor_topics(node(*alone, "Robot")), ElementsAre("slide position lift/commands"));
  EXPECT_EQ(diagnostics_.to_string(), "");
  // A plugin says the namespace, and may name others besides.
  const auto both = read(robot(
      kTwo + control + plugin("gz_ros2_control-system", "<ros><namespace>/r1</namespace></ros>")));
  EXPECT_THAT(motor_topics(node(*both, "Robot")), ElementsAre("slide position /r1/lift/commands"));
  read(robot(kTwo));
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("the robot has no <ros2_control>"));
}

TEST_F(RobotTest, GazebosPluginsForJointsAreServos) {
  // gz-sim, src/systems: joint_position_controller, joint_controller, apply_joint_force
  const auto world = read(robot(
      kTwo +
      plugin("gz-sim-joint-position-controller-system",
             "<joint_name>turn</joint_name><p_gain>3</p_gain><i_max>-2</i_max><cmd_max>7</cmd_max>"
             "<initial_position>0.5</initial_position>") +
      plugin("gz-sim-joint-position-controller-system",
             "<joint_name>turn</joint_name><joint_name>slide</joint_name><topic>pose</topic>"
             "<use_velocity_commands>true</use_velocity_commands><cmd_max>0.2</cmd_max>") +
      plugin("ignition-gazebo-joint-controller-system", "<joint_name>turn</joint_name>") +
      plugin("gz-sim-joint-controller-system",
             "<joint_name>turn</joint_name><sub_topic>speed</sub_topic>"
             "<initial_velocity>2</initial_velocity><use_force_commands>1</use_force_commands>") +
      plugin("gz-sim-apply-joint-force-system", "<joint_name>slide</joint_name>") +
      plugin("gz-sim-joint-trajectory-controller-system", "")));
  EXPECT_THAT(motor_topics(node(*world, "Robot")),
              ElementsAre("turn slide trajectory /model/r/joint_trajectory"));
  std::vector<std::string> servos, topics;
  std::vector<const wbt::Node*> nodes;
  const auto text = [](const wbt::Node& of, const char* field) {
    const wbt::Field* found = of.find(field);
    return found ? fmt::format("{}", fmt::join(found->value.strings, ",")) : std::string("-");
  };
  for (const wbt::NodePtr& one : node(*world, "Robot").find("children")->value.nodes) {
    if (one->type == "JointServo") {
      nodes.push_back(one.get());
      servos.push_back(text(*one, "motors") + " " + text(*one, "quantity") + " " +
                       text(*one, "by"));
    } else if (one->type == "Topic" && one->find("device")) {
      topics.push_back(text(*one, "device") + " " + text(*one, "message") + " " +
                       text(*one, "name"));
    }
  }
  EXPECT_THAT(servos, ElementsAre("turn position -", "turn,slide position velocity",
                                  "turn velocity velocity", "turn velocity -", "slide effort -"));
  EXPECT_THAT(topics, ElementsAre("turn cmd_pos set_point /model/r/joint/turn/cmd_pos",
                                  "turn cmd_pos 2 set_point pose",
                                  "turn cmd_vel set_point /model/r/joint/turn/cmd_vel",
                                  "turn cmd_vel 2 set_point /model/r/speed",
                                  "slide cmd_force set_point /model/r/joint/slide/cmd_force"));
  ASSERT_EQ(nodes.size(), 5u);
  EXPECT_THAT(numbers(*nodes[0], "controlPID"), ElementsAre(3, 0.1, 0.01));
  EXPECT_THAT(numbers(*nodes[0], "integralLimits"), ElementsAre());
  EXPECT_THAT(numbers(*nodes[0], "outputLimits"), ElementsAre(-1000, 7));
  EXPECT_THAT(numbers(*nodes[0], "setPoint"), ElementsAre(0.5));
  EXPECT_THAT(numbers(*nodes[1], "maxVelocity"), ElementsAre(0.2));
  EXPECT_THAT(numbers(*nodes[3], "controlPID"), ElementsAre(1, 0, 0));
  EXPECT_THAT(numbers(*nodes[3], "integralLimits"), ElementsAre(-1, 1));
  EXPECT_THAT(numbers(*nodes[3], "setPoint"), ElementsAre(2));
  EXPECT_EQ(diagnostics_.to_string().find("warning"), std::string::npos);
}

}  // namespace
}  // namespace protobeam::urdf
