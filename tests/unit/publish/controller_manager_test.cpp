// The controller manager of ros2_control: what it lists, and what controllers do that it has
// switched off.
#include "publish/controller_manager.h"

#include <gmock/gmock.h>

#include <cmath>

#include "message/control_actions.h"
#include "message/control_msgs.h"
#include "message/std_msgs.h"
#include "tests/unit/publish/collected.h"

namespace protobeam {
namespace {

namespace control = message::control;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Jtc = message::JointTrajectoryControllerState;

/// Two joints that no gravity pulls, and what moves them.
const char* const kArm = R"(Robot { name "r" controller "<none>" children [
  HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device RotationalMotor { name "turn" }
    endPoint Solid { name "a" physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 } } }
  HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 anchor 2 0 0 } device RotationalMotor { name "swing" }
    endPoint Solid { name "b" translation 2 0 0 physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 } } }
  Topic { motors "turn" message "trajectory" name "arm/joint_trajectory" }
  Topic { motors "turn" message "position" name "still/commands" }
  Topic { motors "swing" message "velocity" name "wave/commands" }
  Topic { motors "swing" message "gripper" name "hand/gripper_cmd" }
  Ros2Controller { name "states" type "joint_state_broadcaster/JointStateBroadcaster"
    states [ "turn/position" "turn/velocity" ] topics "joint_states" stateRate 0 }
  Ros2Controller { name "arm" type "joint_trajectory_controller/JointTrajectoryController"
    commands "turn/position" states [ "turn/position" "turn/velocity" ] topics "arm/joint_trajectory" stateRate 10 }
  Ros2Controller { name "still" type "forward_command_controller/ForwardCommandController"
    commands "turn/position" topics "still/commands" stateRate 0 }
  Ros2Controller { name "wave" type "velocity_controllers/JointGroupVelocityController"
    commands "swing/velocity" topics "wave/commands" stateRate 0 }
  Ros2Controller { name "hand" type "position_controllers/GripperActionController"
    commands "swing/position" topics "hand/gripper_cmd" stateRate 0 }
  Ros2Hardware { name "bench" plugin "gz_ros2_control/GazeboSimSystem"
    commands [ "turn/position" "swing/velocity" "swing/effort" ] states [ "turn/position" ] }
] })";

class ControllerManagerTest : public testing::Test {
 protected:
  template <class S>
  typename S::Response call(const std::string& name, const typename S::Request& request) {
    const auto asked =
        to().ask(name.starts_with("../") ? name.substr(2) : "/controller_manager/" + name, request);
    step();
    return message::from_cdr<typename S::Response>(to().answers.at(asked));
  }
  bool load(const std::string& name) {
    return call<control::LoadController>("load_controller", {name}).ok;
  }
  bool configure(const std::string& name) {
    return call<control::ConfigureController>("configure_controller", {name}).ok;
  }
  bool unload(const std::string& name) {
    return call<control::UnloadController>("unload_controller", {name}).ok;
  }
  control::SwitchController::Response switch_over(
      std::vector<std::string> start, std::vector<std::string> stop = {},
      std::int32_t strictness = control::SwitchController::kStrict) {
    return call<control::SwitchController>(
        "switch_controller", {std::move(start), std::move(stop), strictness, true, {}});
  }
  std::vector<control::ControllerState> list() {
    return call<control::ListControllers>("list_controllers", {}).controller;
  }
  /// "arm active" ...
  std::vector<std::string> states() {
    std::vector<std::string> out;
    for (const auto& one : list()) out.push_back(one.name + " " + one.state);
    return out;
  }
  std::string state(const std::string& name) {
    for (const auto& one : list())
      if (one.name == name) return one.state;
    return "absent";
  }
  void send(const std::string& topic, double number) {
    message::Float64MultiArray numbers;
    numbers.data = {number};
    to().commands.push_back({topic, message::to_cdr(numbers)});
  }
  void send_trajectory(double position, double seconds) {
    to().commands.push_back(
        {"/arm/joint_trajectory", message::to_cdr(trajectory(position, seconds))});
  }
  static message::JointTrajectory trajectory(double position, double seconds) {
    message::JointTrajectory out;
    out.joint_names = {"turn"};
    message::JointTrajectoryPoint point;
    point.positions = {position};
    point.time_from_start = message::duration_of(message::nanoseconds(seconds));
    out.points = {point};
    return out;
  }
  /// Messages on a topic so far.
  std::uint64_t sent(const std::string& topic) {
    for (const auto& stream : world_.publisher().table().streams())
      if (stream->topic().name == topic) return stream->sent();
    throw std::runtime_error("no topic " + topic);
  }
  double angle(int joint) { return bodies().joint_position(joint, 0); }
  double speed(int joint) { return bodies().joint_velocity(joint, 0); }
  void step() { run(0.001); }
  void run(double seconds) { world_.run(world_.simulation().time() + seconds); }
  Collected& to() { return world_.collected(); }
  physics::World& bodies() { return *world_.simulation().model().physics; }

