// Motors that are moved by messages.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "message/sensor_msgs.h"
#include "message/std_msgs.h"
#include "message/trajectory_msgs.h"
#include "publish/joint_trajectory.h"
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
  const physics::World& bodies = *world.simulation().model().physics;
  EXPECT_THAT(world.collected().subscribed, ElementsAre("/joint_commands", "/arm/commands",
                                                        "/model/r/joint/right/cmd_vel", "/both"));
  message::Float64MultiArray numbers;
  numbers.data = {0.25, -1.5};
  world.collected().commands.push_back({"/arm/commands", message::to_cdr(numbers)});
  world.collected().commands.push_back(
      {"/model/r/joint/right/cmd_vel", message::to_cdr(message::Float64{2})});
  world.run(2);
  EXPECT_NEAR(bodies.joint_position(2, 0), 0.25, 1e-3);
  EXPECT_NEAR(bodies.joint_position(0, 0), -1.5, 1e-3);
  EXPECT_NEAR(bodies.joint_velocity(1, 0), 2, 1e-3);
  world.collected().commands.push_back({"/both", message::to_cdr(message::Float64{0.1})});
  numbers.data = {1};
  world.collected().commands.push_back({"/arm/commands", message::to_cdr(numbers)});
  world.run(4);
  EXPECT_NEAR(bodies.joint_position(0, 0), 0.1, 1e-3);
  EXPECT_NEAR(bodies.joint_position(2, 0), 0.1, 1e-3);
  EXPECT_THAT(world.notes(), ElementsAre("/arm/commands: 2 motors have 1 numbers (said once)"));
}

message::JointTrajectoryPoint point(std::vector<double> positions, std::vector<double> velocities,
                                    double time) {
  message::JointTrajectoryPoint out;
  out.positions = std::move(positions);
  out.velocities = std::move(velocities);
  out.time_from_start = message::duration_of(message::nanoseconds(time));
  return out;
}

