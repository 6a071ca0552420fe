// Programs that speak the link's protocol, but wrongly.
#include <gmock/gmock.h>

#include "link/messages.h"
#include "tests/unit/link/test_robot.h"

namespace protobeam::link {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (std::byte byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(byte));
    text += digits;
  }
  return text;
}

/// One piece as it goes over the socket.
std::string piece(std::uint32_t size, std::uint32_t type, std::span<const std::byte> bytes) {
  Writer header;
  header.value(size);
  header.value(type);
  return hex(header.take()) + hex(bytes);
}

std::string message(MessageType type, const std::vector<std::byte>& bytes) {
  return piece(static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(type), bytes);
}

const std::string kHello = message(MessageType::kHello, encode_hello());

struct Lie {
  std::vector<std::string> arguments;
  const char* what;
};

class LyingController : public testing::TestWithParam<Lie> {};

TEST_P(LyingController, FailsAndIsNamed) {
  auto arguments = GetParam().arguments;
  arguments.push_back("wait");
  Running run(arguments, "raw_client");
  EXPECT_EQ(run.wait(), ControllerState::kFailed);
  EXPECT_THAT(run.host->what_happened(), HasSubstr(GetParam().what));
  EXPECT_EQ(run.host->exit_status(), 137);
}

INSTANTIATE_TEST_SUITE_P(
    All, LyingController,
    testing::Values(
        Lie{{"00"}, "sent a broken message: a message of 1 bytes has no header"},
        Lie{{message(MessageType::kHello, {std::byte{1}, std::byte{2}})},
            "a message ends too early"},
        Lie{{piece(4, 1, std::vector<std::byte>(64))}, "a message is longer than it says"},
        Lie{{piece(0xffffffff, 1, {})}, "is larger than the limit of 67108864"},
        Lie{{message(MessageType::kHello, std::vector<std::byte>(8))}, "its greeting is not ours"},
        Lie{{message(MessageType::kStep, encode(StepRequest{32, {}}))},
            "it does not begin with a greeting"},
        Lie{{kHello, "read", kHello}, "it greets twice"},
        Lie{{kHello, "read", message(MessageType::kReply, encode(StepReply{}))},
            "message type 5 is unknown"},
        Lie{{kHello, "read", message(MessageType::kAsk, encode(std::vector<SupervisorRequest>(1)))},
            "it asks as a supervisor, and its robot is none"},
        Lie{{kHello, "read", message(static_cast<MessageType>(77), {})},
            "message type 77 is unknown"},
        Lie{{kHello, "read", message(MessageType::kStep, encode(StepRequest{-5, {}}))},
            "it asks for a step of -5 ms"},
        Lie{{kHello, "read",
             message(MessageType::kStep,
                     encode(StepRequest{32, {{99, device_op::kEnable, {32}, ""}}}))},
            "a command goes to device 99, the robot has 14"},
        Lie{{kHello, "read", message(MessageType::kBye, {}), message(MessageType::kBye, {})},
            "it goes on after its goodbye"},
        Lie{{piece(100, 1, std::vector<std::byte>(60))}, "a piece of a message is too small"}));

TEST(LyingController, FailsWhenItClosesItsConnectionAndLivesOn) {
  Running run({kHello, "read", "close", "wait"}, "raw_client");
  EXPECT_EQ(run.host->wait(200ms), ControllerState::kFailed);
  EXPECT_EQ(run.host->what_happened(), "closed its connection and did not end for 0.2 s");
}

TEST(LyingController, HasFinishedWhenItNeverSpokeAndEndedWell) {
  Running run({}, "raw_client");
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
}

TEST(LyingController, CanNeitherCutTheSharedMemoryNorWriteToIt) {
  Running run({"truncate"}, "raw_client");
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("-1", "1"));
}

TEST(LyingController, IsAnsweredOneStepAtATime) {
  const auto step = message(MessageType::kStep, encode(StepRequest{32, {}}));
  Running run({kHello, "read", step, step, "read", "read"}, "raw_client");
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(run.wait(), ControllerState::kStepping);
    run.host->reply({});
  }
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THROW(run.host->reply({}), std::logic_error);
}

}  // namespace
}  // namespace protobeam::link
