// What is behind and below everything.
#include <gtest/gtest.h>

#include "tests/unit/viewer/scene/stage.h"

namespace protobeam::viewer {
namespace {

std::shared_ptr<Image> plain(std::uint8_t r, std::uint8_t g, std::uint8_t b) {
  auto image = std::make_shared<Image>();
  image->width = image->height = 4;
  image->channels = 3;
  for (int i = 0; i < 16; ++i) image->pixels.insert(image->pixels.end(), {r, g, b});
  return image;
}

Vec3 seen(const Stage& stage, const Vec3& direction, const Vec3& up = Vec3::UnitZ()) {
  Camera camera(9, {0, 0, 5}, Vec3(0, 0, 5) + direction, 0.2, up);
  return pixel(camera.take(stage), 4, 4);
}

TEST(Sky, IsAboutTheColorOfTheBackground) {
  Stage stage;
  stage.description().background.given = true;
  stage.description().background.sky = {0.8f, 0.4f, 0.2f};
  const Vec3 rgb = seen(stage, {1, 0, 0.4});
  EXPECT_NEAR(rgb.x(), 0.8 * 255, 30);
  EXPECT_NEAR(rgb.y(), 0.4 * 255, 40);
  EXPECT_NEAR(rgb.z(), 0.2 * 255, 50);
  // Lighter at the horizon, darker at the zenith.
  EXPECT_GT(brightness(seen(stage, {1, 0, 0.02})), brightness(rgb) + 5);
  EXPECT_LT(brightness(seen(stage, {0.01, 0, 1})), brightness(rgb) - 5);
}

TEST(Sky, IsBlueWhenTheWorldHasNoBackground) {
  const Vec3 rgb = seen(Stage(), {1, 0, 0.6});
  EXPECT_GT(rgb.z(), rgb.x() + 30);
  EXPECT_GT(brightness(rgb), 100);
}

TEST(Sky, ShinesAroundTheSun) {
  Stage stage;
  stage.description().lights = {sun({-1, 0, -0.5})};
  EXPECT_GT(brightness(seen(stage, {1, 0, 0.5})), brightness(seen(stage, {-1, 0, 0.5})) + 5);
}

TEST(Sky, PicturesOfTheSidesHangWhereWebotsHangsThem) {
  Stage stage;
  Background& background = stage.description().background;
  background.given = true;
  // right, left, top, bottom, front, back
  const std::array<Vec3, 6> colors = {Vec3(255, 0, 0),   Vec3(0, 255, 0),   Vec3(0, 0, 255),
                                      Vec3(255, 255, 0), Vec3(255, 0, 255), Vec3(0, 255, 255)};
  const std::array<Vec3, 6> directions = {Vec3(0, 1, 0),  Vec3(0, -1, 0), Vec3(0, 0, 1),
                                          Vec3(0, 0, -1), Vec3(-1, 0, 0), Vec3(1, 0, 0)};
  for (std::size_t i = 0; i < 6; ++i) {
    const auto c = colors[i].cast<int>().eval();
    background.sides[i] = plain(static_cast<std::uint8_t>(c.x()), static_cast<std::uint8_t>(c.y()),
                                static_cast<std::uint8_t>(c.z()));
  }
  // A floor of its own, so that the bottom is not hidden by the grid.
  stage.add(Plane{{0.1, 0.1}}, colored(1, 1, 1), Pose::translation({50, 0, 0}));
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3 up = std::abs(directions[i].z()) > 0.5 ? Vec3(1, 0, 0) : Vec3(0, 0, 1);
    EXPECT_LT((seen(stage, directions[i], up) - colors[i]).norm(), 3) << i;
  }
}

TEST(Sky, PicturesOfTheSidesAreUprightAndNotMirrored) {
  Stage stage;
  Background& background = stage.description().background;
  background.given = true;
  for (auto& side : background.sides) side = plain(0, 0, 0);
  const auto quarters = std::make_shared<Image>();
  quarters->width = quarters->height = 16;
  quarters->channels = 3;
  for (int i = 0; i < 256; ++i) {
    const bool left = i % 16 < 8, upper = i / 16 < 8;
    const auto byte = [](bool on) { return static_cast<std::uint8_t>(on ? 255 : 0); };
    quarters->pixels.insert(quarters->pixels.end(),
                            {byte(left == upper), byte(!left), byte(!upper)});
  }
  stage.add(Plane{{0.1, 0.1}}, colored(1, 1, 1), Pose::translation({50, 0, 0}));
  // The side, where it hangs, and what is up for who looks there.
  struct Case {
    std::size_t side;
    Vec3 direction, up;
  };
  for (const Case& c : {Case{4, {-1, 0, 0}, {0, 0, 1}}, Case{5, {1, 0, 0}, {0, 0, 1}},
                        Case{0, {0, 1, 0}, {0, 0, 1}}, Case{1, {0, -1, 0}, {0, 0, 1}},
                        Case{2, {0, 0, 1}, {1, 0, 0}}, Case{3, {0, 0, -1}, {-1, 0, 0}}}) {
    const auto before = background.sides[c.side];
    background.sides[c.side] = quarters;
    Camera camera(80, {0, 0, 5}, Vec3(0, 0, 5) + c.direction, kPi / 2, c.up);
    const Image image = camera.take(stage);
    EXPECT_LT((pixel(image, 20, 20) - Vec3(255, 0, 0)).norm(), 3) << c.side;
    EXPECT_LT((pixel(image, 60, 20) - Vec3(0, 255, 0)).norm(), 3) << c.side;
    EXPECT_LT((pixel(image, 20, 60) - Vec3(0, 0, 255)).norm(), 3) << c.side;
    EXPECT_LT((pixel(image, 60, 60) - Vec3(255, 255, 255)).norm(), 3) << c.side;
    background.sides[c.side] = before;
  }
}

TEST(Sky, PicturesOfTheSidesAreAboutYInWorldsWithYUp) {
  // As VRML97 has it: front along -z, right along +x.
  Stage stage;
  stage.description().up = Vec3::UnitY();
  Background& background = stage.description().background;
  background.given = true;
  for (std::size_t i = 0; i < 6; ++i)
    background.sides[i] = plain(static_cast<std::uint8_t>(40 * (i + 1)), 0, 0);
  stage.add(Box{{0.1, 0.01, 0.1}}, colored(1, 1, 1), Pose::translation({50, 0, 0}));
  const std::array<Vec3, 6> directions = {Vec3(1, 0, 0),  Vec3(-1, 0, 0), Vec3(0, 1, 0),
                                          Vec3(0, -1, 0), Vec3(0, 0, -1), Vec3(0, 0, 1)};
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3 up = std::abs(directions[i].y()) > 0.5 ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
    EXPECT_NEAR(seen(stage, directions[i], up).x(), 40.0 * static_cast<double>(i + 1), 3) << i;
  }
}

