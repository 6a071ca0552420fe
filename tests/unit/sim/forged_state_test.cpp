// States whose checksum is right and whose bytes are not: whoever sends one may have written any.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/state_archive.h"
#include "base/xxh3.h"
#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kSizeAt = 24, kChecksumAt = 32, kHeader = 40;  // as in simulation_state.cpp

/// A car with devices that keep arrays between steps.
const std::string kWorld = R"(
Robot { name "car" controller "<none>"
  boundingObject Pose { translation 0 0 0.2 children [ Box { size 0.6 0.4 0.2 } ] }
  physics Physics { density -1 mass 10 }
  children [
    DifferentialDrive { controller TwistPid { } wheels [
      VehicleWheel { position 0 0.3 0.1 diameter 0.2 width 0.05 mass 1 }
      VehicleWheel { position 0 -0.3 0.1 diameter 0.2 width 0.05 mass 1 } ] }
    Lidar { name "turning" translation 0 0 1 type "rotating" horizontalResolution 8
      numberOfLayers 2 fieldOfView 6.28 samplingPeriod 0.008 maxRange 10 }
    Lidar { name "spinning" translation 0 0 1.2 scanLaw "spinning" horizontalResolution 10
      defaultFrequency 20 maxFrequency 25 beamElevations_deg [ -10, 10 ] beamModel "datasheet"
      returnMode "dual" motionDistortion TRUE samplingPeriod 0.008 maxRange 10 }
    DistanceSensor { translation 0 0 1.4 numberOfRays 3 aperture 0.3 samplingPeriod 0.008 }
    Camera { translation 0 0 1.6 width 4 height 3 motionBlur 100 samplingPeriod 0.008 }
    Camera { name "rolling" translation 0 0 1.8 width 4 height 3 rowTime 0.004 samplingPeriod 0.008 }
    Emitter { } Receiver { }
  ] }
Solid { translation 3 0 1 children [ Shape { geometry Box { size 0.2 5 3 } } ]
  boundingObject Box { size 0.2 5 3 } }
)";

Bytes with_checksum(Bytes state) {
  const std::uint64_t size = state.size() - kHeader,
                      checksum = XXH3_64bits(state.data() + kHeader, size);
  std::memcpy(state.data() + kSizeAt, &size, sizeof size);
  std::memcpy(state.data() + kChecksumAt, &checksum, sizeof checksum);
  return state;
}

template <class T>
Bytes with(const Bytes& state, std::size_t at, const T& value) {
  Bytes out = state;
  std::memcpy(out.data() + at, &value, std::min(sizeof value, out.size() - at));
  return with_checksum(std::move(out));
}

/// `at` has the length of an array, which becomes `by` elements of `size` bytes longer.
Bytes with_longer_array(const Bytes& state, std::size_t at, int by, std::size_t size) {
  std::uint64_t length = 0;
  std::memcpy(&length, state.data() + at, sizeof length);
  Bytes out = state;
  const auto first = out.begin() + static_cast<std::ptrdiff_t>(at + sizeof length);
  if (by > 0) {
    out.insert(first, static_cast<std::size_t>(by) * size, std::byte{0});
  } else {
    out.erase(first, first + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(-by) * size));
  }
  length += static_cast<std::uint64_t>(static_cast<std::int64_t>(by));
  return with(out, at, length);
}

class ForgedState : public testing::Test {
 protected:
  explicit ForgedState(const std::string& world = kWorld) : simulation_(world_.load(world, "")) {
    for (int i = 0; i < 30; ++i) simulation_.step();
    state_ = simulation_.save();
  }

  /// What restore() says about it; "" when the world goes on from it.
  std::string problem_of(const Bytes& state) {
    try {
      simulation_.restore(state);
    } catch (const StateError& error) {
      return error.what();
    }
    for (int i = 0; i < 8; ++i) simulation_.step();
    return "";
  }

  WorldText world_;
  Simulation& simulation_;
  Bytes state_;
};

TEST_F(ForgedState, ThatIsNoneGoesOnAsTheWorldDid) {
  ASSERT_EQ(problem_of(state_), "");
  const std::uint64_t once = simulation_.state_hash();
  simulation_.step();
  ASSERT_EQ(problem_of(state_), "");
  EXPECT_EQ(simulation_.state_hash(), once);
  WorldText other;
  Simulation& fresh = other.load(kWorld, "");
  for (int i = 0; i < 38; ++i) fresh.step();
  EXPECT_EQ(fresh.state_hash(), once);
}

