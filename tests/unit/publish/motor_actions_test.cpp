// Actions of control_msgs that motors do: follow_joint_trajectory and gripper_cmd.
#include <gmock/gmock.h>

#include <cmath>

#include "message/control_actions.h"
#include "tests/unit/publish/collected.h"

namespace protobeam {
namespace {

using message::FollowJointTrajectory;
using message::GoalStatus;
using message::GripperCommand;
using testing::ElementsAre;
using testing::HasSubstr;
using Outcome = FollowJointTrajectory::Outcome;

/// A lift and an arm that turns, which no gravity pulls.
std::string arm(const std::string& topics, const std::string& motor = "") {
  return R"(Robot { name "r" controller "<none>" children [
  HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device RotationalMotor { name "turn" )" +
         motor + R"( }
    endPoint Solid { name "a" physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 } } }
  SliderJoint { jointParameters JointParameters { axis 0 0 1 } device LinearMotor { name "lift" maxPosition 0.4 }
    endPoint Solid { name "c" translation 2 0 0 physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 } } } )" +
         topics + " ] }";
}

const std::string kFollows =
    R"(Topic { motors [ "turn" "lift" ] message "trajectory" name "arm/joint_trajectory" )";
const std::string kAction = "/arm/follow_joint_trajectory/_action/";

message::JointTrajectory way(const std::vector<std::pair<double, double>>& times_and_positions) {
  message::JointTrajectory out;
  out.joint_names = {"turn"};
  for (const auto& [time, position] : times_and_positions) {
    message::JointTrajectoryPoint point;
    point.positions = {position};
    point.time_from_start = message::duration_of(message::nanoseconds(time));
    out.points.push_back(point);
  }
  return out;
}

/// A client of one action.
template <class Action>
class ClientOf {
 public:
  ClientOf(PublishedWorld& world, std::string action) : world_(world), action_(std::move(action)) {}

  /// Whether the goal was accepted; its result is asked for at once, as clients do.
  bool send(const typename Action::Goal& goal, std::uint8_t id) {
    const auto asked =
        to().ask(action_ + "send_goal", typename Action::SendGoal::Request{uuid(id), goal});
    step();
    results_[id] = to().ask(action_ + "get_result", typename Action::GetResult::Request{uuid(id)});
    step();
    return answer<typename Action::SendGoal::Response>(asked).accepted;
  }
  bool ended(std::uint8_t id) { return to().answers.contains(results_.at(id)); }
  auto result(std::uint8_t id) {
    if (!ended(id)) throw std::runtime_error("the goal has not ended");
    return answer<typename Action::GetResult::Response>(results_.at(id));
  }
  std::int8_t cancel(std::uint8_t id) {
    message::CancelGoal::Request request;
    request.goal_info.goal_id = uuid(id);
    const auto asked = to().ask(action_ + "cancel_goal", request);
    step();
    return answer<message::CancelGoal::Response>(asked).return_code;
  }
  std::vector<typename Action::Feedback> feedback() {
    std::vector<typename Action::Feedback> out;
    for (const auto& cdr : to().published[action_ + "feedback"])
      out.push_back(message::from_cdr<typename Action::Feedback>(cdr));
    return out;
  }
  /// Of the newest goal, in order, without repetitions.
  std::vector<int> status() {
    std::vector<int> out;
    for (const auto& cdr : to().published[action_ + "status"]) {
      const auto all = message::from_cdr<message::GoalStatusArray>(cdr).status_list;
      if (!all.empty() && (out.empty() || out.back() != all.back().status))
        out.push_back(all.back().status);
    }
    return out;
  }

 private:
  Collected& to() { return world_.collected(); }
  void step() { world_.run(world_.simulation().time() + 0.001); }
  template <class M>
  M answer(std::uint64_t asked) {
    return message::from_cdr<M>(to().answers.at(asked));
  }

  PublishedWorld& world_;
  std::string action_;
  std::map<std::uint8_t, std::uint64_t> results_;
};

struct Arm {
  explicit Arm(const std::string& more = "", const std::string& motor = "")
      : world(arm(kFollows + more + "}", motor)), client(world, kAction) {}
  double position() const { return world_of().joint_position(0, 0); }
  double speed() const { return world_of().joint_velocity(0, 0); }
  const physics::World& world_of() const {
    return *const_cast<PublishedWorld&>(world).simulation().model().physics;
  }
  PublishedWorld world;
  ClientOf<FollowJointTrajectory> client;
};

