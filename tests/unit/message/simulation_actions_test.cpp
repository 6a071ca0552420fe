// The messages of ROS 2's actions: names, hashes and bytes of the parts that rosidl derives.
#include "message/simulation_actions.h"

#include <gmock/gmock.h>

#include "message/any_message.h"

namespace protobeam::message {
namespace {

using simulation::SimulateSteps;
using testing::ElementsAre;
using testing::StartsWith;

TEST(SimulationActions, HaveTheNamesOfRosidl) {
  EXPECT_EQ(type_of<SimulateSteps::SendGoal::Request>().ros2_name,
            "simulation_interfaces/action/SimulateSteps_SendGoal_Request");
  EXPECT_EQ(type_of<SimulateSteps::SendGoal::Request>().dds_name,
            "simulation_interfaces::action::dds_::SimulateSteps_SendGoal_Request_");
  EXPECT_EQ(type_of<SimulateSteps::GetResult::Response>().dds_name,
            "simulation_interfaces::action::dds_::SimulateSteps_GetResult_Response_");
  EXPECT_EQ(type_of<SimulateSteps::Feedback>().dds_name,
            "simulation_interfaces::action::dds_::SimulateSteps_FeedbackMessage_");
  EXPECT_EQ(type_of<SimulateSteps::Goal>().ros2_name,
            "simulation_interfaces/action/SimulateSteps_Goal");
  EXPECT_EQ(type_of<CancelGoal::Request>().dds_name, "action_msgs::srv::dds_::CancelGoal_Request_");
  EXPECT_EQ(type_of<GoalStatusArray>().dds_name, "action_msgs::msg::dds_::GoalStatusArray_");
}

// From public code that rosidl has generated of the packages: get_type_hash() in *__description.c.
TEST(SimulationActions, HaveTheHashesOfRos2) {
  EXPECT_EQ(type_of<Uuid>().ros2_hash,
            "RIHS01_1b8e8aca958cbea28fe6ef60bf6c19b683c97a9ef60bb34752067d0f2f7ab437");
  EXPECT_EQ(type_of<GoalInfo>().ros2_hash,
            "RIHS01_6398fe763154554353930716b225947f93b672f0fb2e49fdd01bb7a7e37933e9");
  EXPECT_EQ(type_of<GoalStatus>().ros2_hash,
            "RIHS01_32f4cfd717735d17657e1178f24431c1ce996c878c515230f6c5b3476819dbb9");
  EXPECT_EQ(type_of<GoalStatusArray>().ros2_hash,
            "RIHS01_6c1684b00f177d37438febe6e709fc4e2b0d4248dca4854946f9ed8b30cda83e");
  EXPECT_EQ(type_of<CancelGoal::Request>().ros2_hash,
            "RIHS01_3d3c84653c1f96918086887e1dcb236faec88b81a5b14fd4cf4840065bcdf8af");
  EXPECT_EQ(type_of<CancelGoal::Response>().ros2_hash,
            "RIHS01_35e682cf3f510e83c70a82a4aac888496dedee56773bf9d8e5e0aa81f9e1c960");
}

// No public code with the hashes of SimulateSteps was found. Those of another action, whose parts are made in the
// same way, are known: of the tutorial of ROS 2 Jazzy.
struct FibonacciProgress {
  static constexpr MessageName kName{"action_tutorials_interfaces", "Fibonacci_Feedback",
                                     "action_tutorials_interfaces", "action"};
  std::vector<std::int32_t> partial_sequence;
  static void each(auto& m, auto&& f) { f("partial_sequence", m.partial_sequence); }
};
struct FibonacciFeedback {
  static constexpr MessageName kName{"action_tutorials_interfaces", "Fibonacci_FeedbackMessage",
                                     "action_tutorials_interfaces", "action"};
  Uuid goal_id;
  FibonacciProgress feedback;
  static void each(auto& m, auto&& f) {
    f("goal_id", m.goal_id);
    f("feedback", m.feedback);
  }
};

TEST(SimulationActions, HashFeedbackAsRos2Does) {
  EXPECT_EQ(type_of<FibonacciFeedback>().ros2_hash,
            "RIHS01_50fc26b9cac313652ecbeab3adf9b5414d59fd4d4d5f9058ddcc7525169927f1");
}

TEST(SimulationActions, HaveDefinitions) {
  EXPECT_THAT(type_of<SimulateSteps::Feedback>().ros2_definition,
              StartsWith("unique_identifier_msgs/UUID goal_id\n"
                         "simulation_interfaces/SimulateSteps_Feedback feedback\n"));
}

// By hand: 16 bytes of the identifier, then what is aligned to 8 stays so.
TEST(SimulationActions, AreEncodedAsTheyAreDefined) {
  SimulateSteps::SendGoal::Request request;
  for (std::uint8_t i = 0; i < 16; ++i) request.goal_id.uuid[i] = i + 1;
  request.goal.steps = 0x0102;
  EXPECT_THAT(to_cdr(request),
              ElementsAre(0, 1, 0, 0,                                             //
                          1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,  //
                          2, 1, 0, 0, 0, 0, 0, 0));
  // A bool, a gap, two numbers of 4 bytes.
  EXPECT_THAT(to_cdr(SimulateSteps::SendGoal::Response{true, {7, 9}}),
              ElementsAre(0, 1, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 9, 0, 0, 0));
  // Two bytes, a gap, text with its length.
  EXPECT_THAT(to_cdr(SimulateSteps::GetResult::Response{4, {{1, ""}}}),
              ElementsAre(0, 1, 0, 0, 4, 1, 0, 0, 1, 0, 0, 0, 0));
}

}  // namespace
}  // namespace protobeam::message
