#include "render/range_picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/unit/render/pixels.h"

namespace protobeam::render {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr int kMargin = 12;

/// Height of a layer, as the picture promises it.
int row_height(int layers) { return std::clamp(320 / layers, 8, 160); }
/// Width without the colour bar: as many whole pixels a column as make 900 or more.
int beams_width(int columns) {
  const int cells = (columns + (columns + 1799) / 1800 - 1) / ((columns + 1799) / 1800);
  return std::max(900, cells * ((900 + cells - 1) / cells));
}

Eigen::Vector3d beam_color(const Image& image, int layers, int columns, int layer, int column) {
  const double cell = static_cast<double>(beams_width(columns)) / columns;
  return pixel(image, kMargin + static_cast<int>((column + 0.5) * cell),
               kMargin + static_cast<int>((layer + 0.5) * row_height(layers)));
}

/// The fraction of the colour bar, from below, where a colour stands. The bar is the first thing to
/// the right of the beams.
double place_in_bar(const Image& image, int columns, const Eigen::Vector3d& color) {
  const int x = beams_width(columns) + 3 * kMargin + 8;
  const int top = kMargin + 14 + kMargin;
  const Eigen::Vector3d background = pixel(image, x, top - 4);
  int end = top;
  while (end < image.height && pixel(image, x, end) != background) ++end;
  int best = top;
  for (int y = top; y < end; ++y) {
    if ((pixel(image, x, y) - color).norm() < (pixel(image, x, best) - color).norm()) best = y;
  }
  return 1 - (best - top + 0.5) / (end - top);
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
    EXPECT_GE(image.width, beams_width(columns) + 2 * kMargin) << columns;
    EXPECT_LE(image.width, 2000) << columns;
    EXPECT_GE(image.height, layers * row_height(layers)) << layers;
    EXPECT_EQ(image.pixels.size(), static_cast<std::size_t>(image.width * image.height * 3));
  }
}

TEST(RangePicture, ColoursStandWhereTheBarSays) {
  std::vector<float> ranges;
  for (int i = 0; i < 100; ++i) ranges.push_back(0.1f * static_cast<float>(i + 1));  // to 10 m
  const Image image = draw_ranges(1, 100, ranges, 50);
  // The 2nd and 98th percentiles are 0.2 m and 9.9 m.
  for (int i = 5; i < 100; i += 10) {
    EXPECT_NEAR(place_in_bar(image, 100, beam_color(image, 1, 100, 0, i)),
                (0.1 * (i + 1) - 0.2) / 9.7, 0.02);
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
  EXPECT_LT(place_in_bar(image, 3600, beam_color(image, 1, 1800, 0, 900)), 0.1);
}

TEST(RangePicture, AFewFarReturnsDoNotDimTheRest) {
  std::vector<float> ranges;
  for (int i = 0; i < 1000; ++i) ranges.push_back(2 + 0.001f * static_cast<float>(i));
  for (int i = 0; i < 10; ++i) ranges[static_cast<std::size_t>(100 * i)] = 95;
  const Image image = draw_ranges(1, 1000, ranges, 100);
  EXPECT_NEAR(place_in_bar(image, 1000, beam_color(image, 1, 1000, 0, 505)), 0.5, 0.03);
}

TEST(RangePicture, ASweepWithoutReturnsStillHasABar) {
  const Image image = draw_ranges(2, 10, std::vector<float>(20, kInf), 30);
  const auto red = draw_ranges(1, 2, std::vector<float>{0.5f, 10.0f}, 10);
  EXPECT_LT(place_in_bar(image, 10, beam_color(red, 1, 2, 0, 0)), 0.02);
}

TEST(RangePicture, RefusesRangesThatDoNotFillTheGrid) {
  EXPECT_THROW(draw_ranges(2, 3, std::vector<float>(5), 10), std::invalid_argument);
  EXPECT_THROW(draw_ranges(0, 3, {}, 10), std::invalid_argument);
}

}  // namespace
}  // namespace protobeam::render
