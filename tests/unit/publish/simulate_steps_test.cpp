// The action /simulate_steps: what its clients ask, as requests that an output has received, and
// what goes back to them, in order.
#include <gmock/gmock.h>

#include <deque>

#include "message/simulation_services.h"
#include "publish/simulation_control.h"
#include "tests/unit/publish/collected.h"

namespace protobeam {
namespace {

namespace sim = message::simulation;
using Action = sim::SimulateSteps;
using message::CancelGoal;
using message::GoalStatus;
using testing::ElementsAre;
using testing::HasSubstr;
using Code = sim::Result::Code;
using Next = SimulationControl::Next;

struct Traffic {
  std::deque<ServiceRequest> requests;
  std::map<std::uint64_t, message::Bytes> answers;
  std::vector<std::string> topics;
  std::vector<Action::Feedback> feedback;
  std::vector<message::GoalStatusArray> status;
  std::vector<std::string> order;  ///< of all that went out
};

class TrafficSink final : public MessageSink {
 public:
  explicit TrafficSink(Traffic& traffic) : traffic_(traffic) {}
  void add(const Topic&) override {}
  void write(const Publication&) override {}
  void finish() override {}
  std::string text() const override { return ""; }
  void serve_topic(const Topic& topic) override {
    traffic_.topics.push_back(topic.name + (topic.latched ? " latched" : ""));
  }
  std::vector<ServiceRequest> take_requests() override {
    std::vector<ServiceRequest> out(traffic_.requests.begin(), traffic_.requests.end());
    traffic_.requests.clear();
    return out;
  }
  void answer(const ServiceRequest& request, const message::AnyMessage& response) override {
    traffic_.answers[request.id] = response.cdr();
    traffic_.order.push_back(request.service.substr(request.service.rfind('/') + 1));
  }
  void publish(const Topic& topic, const message::AnyMessage& message) override {
    traffic_.order.push_back(topic.name.substr(topic.name.rfind('/') + 1));
    if (traffic_.order.back() == "feedback") {
      traffic_.feedback.push_back(message::from_cdr<Action::Feedback>(message.cdr()));
    } else {
      traffic_.status.push_back(message::from_cdr<message::GoalStatusArray>(message.cdr()));
    }
  }

 private:
  Traffic& traffic_;
};

const std::string kBallWorld = R"(
Solid { name "ball" translation 0 0 5 physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 } })";

class SimulateStepsTest : public testing::Test {
 protected:
  SimulateStepsTest() : simulation_(&world_.load(kBallWorld, "")), table_(outputs()) {
    control_.emplace(*simulation_, table_, true);
  }
  std::vector<OutputChoice> outputs() {
    std::vector<OutputChoice> out;
    out.push_back(
        {std::make_unique<TrafficSink>(traffic_), [](const std::string&) { return true; }});
    return out;
  }
  std::uint64_t ask(const std::string& service, const auto& request) {
    traffic_.requests.push_back({service, ++id_, message::to_cdr(request)});
    return id_;
  }
  std::uint64_t send_goal(std::uint8_t goal, std::uint64_t steps) {
    return ask("/simulate_steps/_action/send_goal", Action::SendGoal::Request{uuid(goal), {steps}});
  }
  std::uint64_t get_result(std::uint8_t goal) {
    return ask("/simulate_steps/_action/get_result", Action::GetResult::Request{uuid(goal)});
  }
  std::uint64_t cancel(const message::GoalInfo& which) {
    return ask("/simulate_steps/_action/cancel_goal", CancelGoal::Request{which});
  }
  bool answered(std::uint64_t id) const { return traffic_.answers.contains(id); }
  template <class S>
  typename S::Response answer(std::uint64_t id) const {
    return message::from_cdr<typename S::Response>(traffic_.answers.at(id));
  }
  bool accepted(std::uint64_t id) const { return answer<Action::SendGoal>(id).accepted; }
  Action::GetResult::Response result(std::uint64_t id) const {
    return answer<Action::GetResult>(id);
  }

