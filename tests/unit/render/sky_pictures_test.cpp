// Where camera images have the six pictures of a Background, in worlds with z up and with y up.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>

#include "render/light_reach.h"

namespace protobeam::render {
namespace {

enum Side { kRightSide, kLeftSide, kTopSide, kBottomSide, kFrontSide, kBackSide };

/// Two pixels by two, of these greys row by row.
std::shared_ptr<Image> greys(const std::array<int, 4>& levels) {
  auto image = std::make_shared<Image>();
  image->width = image->height = 2;
  image->channels = 3;
  for (const int level : levels)
    image->pixels.insert(image->pixels.end(), 3, static_cast<std::uint8_t>(level));
  return image;
}

/// The grey of the pixel that is seen there.
int seen(const SkyLook& sky, const Vec3& direction) {
  const float light = sky_at(sky, direction.normalized().cast<float>(), false).x();
  return static_cast<int>(std::lround(255 * srgb_from_linear(light)));
}

SkyLook with_levels() {
  SkyLook sky;
  for (int side = 0; side < 6; ++side) {
    const int level = 40 * (side + 1);
    sky.sides[static_cast<std::size_t>(side)] = greys({level, level, level, level});
  }
  return sky;
}

TEST(SkyPictures, HangWhereWebotsHangsThem) {
  // WbBackground::gCoordinateSystemSwap and skybox.frag: +x, -x, +y, -y, +z and -z of a world with
  // z up show back, front, right, left, top and bottom; of one with y up right, left, top, bottom,
  // back and front.
  SkyLook sky = with_levels();
  const std::array<Vec3, 6> directions = {Vec3(1, 0, 0),  Vec3(-1, 0, 0), Vec3(0, 1, 0),
                                          Vec3(0, -1, 0), Vec3(0, 0, 1),  Vec3(0, 0, -1)};
  const std::array<Side, 6> z_up = {kBackSide, kFrontSide, kRightSide,
                                    kLeftSide, kTopSide,   kBottomSide};
  const std::array<Side, 6> y_up = {kRightSide,  kLeftSide, kTopSide,
                                    kBottomSide, kBackSide, kFrontSide};
  for (std::size_t i = 0; i < 6; ++i) {
    sky.up = Vec3::UnitZ();
    EXPECT_NEAR(seen(sky, directions[i]), 40 * (z_up[i] + 1), 1) << i;
    sky.up = Vec3::UnitY();
    EXPECT_NEAR(seen(sky, directions[i]), 40 * (y_up[i] + 1), 1) << i;
  }
}

TEST(SkyPictures, AreUprightAndNotMirrored) {
  SkyLook sky = with_levels();
  // Above left, above right, below left and below right, for who looks at it, with that up.
  const auto picture = greys({30, 90, 150, 210});
  struct Look {
    Side side;
    Vec3 forward, up;
  };
  for (const bool has_y_up : {false, true}) {
    Mat3 R = Mat3::Identity();  // x, y and z of a world with z up are z, x and y of one with y up
    if (has_y_up) R << 0, 1, 0, 0, 0, 1, 1, 0, 0;
    sky.up = R * Vec3::UnitZ();
    for (const Look& look :
         {Look{kFrontSide, {-1, 0, 0}, {0, 0, 1}}, Look{kBackSide, {1, 0, 0}, {0, 0, 1}},
          Look{kRightSide, {0, 1, 0}, {0, 0, 1}}, Look{kLeftSide, {0, -1, 0}, {0, 0, 1}},
          Look{kTopSide, {0, 0, 1}, {1, 0, 0}}, Look{kBottomSide, {0, 0, -1}, {-1, 0, 0}}}) {
      const auto before = sky.sides[look.side];
      sky.sides[look.side] = picture;
      const Vec3 right = look.forward.cross(look.up);
      const auto at = [&](double x, double y) {
        return seen(sky, R * (look.forward + x * right + y * look.up));
      };
      EXPECT_NEAR(at(-0.5, 0.5), 30, 1) << look.side;
      EXPECT_NEAR(at(0.5, 0.5), 90, 1) << look.side;
      EXPECT_NEAR(at(-0.5, -0.5), 150, 1) << look.side;
      EXPECT_NEAR(at(0.5, -0.5), 210, 1) << look.side;
      sky.sides[look.side] = before;
    }
  }
}

}  // namespace
}  // namespace protobeam::render