TEST(FollowJointTrajectoryAction, EndsWhenTheGoalIsReached) {
  Arm arm;
  const double begin = arm.world.simulation().time();
  ASSERT_TRUE(arm.client.send({way({{1, 1}, {2, 0.5}})}, 1));
  arm.world.run(begin + 1.9);
  EXPECT_FALSE(arm.client.ended(1));
  arm.world.run(begin + 2.3);
  ASSERT_TRUE(arm.client.ended(1));
  EXPECT_EQ(arm.client.result(1).status, GoalStatus::kSucceeded);
  EXPECT_EQ(arm.client.result(1).result.error_code, Outcome::kSuccessful);
  EXPECT_NEAR(arm.position(), 0.5, 2e-3);
  EXPECT_LE(std::abs(arm.speed()), 0.01) << "stopped_velocity_tolerance";
  EXPECT_THAT(arm.client.status(), ElementsAre(GoalStatus::kExecuting, GoalStatus::kSucceeded));
  const auto all = arm.client.feedback();
  // 20 a second while it is under way.
  ASSERT_GE(all.size(), 40u);
  ASSERT_LE(all.size(), 46u);
  for (const auto& one : all) {
    EXPECT_EQ(one.goal_id, uuid(1));
    const auto& feedback = one.feedback;
    ASSERT_THAT(feedback.joint_names, ElementsAre("turn"));
    const auto& since = feedback.desired.time_from_start;
    const double t = since.sec + 1e-9 * since.nanosec;
    // A line to 1, another one to 0.5, and there it waits.
    EXPECT_NEAR(feedback.desired.positions[0], t < 1 ? t : std::max(0.5, 1.5 - 0.5 * t), 1e-9);
    EXPECT_NEAR(feedback.actual.positions[0], feedback.desired.positions[0], 0.02);
    EXPECT_EQ(feedback.error.positions[0],
              feedback.desired.positions[0] - feedback.actual.positions[0]);
  }
}

// control_msgs 6.3 has two numbers more.
struct LaterFeedback {
  static constexpr message::MessageName kName{"control_msgs", "Later"};
  message::Uuid goal_id;
  message::Header header;
  std::vector<std::string> joint_names;
  message::JointTrajectoryPoint desired, actual, error;
  std::int32_t index = -1;
  std::vector<std::string> multi_dof_joint_names;
  message::MultiDOFJointTrajectoryPoint multi_dof_desired, multi_dof_actual, multi_dof_error;
  std::int32_t multi_dof_index = -1;
  static void each(auto& m, auto&& f) {
    f("goal_id", m.goal_id);
    f("header", m.header);
    f("joint_names", m.joint_names);
    f("desired", m.desired);
    f("actual", m.actual);
    f("error", m.error);
    f("index", m.index);
    f("multi_dof_joint_names", m.multi_dof_joint_names);
    f("multi_dof_desired", m.multi_dof_desired);
    f("multi_dof_actual", m.multi_dof_actual);
    f("multi_dof_error", m.multi_dof_error);
    f("multi_dof_index", m.multi_dof_index);
  }
};

TEST(FollowJointTrajectoryAction, HasFeedbackForClientsOfLaterDefinitions) {
  Arm arm;
  ASSERT_TRUE(arm.client.send({way({{1, 1}})}, 1));
  arm.world.run(1.3);
  const auto& all = arm.world.collected().published[kAction + "feedback"];
  ASSERT_FALSE(all.empty());
  for (const auto& cdr : all) {
    const auto later = message::from_cdr<LaterFeedback>(cdr);
    EXPECT_EQ(later.goal_id, uuid(1));
    EXPECT_EQ(later.index, 0);
    EXPECT_EQ(later.multi_dof_index, 0);
    EXPECT_TRUE(later.multi_dof_joint_names.empty());
  }
}

TEST(FollowJointTrajectoryAction, FailsOffTheWay) {
  // 10 rad/s at most.
  Arm arm("", "maxVelocity 10");
  FollowJointTrajectory::Goal goal{way({{0.1, 3}})};
  goal.path_tolerance = {{"turn", 0.2}};
  ASSERT_TRUE(arm.client.send(goal, 1));
  arm.world.run(0.2);
  ASSERT_TRUE(arm.client.ended(1));
  const auto [status, outcome] = arm.client.result(1);
  EXPECT_EQ(status, GoalStatus::kAborted);
  EXPECT_EQ(outcome.error_code, Outcome::kPathViolated);
  EXPECT_THAT(outcome.error_string, HasSubstr("'turn' is off by 0."));
  // It stays there, after some way to stop.
  const double there = arm.position();
  EXPECT_LT(there, 1.2);
  arm.world.run(2);
  EXPECT_NEAR(arm.position(), there, 0.1);
  EXPECT_NEAR(arm.speed(), 0, 1e-6);
}

