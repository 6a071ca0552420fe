// Motors and position sensors.
#include <gmock/gmock.h>

#include "tests/unit/urdf/robot_text.h"

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

}  // namespace
}  // namespace protobeam::urdf