  /// All that was asked, and no step.
  void answer_requests() {
    ask("/reset_simulation", sim::ResetSimulation::Request{});
    ASSERT_EQ(control_->before_step(), Next::kReset);
    control_->reset_failed("not now");
  }
  void make_steps(int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_EQ(control_->before_step(), Next::kStep);
      simulation_->step();
      control_->after_step();
    }
  }
  /// Of the newest goal.
  std::int8_t status() const { return traffic_.status.back().status_list.back().status; }

  WorldText world_;
  Simulation* simulation_;
  Traffic traffic_;
  StreamTable table_;
  std::optional<SimulationControl> control_;
  std::uint64_t id_ = 0;
};

TEST_F(SimulateStepsTest, HasItsTopics) {
  EXPECT_THAT(traffic_.topics, ElementsAre("/simulate_steps/_action/feedback",
                                           "/simulate_steps/_action/status latched"));
  // Who comes before the first goal reads that there is none.
  ASSERT_EQ(traffic_.status.size(), 1u);
  EXPECT_TRUE(traffic_.status[0].status_list.empty());
}

TEST_F(SimulateStepsTest, MakesExactlyTheStepsOfTheGoal) {
  std::uint8_t number = 0;
  for (const std::uint64_t steps : {1u, 2u, 1000u}) {
    ++number;
    const auto before = simulation_->step_number();
    const auto goal = send_goal(number, steps), ending = get_result(number);
    for (std::uint64_t i = 0; i < steps; ++i) {
      EXPECT_FALSE(answered(ending)) << "before the last step";
      make_steps(1);
    }
    EXPECT_TRUE(accepted(goal));
    ASSERT_TRUE(answered(ending));
    EXPECT_EQ(result(ending).status, GoalStatus::kSucceeded);
    EXPECT_EQ(result(ending).result.result.result, Code::kOk);
    EXPECT_EQ(status(), GoalStatus::kSucceeded);
    EXPECT_EQ(simulation_->step_number() - before, static_cast<std::int64_t>(steps));
    // It pauses again: the next step would be nobody's.
    const auto state = ask("/get_simulation_state", sim::GetSimulationState::Request{});
    answer_requests();
    EXPECT_EQ(answer<sim::GetSimulationState>(state).state.state, sim::SimulationState::kPaused);
  }
}

TEST_F(SimulateStepsTest, SaysHowFarItIs) {
  const auto begin = std::chrono::steady_clock::now();
  send_goal(1, 1000);
  get_result(1);
  make_steps(1000);
  const auto periods = (std::chrono::steady_clock::now() - begin) / std::chrono::milliseconds(50);
  const auto& all = traffic_.feedback;
  ASSERT_GE(all.size(), 2u);
  EXPECT_LE(all.size(), static_cast<std::size_t>(periods) + 2)
      << "not more often than 20 times a second";
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].goal_id, uuid(1));
    EXPECT_EQ(all[i].feedback.completed_steps + all[i].feedback.remaining_steps, 1000u);
    if (i == 0) continue;
    EXPECT_GT(all[i].feedback.completed_steps, all[i - 1].feedback.completed_steps);
  }
  EXPECT_EQ(all.front().feedback.completed_steps, 1u);
  EXPECT_EQ(all.back().feedback.completed_steps, 1000u);
  // The last feedback goes before the result: a client that has the result reads no more.
  const auto& order = traffic_.order;
  ASSERT_GE(order.size(), 3u);
  EXPECT_THAT(std::vector(order.end() - 3, order.end()),
              ElementsAre("feedback", "get_result", "status"));
}

TEST_F(SimulateStepsTest, CancelsAfterTheStepUnderWay) {
  send_goal(1, 1000);
  const auto ending = get_result(1);
  make_steps(17);
  const auto canceling = cancel({uuid(1), {}});
  answer_requests();
  EXPECT_EQ(simulation_->step_number(), 17);
  const auto response = answer<CancelGoal>(canceling);
  EXPECT_EQ(response.return_code, CancelGoal::Response::kNone);
  ASSERT_EQ(response.goals_canceling.size(), 1u);
  EXPECT_EQ(response.goals_canceling[0].goal_id, uuid(1));
  EXPECT_EQ(result(ending).status, GoalStatus::kCanceled);
  EXPECT_EQ(result(ending).result.result.error_message, "canceled after 17 of 1000 steps");
  EXPECT_EQ(traffic_.feedback.back().feedback.completed_steps, 17u);
  // The client knows that it will be canceled before it is.
  ASSERT_GE(traffic_.status.size(), 2u);
  EXPECT_EQ(traffic_.status[traffic_.status.size() - 2].status_list.back().status,
            GoalStatus::kCanceling);
  EXPECT_EQ(status(), GoalStatus::kCanceled);
  // And there is room for the next one.
  const auto next = send_goal(2, 5);
  make_steps(5);
  EXPECT_TRUE(accepted(next));
  EXPECT_EQ(status(), GoalStatus::kSucceeded);
  EXPECT_EQ(simulation_->step_number(), 22);
}

