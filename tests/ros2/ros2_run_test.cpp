// `run --publish ros2` and other programs: one with another implementation of DDS drives a vehicle, a
// client of Cyclone DDS steps the simulation.
#include <gmock/gmock.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "message/geometry_msgs.h"
#include "plugins/outputs/ros2/test_support.h"
#include "tests/support/program.h"

namespace protobeam::test {
namespace {

using ros2_test::milliseconds;
using ros2_test::OwnDomain;
using ros2_test::Program;
using ros2_test::seconds;

std::string hex(const message::Bytes& bytes) {
  std::ostringstream out;
  for (const std::uint8_t byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    out << kDigits[byte >> 4] << kDigits[byte & 15];
  }
  return out.str();
}

/// A column of a table with a header, by its name.
std::vector<double> column(const std::filesystem::path& file, const std::string& name) {
  std::ifstream in(file);
  std::string line, word;
  std::getline(in, line);
  std::istringstream header(line);
  std::size_t wanted = 0;
  for (std::size_t i = 0; std::getline(header >> std::ws, word, ','); ++i) {
    if (word == name) wanted = i;
  }
  std::vector<double> out;
  while (std::getline(in, line)) {
    std::istringstream row(line);
    for (std::size_t i = 0; std::getline(row, word, ','); ++i) {
      if (i == wanted) out.push_back(std::stod(word));
    }
  }
  return out;
}

const std::string kCar = R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 8 }
Solid { name "ground" boundingObject Plane { size 100 100 } children [ Shape { geometry Plane { size 100 100 } } ] }
Robot { name "car" controller "<none>" physics Physics { density -1 mass 10 }
  boundingObject Pose { translation 0 0 0.3 children [ Box { size 0.6 0.4 0.2 } ] }
  children [ DifferentialDrive { controller TwistIdeal { }
    wheels [ VehicleWheel { position 0 0.3 0.1 diameter 0.2 width 0.05 }
             VehicleWheel { position 0 -0.3 0.1 diameter 0.2 width 0.05 } ] } ] }
)";

/// Another implementation of DDS says 0.5 m/s on cmd_vel for a second, once both ends know each
/// other.
class TwistWriter {
 public:
  explicit TwistWriter(const OwnDomain& domain)
      : peer_("fastdds_peer", {domain.text()}), thread_([this] { run(); }) {}
  /// For how long it has told it.
  std::chrono::duration<double> join() {
    thread_.join();
    return told_;
  }

 private:
  void run() {
    message::Twist twist;
    twist.linear.x = 0.5;
    const std::string topic = "rt/cmd_vel geometry_msgs::msg::dds_::Twist_";
    const std::string words = "write " + topic + " " + hex(message::to_cdr(twist));
    peer_.wait_for("reader rt/cmd_vel");
    peer_.tell("open " + topic);
    peer_.wait_for("open rt/cmd_vel");
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 10; ++i) {
      peer_.tell(words);
      std::this_thread::sleep_for(milliseconds(100));
    }
    told_ = std::chrono::steady_clock::now() - begin;
  }

  Program peer_;
  std::chrono::duration<double> told_{};
  std::thread thread_;
};

TEST(Ros2Run, IsDrivenByAnotherImplementationUntilThatFallsSilent) {
  const TemporaryFolder folder;
  const OwnDomain domain;
  const auto world = folder.write("car.wbt", kCar);
  TwistWriter writer(domain);
  const Outcome outcome =
      protobeam({"run", world.string(), "--publish", "ros2", "--ros-domain-id", domain.text(),
                 "--realtime", "--duration", "10", "--log", (folder / "log").string()});
  const auto told = writer.join();
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto speeds = column(folder / "log/mvsim_car_pose.csv", "dqx");
  ASSERT_EQ(speeds.size(), 1250u);
  const auto fast = std::ranges::count_if(speeds, [](double v) { return std::abs(v - 0.5) < 1e-3; });
  // The second in which it is told, and the one after which silence counts.
  EXPECT_GT(fast * 0.008, 1.5);
  EXPECT_LT(fast * 0.008, told.count() + 1.8);
  EXPECT_NEAR(speeds.front(), 0, 1e-6);
  EXPECT_NEAR(speeds.back(), 0, 1e-6);
}