TEST(FollowJointTrajectoryAction, WaitsForTheGoalAsLongAsItIsTold) {
  for (const double patience : {0.1, 2.0, 0.0}) {
    Arm arm("goalTolerance 0.01", "maxVelocity 5");
    // At 5 rad/s it is there 0.5 s late at best, and slows down on the last part of its way.
    FollowJointTrajectory::Goal goal{way({{0.1, 3}})};
    goal.goal_time_tolerance = message::duration_of(message::nanoseconds(patience));
    ASSERT_TRUE(arm.client.send(goal, 1));
    arm.world.run(0.5);
    const bool fails = patience == 0.1;
    EXPECT_EQ(arm.client.ended(1), fails);
    arm.world.run(1.5);
    ASSERT_TRUE(arm.client.ended(1));
    const auto [status, outcome] = arm.client.result(1);
    EXPECT_EQ(status, fails ? GoalStatus::kAborted : GoalStatus::kSucceeded);
    EXPECT_EQ(outcome.error_code, fails ? Outcome::kGoalViolated : Outcome::kSuccessful);
    EXPECT_EQ(std::abs(arm.position() - 3) < 0.01, !fails);
  }
}

TEST(FollowJointTrajectoryAction, StopsWhenItIsCanceled) {
  Arm arm;
  ASSERT_TRUE(arm.client.send({way({{2, 2}})}, 1));
  arm.world.run(1);
  EXPECT_EQ(arm.client.cancel(1), message::CancelGoal::Response::kNone);
  EXPECT_EQ(arm.client.result(1).status, GoalStatus::kCanceled);
  EXPECT_THAT(arm.client.status(),
              ElementsAre(GoalStatus::kExecuting, GoalStatus::kCanceling, GoalStatus::kCanceled));
  const double there = arm.position();
  arm.world.run(3);
  EXPECT_NEAR(arm.position(), there, 0.02);
  EXPECT_EQ(arm.client.cancel(1), message::CancelGoal::Response::kTerminated);
  EXPECT_EQ(arm.client.cancel(9), message::CancelGoal::Response::kUnknownGoal);
}

TEST(FollowJointTrajectoryAction, MakesRoomForTheNextOne) {
  Arm arm;
  ASSERT_TRUE(arm.client.send({way({{2, 2}})}, 1));
  ASSERT_TRUE(arm.client.send({way({{1, -1}})}, 2));
  EXPECT_EQ(arm.client.result(1).status, GoalStatus::kAborted);
  EXPECT_EQ(arm.client.result(1).result.error_string, "another goal took its place");
  EXPECT_FALSE(arm.client.ended(2));
  arm.world.collected().commands.push_back(
      {"/arm/joint_trajectory", message::to_cdr(way({{0.5, 0.25}}))});
  arm.world.run(1);
  EXPECT_EQ(arm.client.result(2).result.error_string, "a trajectory on the topic took its place");
  EXPECT_NEAR(arm.position(), 0.25, 1e-3);
}

TEST(FollowJointTrajectoryAction, RejectsWhatItCannotFollow) {
  Arm arm;
  FollowJointTrajectory::Goal goal{way({{1, 1}})};
  goal.trajectory.joint_names = {"wrist"};
  EXPECT_FALSE(arm.client.send(goal, 1));
  EXPECT_EQ(arm.client.result(1).status, GoalStatus::kUnknown);
  EXPECT_FALSE(arm.client.send({way({{1, 1}, {1, 2}})}, 2));
  goal = {way({{1, 1}})};
  goal.goal_tolerance = {{"lift", 0.1}};
  EXPECT_FALSE(arm.client.send(goal, 3));
  goal.goal_tolerance = {{"turn", -0.5}};
  EXPECT_FALSE(arm.client.send(goal, 4));
  goal = {};
  EXPECT_FALSE(arm.client.send(goal, 5));
  goal.trajectory = way({{1, 1}});
  goal.multi_dof_trajectory.points.resize(1);
  EXPECT_FALSE(arm.client.send(goal, 6));
  EXPECT_THAT(arm.world.notes(),
              ElementsAre(HasSubstr("a goal was rejected: 'wrist' is none of its joints"),
                          HasSubstr("not in the order of their times"),
                          HasSubstr("a tolerance is of 'lift', which it does not move"),
                          HasSubstr("a tolerance of 'turn' is negative"),
                          HasSubstr("a trajectory names no joints"),
                          HasSubstr("joints with several axes")));
  EXPECT_EQ(arm.position(), 0);
}

TEST(FollowJointTrajectoryAction, GoesOnWhenRobotsComeAndEndsWithItsOwn) {
  Arm arm;
  Simulation& simulation = arm.world.simulation();
  ASSERT_TRUE(arm.client.send({way({{1, 1}})}, 1));
  arm.world.run(0.5);
  arm.world.publisher().restart(simulation);
  arm.world.run(1.3);
  EXPECT_EQ(arm.client.result(1).status, GoalStatus::kSucceeded);
  EXPECT_NEAR(arm.position(), 1, 1e-3);
  ASSERT_TRUE(arm.client.send({way({{1, 0}})}, 2));
  arm.world.finish();
  EXPECT_EQ(arm.client.result(2).status, GoalStatus::kAborted);
  EXPECT_EQ(arm.client.result(2).result.error_string, "the run ended");
}