TEST_F(SimulateStepsTest, CancelsByTimeAndAll) {
  const auto canceled = [&](std::uint8_t goal, const message::GoalInfo& which) {
    send_goal(goal, 10);
    make_steps(1);
    const auto id = cancel(which);
    answer_requests();
    const bool done = status() == GoalStatus::kCanceled;
    if (!done) make_steps(9);
    EXPECT_EQ(answer<CancelGoal>(id).goals_canceling.size(), done ? 1u : 0u);
    EXPECT_EQ(answer<CancelGoal>(id).return_code, CancelGoal::Response::kNone);
    return done;
  };
  EXPECT_TRUE(canceled(1, {}));
  make_steps(0);
  EXPECT_TRUE(canceled(2, {{}, {1000, 0}})) << "accepted before";
  EXPECT_FALSE(canceled(3, {{}, {0, 1}})) << "accepted later than at 1 ns";
  EXPECT_TRUE(canceled(4, {uuid(4), {0, 1}})) << "this one, and those until then";
  EXPECT_FALSE(canceled(5, {uuid(4), {0, 1}}));
}

TEST_F(SimulateStepsTest, KnowsWhatCannotBeCanceled) {
  const auto nobody = cancel({uuid(9), {}});
  send_goal(1, 1);
  make_steps(1);
  const auto late = cancel({uuid(1), {}});
  answer_requests();
  EXPECT_EQ(answer<CancelGoal>(nobody).return_code, CancelGoal::Response::kUnknownGoal);
  EXPECT_EQ(answer<CancelGoal>(late).return_code, CancelGoal::Response::kTerminated);
  EXPECT_EQ(status(), GoalStatus::kSucceeded);
}

TEST_F(SimulateStepsTest, TakesOneGoalAtATime) {
  const auto first = send_goal(1, 10);
  make_steps(3);
  const auto second = send_goal(2, 10), same = send_goal(1, 10);
  const auto service = ask("/step_simulation", sim::StepSimulation::Request{5});
  sim::SetSimulationState::Request play;
  play.state.state = sim::SimulationState::kPlaying;
  const auto playing = ask("/set_simulation_state", play);
  make_steps(7);
  EXPECT_TRUE(accepted(first));
  EXPECT_FALSE(accepted(second));
  EXPECT_FALSE(accepted(same));
  EXPECT_EQ(answer<sim::StepSimulation>(service).result.result, Code::kIncorrectState);
  EXPECT_EQ(answer<sim::SetSimulationState>(playing).result.result, Code::kIncorrectState);
  // An identifier is of one goal for good.
  const auto again = send_goal(1, 10);
  answer_requests();
  EXPECT_FALSE(accepted(again));
  // While the service steps, no goal is taken.
  ask("/step_simulation", sim::StepSimulation::Request{2});
  make_steps(1);
  const auto third = send_goal(3, 10);
  make_steps(1);
  EXPECT_FALSE(accepted(third));
  EXPECT_EQ(simulation_->step_number(), 12);
}

// As simulation_interfaces defines it: OPERATION_FAILED and why, which a rejected goal could not
// say.
TEST_F(SimulateStepsTest, StepsOnlyWhatPauses) {
  sim::SetSimulationState::Request play;
  play.state.state = sim::SimulationState::kPlaying;
  ask("/set_simulation_state", play);
  const auto goal = send_goal(1, 10), ending = get_result(1);
  make_steps(1);
  EXPECT_TRUE(accepted(goal));
  EXPECT_EQ(result(ending).status, GoalStatus::kAborted);
  EXPECT_EQ(result(ending).result.result.result, Code::kFailed);
  EXPECT_EQ(result(ending).result.result.error_message,
            "only a simulation that is paused can be stepped");
  EXPECT_TRUE(traffic_.feedback.empty());
}