/// A block that throws a shadow, with or without a floor; x, y and z of it are z, x and y of a
/// world with y up.
Image block(bool y_up, bool has_floor, Quality quality) {
  Mat3 R = Mat3::Identity();
  if (y_up) R << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  Stage stage;
  stage.description().up = R * Vec3::UnitZ();
  stage.description().lights = {sun(R * Vec3(0.5, -1, -2))};
  const auto placed_at = [&R](const Vec3& p) { return Pose{Quat(R), R * p}; };
  stage.add(Box{{0.4, 1, 3}}, colored(0.7f, 0.2f, 0.1f), placed_at({0, 0, 1.5}));
  if (has_floor) stage.add(Plane{{6, 6}}, colored(0.3f, 0.4f, 0.3f), placed_at({0, 0, 0}));
  Camera camera(160, R * Vec3(-8, -1.5, 5), R * Vec3(0, 0, 1.5), 1.1, R * Vec3::UnitZ());
  return camera.take(stage, quality);
}

TEST(Sky, AndGroundAreThoseOfZUpInWorldsWithYUp) {
  for (const bool has_floor : {false, true}) {
    for (const Quality quality : {Quality::kWindow, Quality::kPicture}) {
      const Image z_up = block(false, has_floor, quality), y_up = block(true, has_floor, quality);
      ASSERT_EQ(z_up.pixels.size(), y_up.pixels.size());
      int other = 0;  // bytes; edges of faces and shadows may be rounded to another pixel
      for (std::size_t i = 0; i < z_up.pixels.size(); ++i)
        other += std::abs(z_up.pixels[i] - y_up.pixels[i]) > 4;
      EXPECT_LT(other, static_cast<int>(z_up.pixels.size()) / 100) << has_floor;
    }
  }
}

TEST(Sky, NeedsAllSixSides) {
  Stage stage;
  Background& background = stage.description().background;
  background.given = true;
  background.sky = {0, 0, 1};
  for (std::size_t i = 0; i < 5; ++i) background.sides[i] = plain(255, 0, 0);
  EXPECT_LT(seen(stage, {-1, 0, 0.1}).x(), 150);
}

