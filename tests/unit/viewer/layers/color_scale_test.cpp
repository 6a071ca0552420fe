#include "viewer/layers/color_scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/unit/viewer/layers/layer_picture.h"

namespace protobeam::viewer {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

TEST(MapColor, IsTurboWithoutItsDarkEnds) {
  // Entries of the published table of 256 colours, of which we use 20 to 224.
  const struct {
    int entry;
    Eigen::Vector3f rgb;
  } table[] = {{21, {0.26280f, 0.30639f, 0.72968f}},
               {71, {0.11639f, 0.79740f, 0.85559f}},
               {123, {0.58646f, 0.99739f, 0.26849f}},
               {175, {0.99163f, 0.68408f, 0.20706f}},
               {223, {0.82399f, 0.19182f, 0.01966f}}};
  for (const auto& [entry, rgb] : table) {
    const Eigen::Vector3f ours = point_color((entry - 20) / 204.0);
    EXPECT_LT((ours - rgb).cwiseAbs().maxCoeff(), 0.05f) << entry << ": " << ours.transpose();
  }
}

TEST(MapColor, StaysAtItsEndsBeyondThem) {
  EXPECT_EQ(point_color(-3), point_color(0));
  EXPECT_EQ(point_color(kNan), point_color(0));
  EXPECT_EQ(point_color(7), point_color(1));
  EXPECT_EQ(point_color(kInfinite), point_color(1));
}

TEST(MapColor, IsTheSameInTheShader) {
  LayerPicture canvas;
  DrawSettings settings;
  settings.color = CloudColor::kIntensity;
  settings.point_size = 4;
  Layers layers(look_with_lidars(), settings);
  std::vector<BeamReturn> returns;
  for (int i = 0; i <= 40; ++i) returns.push_back(hit({10, 4 - 0.2 * i, 0}, 0, i / 40.0));
  layers.update(frame_with({sweep(1, {}, returns)}));
  canvas.draw(layers);
  for (int i = 0; i <= 40; ++i) {
    const Rgb wanted = bytes(point_color(i / 40.0));
    EXPECT_LE(difference(canvas.at({10, 4 - 0.2 * i, 0}), wanted), 1) << i;
  }
}

TEST(NiceStep, IsOneTwoOrFiveAndFitsFourTimesAtLeast) {
  EXPECT_DOUBLE_EQ(round_step(25), 5);
  EXPECT_DOUBLE_EQ(round_step(19.9), 2);
  EXPECT_DOUBLE_EQ(round_step(100), 20);
  EXPECT_DOUBLE_EQ(round_step(4), 1);
  EXPECT_DOUBLE_EQ(round_step(3.9), 0.5);
  EXPECT_DOUBLE_EQ(round_step(0.041), 0.01);
}

/// Points straight ahead at these ranges.
std::shared_ptr<Sweep> at_ranges(const std::vector<double>& ranges) {
  std::vector<BeamReturn> returns;
  for (const double range : ranges) returns.push_back(hit({range, 0, 0}));
  return sweep(1, {}, returns);
}

TEST(ColorScale, RangeGoesFromZeroToTheFarthestReturnRoundedUp) {
  ColorScale scale(CloudColor::kRange);
  EXPECT_TRUE(scale.empty());
  scale.include(*at_ranges({3, 21.3, 8}), 16);
  EXPECT_EQ(scale.legend().title, "range");
  EXPECT_EQ(scale.legend().unit, "m");
  EXPECT_FALSE(scale.legend().steps);
  EXPECT_DOUBLE_EQ(scale.legend().low, 0);
  EXPECT_DOUBLE_EQ(scale.legend().high, 25);
}

TEST(ColorScale, OnlyGrowsUntilItsMeaningChanges) {
  ColorScale scale(CloudColor::kRange);
  double last = 0;
  for (const double range : {12.0, 3.0, 12.1, 11.0, 50.0, 7.0, 49.0, 51.0, 1.0}) {
    scale.include(*at_ranges({range}), 16);
    EXPECT_GE(scale.legend().high, last);
    EXPECT_GE(scale.legend().high, range);
    last = scale.legend().high;
  }
  EXPECT_DOUBLE_EQ(last, 60);
  scale.reset(CloudColor::kRange);
  scale.include(*at_ranges({1}), 16);
  EXPECT_DOUBLE_EQ(scale.legend().high, 1);
}

TEST(ColorScale, NoiseDoesNotMoveIt) {
  ColorScale scale(CloudColor::kHeight);
  std::vector<double> ends;
  for (int i = 0; i < 50; ++i) {
    std::vector<BeamReturn> returns;
    for (int k = 0; k < 500; ++k) {
      const double noise = 0.01 * std::sin(k * 12.9898 + i * 78.233);
      returns.push_back(hit({5, 0, 2.0 * k / 499 + noise}));
    }
    scale.include(*sweep(1, {}, returns), 16);
    ends.push_back(scale.legend().low);
    ends.push_back(scale.legend().high);
  }
  for (std::size_t i = 2; i < ends.size(); ++i) EXPECT_EQ(ends[i], ends[i % 2]) << i;
}

TEST(ColorScale, HeightIsThatInTheWorldWithoutOutliers) {
  // The sensor lies on its side, 10 m up: its y is up in the world.
  const Pose X_WS{axis_angle({1, 0, 0}, kPi / 2), Vec3(100, 50, 10)};
  std::vector<BeamReturn> returns;
  for (int i = 0; i < 1000; ++i) returns.push_back(hit({5, -10 + 2.0 * i / 999, 3}));
  for (int i = 0; i < 3; ++i) returns.push_back(hit({5, 90, 3}));
  ColorScale scale(CloudColor::kHeight);
  scale.include(*sweep(1, X_WS, returns), 16);
  EXPECT_NEAR(scale.legend().low, 0, 1e-12);
  EXPECT_NEAR(scale.legend().high, 2, 1e-12);
  EXPECT_EQ(scale.legend().unit, "m");
}

TEST(ColorScale, HeightIsAlongYInWorldsWithYUp) {
  // x to the right in the sensor is along z of the world.
  const Pose X_WS{axis_angle({0, 1, 0}, -kPi / 2), Vec3(100, 20, 50)};
  ColorScale scale(CloudColor::kHeight, Vec3::UnitY());
  scale.include(*sweep(1, X_WS, {hit({5, 0, 30}), hit({5, 4, 30})}), 16);
  EXPECT_NEAR(scale.legend().low, 20, 1e-12);
  EXPECT_NEAR(scale.legend().high, 24, 1e-12);
  const ColorWeights weights = color_weights(scale, X_WS);
  EXPECT_NEAR(weights.position.dot(Vec3(5, 0, 30)) + weights.offset, 0, 1e-12);
  EXPECT_NEAR(weights.position.dot(Vec3(-7, 4, 9)) + weights.offset, 1, 1e-12);
}

TEST(ColorScale, LevelGroundHasAHeightScaleToo) {
  ColorScale scale(CloudColor::kHeight);
  scale.include(*at_ranges({1, 2, 3}), 16);
  EXPECT_DOUBLE_EQ(scale.legend().low, 0);
  EXPECT_DOUBLE_EQ(scale.legend().high, 0.5);
}

TEST(ColorScale, RingsAndReturnsAreCounted) {
  ColorScale rings(CloudColor::kRing);
  rings.include(*at_ranges({1}), 16);
  EXPECT_EQ(rings.legend().low, 0);
  EXPECT_EQ(rings.legend().high, 15);
  EXPECT_TRUE(rings.legend().steps);
  EXPECT_EQ(rings.legend().unit, "");
  rings.include(*sweep(1, {}, {hit({1, 0, 0}, 31)}), 16);  // more than its look says
  EXPECT_EQ(rings.legend().high, 31);

  ColorScale returns(CloudColor::kReturn);
  returns.include(*sweep(1, {}, {hit({1, 0, 0}, 0, 0, 1), hit({2, 0, 0}, 0, 0, 3)}), 16);
  EXPECT_EQ(returns.legend().low, 1);
  EXPECT_EQ(returns.legend().high, 3);
  EXPECT_TRUE(returns.legend().steps);
}

TEST(ColorScale, IntensityEndsAtTheBrightestRoundedUp) {
  ColorScale scale(CloudColor::kIntensity);
  scale.include(*sweep(1, {}, {hit({1, 0, 0}, 0, 0)}), 16);
  EXPECT_EQ(scale.legend().high, 1);  // none at all: the whole scale
  scale.reset(CloudColor::kIntensity);
  scale.include(*sweep(1, {}, {hit({1, 0, 0}, 0, 0.43)}), 16);
  EXPECT_DOUBLE_EQ(scale.legend().high, 0.5);
  EXPECT_FALSE(scale.legend().steps);
}

TEST(ColorScale, IgnoresWhatIsNoNumber) {
  for (const CloudColor color : kCloudColors) {
    ColorScale scale(color);
    scale.include(*sweep(1, {}, {}), 16);
    EXPECT_TRUE(scale.empty()) << name_of(color);
    BeamReturn broken = hit({kNan, kInfinite, kNan});
    broken.range = kInfinite;
    broken.intensity = kNan;
    scale.include(*sweep(1, {}, {broken, hit({3, 0, 0}, 4, 0.3, 2)}), 16);
    EXPECT_TRUE(std::isfinite(scale.legend().low)) << name_of(color);
    EXPECT_TRUE(std::isfinite(scale.legend().high)) << name_of(color);
    EXPECT_LT(scale.legend().high, 20) << name_of(color);
  }
}

TEST(ColorWeights, KeepHeightsExactFarFromTheOrigin) {
  const Pose X_WS = Pose::translation({0, 0, 1e7});
  ColorScale scale(CloudColor::kHeight);
  scale.include(*sweep(1, X_WS, {hit({1, 0, 0}), hit({1, 0, 1})}), 16);
  ASSERT_EQ(scale.legend().low, 1e7);
  const ColorWeights weights = color_weights(scale, X_WS);
  // In floats, as a shader has them.
  EXPECT_FLOAT_EQ(static_cast<float>(weights.offset), 0.0f);
  EXPECT_FLOAT_EQ(static_cast<float>(weights.position.z()),
                  1 / static_cast<float>(scale.legend().high - 1e7));
}

}  // namespace
}  // namespace protobeam::viewer