TEST_F(SimulateStepsTest, TakesNoStepsAndNotMoreThanItCanCount) {
  const auto none = send_goal(1, 0), done = get_result(1);
  const auto many = send_goal(2, 1'000'000'001), failed = get_result(2);
  answer_requests();
  EXPECT_TRUE(accepted(none));
  EXPECT_EQ(result(done).status, GoalStatus::kSucceeded);
  EXPECT_TRUE(accepted(many));
  EXPECT_EQ(result(failed).status, GoalStatus::kAborted);
  EXPECT_THAT(result(failed).result.result.error_message, HasSubstr("steps at most"));
  EXPECT_EQ(simulation_->step_number(), 0);
}

TEST_F(SimulateStepsTest, KeepsResultsForAWhile) {
  for (std::uint8_t i = 1; i <= 101; ++i) {
    send_goal(i, 1);
    make_steps(1);
  }
  const auto oldest = get_result(1), kept = get_result(2), newest = get_result(101),
             nobody = get_result(200);
  answer_requests();
  EXPECT_EQ(result(oldest).status, GoalStatus::kUnknown);
  EXPECT_EQ(result(oldest).result.result.result, Code::kNotFound);
  EXPECT_EQ(result(kept).status, GoalStatus::kSucceeded);
  EXPECT_EQ(result(newest).status, GoalStatus::kSucceeded);
  EXPECT_EQ(result(nobody).status, GoalStatus::kUnknown);
  EXPECT_EQ(traffic_.status.back().status_list.size(), 100u);
}

TEST_F(SimulateStepsTest, AnswersAllWhoAskForAResult) {
  send_goal(1, 3);
  std::vector<std::uint64_t> asked;
  for (int i = 0; i < 1001; ++i) asked.push_back(get_result(1));
  make_steps(3);
  EXPECT_FALSE(answered(asked.front())) << "a thousand wait, the oldest goes";
  for (std::size_t i = 1; i < asked.size(); ++i) ASSERT_TRUE(answered(asked[i])) << i;
}

TEST_F(SimulateStepsTest, EndsWithAReset) {
  send_goal(1, 100);
  const auto ending = get_result(1);
  make_steps(5);
  // One that cannot be made leaves the goal as it is.
  answer_requests();
  EXPECT_FALSE(answered(ending));
  make_steps(5);
  const auto reset = ask("/reset_simulation", sim::ResetSimulation::Request{});
  ASSERT_EQ(control_->before_step(), Next::kReset);
  WorldText fresh;
  control_->after_reset(fresh.load(kBallWorld, ""));
  EXPECT_EQ(answer<sim::ResetSimulation>(reset).result.result, Code::kOk);
  EXPECT_EQ(result(ending).status, GoalStatus::kAborted);
  EXPECT_EQ(result(ending).result.result.error_message,
            "the world was loaded again after 10 of 100 steps");
  EXPECT_EQ(status(), GoalStatus::kAborted);
}

TEST_F(SimulateStepsTest, EndsWithTheRun) {
  send_goal(1, 100);
  const auto ending = get_result(1);
  make_steps(5);
  const auto asked_last = get_result(1);
  control_->finish();
  EXPECT_EQ(result(ending).status, GoalStatus::kAborted);
  ASSERT_TRUE(answered(asked_last)) << "came after the last step";
  EXPECT_EQ(result(ending).result.result.error_message, "the run ended after 5 of 100 steps");
  control_->finish();
  EXPECT_EQ(traffic_.order.back(), "status");
}

TEST_F(SimulateStepsTest, GoesOnWhenSolidsComeAndGo) {
  send_goal(1, 4);
  const auto ending = get_result(1);
  make_steps(2);
  control_->follow(*simulation_);
  make_steps(2);
  EXPECT_EQ(result(ending).status, GoalStatus::kSucceeded);
}

TEST_F(SimulateStepsTest, AnswersNoRequestThatIsNone) {
  traffic_.requests.push_back({"/simulate_steps/_action/send_goal", 77, {0, 1, 0, 0, 1, 2, 3}});
  traffic_.requests.push_back({"/simulate_steps/_action/get_result", 78, {0, 1, 0, 0}});
  traffic_.requests.push_back({"/simulate_steps/_action/cancel_goal", 79, {}});
  answer_requests();
  for (const std::uint64_t id : {77, 78, 79}) EXPECT_FALSE(answered(id));
}

}  // namespace
}  // namespace protobeam
