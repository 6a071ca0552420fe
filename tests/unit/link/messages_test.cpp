// The bytes of the link, and what is made of wrong ones.
#include "link/messages.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "base/robot_commands.h"
#include "tests/unit/link/test_robot.h"

namespace protobeam::link {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::uint16_t op(const char* device, const char* command) {
  static const RobotRecord robot = test_robot();
  return op_of(robot.devices.at(tag_of(robot, device) - 1u), command);
}

StepRequest sample_request() {
  return {32,
          {{2, op("motor", "control PID"), {1, 2, 3}, ""}, {11, op("emitter", "send"), {}, "a\n"}}};
}

StepReply sample_reply() {
  StepReply reply{3, 1.5, {{12, std::string("x\0y", 3), {0.5, 1, 2, 3}}}, {315, 0x10041}};
  reply.properties = {{2, {{"maxVelocity", 7.0}, {"type", std::string("a")}}}, {5, {}}};
  return reply;
}

TEST(Messages, ComeBackAsTheyWere) {
  const auto sent = lay_out(test_robot());
  const auto got = decode_configuration(encode(sent));
  EXPECT_EQ(got.robot.name, sent.robot.name);
  EXPECT_EQ(got.robot.custom_data, sent.robot.custom_data);
  EXPECT_EQ(got.robot.world_path, sent.robot.world_path);
  EXPECT_EQ(got.robot.basic_time_step_ms, 16);
  EXPECT_EQ(got.robot.synchronization, true);
  EXPECT_EQ(got.offsets, sent.offsets);
  EXPECT_EQ(got.memory_size, sent.memory_size);
  ASSERT_EQ(got.robot.devices.size(), sent.robot.devices.size());
  for (std::size_t i = 0; i < got.robot.devices.size(); ++i) {
    const auto &a = got.robot.devices[i], &b = sent.robot.devices[i];
    EXPECT_EQ(a.tag, b.tag);
    EXPECT_EQ(a.type, b.type);
    EXPECT_EQ(a.api, b.api);
    EXPECT_EQ(a.webots_node, b.webots_node);
    EXPECT_EQ(a.joint, b.joint);
    EXPECT_EQ(a.messages, b.messages);
    EXPECT_EQ(a.channels, b.channels);
    EXPECT_EQ(layout_hash(a.channels, a.commands), layout_hash(b.channels, b.commands));
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.model, b.model);
    EXPECT_EQ(a.properties, b.properties);
    EXPECT_EQ(a.data_size, b.data_size);
  }

  const auto request = decode_request(encode(sample_request()));
  EXPECT_EQ(request.period_ms, 32);
  ASSERT_EQ(request.commands.size(), 2u);
  EXPECT_THAT(request.commands[0].numbers, ElementsAre(1, 2, 3));
  EXPECT_EQ(request.commands[1].tag, 11);
  EXPECT_EQ(request.commands[1].op, op("emitter", "send"));
  EXPECT_EQ(request.commands[1].bytes, "a\n");

  const auto reply = decode_reply(encode(sample_reply()));
  EXPECT_EQ(reply.result, 3);
  EXPECT_EQ(reply.time, 1.5);
  ASSERT_EQ(reply.messages.size(), 1u);
  EXPECT_EQ(reply.messages[0].bytes, std::string("x\0y", 3));
  EXPECT_THAT(reply.messages[0].numbers, ElementsAre(0.5, 1, 2, 3));
  EXPECT_THAT(reply.keys, ElementsAre(315, 0x10041));
  EXPECT_EQ(reply.properties, sample_reply().properties);
}

TEST(Messages, GiveMetricsWithPrintableNames) {
  const Metric back = decode_metric(encode(Metric{"mean distance", -0.25}));
  EXPECT_EQ(back.name, "mean distance");
  EXPECT_EQ(back.value, -0.25);
  EXPECT_TRUE(std::isnan(decode_metric(encode(Metric{"x", std::nan("")})).value));
  for (const std::string& name : {std::string(), std::string(101, 'x'), std::string("a\nb")}) {
    EXPECT_THROW(decode_metric(encode(Metric{name, 1})), BrokenMessage) << name;
  }
}

TEST(Messages, TellSevenKeysAndNoMore) {
  StepReply reply;
  reply.keys.assign(7, 'A');
  EXPECT_EQ(decode_reply(encode(reply)).keys, reply.keys);
  reply.keys.push_back('B');
  try {
    decode_reply(encode(reply));
    FAIL();
  } catch (const BrokenMessage& broken) {
    EXPECT_STREQ(broken.what(), "a keyboard tells 8 keys at once, more than 7");
  }
}

TEST(Messages, LayDataOutInOrderAtMultiplesOf64Bytes) {
  const auto configuration = lay_out(test_robot());
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < configuration.offsets.size(); ++i) {
    EXPECT_EQ(configuration.offsets[i] % 64, 0u);
    EXPECT_GE(configuration.offsets[i], end);
    end = configuration.offsets[i] + configuration.robot.devices[i].data_size;
  }
  EXPECT_GE(configuration.memory_size, end);
}