TEST(MotorTopics, FollowTrajectories) {
  PublishedWorld world(with_topics(
      R"(Topic { motors [ "left" "lift" ] message "trajectory" name "arm/joint_trajectory" })"));
  EXPECT_THAT(world.collected().subscribed, testing::Contains("/arm/joint_trajectory"));
  const auto tell = [&](message::JointTrajectory wanted) {
    world.collected().commands.push_back({"/arm/joint_trajectory", message::to_cdr(wanted)});
  };
  const auto joint = [&](int number) {
    return world.simulation().model().physics->joint_position(number, 0);
  };
  world.run(1);
  message::JointTrajectory wanted;
  wanted.joint_names = {"lift", "left"};
  // From rest to rest by a cubic, then at a constant speed.
  wanted.points = {point({0.2, 1}, {0, 0}, 2), point({0.3, 0.5}, {}, 3)};
  tell(wanted);
  world.run(1.52);
  const double s = 0.26, part = 3 * s * s - 2 * s * s * s;
  EXPECT_NEAR(joint(0), part, 1e-4);
  EXPECT_NEAR(joint(2), 0.2 * part, 1e-4);
  world.run(3);
  EXPECT_NEAR(joint(0), 1, 1e-4);
  world.run(3.52);
  EXPECT_NEAR(joint(0), 0.74, 1e-4);
  EXPECT_NEAR(world.simulation().model().physics->joint_velocity(0, 0), -0.5, 5e-3);
  // Another one takes its place, for one of the joints only.
  wanted.joint_names = {"left"};
  wanted.points = {point({0}, {}, 1)};
  tell(wanted);
  world.run(5);
  EXPECT_NEAR(joint(0), 0, 1e-3);
  EXPECT_NEAR(joint(2), 0.252, 1e-3);
  EXPECT_THAT(world.notes(), ElementsAre());
  wanted.points = {point({0}, {}, 1), point({1}, {}, 1)};
  tell(wanted);
  wanted.points = {point({0, 0}, {}, 1)};
  tell(wanted);
  wanted.points = {point({}, {1}, 1)};
  tell(wanted);
  wanted.points = {point({1}, {}, 1)};
  wanted.header.stamp = message::time_of(1'000'000'000);
  tell(wanted);
  wanted.joint_names = {"right"};
  tell(wanted);
  world.run(5.2);
  EXPECT_THAT(
      world.notes(),
      ElementsAre(HasSubstr("/arm/joint_trajectory: the points of a trajectory are not in the "
                            "order of their times (said once)"),
                  HasSubstr("a point of 1 joints has 2 positions"),
                  HasSubstr("a point of 1 joints has 0 positions"), HasSubstr("ends in the past"),
                  HasSubstr("'right' is none of its joints")));
  EXPECT_NEAR(joint(0), 0, 1e-3);
}

TEST(MotorTopics, TakeTrajectoriesOfAnySize) {
  PublishedWorld world(with_topics(
      R"(Topic { motors [ "left" "lift" ] message "trajectory" name "arm/joint_trajectory" })"));
  constexpr double kMost = std::numeric_limits<double>::max();
  message::JointTrajectory wanted;
  wanted.joint_names = {"lift", "left"};
  double time = 0;
  for (const double number : {kMost, -kMost, 5e-324}) {
    wanted.points = {point({number, -number}, {number, number}, 1e-9),
                     point({-number, number}, {-number, 0}, 2e-9),
                     point({number, -number}, {number, 0}, 0.1), point({-number, number}, {}, 0.2)};
    world.collected().commands.push_back({"/arm/joint_trajectory", message::to_cdr(wanted)});
    world.run(time += 0.15);
    world.run(time += 0.15);
  }
  world.collected().commands.push_back({"/arm/joint_trajectory", {0, 1, 0, 0, 9}});
  wanted.points = {point({0.1, 0.2}, {}, 0.5)};
  world.collected().commands.push_back({"/arm/joint_trajectory", message::to_cdr(wanted)});
  world.run(time + 5);
  const physics::World& bodies = *world.simulation().model().physics;
  for (int joint = 0; joint < 3; ++joint)
    EXPECT_TRUE(std::isfinite(bodies.joint_position(joint, 0)));
  EXPECT_NEAR(bodies.joint_position(2, 0), 0.1, 1e-3);
  EXPECT_LE(world.notes().size(), 20u);
}

TEST(TrajectoryOfJoints, GoesThroughWhatItsPointsGive) {
  message::JointTrajectory wanted;
  wanted.joint_names = {"a"};
  wanted.points = {point({1}, {0.5}, 1), point({3}, {-0.25}, 3)};
  wanted.points[0].accelerations = {0.75};
  wanted.points[1].accelerations = {-1};
  const TrajectoryOfJoints path(wanted, 10, {{0.25, 0.125}});
  EXPECT_EQ(path.end(), 13);
  EXPECT_DOUBLE_EQ(path.at(10, 0).position, 0.25);
  EXPECT_DOUBLE_EQ(path.at(10, 0).velocity, 0.125);
  const double h = 1e-4;
  for (const auto& [time, position, velocity] :
       {std::tuple(11.0, 1.0, 0.5), std::tuple(13.0 - 1e-9, 3.0, -0.25)}) {
    EXPECT_NEAR(path.at(time, 0).position, position, 1e-8);
    EXPECT_NEAR(path.at(time, 0).velocity, velocity, 1e-8);
  }
  const auto acceleration = [&](double time) {
    return (path.at(time + h, 0).velocity - path.at(time, 0).velocity) / h;
  };
  EXPECT_NEAR(acceleration(11), 0.75, 1e-3);
  EXPECT_NEAR(acceleration(13 - 2 * h), -1, 2e-3);
  for (double time = 10.05; time < 12.9; time += 0.1)
    EXPECT_NEAR((path.at(time + h, 0).position - path.at(time - h, 0).position) / (2 * h),
                path.at(time, 0).velocity, 1e-6);
  EXPECT_EQ(path.at(14, 0).position, 3);
  EXPECT_EQ(path.at(14, 0).velocity, 0);
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
  EXPECT_THAT(problem(R"(Topic { motors "left" name "x" })"),
              HasSubstr("the message of a Topic with motors is position, velocity, effort, "
                        "trajectory or gripper, not ''"));
  EXPECT_THAT(problem(R"(Topic { motors [ "left" "right" "lift" ] message "trajectory" name "x"
                              goalTolerance [ 0.1 0.2 ] })"),
              HasSubstr("field 'goalTolerance' has 2 numbers for 3 motors"));
  EXPECT_THAT(problem(R"(Topic { motors "left" message "gripper" name "x" type "std_msgs/Bool" })"),
              HasSubstr("control_msgs/GripperCommand or control_msgs/ParallelGripperCommand, not "
                        "'std_msgs/Bool'"));
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