/// Sweeps that are laid out once, and those that are anew each time.
TEST(StateOfLidars, GoesOnAsTheWorldDidAtAnyStep) {
  const std::string common =
      "samplingPeriod 0.008 maxRange 10 defaultFrequency 20 maxFrequency 25 motionDistortion ";
  const std::string world = R"(Robot { name "r" controller "<none>" children [
    Lidar { name "spinning" scanLaw "spinning" firingPeriod 0.002
      beamElevations_deg [ -10, 10 ] beamModel "datasheet" )" +
                            common + R"(TRUE }
    Lidar { name "oscillating" scanLaw "oscillating" fieldOfView 2 horizontalResolution 10
      beamElevations_deg [ 0 ] )" +
                            common + R"(FALSE }
    Lidar { name "risley" scanLaw "risley" pointRate 1000 prismAngle 0.3 prismIndex 1.5
      prismRates [ 120, -70 ] prismPhases [ 0, 1 ] )" +
                            common + R"(TRUE } ] }
Solid { translation 3 0 0 children [ Shape { geometry Box { size 0.2 5 3 } } ] }
)";
  const auto faster = [](Simulation& simulation) {
    for (const char* name : {"spinning", "oscillating", "risley"})
      EXPECT_EQ(device_named(simulation, name).model->send_command("frequency", {25}), "");
  };
  WorldText text;
  Simulation& simulation = text.load(world, "");
  for (int step = 0; step < 25; ++step) {
    if (step == 9) faster(simulation);
    const Bytes state = simulation.save();
    WorldText others;
    Simulation& other = others.load(world, "");
    other.restore(state);
    ASSERT_TRUE(other.save() == state) << step;
    simulation.step();
    other.step();
    ASSERT_TRUE(other.save() == simulation.save()) << step;
    for (int i = 0; i < 20; ++i) other.step();
    simulation.restore(state);
    for (int i = 0; i < 21; ++i) simulation.step();
    ASSERT_EQ(other.state_hash(), simulation.state_hash()) << step;
    simulation.restore(state);
    simulation.step();
  }
  // Those that are enabled anew show no sweep at first.
  WorldText others;
  Simulation& other = others.load(world, "");
  other.restore(simulation.save());
  for (Simulation* one : {&simulation, &other}) {
    one->enable(device_named(*one, "spinning"), 0.008);
    one->step();
  }
  EXPECT_TRUE(other.save() == simulation.save());
}

TEST_F(ForgedState, ThatIsRefusedLeavesTheWorldAtItsStart) {
  WorldText other;
  Simulation& slow = other.load(kWorld, "");
  slow.enable(device_named(slow, "spinning"), 0.08);
  slow.set_keys({65});
  slow.step();
  Bytes longer = slow.save();
  longer.push_back(std::byte{0});
  EXPECT_EQ(problem_of(with_checksum(longer)),
            "the state has more bytes than this world takes; the world is at its start");
  WorldText third;
  Simulation& fresh = third.load(kWorld, "");
  for (int i = 0; i < 30; ++i) {
    simulation_.step();
    fresh.step();
    ASSERT_EQ(simulation_.state_hash(), fresh.state_hash()) << i;
  }
  EXPECT_TRUE(simulation_.save() == fresh.save());
}

TEST_F(ForgedState, WithAnArrayOfAnotherLengthIsRefused) {
  std::size_t lengths = 0;
  std::set<std::string> arrays;  // that the world has otherwise
  for (std::size_t at = kHeader; at + 8 <= state_.size(); ++at) {
    std::uint64_t length = 0;
    std::memcpy(&length, state_.data() + at, sizeof length);
    if (length == 0 || length > 64) continue;
    for (const std::size_t size : {4, 8, 24, 56, 144}) {
      const int all = -static_cast<int>(length);
      for (const int by : {all, -1, 1}) {
        if (by < 0 && at + 8 + static_cast<std::size_t>(-by) * size > state_.size()) continue;
        if (by == -1 && all == -1) continue;
        ++lengths;
        const std::string problem = problem_of(with_longer_array(state_, at, by, size));
        if (problem.find("the state has an array of") == 0) arrays.insert(problem);
      }
    }
  }
  EXPECT_GT(lengths, 500u);
  EXPECT_GT(arrays.size(), 8u) << testing::PrintToString(arrays);
  EXPECT_EQ(problem_of(state_), "");
}

// Nothing catches up with the years between.
TEST_F(ForgedState, WithAStepFarAheadIsRefusedOrGoesOn) {
  EXPECT_EQ(problem_of(with(state_, kHeader, std::int64_t{1} << 36)), "");  // 17 years
  EXPECT_EQ(problem_of(with(state_, kHeader, std::int64_t{1} << 40)),
            "the state has a step beyond all runs; the world is at its start");
  EXPECT_EQ(problem_of(state_), "");
}

TEST_F(ForgedState, WithOtherNumbersIsRefusedOrGoesOn) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr std::size_t kAfterTheStep = kHeader + 8;
  for (std::size_t at = kAfterTheStep; at + 8 <= state_.size(); at += 29) {
    for (const double value : {kNaN, -1e300, 1e300}) problem_of(with(state_, at, value));
    for (const std::int64_t value : {std::int64_t{-1}, std::int64_t{7}, std::int64_t{1} << 62})
      problem_of(with(state_, at, value));
    problem_of(with(state_, at, -1));
  }
  EXPECT_EQ(problem_of(state_), "");
}