TEST(Ros2Run, DrivesARobotOfUrdfByTheMotorsOfItsWheels) {
  const TemporaryFolder folder;
  const OwnDomain domain;
  const auto outputs = folder.write("outputs.yaml", "outputs:\n  - {type: CsvRecorder, folder: " +
                                                        (folder / "tables").string() + "}\n");
  TwistWriter writer(domain);
  const Outcome outcome =
      protobeam({"run", "worlds/cart/cart.urdf", "--publish", "ros2", "--ros-domain-id",
                 domain.text(), "--realtime", "--duration", "10", "--outputs", outputs.string()});
  const auto told = writer.join();
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto ways = column(folder / "tables/odom.csv", "pose.pose.position.x");
  const auto truth = column(folder / "tables/base_pose_ground_truth.csv", "pose.pose.position.x");
  ASSERT_FALSE(ways.empty());
  EXPECT_GT(ways.back(), 0.5 * told.count());
  EXPECT_LT(ways.back(), 0.5 * 10);
  EXPECT_NEAR(ways.back(), truth.back(), 0.03);
  // Gazebo's plugin holds the last twist; odometry is told 50 times a second.
  EXPECT_NEAR(ways.back() - ways[ways.size() - 10], 9 * 0.5 / 50, 1e-3);
}

// Clients with either middleware.
TEST(Ros2Run, MakesAThousandStepsWhenAThousandAreAskedFor) {
  for (const char* program : {"service_client", "fast_client"}) {
    const TemporaryFolder folder;
    const OwnDomain domain;
    const auto world = folder.write("car.wbt", kCar);
    // The client and the run end by themselves only when both have counted the same steps.
    std::string said;
    std::thread stepper([&] {
      Program client(program, {domain.text(), "steps", "1000"});
      client.ended_within(std::chrono::seconds(90));
      client.wait_for("", 1, std::chrono::seconds(5));
      if (const auto lines = client.all(""); !lines.empty()) said = lines.back();
    });
    const Outcome outcome =
        protobeam({"run", world.string(), "--publish", "ros2", "--ros-domain-id", domain.text(),
                   "--paused", "--duration", "8", "--json"});
    stepper.join();
    EXPECT_EQ(said, "1000 of 1000") << program;
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["sim_time_s"], 8.0);
  }
}

TEST(Ros2Run, BringsInTakesOutAndBeginsAgain) {
  const TemporaryFolder folder;
  const OwnDomain domain;
  const auto world = folder.write("car.wbt", kCar);
  std::vector<std::string> said;
  Surroundings run;
  run.meanwhile = [&](pid_t program) {
    Program client("control_client", {domain.text()});
    client.ended_within(std::chrono::seconds(60));
    client.wait_for("spawn_entity", 3, std::chrono::seconds(5));
    said = client.all("");
    kill(program, SIGINT);
  };
  const Outcome outcome = protobeam(
      {"run", world.string(), "--publish", "ros2", "--ros-domain-id", domain.text(), "--realtime",
       "--duration", "90"}, run);
  EXPECT_EQ(outcome.exit, 130) << outcome.err;
  // 1: good; 101: the name is taken; 2: there is none.
  EXPECT_THAT(said, testing::ElementsAre("spawn_entity 1 ", "spawn_entity 101 there is an entity 'box'",
                                         "delete_entity 1 ", "delete_entity 2 there is no entity 'box'",
                                         "reset_simulation 1 ", "spawn_entity 1 "));
}

