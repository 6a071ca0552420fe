// Motors that are moved by messages.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "message/sensor_msgs.h"
#include "message/std_msgs.h"
#include "tests/unit/publish/collected.h"

namespace protobeam {
namespace {

using message::JointState;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

/// Two wheels and a lift on a robot that stands.
constexpr const char* kRobot = R"(Robot { name "r" controller "<none>" children [
  HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device RotationalMotor { name "left" }
    endPoint Solid { name "a" physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 } } }
  HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 anchor 1 0 0 } device RotationalMotor { name "right" }
    endPoint Solid { name "b" translation 1 0 0 physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 } } }
  SliderJoint { jointParameters JointParameters { axis 0 0 1 } device LinearMotor { name "lift" maxPosition 0.4 }
    endPoint Solid { name "c" translation 2 0 0 physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 } } } ] })";

class JointCommands : public testing::Test {
 protected:
  JointCommands() : world_(kRobot) {}
  void send(std::vector<std::string> names, std::vector<double> position,
            std::vector<double> velocity = {}, std::vector<double> effort = {}) {
    JointState out;
    out.name = std::move(names);
    out.position = std::move(position);
    out.velocity = std::move(velocity);
    out.effort = std::move(effort);
    world_.collected().commands.push_back({"/joint_commands", message::to_cdr(out)});
  }
  void run(double seconds) { world_.run(world_.simulation().time() + seconds); }
  JointState now() { return world_.collected().last<JointState>("/joint_states"); }

  PublishedWorld world_;
  const double nan_ = std::numeric_limits<double>::quiet_NaN();
};

TEST_F(JointCommands, MoveMotorsToTargets) {
  run(0.1);
  send({"lift", "left"}, {0.25, -1.5});
  run(2);
  world_.finish();
  EXPECT_THAT(world_.collected().subscribed, ElementsAre("/joint_commands"));
  EXPECT_THAT(now().name, ElementsAre("left", "right", "lift"));
  EXPECT_NEAR(now().position[0], -1.5, 1e-3);
  EXPECT_NEAR(now().position[1], 0, 1e-9);
  EXPECT_NEAR(now().position[2], 0.25, 1e-3);
  EXPECT_THAT(world_.notes(), ElementsAre());
}

TEST_F(JointCommands, TurnAtSpeedsAndWithTorques) {
  send({"left", "right"}, {nan_, nan_}, {2, nan_}, {nan_, 0.001});
  run(0.5);
  const physics::World& bodies = *world_.simulation().model().physics;
  EXPECT_NEAR(bodies.joint_velocity(0, 0), 2, 1e-3);
  // A torque on a ball of 1 kg: 0.4 m r^2.
  EXPECT_NEAR(bodies.joint_velocity(1, 0), 0.001 * 0.5 / (0.4 * 0.1 * 0.1), 0.01);
  // And back to a target, whatever speed comes along.
  send({"left"}, {nan_}, {0});
  run(0.1);
  send({"left"}, {0.5}, {0});
  run(2);
  world_.finish();
  EXPECT_NEAR(now().position[0], 0.5, 1e-3);
}

/// The robot with Topics among its children.
std::string with_topics(const std::string& topics) {
  const std::string text = kRobot;
  return text.substr(0, text.rfind(']')) + topics + " ] }";
}

