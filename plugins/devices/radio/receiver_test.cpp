// What a Receiver gives of the packets that reach it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

/// One of a radio 2 m before the receiver, on channel 0, of unlimited range.
Signal packet() { return {"radio", Pose::translation({2, 0, 0}), {0, -1, -1}, "hello"}; }

void take_sample_of(DeviceModel& receiver, std::uint64_t frame = 0) {
  SampleInput in;
  in.noise = {1, 2, 0, frame};
  take_sample(receiver, in, {});
}

TEST(Receiver, GivesPacketsWithItsNextSample) {
  const auto receiver = make_sensor("Receiver");
  receiver->receive(packet(), {});
  EXPECT_TRUE(receiver->take_messages().empty());
  take_sample_of(*receiver);
  const auto messages = receiver->take_messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].bytes, "hello");
  EXPECT_THAT(messages[0].numbers, testing::ElementsAre(0.25, 1, 0, 0));
  EXPECT_TRUE(receiver->take_messages().empty());
}

TEST(Receiver, ItsBufferHoldsWhatWaitsForTheSampleToo) {
  const auto receiver = make_sensor("Receiver", {{"bufferSize", "10"}});
  receiver->receive(packet(), {});
  take_sample_of(*receiver);
  receiver->receive(packet(), {});
  receiver->receive(packet(), {});  // the buffer is full
  EXPECT_EQ(receiver->take_messages().size(), 1u);
  receiver->receive(packet(), {});
  take_sample_of(*receiver);
  EXPECT_EQ(receiver->take_messages().size(), 2u);
}

TEST(Receiver, NoiseIsOfTheStrengthItselfAndOfEachAxisOfTheDirection) {
  const double by_strength = 0.1, by_axis = 0.02;
  const auto receiver =
      make_sensor("Receiver", {{"signalStrengthNoise", "0.1"}, {"directionNoise", "0.02"}});
  constexpr int kFrames = 5000, kCount = 2 * kFrames;
  double strength = 0, strength_squares = 0, y_squares = 0, z_squares = 0, yz = 0, mean_y = 0;
  for (int i = 0; i < kFrames; ++i) {
    receiver->receive(packet(), {});
    receiver->receive(packet(), {});
    take_sample_of(*receiver, static_cast<std::uint64_t>(i));
    const auto messages = receiver->take_messages();
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_NE(messages[0].numbers, messages[1].numbers);
    for (const DeviceMessage& message : messages) {
      const auto& n = message.numbers;
      const double error = n[0] / 0.25 - 1;
      strength += error / kCount;
      strength_squares += error * error / kCount;
      EXPECT_NEAR(std::sqrt(n[1] * n[1] + n[2] * n[2] + n[3] * n[3]), 1, 1e-12);
      mean_y += n[2] / kCount;
      y_squares += n[2] * n[2] / kCount;
      z_squares += n[3] * n[3] / kCount;
      yz += n[2] * n[3] / kCount;
    }
  }
  EXPECT_NEAR(strength, 0, 4 * by_strength / std::sqrt(kCount));
  EXPECT_NEAR(std::sqrt(strength_squares) / by_strength, 1, 0.04);
  EXPECT_NEAR(mean_y, 0, 4 * by_axis / std::sqrt(kCount));
  EXPECT_NEAR(std::sqrt(y_squares) / by_axis, 1, 0.04);
  EXPECT_NEAR(std::sqrt(z_squares) / by_axis, 1, 0.04);
  EXPECT_NEAR(yz / (by_axis * by_axis), 0, 0.05);
}

TEST(Receiver, ANoisyStrengthIsNeverNegative) {
  const auto receiver = make_sensor("Receiver", {{"signalStrengthNoise", "3"}});
  int none = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    receiver->receive(packet(), {});
    take_sample_of(*receiver, i);
    const auto messages = receiver->take_messages();
    EXPECT_GE(messages.at(0).numbers[0], 0);
    none += messages[0].numbers[0] == 0 ? 1 : 0;
  }
  EXPECT_GT(none, 40);  // 37 % of all
  EXPECT_LT(none, 110);
}

}  // namespace
}  // namespace protobeam