/// The darkness of lines: how much darker a place is than half a metre beside it.
double line_at(const Image& image, const Camera& camera, double x, double y) {
  return brightness(pixel(image, camera.where({x + 0.5, y, 0}))) -
         brightness(pixel(image, camera.where({x, y, 0})));
}

TEST(Ground, HasLinesEveryMetreAndStrongerOnesEveryTenWhereThereIsNoFloor) {
  Stage stage;
  stage.add(Sphere{0.1}, colored(1, 0, 0), Pose::translation({0, 0, 1}));
  Camera camera(801, {0, 0.45, 12}, {0, 0.45, 0}, 2.2, Vec3::UnitY());
  const Image image = camera.take(stage);
  const double fine = line_at(image, camera, 3, 0.5), coarse = line_at(image, camera, 10, 0.5);
  EXPECT_GT(fine, 4);
  EXPECT_GT(coarse, fine + 4);
  EXPECT_LT(std::abs(line_at(image, camera, 3.25, 0.5)), 3);
}

TEST(Ground, GridStaysInPlaceFarFromTheOrigin) {
  const double away = 123450;  // m, a multiple of 10
  Stage stage;
  stage.add(Sphere{0.1}, colored(1, 0, 0), Pose::translation({away, away, 1}));
  Camera camera(801, {away, away + 0.45, 12}, {away, away + 0.45, 0}, 2.2, Vec3::UnitY());
  const Image image = camera.take(stage);
  EXPECT_GT(line_at(image, camera, away + 3, away + 0.5), 4);
  EXPECT_GT(line_at(image, camera, away + 10, away + 0.5), 8);
  EXPECT_LT(std::abs(line_at(image, camera, away + 3.25, away + 0.5)), 3);
}

TEST(Ground, ReachesTheHorizonAndTakesShadows) {
  Stage stage;
  stage.description().lights = {sun({0, -1, -1})};
  stage.add(Box{{0.4, 0.4, 3}}, colored(1, 0, 0), Pose::translation({0, 0, 1.5}));
  Camera camera(200, {-8, -1.5, 9}, {0, -1.5, 0}, 1.1);
  const Image image = camera.take(stage);
  EXPECT_LT(brightness(pixel(image, camera.where({0.5, -1.5, 0}))), 255);
  EXPECT_LT(brightness(pixel(image, camera.where({0.05, -1.5, 0}))) + 30,
            brightness(pixel(image, camera.where({0.6, -1.5, 0}))));
  // Far away it fades into the haze.
  Camera low(200, {3, 0, 2}, {10, 0, 2});
  const Image horizon = low.take(stage);
  const double below = brightness(pixel(horizon, 100, 100));
  const double above = brightness(pixel(horizon, 100, 98));
  EXPECT_NEAR(below, above, 12);
  EXPECT_LT(brightness(pixel(horizon, 100, 180)), above - 20);
}

TEST(Ground, IsNotDrawnOverAFloorOfTheWorld) {
  const auto ground_is_drawn = [](const Geometry& floor, double z) {
    Stage stage;
    stage.add(floor, colored(0, 1, 0), Pose::translation({0, 0, z}));
    stage.add(Box{{1, 1, 1}}, colored(1, 0, 0), Pose::translation({0, 0, 0.5}));
    Camera camera(801, {0, 60.45, 12}, {0, 60.45, 0}, 2.2, Vec3::UnitY());
    const Image image = camera.take(stage);
    Stage empty;
    return std::abs(line_at(image, camera, 3, 60.5)) > 3;
  };
  EXPECT_FALSE(ground_is_drawn(Plane{{20, 20}}, 0));
  EXPECT_FALSE(ground_is_drawn(Box{{20, 20, 0.1}}, -0.05));
  Mesh terrain;
  terrain.vertices = {{-9, -9, 0}, {9, -9, 2}, {9, 9, 0}, {-9, 9, 3}};
  terrain.triangles = {{0, 1, 2}, {0, 2, 3}};
  EXPECT_FALSE(ground_is_drawn(terrain, 0));
  EXPECT_TRUE(ground_is_drawn(Box{{20, 20, 15}}, 8));  // a house is no floor
  EXPECT_TRUE(ground_is_drawn(Plane{{0.2, 0.2}}, 0));  // nor is a mat
}

}  // namespace
}  // namespace protobeam::viewer
