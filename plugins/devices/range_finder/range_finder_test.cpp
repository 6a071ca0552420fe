// A depth camera before a wall.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/unit/support/plugin.h"
#include "tests/unit/support/visible_wall.h"

namespace protobeam {
namespace {

using TextFields = std::map<std::string, std::string>;

struct Ranges {
  std::size_t width, height;
  std::vector<float> depth;
  float at(std::size_t column, std::size_t row) const { return depth[row * width + column]; }
};

Ranges look(TextFields fields, double wall = 3) {
  const auto camera = make_sensor("RangeFinder", std::move(fields));
  VisibleWall scene(wall);
  SampleInput in;
  in.visible = &scene;
  std::vector<std::byte> bytes(camera->layout().size);
  take_sample(*camera, in, bytes);
  const auto& shape = camera->layout().channels[0].shape;
  Ranges picture{shape[1], shape[0], std::vector<float>(bytes.size() / sizeof(float))};
  std::memcpy(picture.depth.data(), bytes.data(), bytes.size());
  return picture;
}

TEST(RangeFinder, APlanarImageHoldsTheDistanceOfAPlane) {
  const Ranges picture =
      look({{"maxRange", "10"}, {"width", "33"}, {"height", "17"}, {"fieldOfView", "1.5"}});
  EXPECT_EQ(picture.width, 33u);
  EXPECT_EQ(picture.height, 17u);
  for (const float depth : picture.depth) EXPECT_NEAR(depth, 3, 1e-6);
}

TEST(RangeFinder, OtherImagesHoldDistancesFromTheDevice) {
  // 90 degrees in 30 columns: the middle of column 7 is 22.5 degrees to the left, and so on.
  Ranges picture = look({{"maxRange", "10"},
                         {"width", "30"},
                         {"height", "10"},
                         {"projection", "\"cylindrical\""},
                         {"fieldOfView", "1.5707963267948966"}});
  const double degree = kPi / 180;
  EXPECT_NEAR(picture.at(7, 4), 3 / (std::cos(22.5 * degree) * std::cos(1.5 * degree)), 1e-5);
  EXPECT_NEAR(picture.at(22, 9), 3 / (std::cos(22.5 * degree) * std::cos(13.5 * degree)), 1e-5);

  // The angle to the axis grows evenly: 100 degrees across, at 3/10 of the width 20 degrees.
  picture = look({{"maxRange", "10"}, {"width", "10"}, {"height", "10"},
                  {"projection", "\"spherical\""}, {"fieldOfView", "1.7453292519943295"}});
  EXPECT_NEAR(picture.at(2, 5), 3 / std::cos(std::hypot(25, 5) * degree), 1e-5);
  EXPECT_NEAR(picture.at(4, 9), 3 / std::cos(std::hypot(5, 45) * degree), 1e-5);
}

TEST(RangeFinder, WhatIsOutsideOfItsRangesIsInfinite) {
  for (const TextFields& fields : {TextFields{{"maxRange", "2.9"}}, TextFields{{"maxRange", "9"}, {"minRange", "3.1"}},
                                   TextFields{{"maxRange", "9"}, {"near", "3.1"}}}) {
    for (const float depth : look(fields).depth) {
      EXPECT_EQ(depth, std::numeric_limits<float>::infinity());
    }
  }
}

TEST(RangeFinder, NoiseIsInMaxRangesAndDepthsAreRounded) {
  double sum = 0, squares = 0;
  const Ranges noisy =
      look({{"maxRange", "10"}, {"noise", "0.005"}, {"width", "200"}, {"height", "200"}});
  for (const float depth : noisy.depth) {
    sum += depth - 3;
    squares += (depth - 3) * (depth - 3);
  }
  const double n = 40000;
  EXPECT_NEAR(sum / n, 0, 4 * 0.05 / std::sqrt(n));
  EXPECT_NEAR(std::sqrt(squares / n), 0.05, 4 * 0.05 / std::sqrt(2 * n));
  for (const float depth : look({{"maxRange", "10"}, {"resolution", "0.7"}}).depth) {
    EXPECT_FLOAT_EQ(depth, 2.8f);
  }
}

TEST(RangeFinder, ALensMovesWhatPixelsSee) {
  // Brown's model forwards, x (1 + k1 r2), leads back to the pixel but for terms of k1 squared.
  const double k1 = 0.02;
  const int width = 101;
  const Ranges picture = look(
      {{"maxRange", "10"},
       {"width", "101"},
       {"height", "101"},
       {"projection", "\"cylindrical\""},
       {"fieldOfView", "1"},
       {"lens", "Lens { center 0.5 0.5 radialCoefficients 0.02 0 tangentialCoefficients 0 0 }"}});
  for (int column = 0; column < width; ++column) {
    const double seen = (column + 0.5) / width - 0.5;
    const double azimuth = std::acos(3 / double{picture.at(static_cast<std::size_t>(column), 50)});
    EXPECT_NEAR(azimuth * (1 + k1 * azimuth * azimuth), std::abs(seen), 3 * k1 * k1 + 2e-4) << column;
  }
}

TEST(RangeFinder, RefusesFieldsThatContradictEachOther) {
  EXPECT_THROW(look({{"minRange", "2"}, {"maxRange", "2"}}), std::invalid_argument);
  EXPECT_THROW(look({{"fieldOfView", "3.2"}}), std::invalid_argument);
}

}  // namespace
}  // namespace protobeam
