// @NAME@ in front of a wall, whose distance along each ray is distance / x of its direction.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <string>

#include "tests/unit/support/plugin.h"
#include "tests/unit/support/visible_wall.h"

namespace protobeam {
namespace {

using Texts = std::map<std::string, std::string>;

struct @NAME@Bench {
  explicit @NAME@Bench(Texts fields = {})
      : device(make_sensor("@NAME@", std::move(fields))), bytes(device->layout().size) {
    in.visible = &wall;
  }
  void sample() { take_sample(*device, in, bytes); }
  template <class T>
  T value(const char* channel, std::size_t i = 0) const {
    T out;
    std::memcpy(&out, bytes.data() + device->layout().find(channel)->offset + i * sizeof(T),
                sizeof(T));
    return out;
  }

  VisibleWall wall{2};
  SampleInput in;
  std::unique_ptr<DeviceModel> device;
  std::vector<std::byte> bytes;
};

TEST(@NAME@, MeasuresTheSlantRangesToAWall) {
  @NAME@Bench bench;
  bench.sample();
  const auto* ranges = bench.device->layout().find("ranges");
  ASSERT_EQ(ranges->shape, (std::vector<std::size_t>{3, 5}));
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 5; ++column) {
      const double azimuth = (2 - column) * 0.25, elevation = (1 - row) * 0.25;
      EXPECT_NEAR(bench.value<float>("ranges", 5 * row + column),
                  2 / (std::cos(azimuth) * std::cos(elevation)), 1e-5)
          << row << ' ' << column;
    }
  }
}

TEST(@NAME@, ReadsInfinityBeyondItsRange) {
  @NAME@Bench bench(Texts{{"maxRange", "2.1"}});
  bench.sample();
  EXPECT_EQ(bench.value<float>("ranges", 0), std::numeric_limits<float>::infinity());
  EXPECT_NEAR(bench.value<float>("ranges", 7), 2, 1e-5);
}

TEST(@NAME@, ThrustFollowsTheCommandAsAFirstOrderLag) {
  @NAME@Bench bench;
  EXPECT_EQ(bench.device->send_command("lag", {0.5}), "");
  EXPECT_EQ(bench.device->send_command("thrust", {8}), "");
  constexpr double kStep = 0.001;
  for (int i = 0; i < 500; ++i) bench.device->before_substep(i * kStep, kStep);
  bench.sample();
  EXPECT_NEAR(bench.value<double>("thrust"), 8 * (1 - std::exp(-1.0)), 0.01);
}

TEST(@NAME@, RefusesCommandsOutsideOfItsRanges) {
  @NAME@Bench bench(Texts{{"maxThrust", "3"}});
  EXPECT_EQ(bench.device->send_command("thrust", {4}), "the thrust is more than maxThrust");
  EXPECT_EQ(bench.device->send_command("lag", {-1}), "command 'lag' holds -1.000000");
  EXPECT_EQ(bench.device->send_command("thrust", {1, 2}), "command 'thrust' has the wrong size");
}

TEST(@NAME@, CountsContacts) {
  @NAME@Bench bench;
  const TouchContact contacts[2] = {};
  bench.in.contacts = contacts;
  bench.sample();
  EXPECT_EQ(bench.value<std::int32_t>("contacts"), 2);
}

TEST(@NAME@, NoiseHasTheStatedDeviation) {
  @NAME@Bench bench(Texts{{"rows", "1"}, {"columns", "1"}, {"noise", "0.03"}});
  double squares = 0;
  constexpr int kSamples = 4000;
  for (bench.in.noise.frame = 0; bench.in.noise.frame < kSamples; ++bench.in.noise.frame) {
    bench.sample();
    squares += std::pow(bench.value<float>("ranges") - 2, 2);
  }
  EXPECT_NEAR(std::sqrt(squares / kSamples), 0.03, 0.002);
}

}  // namespace
}  // namespace protobeam