  PublishedWorld world_{kArm};
};

TEST_F(ControllerManagerTest, ListsWhatTheRobotHas) {
  const auto all = list();
  ASSERT_EQ(all.size(), 5u);
  EXPECT_THAT(states(), ElementsAre("states active", "arm active", "still active", "wave active",
                                    "hand active"));
  EXPECT_EQ(all[1].type, "joint_trajectory_controller/JointTrajectoryController");
  EXPECT_THAT(all[1].claimed_interfaces, ElementsAre("turn/position"));
  EXPECT_THAT(all[1].required_command_interfaces, ElementsAre("turn/position"));
  EXPECT_THAT(all[1].required_state_interfaces, ElementsAre("turn/position", "turn/velocity"));
  EXPECT_THAT(all[0].claimed_interfaces, IsEmpty());
  EXPECT_EQ(all[0].update_rate, 125);  // steps of 8 ms
  const auto types = call<control::ListControllerTypes>("list_controller_types", {});
  EXPECT_EQ(types.types.size(), 5u);
  EXPECT_EQ(types.base_classes.size(), 5u);
  const auto parts =
      call<control::ListHardwareComponents>("list_hardware_components", {}).component;
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].name, "bench");
  EXPECT_EQ(parts[0].type, "system");
  EXPECT_EQ(parts[0].plugin_name, "gz_ros2_control/GazeboSimSystem");
  EXPECT_EQ(parts[0].state.label, "active");
  const auto interfaces = call<control::ListHardwareInterfaces>("list_hardware_interfaces", {});
  ASSERT_EQ(interfaces.command_interfaces.size(), 3u);
  EXPECT_TRUE(interfaces.command_interfaces[0].is_claimed);
  EXPECT_TRUE(interfaces.command_interfaces[1].is_claimed);
  EXPECT_EQ(interfaces.command_interfaces[2].name, "swing/effort");
  EXPECT_FALSE(interfaces.command_interfaces[2].is_claimed);
  EXPECT_EQ(interfaces.state_interfaces.size(), 1u);
  EXPECT_THAT(world_.notes(), IsEmpty());
}

// As spawner and `ros2 control load_controller --set-state active` do, twice.
TEST_F(ControllerManagerTest, GivesSpawnersWhatTheyAskFor) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(configure("arm"));
    EXPECT_EQ(state("arm"), i == 0 ? "inactive" : "active");
    EXPECT_TRUE(switch_over({"arm"}).ok);
    EXPECT_EQ(state("arm"), "active");
    EXPECT_TRUE(load("wave"));
    EXPECT_EQ(state("wave"), i == 0 ? "unconfigured" : "active");
    EXPECT_TRUE(configure("wave"));
    EXPECT_TRUE(switch_over({"wave"}).ok);
    EXPECT_EQ(state("wave"), "active");
  }
  // Nobody wants it, and another one has what it claims.
  EXPECT_EQ(state("still"), "inactive");
  EXPECT_THAT(world_.notes(), IsEmpty());
}