/// A robot of URDF, by its file, its text and again, with what is wrong told by its place; its
/// topics come and go for another implementation of DDS.
TEST(Ros2Run, BringsInRobotsOfUrdfUnderTheirNamespaces) {
  const TemporaryFolder folder;
  const OwnDomain domain;
  const auto world = folder.write("floor.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 8 }
Solid { name "ground" boundingObject Plane { size 100 100 } }
)");
  folder.write("wrong.urdf",
               "<robot name=\"w\">\n<link name=\"a\"/><joint name=\"j\" "
               "type=\"fixed\"><parent link=\"a\"/><child link=\"c\"/></joint></robot>");
  folder.write("model.sdf",
               R"(<sdf version="1.9"><model name="box"><link name="l"><collision name="c">
<geometry><box><size>1 1 1</size></box></geometry></collision></link></model></sdf>)");
  folder.write("controllers/hello/hello.py",
               "from controller import Robot\nrobot = Robot()\n"
               "print('hello from', robot.getName(), flush=True)\n"
               "while robot.step(64) != -1:\n    pass\nprint('bye', flush=True)\n");
  const auto greeter = folder.write("greeter.txt", "Robot { controller \"hello\" }");
  const std::string cart = source_dir() + "/worlds/cart/cart.urdf";
  std::vector<std::string> said, gone;
  Surroundings run;
  run.meanwhile = [&](pid_t program) {
    Program peer("fastdds_peer", {domain.text()});
    Program client("control_client", {domain.text(), "-"});
    client.tell("spawn cart1 r1 " + cart + " 0 0 0.1");
    client.tell("text cart2 r2 " + cart + " 2 0 0.1");
    peer.wait_for("writer rt/r1/odom nav_msgs::msg::dds_::Odometry_");
    peer.wait_for("reader rt/r2/cmd_vel geometry_msgs::msg::dds_::Twist_");
    peer.tell("read rt/r1/odom nav_msgs::msg::dds_::Odometry_ reliable volatile");
    peer.wait_for("data rt/r1/odom", 3);
    client.wait_for("spawn_entity 1", 2);
    client.tell("delete cart1");
    client.wait_for("delete_entity 1");
    peer.wait_for("no writer rt/r1/odom");
    peer.wait_for("no reader rt/r1/cmd_vel");
    gone = peer.all("no writer rt/r2");
    client.tell("text greeter - " + greeter.string());
    client.wait_for("spawn_entity 1", 3);
    std::this_thread::sleep_for(seconds(2));
    client.tell("delete greeter");
    client.wait_for("delete_entity 1", 2);
    client.tell("spawn - - wrong.urdf");
    client.tell("spawn - - model.sdf 4 0 1");
    client.tell("spawn - - nothing.urdf");
    client.tell("spawn - - model.dae");
    client.tell("text m - " + (folder / "floor.wbt").string());
    client.tell("spawn cart1 r1 " + cart + " 0 0 0.1");
    client.wait_for("spawn_entity", 9);
    peer.wait_for("writer rt/r1/odom", 2);
    said = client.all("spawn_entity ");
    kill(program, SIGINT);
  };
  const Outcome outcome = protobeam({"run", world.string(), "--publish", "ros2", "--ros-domain-id",
                                     domain.text(), "--realtime", "--duration", "90"},
                                    run);
  EXPECT_EQ(outcome.exit, 130) << outcome.err;
  EXPECT_THAT(gone, testing::IsEmpty());
  ASSERT_EQ(said.size(), 9u);
  EXPECT_EQ(said[0], "1 ");
  EXPECT_EQ(said[1], "1 ");
  EXPECT_EQ(said[2], "1 ");
  EXPECT_THAT(outcome.out + outcome.err, testing::HasSubstr("hello from greeter"));
  EXPECT_THAT(outcome.out + outcome.err, testing::HasSubstr("bye"));
  EXPECT_THAT(said[3], testing::StartsWith("106 "));
  EXPECT_THAT(said[3], testing::HasSubstr("wrong.urdf:2:"));
  EXPECT_THAT(said[3], testing::HasSubstr("there is no link 'c'"));
  EXPECT_EQ(said[4], "1 ");
  EXPECT_THAT(said[5], testing::StartsWith("2 there is no file '"));
  EXPECT_THAT(said[6], testing::StartsWith("103 'model.dae' is no model"));
  EXPECT_EQ(said[7], "1 ") << "nodes of a world, without its WorldInfo";
  EXPECT_EQ(said[8], "1 ");
}

/// What the client of the action says. The run ends by SIGINT: after `stop` lines, or after the client.
std::vector<std::string> step_by_action(const std::vector<std::string>& commands, std::size_t stop,
                                        Outcome& outcome) {
  const TemporaryFolder folder;
  const OwnDomain domain;
  const auto world = folder.write("car.wbt", kCar);
  std::vector<std::string> said;
  Surroundings run;
  run.meanwhile = [&](pid_t program) {
    std::vector<std::string> words{domain.text()};
    words.insert(words.end(), commands.begin(), commands.end());
    Program client("action_client", words);
    if (stop > 0 && client.wait_for("", stop, seconds(60))) kill(program, SIGINT);
    client.ended_within(seconds(60));
    client.wait_for("", commands.size() + (stop > 0 ? 1 : 0), seconds(5));  // the result of the last goal
    said = client.all("");
    if (stop == 0) kill(program, SIGINT);
  };
  outcome = protobeam({"run", world.string(), "--publish", "ros2", "--ros-domain-id", domain.text(), "--paused",
                       "--duration", "100000", "--json"}, run);
  return said;
}