/// A pen in the middle of a tile of the floor's paint, of which one side has one tile.
const std::string kDrawn = R"(
Robot { name "draughtsman" controller "<none>" translation 0.304 0.304 1 children [
  Pen { leadSize 0.002 inkColor 0.1 0.2 0.3 inkDensity 0.7 }
  Camera { rotation 0 1 0 1.5708 width 4 height 3 fieldOfView 0.002 samplingPeriod 0.008 }
  DistanceSensor { type "infra-red" rotation 0 1 0 1.5708 samplingPeriod 0.008 } ] }
Solid { children [ Shape { appearance Appearance { } geometry Plane { size 1 1 } } ] }
)";

class ForgedPaint : public ForgedState {
 protected:
  ForgedPaint() : ForgedState(kDrawn) {}

  /// What restore() says about a state with these values there, all alike.
  template <class T>
  std::set<std::string> problems(std::size_t at, const std::vector<T>& values) {
    std::set<std::string> out;
    for (const T& value : values) out.insert(problem_of(with(state_, at, value)));
    return out;
  }

  static std::set<std::string> refused(const char* what) {
    return {std::string("the state ") + what + "; the world is at its start"};
  }

  static constexpr double kHuge = std::numeric_limits<double>::max(),
                          kInfinite = std::numeric_limits<double>::infinity(),
                          kNone = std::numeric_limits<double>::quiet_NaN();
  static constexpr float kHugeFloat = std::numeric_limits<float>::max(),
                         kInfiniteFloat = std::numeric_limits<float>::infinity(),
                         kNoFloat = std::numeric_limits<float>::quiet_NaN();

  // As visit_paint() and PaintLayer::visit_state() write, to the end of the state.
  const std::size_t tile_ = state_.size() - 8 - 32 * 32 * 16, number_ = tile_ - 4,
                    tiles_ = number_ - 8, fading_ = tiles_ - 5 * 8, pixel_ = fading_ - 8,
                    shapes_ = pixel_ - 8, painted_ = shapes_ - 8;
};

TEST_F(ForgedPaint, WithLengthsOfOthersIsRefused) {
  ASSERT_EQ(problem_of(state_), "");
  using Numbers = std::vector<std::uint64_t>;
  EXPECT_EQ(problems(shapes_, Numbers{2, 1000}), refused("has paint on shapes that are not there"));
  EXPECT_EQ(problems(shapes_, Numbers{1u << 20, std::uint64_t{1} << 40, ~std::uint64_t{0}}),
            refused("ends too early"));
  EXPECT_EQ(problems(tiles_, Numbers{1u << 14, std::uint64_t{1} << 62, ~std::uint64_t{0}}),
            refused("ends too early"));
  EXPECT_EQ(problems(number_, std::vector<std::uint32_t>{125 * 125, ~0u}),
            refused("has paint beside a shape"));
  EXPECT_EQ(problems(painted_, Numbers{0}), refused("has paint that nobody has drawn"));
  EXPECT_EQ(problem_of(state_), "");
}

TEST_F(ForgedPaint, WithNumbersThatNoPenLeavesIsRefused) {
  EXPECT_EQ(problems(pixel_, std::vector<double>{kNone, kInfinite, -1, 1e-300, 1e-5, 1, kHuge}),
            refused("has paint with pixels of a wrong size"));
  EXPECT_EQ(problems(fading_, std::vector<double>{kNone, kInfinite, -1, 0, 1e-320, 1e-100, 2}),
            refused("has paint that is not there"));
  for (const std::size_t pixel : {0, 1, 527, 1023}) {
    for (const std::size_t channel : {0, 1, 2, 3}) {
      const std::vector<float> values = {kNoFloat, kInfiniteFloat, -kInfiniteFloat, kHugeFloat, 2,
                                         -1};
      EXPECT_EQ(problems(tile_ + 16 * pixel + 4 * channel, values),
                refused("has ink that no pen has"))
          << pixel << " " << channel;
    }
  }
  EXPECT_EQ(problem_of(state_), "");
}

TEST_F(ForgedPaint, OfAPenWithImpossibleInkIsRefused) {
  const float ink[] = {0.1f, 0.2f, 0.3f, 0.7f};
  const auto bytes = std::as_bytes(std::span(ink));
  const auto found = std::ranges::search(state_, bytes);
  const auto at = static_cast<std::size_t>(found.begin() - state_.begin());
  ASSERT_LT(at, painted_);
  for (const std::size_t channel : {0, 1, 2, 3}) {
    EXPECT_EQ(
        problems(at + 4 * channel, std::vector<float>{kNoFloat, kInfiniteFloat, kHugeFloat, 2, -1}),
        refused("has ink that no pen has"))
        << channel;
  }
  EXPECT_EQ(problem_of(state_), "");
}

}  // namespace
}  // namespace protobeam