TEST_F(ControllerManagerTest, RefusesWhatTheRobotDoesNotHave) {
  EXPECT_FALSE(load("amr"));
  EXPECT_THAT(world_.notes(),
              ElementsAre(HasSubstr("/controller_manager: cannot load: this robot has no "
                                    "controller 'amr'; did you mean 'arm'?")));
  EXPECT_FALSE(configure("amr"));
  EXPECT_FALSE(unload("amr"));
  const auto strict = switch_over({"wave", "pid"});
  EXPECT_FALSE(strict.ok);
  EXPECT_THAT(strict.message,
              HasSubstr("cannot activate 'pid': this robot has no controller 'pid'; there "
                        "are states, arm, still, wave, hand"));
  EXPECT_FALSE(switch_over({}, {"pid"}, control::SwitchController::kBestEffort).ok);
  EXPECT_TRUE(switch_over({}, {"pid", "wave"}, control::SwitchController::kBestEffort).ok);
  EXPECT_EQ(state("wave"), "inactive");
}

TEST_F(ControllerManagerTest, GoesThroughTheStatesOfRos2Control) {
  EXPECT_FALSE(unload("arm")) << "it is active";
  EXPECT_TRUE(switch_over({}, {"arm"}).ok);
  EXPECT_EQ(state("arm"), "inactive");
  EXPECT_THAT(list()[1].claimed_interfaces, IsEmpty());
  EXPECT_FALSE(switch_over({}, {"arm"}).ok) << "it is not active";
  EXPECT_TRUE(call<control::CleanupController>("cleanup_controller", {"arm"}).ok);
  EXPECT_EQ(state("arm"), "unconfigured");
  EXPECT_FALSE(switch_over({"arm"}).ok) << "it is not configured";
  EXPECT_TRUE(unload("arm"));
  EXPECT_EQ(state("arm"), "absent");
  EXPECT_FALSE(configure("arm")) << "it is not loaded";
  EXPECT_FALSE(switch_over({"arm"}).ok);
  EXPECT_TRUE(load("arm"));
  EXPECT_TRUE(configure("arm"));
  EXPECT_TRUE(switch_over({"arm"}).ok);
  EXPECT_EQ(state("arm"), "active");
}

TEST_F(ControllerManagerTest, LetsOneClaimAnInterface) {
  ASSERT_TRUE(switch_over({"arm"}).ok);
  ASSERT_EQ(state("still"), "inactive");
  for (const auto strictness :
       {control::SwitchController::kStrict, control::SwitchController::kBestEffort}) {
    const auto response = switch_over({"still"}, {}, strictness);
    EXPECT_FALSE(response.ok);
    EXPECT_THAT(response.message, HasSubstr("'arm' has interfaces that it claims"));
  }
  EXPECT_FALSE(switch_over({"arm", "still"}, {"arm"}).ok) << "both at once";
  EXPECT_EQ(state("arm"), "active");
  EXPECT_TRUE(switch_over({"still"}, {"arm"}).ok);
  EXPECT_EQ(state("arm"), "inactive");
  EXPECT_EQ(state("still"), "active");
}

TEST_F(ControllerManagerTest, StopsATrajectoryWithItsController) {
  send_trajectory(1, 1);
  run(0.5);
  ASSERT_NEAR(angle(0), 0.5, 0.02);
  ASSERT_TRUE(switch_over({}, {"arm"}).ok);
  run(0.1);
  const double stopped = angle(0);
  EXPECT_NEAR(stopped, 0.5, 0.05);
  send_trajectory(2, 0.5);
  run(1);
  EXPECT_NEAR(angle(0), stopped, 1e-3);
  const auto told = sent("/arm/controller_state");
  run(1);
  EXPECT_EQ(sent("/arm/controller_state"), told);
  ASSERT_TRUE(switch_over({"arm"}).ok);
  send_trajectory(2, 0.5);
  run(1);
  EXPECT_NEAR(angle(0), 2, 2e-3);
  EXPECT_EQ(sent("/arm/controller_state"), told + 10);
}