TEST(Ros2Run, MakesTheStepsOfGoals) {
  Outcome outcome;
  const auto said = step_by_action({"1", "399", "late", "600"}, 0, outcome);
  EXPECT_THAT(said, testing::ElementsAre("accepted, feedback rises to 1, status 4 result 1 ''",
                                         "accepted, feedback rises to 399, status 4 result 1 ''",
                                         "status 4 result 1 ''",
                                         "accepted, feedback rises to 600, status 4 result 1 ''"));
  ASSERT_EQ(outcome.exit, 130) << outcome.err;
  // A thousand steps of 8 ms, and none besides.
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["sim_time_s"], 8.0);
}

TEST(Ros2Run, CancelsGoalsAndEndsThemWithTheRun) {
  Outcome outcome;
  const auto said = step_by_action({"cancel", "second", "gone", "late", "stay"}, 5, outcome);
  EXPECT_THAT(said, testing::ElementsAre(
                        "return code 0, 1 goals, status 5 result 4 'canceled after  of  steps'",
                        "rejected, return code 2, 0 goals, all: return code 0, 1 goals",
                        "return code 0, 1 goals, status 5 result 4 'canceled after  of  steps'",
                        testing::MatchesRegex("status 5 result 4 'canceled after [0-9]+ of 1000000000 steps'"),
                        "begun", "status 6 result 4 'the run ended after  of  steps'"));
  EXPECT_EQ(outcome.exit, 130) << outcome.err;
}

TEST(Ros2Run, FollowsTrajectoriesOfClients) {
  const TemporaryFolder folder;
  const OwnDomain domain;
  const auto world = folder.write("arm.wbt", R"(#VRML_SIM R2023b utf8
WorldInfo { gravity 0 basicTimeStep 8 }
Robot { name "r" controller "<none>" children [
  HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device RotationalMotor { name "turn" }
    endPoint Solid { name "a" physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 } } }
  Topic { motors "turn" message "trajectory" name "arm/joint_trajectory" pathTolerance 0.2 } ] }
)");
  std::vector<std::string> said;
  Surroundings run;
  run.meanwhile = [&](pid_t program) {
    // The second one is faster than the motor can turn; there is no third joint.
    Program client("trajectory_client", {domain.text(), "/arm/follow_joint_trajectory", "turn",
                                         "1.5", "1", "-3", "0.02"});
    client.ended_within(seconds(60));
    Program stranger("trajectory_client",
                     {domain.text(), "/arm/follow_joint_trajectory", "wrist", "1", "1"});
    stranger.ended_within(seconds(60));
    client.wait_for("", 2, seconds(5));
    stranger.wait_for("", 1, seconds(5));
    said = client.all("");
    for (const std::string& line : stranger.all("")) said.push_back(line);
    kill(program, SIGINT);
  };
  const Outcome outcome = protobeam({"run", world.string(), "--publish", "ros2", "--ros-domain-id",
                                     domain.text(), "--realtime", "--duration", "90"},
                                    run);
  EXPECT_EQ(outcome.exit, 130) << outcome.err;
  EXPECT_THAT(
      said,
      testing::ElementsAre(
          testing::MatchesRegex("accepted, (1[89]|2[0-9]|3[0-9]) messages of feedback, near, "
                                "status 4 code 0 'reached'"),
          testing::MatchesRegex(
              "accepted, [0-2] messages of feedback, far, status 6 code -4 ''turn' is off by .*"),
          "rejected, 0 messages of feedback, far, status 0 code -1 'there is no goal with this id, "
          "or none any more'"));
  EXPECT_THAT(outcome.err,
              testing::HasSubstr("a goal was rejected: 'wrist' is none of its joints"));
}

// The robot of a URDF, its controllers as they stand in a file of parameters.
const char* const kSpawned = R"(<robot name="r"><link name="world"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<joint name="turn" type="revolute"><parent link="world"/><child link="a"/><axis xyz="0 0 1"/>
  <limit lower="-3" upper="3" effort="10" velocity="3"/></joint>
<ros2_control name="bench" type="system"><hardware><plugin>gz_ros2_control/GazeboSimSystem</plugin></hardware>
  <joint name="turn"><command_interface name="position"/><command_interface name="velocity"/>
  <state_interface name="position"/><state_interface name="velocity"/></joint></ros2_control>
