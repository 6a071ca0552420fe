#include "render/range_picture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/render/pixels.h"

namespace protobeam::render {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr int kMargin = 12;

/// Height of a layer, from the picture's height: below the layers are the bar and its labels.
int row_height(const Image& image, int layers) { return (image.height - 74) / layers; }

Eigen::Vector3d beam_color(const Image& image, int layers, int columns, int layer, int column) {
  const double cell = static_cast<double>(image.width - 2 * kMargin) / columns;
  return pixel(image, kMargin + static_cast<int>((column + 0.5) * cell),
               kMargin + static_cast<int>((layer + 0.5) * row_height(image, layers)));
}

/// The fraction of the colour bar where a colour stands.
double place_in_bar(const Image& image, const Eigen::Vector3d& color) {
  const int y = image.height - 12 - 14 - 8 - 8;  // the middle of the bar
  int end = kMargin;
  const Eigen::Vector3d background = pixel(image, 2, y);
  while (end < image.width && pixel(image, end, y) != background) ++end;
  int best = kMargin;
  for (int x = kMargin; x < end; ++x) {
    if ((pixel(image, x, y) - color).norm() < (pixel(image, best, y) - color).norm()) best = x;
  }
  return (best - kMargin + 0.5) / (end - kMargin);
}

TEST(RangePicture, IsWideEnoughToReadAndNarrowEnoughToShow) {
  for (const auto& [layers, columns] : {std::pair(1, 180),
                                        {16, 1800},
                                        {16, 3600},
                                        {64, 1024},
                                        {128, 2048},
                                        {4, 512},
                                        {32, 901},
                                        {3, 1}}) {
    const std::vector<float> ranges(static_cast<std::size_t>(layers * columns), 1.0f);
    const Image image = draw_ranges(layers, columns, ranges, 10);
    EXPECT_GE(image.width, 900) << columns;
    EXPECT_LE(image.width, 1830) << columns;
    EXPECT_GE(row_height(image, layers), 8) << layers;
    EXPECT_EQ(image.pixels.size(), static_cast<std::size_t>(image.width * image.height * 3));
  }
}

TEST(RangePicture, ColoursStandWhereTheBarSays) {
  std::vector<float> ranges;
  for (int i = 0; i < 100; ++i) ranges.push_back(0.1f * static_cast<float>(i + 1));  // to 10 m
  const Image image = draw_ranges(1, 100, ranges, 50);
  for (int i = 5; i < 100; i += 10) {
    EXPECT_NEAR(place_in_bar(image, beam_color(image, 1, 100, 0, i)), (i + 1) / 100.0, 0.02);
  }
}

TEST(RangePicture, NearIsRedAndFarIsBlue) {
  const Image image = draw_ranges(1, 2, std::vector<float>{0.5f, 10.0f}, 10);
  const auto near = beam_color(image, 1, 2, 0, 0), far = beam_color(image, 1, 2, 0, 1);
  EXPECT_GT(near.x(), 2 * near.z());
  EXPECT_GT(far.z(), 2 * far.x());
}

TEST(RangePicture, NoReturnIsDarkGrey) {
  for (const float nothing : {kInf, std::numeric_limits<float>::quiet_NaN()}) {
    const Image image = draw_ranges(2, 2, std::vector<float>{1, nothing, 1, 1}, 10);
    const auto grey = beam_color(image, 2, 2, 0, 1);
    EXPECT_NEAR(grey.x(), grey.y(), 4);
    EXPECT_NEAR(grey.y(), grey.z(), 4);
    EXPECT_LT(brightness(grey), 80);
    EXPECT_NE(beam_color(image, 2, 2, 0, 0), grey);
  }
}

TEST(RangePicture, LayerZeroIsOnTop) {
  const Image image = draw_ranges(2, 1, std::vector<float>{1, 10}, 10);
  EXPECT_GT(beam_color(image, 2, 1, 0, 0).x(), beam_color(image, 2, 1, 1, 0).x());
}

TEST(RangePicture, AThinNearThingIsNotLostAmongManyColumns) {
  std::vector<float> ranges(3600, 20.0f);
  ranges[1801] = 1;
  const Image image = draw_ranges(1, 3600, ranges, 20);
  EXPECT_LT(place_in_bar(image, beam_color(image, 1, 1800, 0, 900)), 0.1);
}

TEST(RangePicture, AFewFarReturnsDoNotDimTheRest) {
  std::vector<float> ranges(1000, 2.0f);
  ranges[3] = 95;
  const Image image = draw_ranges(1, 1000, ranges, 100);
  EXPECT_GT(place_in_bar(image, beam_color(image, 1, 1000, 0, 500)), 0.4);
}

TEST(RangePicture, ASweepWithoutReturnsStillHasABar) {
  const Image image = draw_ranges(2, 10, std::vector<float>(20, kInf), 30);
  EXPECT_GT(image.width, 0);
  EXPECT_NE(pixel(image, kMargin + 5, image.height - 42), pixel(image, 2, image.height - 42));
}

TEST(RangePicture, RefusesRangesThatDoNotFillTheGrid) {
  EXPECT_THROW(draw_ranges(2, 3, std::vector<float>(5), 10), std::invalid_argument);
  EXPECT_THROW(draw_ranges(0, 3, {}, 10), std::invalid_argument);
}

}  // namespace
}  // namespace protobeam::render