TEST_F(ControllerManagerTest, CancelsAndRejectsGoalsOfActions) {
  using Action = message::FollowJointTrajectory;
  const std::string action = "/arm/follow_joint_trajectory/_action/";
  const auto send_goal = [&](std::uint8_t id) {
    Action::Goal goal;
    goal.trajectory = trajectory(1, 1);
    const auto asked = to().ask(action + "send_goal", Action::SendGoal::Request{uuid(id), goal});
    step();
    return message::from_cdr<Action::SendGoal::Response>(to().answers.at(asked)).accepted;
  };
  ASSERT_TRUE(send_goal(1));
  const auto waits = to().ask(action + "get_result", Action::GetResult::Request{uuid(1)});
  run(0.3);
  ASSERT_FALSE(to().answers.contains(waits));
  ASSERT_TRUE(switch_over({}, {"arm"}).ok);
  ASSERT_TRUE(to().answers.contains(waits));
  const auto result = message::from_cdr<Action::GetResult::Response>(to().answers.at(waits));
  EXPECT_EQ(result.status, message::GoalStatus::kCanceled);
  EXPECT_EQ(result.result.error_string, "its controller was deactivated");
  EXPECT_FALSE(send_goal(2));
  EXPECT_THAT(world_.notes(),
              ElementsAre(HasSubstr("a goal was rejected: its controller is not active")));
}

TEST_F(ControllerManagerTest, StopsAGripperWithItsController) {
  using Action = message::GripperCommand;
  Action::Goal goal;
  goal.command.position = 1;
  const std::string action = "/hand/gripper_cmd/_action/";
  const auto send_goal = [&](std::uint8_t id) {
    const auto asked = to().ask(action + "send_goal", Action::SendGoal::Request{uuid(id), goal});
    step();
    return message::from_cdr<Action::SendGoal::Response>(to().answers.at(asked)).accepted;
  };
  ASSERT_TRUE(send_goal(1));
  const auto waits = to().ask(action + "get_result", Action::GetResult::Request{uuid(1)});
  run(0.05);
  ASSERT_GT(std::abs(speed(1)), 1);
  ASSERT_TRUE(switch_over({}, {"hand"}).ok);
  EXPECT_EQ(message::from_cdr<Action::GetResult::Response>(to().answers.at(waits)).status,
            message::GoalStatus::kCanceled);
  run(0.5);
  EXPECT_NEAR(speed(1), 0, 1e-3);
  EXPECT_LT(angle(1), 0.9);
  EXPECT_FALSE(send_goal(2));
}

TEST_F(ControllerManagerTest, HoldsMotorsThatNobodyCommandsAnyMore) {
  send("/wave/commands", 2);
  run(0.2);
  ASSERT_NEAR(speed(1), 2, 1e-3);
  ASSERT_TRUE(switch_over({}, {"wave"}).ok);
  run(0.2);
  EXPECT_NEAR(speed(1), 0, 1e-3);
  send("/wave/commands", 2);
  run(0.2);
  EXPECT_NEAR(speed(1), 0, 1e-3);
  ASSERT_TRUE(switch_over({"wave"}).ok);
  run(0.2);
  EXPECT_NEAR(speed(1), 0, 1e-3) << "what it was told while it was inactive is forgotten";
  send("/wave/commands", -1);
  run(0.2);
  EXPECT_NEAR(speed(1), -1, 1e-3);
}

// They would lose what others have told them.
TEST_F(ControllerManagerTest, LeavesMotorsToWhoMovesThem) {
  send("/wave/commands", 2);
  run(0.2);
  ASSERT_TRUE(switch_over({}, {"hand"}).ok);
  send_trajectory(1, 1);
  run(0.5);
  ASSERT_TRUE(switch_over({"arm"}).ok);
  ASSERT_EQ(state("still"), "inactive");
  run(0.7);
  EXPECT_NEAR(speed(1), 2, 1e-3);
  EXPECT_NEAR(angle(0), 1, 2e-3);
}

TEST_F(ControllerManagerTest, SilencesBroadcasters) {
  run(0.1);
  ASSERT_TRUE(switch_over({}, {"states"}).ok);
  const auto before = sent("/joint_states");
  EXPECT_GT(before, 0u);
  run(1);
  EXPECT_EQ(sent("/joint_states"), before);
  ASSERT_TRUE(switch_over({"states"}).ok);
  run(1);
  EXPECT_GT(sent("/joint_states"), before + 40);
}