<gazebo><plugin filename="gz_ros2_control-system" name="c"><parameters>c.yaml</parameters></plugin></gazebo></robot>
)";
const char* const kControllers = R"(
controller_manager:
  ros__parameters:
    states: {type: joint_state_broadcaster/JointStateBroadcaster}
    arm: {type: joint_trajectory_controller/JointTrajectoryController}
    speed: {type: velocity_controllers/JointGroupVelocityController}
    place: {type: position_controllers/JointGroupPositionController}
arm: {ros__parameters: {joints: [turn], command_interfaces: [position], state_interfaces: [position]}}
speed: {ros__parameters: {joints: [turn]}}
place: {ros__parameters: {joints: [turn]}}
)";

struct SaidOfArm {
  std::vector<std::string> lines;  ///< of the client
  std::string err;                 ///< of the run
};

/// What a client says of that robot while it runs, until a line with `last`.
SaidOfArm ask_arm(const std::string& program, const std::vector<std::string>& arguments,
                  const std::string& last) {
  const TemporaryFolder folder;
  const OwnDomain domain;
  folder.write("c.yaml", kControllers);
  const auto robot = folder.write("arm.urdf", kSpawned);
  SaidOfArm out;
  Surroundings run;
  run.meanwhile = [&](pid_t simulation) {
    std::vector<std::string> all = {domain.text()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    Program client(program, all);
    client.ended_within(seconds(60));
    client.wait_for(last, 1, seconds(5));
    out.lines = client.all("");
    kill(simulation, SIGINT);
  };
  const Outcome outcome = protobeam({"run", robot.string(), "--publish", "ros2", "--ros-domain-id",
                                     domain.text(), "--realtime", "--duration", "90"},
                                    run);
  EXPECT_EQ(outcome.exit, 130) << outcome.err;
  out.err = outcome.err;
  return out;
}

// With the messages of ROS 2 Jazzy, and with those of Humble.
TEST(Ros2Run, HasControllersForSpawners) {
  const std::string kSpawner = "spawner_client";
  for (const std::string& program : {kSpawner, std::string("spawner_humble_client")}) {
    auto [said, err] = ask_arm(program,
                               {"states", "arm", "--inactive", "speed", "wrist", "--unload",
                                "speed", "--unload", "states", "states", "arm"},
                               "arm active");
    // Not so by the spawner of Humble, which asks for the best effort.
    EXPECT_EQ(std::erase(said, "speed: failed to deactivate"), program == kSpawner ? 1u : 0u);
    EXPECT_THAT(
        said, testing::ElementsAre(
                  "states: already loaded", "states: configured and activated",
                  "arm: already loaded", "arm: configured and activated", "speed: already loaded",
                  "speed: configured", "wrist: failed loading", "speed: unloaded",
                  "states: unloaded", "states: configured and activated", "arm: already loaded",
                  "arm: configured and activated",
                  "arm active joint_trajectory_controller/JointTrajectoryController turn/position",
                  "place inactive position_controllers/JointGroupPositionController",
                  "states active joint_state_broadcaster/JointStateBroadcaster"))
        << program;
    EXPECT_THAT(err, testing::HasSubstr("this robot has no controller 'wrist'; there are "
                                        "arm, speed, place, states"));
  }
}

TEST(Ros2Run, TellsItsParameters) {
  const auto [said, err] =
      ask_arm("parameter_client", {"/arm", "type", "joints", "use_sim_time", "gain"}, "done");
  // Types: rcl_interfaces/msg/ParameterType.
  EXPECT_THAT(said,
              testing::ElementsAre(
                  "list command_interfaces,joints,state_interfaces,type,update_rate,use_sim_time; ",
                  "get type: joint_trajectory_controller/JointTrajectoryController",
                  "get joints: [turn]", "get use_sim_time: true", "get gain: not set",
                  "types 4 9 1 0", "describe type: type 4, read_only 1, described",
                  "describe joints: type 9, read_only 1, described",
                  "describe use_sim_time: type 1, read_only 1, described",
                  "describe gain: type 0, read_only 0", "set 1 ",
                  "set 0 'type' is as the simulation has it: it cannot be set", "set together 1 ",
                  "set together 0 'type' is as the simulation has it: it cannot be set", "done"))
      << err;
}

}  // namespace
}  // namespace protobeam::test