TEST(Messages, AreRefusedAtEveryLengthButTheirOwn) {
  const auto refuses_cuts = [](std::vector<std::byte> bytes, auto decode) {
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      EXPECT_THROW(decode(std::span(bytes).first(n)), BrokenMessage) << n;
    }
    bytes.push_back(std::byte{0});
    EXPECT_THROW(decode(std::span<const std::byte>(bytes)), BrokenMessage);
  };
  refuses_cuts(encode_hello(), [](auto bytes) { decode_hello(bytes); });
  refuses_cuts(encode(lay_out(test_robot())), [](auto b) { return decode_configuration(b); });
  refuses_cuts(encode(sample_request()), [](auto b) { return decode_request(b); });
  refuses_cuts(encode(sample_reply()), [](auto b) { return decode_reply(b); });
}

TEST(Messages, WithRandomBytesAreRefusedOrRead) {
  // A sanitizer build sees what must not happen here.
  int refused = 0;
  std::uint32_t state = 1;
  const auto next = [&] { return state = state * 1664525u + 1013904223u; };
  for (int round = 0; round < 20000; ++round) {
    auto bytes = encode(sample_request());
    for (int i = 0; i < 3; ++i) {
      bytes[(next() >> 8) % bytes.size()] = static_cast<std::byte>(next() >> 24);
    }
    try {
      for (const auto& command : decode_request(bytes).commands) check(command, test_robot());
    } catch (const BrokenMessage&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 10000);
}

TEST(Messages, OfAnotherVersionAreNamed) {
  auto bytes = encode_hello();
  bytes[4] = std::byte{99};
  try {
    decode_hello(bytes);
    FAIL();
  } catch (const BrokenMessage& broken) {
    EXPECT_THAT(broken.what(), HasSubstr("version 99"));
    EXPECT_THAT(broken.what(), HasSubstr("build it again"));
  }
}

struct WrongCommand {
  DeviceCommand command;
  const char* message;
};

class WrongCommands : public testing::TestWithParam<WrongCommand> {};

TEST_P(WrongCommands, AreNamed) {
  try {
    check(GetParam().command, test_robot());
    FAIL() << GetParam().message;
  } catch (const BrokenMessage& broken) {
    EXPECT_STREQ(broken.what(), GetParam().message);
  }
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kNoEnd = std::numeric_limits<double>::infinity();

// Tags of test_robot(): 1 lidar, 2 motor, 5 gps, 11 emitter, 14 devices.
INSTANTIATE_TEST_SUITE_P(
    All, WrongCommands,
    testing::Values(
        WrongCommand{{15, device_op::kEnable, {32}, ""},
                     "a command goes to device 15, the robot has 14"},
        WrongCommand{{1, 4, {}, ""}, "command 4 to 'lidar' (Lidar) is unknown"},
        WrongCommand{{1, 40000, {}, ""}, "command 40000 to 'lidar' (Lidar) is unknown"},
        WrongCommand{{0, 64, {}, ""}, "command 64 to the robot is unknown"},
        WrongCommand{{2, op("motor", "velocity"), {kNaN}, ""}, "a command to 'motor' holds NaN"},
        WrongCommand{{14, op("cone", "gain"), {kNaN}, ""}, "a command to 'cone' holds NaN"},
        WrongCommand{{14, op("cone", "gain"), {9}, ""}, "command 'gain' to 'cone' holds 9.000000"},
        WrongCommand{{2, op("motor", "effort"), {kNoEnd}, ""},
                     "command 'effort' to 'motor' holds inf"},
        WrongCommand{{2, op("motor", "available effort"), {-kNoEnd}, ""},
                     "command 'available effort' to 'motor' holds -inf"},
        WrongCommand{{1, device_op::kEnable, {0}, ""},
                     "command 'enable' to 'lidar' holds 0.000000"},
        WrongCommand{{1, device_op::kEnable, {}, ""},
                     "command 'enable' to 'lidar' has the wrong size"},
        WrongCommand{{2, op("motor", "control PID"), {1, 2}, ""},
                     "command 'control PID' to 'motor' has the wrong size"},
        WrongCommand{{2, op("motor", "velocity"), {1}, "x"},
                     "command 'velocity' to 'motor' has the wrong size"},
        WrongCommand{{5, device_op::kFirstCommand, {1}, ""}, "command 2 to 'gps' (GPS) is unknown"},
        WrongCommand{{11, device_op::kEnable, {32}, ""},
                     "command 0 to 'emitter' (Emitter) is unknown"},
        WrongCommand{{0, device_op::kEnable, {32}, ""}, "command 0 to the robot is unknown"},
        WrongCommand{{0, robot_commands::kKeyboard, {}, ""},
                     "command 'keyboard' to the robot has the wrong size"},
        WrongCommand{{0, robot_commands::kKeyboard, {-1}, ""},
                     "command 'keyboard' to the robot holds -1.000000"},
        WrongCommand{{0, robot_commands::kBatterySensor, {-1}, ""},
                     "command 'battery sensor' to the robot holds -1.000000"}));

}  // namespace
}  // namespace protobeam::link
