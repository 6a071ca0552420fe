#include "render/legend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/render/pixels.h"

namespace protobeam::render {
namespace {

Color grey(double fraction) { return Color::Constant(static_cast<float>(fraction)); }

Image picture(int width, int height) { return grey_image(width, height, 77); }

TEST(PercentileScale, GoesFromTheSecondToTheNinetyEighthPercentile) {
  std::vector<double> values;
  for (int i = 1000; i >= 0; --i) values.push_back(i);  // the value is its rank
  values.push_back(std::nan(""));
  values.push_back(std::numeric_limits<double>::infinity());
  const auto scale = percentile_scale(values);
  ASSERT_TRUE(scale);
  EXPECT_EQ(scale->low, 20);
  EXPECT_EQ(scale->high, 980);
  EXPECT_TRUE(scale->below);
  EXPECT_TRUE(scale->above);
  EXPECT_EQ(scale->fraction(500), 0.5);
  EXPECT_EQ(scale->fraction(-1), 0);
  EXPECT_EQ(scale->fraction(5000), 1);
}

TEST(PercentileScale, FewValuesAreAllOnIt) {
  const auto scale = percentile_scale({3, 1, 2});
  ASSERT_TRUE(scale);
  EXPECT_EQ(scale->low, 1);
  EXPECT_EQ(scale->high, 3);
  EXPECT_FALSE(scale->below);
  EXPECT_FALSE(scale->above);
}

TEST(PercentileScale, EqualValuesHaveAScaleAroundThem) {
  for (const double value : {0.0, 7.0, -4e6}) {
    const auto scale = percentile_scale(std::vector<double>(50, value));
    ASSERT_TRUE(scale);
    EXPECT_LT(scale->low, value);
    EXPECT_GT(scale->high, value);
  }
  EXPECT_FALSE(percentile_scale({}));
  EXPECT_FALSE(percentile_scale({std::nan("")}));
}

TEST(WithLegend, LeavesThePictureAsItIsAndDrawsBesideIt) {
  const Image before = picture(300, 240);
  const Image after = with_legend(before, {{0, 10}, grey, "height m", {}});
  EXPECT_EQ(after.height, before.height);
  for (int y = 0; y < before.height; ++y) {
    for (int x = 0; x < before.width; ++x) ASSERT_EQ(pixel(after, x, y), pixel(before, x, y));
  }
  ASSERT_GT(after.width, before.width + 60);
  // High is on top: the bar is white there and black below.
  const int x = before.width + 12 + 8;
  EXPECT_GT(brightness(pixel(after, x, 40)), 240);
  EXPECT_NEAR(brightness(pixel(after, x, 38 + (240 - 38 - 19) / 2)), 127, 6);
  EXPECT_LT(brightness(pixel(after, x, 215)), 15);
}

TEST(WithLegend, LowPicturesGetRoomForTheBar) {
  const Image after = with_legend(picture(300, 20), {{0, 1}, grey, "range m", grey(0.3)});
  EXPECT_GE(after.height, 160);
  EXPECT_EQ(after.pixels.size(), static_cast<std::size_t>(after.width * after.height * 3));
}

TEST(WithLegend, LabelsTellBigAndNarrowScalesApart) {
  // Any scale must come out, in finite time and with a finite width.
  for (const ColorScale& scale : {ColorScale{0, 1e-3},
                                  {1e6, 1e6 + 1},
                                  {-3, -2.9},
                                  {0, 1e9},
                                  {0, 1e300},
                                  {12.3, 45.6, true, true}}) {
    const Image after = with_legend(picture(300, 400), {scale, grey, "range m", {}});
    EXPECT_LT(after.width, 600) << scale.low << ' ' << scale.high;
  }
}

}  // namespace
}  // namespace protobeam::render