TEST(MotorTopics, MoveGroupsAsRos2ControlDoes) {
  PublishedWorld world(with_topics(R"(
    Topic { motors [ "lift" "left" ] message "position" name "arm/commands" }
    Topic { motors "right" message "velocity" type "std_msgs/Float64" name "/model/r/joint/right/cmd_vel" }
    Topic { motors [ "left" "lift" ] message "position" type "std_msgs/Float64" name "both" })"));
  const auto now = [&] { return world.collected().last<JointState>("/joint_states"); };
  EXPECT_THAT(world.collected().subscribed, ElementsAre("/joint_commands", "/arm/commands",
                                                        "/model/r/joint/right/cmd_vel", "/both"));
  message::Float64MultiArray numbers;
  numbers.data = {0.25, -1.5};
  world.collected().commands.push_back({"/arm/commands", message::to_cdr(numbers)});
  world.collected().commands.push_back(
      {"/model/r/joint/right/cmd_vel", message::to_cdr(message::Float64{2})});
  world.run(2);
  EXPECT_NEAR(now().position[2], 0.25, 1e-3);
  EXPECT_NEAR(now().position[0], -1.5, 1e-3);
  EXPECT_NEAR(now().velocity[1], 2, 1e-3);
  world.collected().commands.push_back({"/both", message::to_cdr(message::Float64{0.1})});
  numbers.data = {1};
  world.collected().commands.push_back({"/arm/commands", message::to_cdr(numbers)});
  world.run(4);
  EXPECT_NEAR(now().position[0], 0.1, 1e-3);
  EXPECT_NEAR(now().position[2], 0.1, 1e-3);
  EXPECT_THAT(world.notes(), ElementsAre("/arm/commands: 2 motors have 1 numbers (said once)"));
}

TEST(MotorTopics, SayWhatIsWrong) {
  const auto problem = [](const std::string& topic) -> std::string {
    try {
      PublishedWorld world(with_topics(topic));
    } catch (const std::invalid_argument& problem) {
      return problem.what();
    }
    return "";
  };
  EXPECT_THAT(problem(R"(Topic { motors "lefd" message "position" name "x" })"),
              HasSubstr("robot 'r': there is no motor 'lefd'; did you mean 'left'?"));
  EXPECT_THAT(
      problem(R"(Topic { motors "left" name "x" })"),
      HasSubstr("the message of a Topic with motors is position, velocity or effort, not ''"));
  EXPECT_THAT(problem(R"(Topic { motors "left" message "effort" })"), HasSubstr("needs a name"));
  EXPECT_THAT(problem(R"(Topic { motors "left" message "effort" name "x" type "std_msgs/Bool" })"),
              HasSubstr("std_msgs/Float64MultiArray or std_msgs/Float64, not 'std_msgs/Bool'"));
}

TEST_F(JointCommands, SayWhatIsWrongOnce) {
  for (int i = 0; i < 3; ++i) {
    send({"lefd"}, {1});
    send({"left", "right"}, {1});
    send({"lift"}, {3});
    send({"lift"}, {nan_}, {}, {std::numeric_limits<double>::infinity()});
    world_.collected().commands.push_back({"/joint_commands", {0, 1, 0, 0, 9}});
    world_.collected().commands.push_back({"/others", {}});
    run(0.1);
  }
  world_.finish();
  EXPECT_THAT(
      world_.notes(),
      ElementsAre("/joint_commands: there is no motor 'lefd'; did you mean 'left'? (said once)",
                  "/joint_commands: 2 names have 1 numbers of a kind (said once)",
                  AllOf(HasSubstr("the requested position 3"), EndsWith("0.4 is used (said once)")),
                  "/joint_commands: a message is no JointState (said once)"));
  EXPECT_NEAR(now().position[0], 0, 1e-9);
}

TEST_F(JointCommands, OfAnySizeLeaveTheRobotWhole) {
  constexpr double kMost = std::numeric_limits<double>::max();
  for (const double number : {kMost, -kMost, 5e-324}) {
    send({"left", "right", "lift"}, {number, nan_, number}, {nan_, number, nan_});
    run(0.1);
    send({"left", "right", "lift"}, {}, {}, {number, number, number});
    run(0.1);
    send({"left", "left", "left"}, {number, 0, -number});
    send({}, {number}, {number}, {number});
    run(0.1);
  }
  send({std::string(1 << 20, 'l'), "", std::string("left\0", 5)}, {1, 1, 1});
  send(std::vector<std::string>(10000, "lift"), std::vector<double>(10000, 0.2));
  run(1);
  world_.finish();
  for (const double position : now().position) EXPECT_TRUE(std::isfinite(position));
  EXPECT_NEAR(now().position[2], 0.2, 1e-3);
  EXPECT_LE(world_.notes().size(), 20u);
}

}  // namespace
}  // namespace protobeam