TEST_F(ControllerManagerTest, RemainsAsItIsInAWorldThatIsLoadedAgain) {
  ASSERT_TRUE(switch_over({}, {"wave"}).ok);
  world_.publisher().restart(world_.simulation());
  EXPECT_EQ(state("wave"), "inactive");
  send("/wave/commands", 2);
  run(0.2);
  EXPECT_NEAR(speed(1), 0, 1e-3);
}

TEST_F(ControllerManagerTest, TakesTheParametersThatSpawnersSet) {
  const auto set = [&](const std::string& name, const std::string& text) {
    message::Parameter one;
    one.name = name;
    one.value.type = message::ParameterValue::kString;
    one.value.string_value = text;
    const auto results = call<message::SetParameters>("set_parameters", {{one}}).results;
    return results.at(0);
  };
  EXPECT_TRUE(set("arm.type", "joint_trajectory_controller/JointTrajectoryController").successful);
  EXPECT_THAT(world_.notes(), IsEmpty());
  EXPECT_TRUE(set("arm.params_file", "['/tmp/arm.yaml']").successful);
  EXPECT_THAT(world_.notes(), ElementsAre(HasSubstr("'arm.params_file' has no effect")));
  const auto other = set("arm.type", "admittance_controller/AdmittanceController");
  EXPECT_FALSE(other.successful);
  EXPECT_EQ(other.reason,
            "'arm' is a joint_trajectory_controller/JointTrajectoryController in this run, not a "
            "admittance_controller/AdmittanceController");
  EXPECT_FALSE(set("pid.type", "x").successful);
}

TEST_F(ControllerManagerTest, TellsItsParameters) {
  using message::ParameterValue;
  const auto listed = call<message::ListParameters>("list_parameters", {}).result;
  EXPECT_THAT(listed.names, ElementsAre("use_sim_time", "update_rate", "states.type", "arm.type",
                                        "still.type", "wave.type", "hand.type"));
  EXPECT_THAT(listed.prefixes, ElementsAre("arm", "hand", "states", "still", "wave"));
  EXPECT_THAT(call<message::ListParameters>("list_parameters", {{}, 1}).result.names,
              ElementsAre("use_sim_time", "update_rate"));
  EXPECT_THAT(call<message::ListParameters>("list_parameters", {{"arm", "upd"}, 0}).result.names,
              ElementsAre("arm.type"));
  const auto values =
      call<message::GetParameters>("get_parameters",
                                   {{"use_sim_time", "update_rate", "arm.type", "pid.type"}})
          .values;
  ASSERT_EQ(values.size(), 4u);
  EXPECT_TRUE(values[0].bool_value);
  EXPECT_EQ(values[1].integer_value, 125);
  EXPECT_EQ(values[2].string_value, "joint_trajectory_controller/JointTrajectoryController");
  EXPECT_EQ(values[3].type, ParameterValue::kNotSet);
  EXPECT_THAT(call<message::GetParameterTypes>("get_parameter_types", {{"update_rate", "x"}}).types,
              ElementsAre(ParameterValue::kInteger, ParameterValue::kNotSet));
  const auto told =
      call<message::DescribeParameters>("describe_parameters", {{"hand.type"}}).descriptors.at(0);
  EXPECT_EQ(told.name, "hand.type");
  EXPECT_EQ(told.type, ParameterValue::kString);
  EXPECT_TRUE(told.read_only);
}

TEST_F(ControllerManagerTest, AControllerIsANodeWithParameters) {
  const auto values = call<message::GetParameters>("../arm/get_parameters",
                                                   {{"joints", "command_interfaces", "type"}})
                          .values;
  ASSERT_EQ(values.size(), 3u);
  EXPECT_THAT(values[0].string_array_value, ElementsAre("turn"));
  EXPECT_THAT(values[1].string_array_value, ElementsAre("position"));
  EXPECT_EQ(values[2].string_value, "joint_trajectory_controller/JointTrajectoryController");
  message::Parameter one;
  one.name = "joints";
  one.value = values[0];
  EXPECT_TRUE(call<message::SetParametersAtomically>("../arm/set_parameters_atomically", {{one}})
                  .result.successful);
  one.value.string_array_value = {"swing"};
  const auto refused =
      call<message::SetParametersAtomically>("../arm/set_parameters_atomically", {{one}}).result;
  EXPECT_FALSE(refused.successful);
  EXPECT_THAT(refused.reason, HasSubstr("'joints'"));
}