/// A finger that closes by 40 mm, and a heavy block that it meets after 25 mm.
struct Gripper {
  explicit Gripper(const std::string& more)
      : world(R"(Robot { name "r" controller "<none>" children [
  SliderJoint { jointParameters JointParameters { axis 1 0 0 }
    device LinearMotor { name "finger" maxPosition 0.04 maxVelocity 0.1 maxForce 50 }
    endPoint Solid { name "a" physics Physics { density -1 mass 0.1 } boundingObject Box { size 0.02 0.02 0.02 } } }
  Topic { motors "finger" message "gripper" name "gripper/gripper_cmd" )" +
              more + R"( } ] }
Solid { name "block" translation 0.045 0 0 physics Physics { density -1 mass 1e6 }
  boundingObject Box { size 0.02 0.1 0.1 } })") {}
  double position() { return world.simulation().model().physics->joint_position(0, 0); }
  PublishedWorld world;
};

TEST(GripperAction, ReachesItsPosition) {
  Gripper gripper("goalTolerance 0.001");
  ClientOf<GripperCommand> client(gripper.world, "/gripper/gripper_cmd/_action/");
  ASSERT_TRUE(client.send({{0.02, 5}}, 1));
  gripper.world.run(0.1);
  EXPECT_FALSE(client.ended(1));
  gripper.world.run(1);
  const auto [status, outcome] = client.result(1);
  EXPECT_EQ(status, GoalStatus::kSucceeded);
  EXPECT_TRUE(outcome.reached_goal);
  EXPECT_FALSE(outcome.stalled);
  EXPECT_NEAR(outcome.position, 0.02, 0.001);
  EXPECT_EQ(outcome.effort, 5);
  EXPECT_NEAR(gripper.position(), 0.02, 1e-4);
  EXPECT_FALSE(client.feedback().empty());
}

TEST(GripperAction, TellsThatSomethingIsInItsWay) {
  for (const bool allowed : {false, true}) {
    Gripper gripper(allowed ? "goalTolerance 0.001 allowStalling TRUE" : "goalTolerance 0.001");
    ClientOf<GripperCommand> client(gripper.world, "/gripper/gripper_cmd/_action/");
    ASSERT_TRUE(client.send({{0.04, 5}}, 1));
    // 0.25 s on the way, then a second without moving.
    gripper.world.run(1.1);
    EXPECT_FALSE(client.ended(1));
    gripper.world.run(2);
    const auto [status, outcome] = client.result(1);
    EXPECT_EQ(status, allowed ? GoalStatus::kSucceeded : GoalStatus::kAborted);
    EXPECT_FALSE(outcome.reached_goal);
    EXPECT_TRUE(outcome.stalled);
    EXPECT_NEAR(outcome.position, 0.025, 0.001);
  }
}

TEST(GripperAction, EndsWithTheRun) {
  Gripper gripper("");
  ClientOf<GripperCommand> client(gripper.world, "/gripper/gripper_cmd/_action/");
  ASSERT_TRUE(client.send({{0.04, 0}}, 1));
  gripper.world.run(0.15);
  gripper.world.finish();
  const auto [status, outcome] = client.result(1);
  EXPECT_EQ(status, GoalStatus::kAborted);
  EXPECT_FALSE(outcome.reached_goal);
  EXPECT_EQ(outcome.position, gripper.position());
  EXPECT_GT(outcome.position, 0.01);
}

TEST(GripperAction, OfParallelFingersTakesOnePosition) {
  Gripper gripper(R"(type "control_msgs/ParallelGripperCommand" goalTolerance 0.001)");
  ClientOf<message::ParallelGripperCommand> client(gripper.world, "/gripper/gripper_cmd/_action/");
  message::ParallelGripperCommand::Goal goal;
  goal.command.name = {"finger"};
  EXPECT_FALSE(client.send(goal, 1));
  goal.command.position = {0.02};
  goal.command.velocity = {0.02};
  ASSERT_TRUE(client.send(goal, 2));
  gripper.world.run(0.5);
  EXPECT_NEAR(gripper.position(), 0.01, 0.001) << "at the speed of the goal";
  gripper.world.run(2);
  const auto [status, outcome] = client.result(2);
  EXPECT_EQ(status, GoalStatus::kSucceeded);
  EXPECT_TRUE(outcome.reached_goal);
  EXPECT_THAT(outcome.state.name, ElementsAre("finger"));
  EXPECT_NEAR(outcome.state.position.at(0), 0.02, 0.001);
  EXPECT_THAT(gripper.world.notes(), ElementsAre(HasSubstr("it has 0 positions instead of one")));
}

}  // namespace
}  // namespace protobeam
