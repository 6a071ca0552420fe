// The pictures of a sky, as THREE.CubeTexture wants them.
#include "web/sky_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/files.h"

namespace protobeam::web {
namespace {

using Rgb = std::array<int, 3>;
constexpr int kSize = 64;
constexpr Rgb kWhite{255, 255, 255};

/// Of one colour, but for a white corner: the upper left one as it is seen from the middle.
std::shared_ptr<const Image> side_of(const Rgb& color) {
  auto image = std::make_shared<Image>();
  image->width = image->height = kSize;
  image->channels = 3;
  for (int i = 0; i < kSize * kSize; ++i) {
    const bool corner = i / kSize < kSize / 2 && i % kSize < kSize / 2;
    for (const int channel : corner ? kWhite : color)
      image->pixels.push_back(static_cast<std::uint8_t>(channel));
  }
  return image;
}

bool alike(const Rgb& a, const Rgb& b) {
  return std::ranges::equal(a, b, [](int x, int y) { return std::abs(x - y) < 40; });
}

class Sky : public testing::Test {
 protected:
  Sky() {
    description_.background.given = true;
    for (std::size_t i = 0; i < 6; ++i) description_.background.sides[i] = side_of(kColors[i]);
  }
  /// Of the quarter of a picture: 0 left or 1 right, 0 up or 1 down.
  Rgb at(std::size_t side, int right, int down) const {
    const auto pictures = sky_pictures(description_);
    const Image image = decode_image(pictures->sides.at(side), "");
    EXPECT_EQ(image.width, kSize);
    EXPECT_EQ(image.height, kSize);
    const auto column = static_cast<std::size_t>((1 + 2 * right) * kSize / 4);
    const auto row = static_cast<std::size_t>((1 + 2 * down) * kSize / 4);
    const std::size_t i = 3 * (row * kSize + column);
    return {image.pixels.at(i), image.pixels.at(i + 1), image.pixels.at(i + 2)};
  }

  // Right, left, top, bottom, front, back.
  const std::array<Rgb, 6> kColors{
      {{200, 0, 0}, {0, 200, 0}, {0, 0, 200}, {200, 200, 0}, {0, 200, 200}, {200, 0, 200}}};
  SceneDescription description_;
};

// Webots names the sides for who looks along -x, with z up. In the file, -x is that, too, and -z is
// the world's y. three.js shows the first picture to who looks along -x, the fifth along z.
TEST_F(Sky, IsThatOfTheWorldInEachDirection) {
  const std::array<std::size_t, 6> seen{4, 5, 2, 3, 1, 0};
  for (std::size_t side = 0; side < 6; ++side)
    EXPECT_TRUE(alike(at(side, 1, 1), kColors[seen[side]]) ||
                alike(at(side, 0, 1), kColors[seen[side]]))
        << side;
}

TEST_F(Sky, IsNotMirrored) {
  for (const std::size_t side : {0u, 1u, 4u, 5u}) {
    EXPECT_TRUE(alike(at(side, 0, 0), kWhite)) << side;
    EXPECT_FALSE(alike(at(side, 1, 0), kWhite)) << side;
    EXPECT_FALSE(alike(at(side, 0, 1), kWhite)) << side;
  }
}

TEST_F(Sky, IsThePlainColorWhereThereIsNoPicture) {
  description_.background.sky = {1, 0.5F, 0};
  description_.background.sides[4] = nullptr;
  EXPECT_TRUE(alike(at(0, 0, 0), {255, 128, 0}));
  EXPECT_TRUE(alike(at(1, 0, 0), kWhite));
}

TEST_F(Sky, OfOneColorHasNoPictures) {
  description_.background.sides = {};
  EXPECT_EQ(sky_pictures(description_), nullptr);
}

}  // namespace
}  // namespace protobeam::web