TEST_F(ControllerManagerTest, TellsWhereATrajectoryIs) {
  send_trajectory(1, 1);
  run(2.05);
  const auto all = world_.finish().all<Jtc>("/arm/controller_state");
  ASSERT_EQ(all.size(), 20u);
  for (const Jtc* one : all) {
    const double t = one->header.stamp.sec + 1e-9 * one->header.stamp.nanosec;
    ASSERT_THAT(one->joint_names, ElementsAre("turn"));
    EXPECT_NEAR(one->reference.positions.at(0), std::min(t, 1.0), 0.02);
    EXPECT_NEAR(one->feedback.positions.at(0), std::min(t, 1.0), 0.02);
    EXPECT_NEAR(one->feedback.velocities.at(0), t > 0.95 ? 0 : 1, t > 0.95 && t < 1.2 ? 1.1 : 0.1);
    EXPECT_EQ(one->error.positions.at(0),
              one->reference.positions.at(0) - one->feedback.positions.at(0));
    EXPECT_EQ(one->output.positions, one->reference.positions);
    EXPECT_EQ(one->speed_scaling_factor, 1);
  }
}

TEST(Ros2ControllerNodes, AreOfARobotAndHaveNamesOfTheirOwn) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      PublishedWorld world(text);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(problem("Group { children [ Ros2Hardware { name \"x\" } ] }"),
              HasSubstr("error: a Ros2Hardware stands among the children of a robot"));
  const auto robot = [](const std::string& nodes) {
    return "Robot { name \"r\" controller \"<none>\" children [ " + nodes + " ] }";
  };
  EXPECT_THAT(problem(robot("Ros2Controller { }")),
              HasSubstr("error: a Ros2Controller needs a name"));
  EXPECT_THAT(problem(robot("Ros2Controller { name \"arm\" } Ros2Controller { name \"arm\" }")),
              HasSubstr("error: robot 'r' has a second Ros2Controller 'arm'"));
  EXPECT_EQ(problem(robot("Ros2Controller { name \"arm\" } "
                          "Ros2Controller { name \"arm\" manager \"other\" }")),
            "");
}

/// What a client of ROS 2 Humble sends and gets.
TEST_F(ControllerManagerTest, SpeaksWithClientsOfHumble) {
  const auto call_older = [&]<class S>(const std::string& name,
                                       const typename S::Older::Request& request) {
    const auto asked = to().ask("/controller_manager/" + name, request);
    to().requests.back().older = true;
    step();
    return message::from_cdr<typename S::Older::Response>(to().answers.at(asked));
  };
  const auto controllers =
      call_older.operator()<control::ListControllers>("list_controllers", {}).controller;
  ASSERT_EQ(controllers.size(), 5u);
  EXPECT_EQ(controllers[3].name, "wave");
  EXPECT_THAT(controllers[3].claimed_interfaces, ElementsAre("swing/velocity"));
  control::SwitchController::Older::Request request;
  request.stop_controllers = {"wave"};
  request.strictness = control::SwitchController::kStrict;
  EXPECT_TRUE(call_older.operator()<control::SwitchController>("switch_controller", request).ok);
  EXPECT_EQ(state("wave"), "inactive");
  const auto parts =
      call_older.operator()<control::ListHardwareComponents>("list_hardware_components", {})
          .component;
  ASSERT_EQ(parts.size(), 1u);
  ASSERT_EQ(parts[0].commands.size(), 3u);
  EXPECT_EQ(parts[0].commands[1].name, "swing/velocity");
  EXPECT_TRUE(parts[0].commands[0].is_claimed);
  EXPECT_FALSE(parts[0].commands[1].is_claimed);
  EXPECT_EQ(call_older.operator()<control::ListHardwareInterfaces>("list_hardware_interfaces", {})
                .state_interfaces.size(),
            1u);
}

}  // namespace
}  // namespace protobeam
