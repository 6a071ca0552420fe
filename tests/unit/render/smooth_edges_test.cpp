// Against the share of each pixel that the far side of a straight edge covers.
#include "render/smooth_edges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace protobeam::render {
namespace {

constexpr int kSize = 64;

struct EdgeOfSlope {
  double slope;  ///< rows a column
  double height(double x) const { return 31.3 + slope * (x - kSize / 2.0); }
};

Image drawn(const EdgeOfSlope& edge, bool on_its_side) {
  Image image{kSize, kSize, 3, std::vector<std::uint8_t>(kSize * kSize * 3)};
  for (int row = 0; row < kSize; ++row) {
    for (int column = 0; column < kSize; ++column) {
      const int x = on_its_side ? row : column, y = on_its_side ? column : row;
      const bool below = y + 0.5 > edge.height(x + 0.5);
      for (int c = 0; c < 3; ++c) {
        image.pixels[static_cast<std::size_t>((row * kSize + column) * 3 + c)] = below ? 200 : 40;
      }
    }
  }
  return image;
}

/// Mean distance of the columns' brightness from that of the edge that they show, in pixels, away
/// from the border, where the ends of steps are not seen.
double error(const Image& image, const EdgeOfSlope& edge, bool on_its_side) {
  double sum = 0;
  int count = 0;
  for (int x = 14; x < kSize - 14; ++x) {
    double below = 0;
    for (int y = 0; y < kSize; ++y) {
      const int row = on_its_side ? x : y, column = on_its_side ? y : x;
      below += (image.pixels[static_cast<std::size_t>((row * kSize + column) * 3)] - 40.0) / 160;
    }
    sum += std::abs(kSize - below - edge.height(x + 0.5));
    ++count;
  }
  return sum / count;
}

TEST(SmoothEdges, AreWhereTheStraightEdgeIs) {
  for (const double slope : {0.1, 0.25, 0.37, -0.2, 0.7}) {
    for (const bool on_its_side : {false, true}) {
      const EdgeOfSlope edge{slope};
      const Image raw = drawn(edge, on_its_side);
      Image smooth = raw;
      smooth_edges(smooth);
      const double before = error(raw, edge, on_its_side), now = error(smooth, edge, on_its_side);
      EXPECT_NEAR(before, 0.25, 0.05) << slope;  // of rounding to whole pixels
      // The steps of a steep edge are hardly longer than a pixel.
      EXPECT_LT(now, (slope < 0.5 ? 0.4 : 0.65) * before)
          << slope << (on_its_side ? " on its side" : "");
    }
  }
}

TEST(SmoothEdges, LeaveLevelEdgesLinesAndFaintPatternsAsTheyAre) {
  Image level = drawn({0}, false);
  Image row{kSize, kSize, 3, std::vector<std::uint8_t>(kSize * kSize * 3, 40)};
  Image column = row;
  for (int i = 0; i < kSize; ++i) {
    std::fill_n(row.pixels.begin() + (20 * kSize + i) * 3, 3, std::uint8_t{220});
    std::fill_n(column.pixels.begin() + (i * kSize + 30) * 3, 3, std::uint8_t{220});
  }
  Image faint{kSize, kSize, 3, std::vector<std::uint8_t>(kSize * kSize * 3)};
  for (std::size_t i = 0; i < faint.pixels.size(); ++i) {
    faint.pixels[i] = static_cast<std::uint8_t>(100 + (i / 3 * 7919) % 9);
  }
  for (Image* image : {&level, &row, &column, &faint}) {
    const std::vector<std::uint8_t> before = image->pixels;
    smooth_edges(*image);
    EXPECT_EQ(image->pixels, before);
  }
}

TEST(SmoothEdges, TakePicturesOfAnySize) {
  for (const int width : {0, 1, 2, 3, 7}) {
    for (const int height : {0, 1, 2, 3, 5}) {
      Image image{width, height, 3,
                  std::vector<std::uint8_t>(static_cast<std::size_t>(width * height) * 3)};
      for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        image.pixels[i] = static_cast<std::uint8_t>(i * 97);
      }
      smooth_edges(image);
      EXPECT_EQ(image.pixels.size(), static_cast<std::size_t>(width * height) * 3);
    }
  }
  Image grey{8, 8, 1, std::vector<std::uint8_t>(64)}, torn{8, 8, 3, std::vector<std::uint8_t>(5)};
  EXPECT_THROW(smooth_edges(grey), std::invalid_argument);
  EXPECT_THROW(smooth_edges(torn), std::invalid_argument);
}

}  // namespace
}  // namespace protobeam::render
