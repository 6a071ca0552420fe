// Services of Ros2Publisher, asked by a program that does what rmw_cyclonedds does.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "message/simulation_entity_services.h"
#include "message/simulation_services.h"
#include "test_support.h"

namespace protobeam {
namespace {

using namespace ros2_test;
using Step = message::simulation::StepSimulation;

TEST(Ros2TestProgram, ThatHasEndedIsAFailureOfWhoTellsItSomething) {
  Program peer("fastdds_peer", {});
  ASSERT_TRUE(peer.ended_within(seconds(20)));
  EXPECT_NONFATAL_FAILURE(peer.tell("open rt/x"), "fastdds_peer takes no more commands, as: open");
}

class Ros2Services : public testing::Test {
 protected:
  /// What the client says at its end.
  std::string ask(const std::string& mode, int count, const std::string& network = "") {
    std::vector<std::string> arguments{domain_.text(), mode, std::to_string(count)};
    if (!network.empty()) arguments.push_back(network);
    return ask_by("service_client", arguments);
  }
  std::string ask_by(const std::string& program, const std::vector<std::string>& arguments) {
    Program client(program, arguments);
    while (!client.ended_within(milliseconds(0))) {
      sink_->wait(milliseconds(20));
      for (const ServiceRequest& request : sink_->take_requests()) {
        EXPECT_EQ(request.service, "/step_simulation");
        const auto steps = message::from_cdr<Step::Request>(request.cdr).steps;
        Step::Response response;
        response.result = {message::simulation::Result::kOk, std::to_string(steps)};
        sink_->answer(request, response);
      }
    }
    client.wait_for("", 1, seconds(5));
    const auto lines = client.all("");
    return lines.empty() ? "" : lines.back();
  }

  OwnDomain domain_;
  std::unique_ptr<MessageSink> serve(const std::string& network) {
    auto sink = make_publisher({{"domainId", domain_.text()}, {"networkInterface", '"' + network + '"'}});
    sink->serve({"/step_simulation", std::string(Step::kType),
                 &message::type_of<Step::Request>(), &message::type_of<Step::Response>()});
    sink->serve({"/get_entities", std::string(message::simulation::GetEntities::kType),
                 &message::type_of<message::simulation::GetEntities::Request>(),
                 &message::type_of<message::simulation::GetEntities::Response>()});
    return sink;
  }
  std::unique_ptr<MessageSink> sink_ = serve("lo");
};

TEST_F(Ros2Services, AnswerAThousandCalls) { EXPECT_EQ(ask("calls", 1000), "1000 of 1000"); }

TEST_F(Ros2Services, AnswerAThousandRequestsAtOnce) { EXPECT_EQ(ask("burst", 1000), "1000 of 1000"); }

TEST_F(Ros2Services, AnswerClientsThatComeAndGo) {
  EXPECT_EQ(ask("visits", 30), "30 of 30");
  EXPECT_EQ(ask("calls", 10), "10 of 10");
  EXPECT_EQ(ask("calls", 10), "10 of 10");
}

// Their requests may come before the readers of their answers are known.
TEST_F(Ros2Services, AnswerClientsThatDoNotTellWhoTheyAre) {
  EXPECT_EQ(ask("strangers", 10), "10 of 10");
}

TEST_F(Ros2Services, AnswerClientsOfEitherNetworkOnThisMachine) {
  sink_.reset();
  sink_ = serve("localhost");
  EXPECT_EQ(ask("calls", 10, "localhost"), "10 of 10");
  EXPECT_EQ(ask("calls", 10), "10 of 10");
}

// With Fast DDS, as ROS 2 has them by default.
TEST_F(Ros2Services, AnswerClientsWithTheDefaultMiddleware) {
  EXPECT_EQ(ask_by("fast_client", {domain_.text(), "calls", "300"}), "300 of 300");
  EXPECT_EQ(ask_by("fast_client", {domain_.text(), "visits", "5"}), "5 of 5");
  EXPECT_EQ(ask_by("fast_client", {domain_.text(), "old", "100"}), "100 of 100");
  EXPECT_EQ(ask("calls", 10), "10 of 10");
}

TEST_F(Ros2Services, ForgetRequestsThatAreAnswered) {
  // A second answer, and one to what nobody asked, are nothing.
  sink_->answer({"/step_simulation", 77, {}}, Step::Response{});
  EXPECT_TRUE(sink_->take_requests().empty());
}

}  // namespace
}  // namespace protobeam
