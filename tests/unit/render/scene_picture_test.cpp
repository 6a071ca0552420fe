#include "render/scene_picture.h"

#include <gtest/gtest.h>

#include <cmath>

#include "render/srgb_bytes.h"
#include "tests/unit/render/pixels.h"

namespace protobeam::render {
namespace {

/// A small world with the real ray caster.
struct World {
  std::unique_ptr<RayScene> scene;
  SceneAppearance appearance;

  explicit World(int threads = 1) : scene(make_embree_scene({threads})) {
    appearance.to_sun = {-1, 0, 1};
  }
  void add(Geometry geometry, const Pose& X_WS, const Material& material) {
    const auto shared = std::make_shared<const Geometry>(std::move(geometry));
    scene->add({{shared, Pose{}}}, X_WS);
    appearance.instances.push_back({{material, shared, X_WS}});
  }
};

Material paint(float r, float g, float b) {
  Material material;
  material.base_color = {r, g, b};
  material.roughness = 1;
  return material;
}

const PictureSize kSmall{161, 121, 2, 1.5};  // odd: a pixel in the middle

/// Straight down from 10 m, +x on top, +y on the left; 8 m high.
Camera bird() {
  Camera camera;
  camera.X_WC = {axis_angle({0, 1, 0}, kPi / 2), {0, 0, 10}};
  camera.vertical_fov = 2 * std::atan(0.4);
  return camera;
}

/// The pixel of bird() that shows (x, y, 0).
Eigen::Vector3d seen_from_above(const Image& image, double x, double y) {
  const double per_metre = image.height / 8.0;
  return pixel(image, static_cast<int>(image.width / 2.0 - y * per_metre),
               static_cast<int>(image.height / 2.0 - x * per_metre));
}

TEST(ScenePicture, ARedBoxIsRedWhereItStands) {
  World world;
  world.add(Plane{{20, 20}}, {}, paint(0.4f, 0.4f, 0.4f));
  world.add(Box{{1, 1, 0.5}}, Pose::translation({2, -1, 0.25}), paint(0.7f, 0.05f, 0.05f));
  const Image image = draw_scene(*world.scene, world.appearance, bird(), {}, kSmall);
  ASSERT_EQ(image.width, 161);
  ASSERT_EQ(image.height, 121);
  const auto box = seen_from_above(image, 2, -1);
  EXPECT_GT(box.x(), 2 * box.y());
  EXPECT_GT(box.x(), 2 * box.z());
  const auto floor = seen_from_above(image, -2, 1);
  EXPECT_NEAR(floor.x(), floor.y(), 25);
  EXPECT_NEAR(floor.y(), floor.z(), 25);
}

TEST(ScenePicture, ASilhouetteHasTheMeanOfItsSamples) {
  World world;
  world.add(Plane{{20, 20}}, {}, paint(0.2f, 0.2f, 0.2f));
  // Its right edge halves the pixels of column 60; flat, so that the floor there has all of its
  // light.
  const double edge = 20 * 8.0 / 121;
  world.add(Box{{2, 2, 0.002}}, Pose::translation({0, edge + 1, 0}), paint(0.8f, 0.8f, 0.8f));
  const Image image = draw_scene(*world.scene, world.appearance, bird(), {}, kSmall);
  const auto light = [&](int column) {
    return linear_from_srgb(static_cast<float>(pixel(image, column, 60).x()) / 255.0f);
  };
  const float box = light(58), floor = light(62);
  EXPECT_GT(box, floor + 0.1f);
  EXPECT_NEAR(light(60), (box + floor) / 2, 0.02f);
}

TEST(ScenePicture, BytesOfLightAreThoseOfTheTransferFunction) {
  int different = 0;  // where single precision decides between two bytes
  for (int i = -10; i <= 100'100; ++i) {
    const float light = static_cast<float>(i) / 100'000;
    const int byte = srgb_byte(light), exact = to_byte(srgb_from_linear(light));
    ASSERT_NEAR(byte, exact, 1) << light;
    different += byte != exact;
  }
  EXPECT_LE(different, 5);
}

TEST(ScenePicture, AShadowLiesOnTheSideAwayFromTheSun) {
  World world;
  world.add(Plane{{20, 20}}, {}, paint(0.4f, 0.4f, 0.4f));
  world.add(Box{{0.5, 4, 1}}, Pose::translation({0, 0, 0.5}), paint(0.4f, 0.4f, 0.4f));
  const Image image = draw_scene(*world.scene, world.appearance, bird(), {}, kSmall);
  // The sun stands at 45 degrees over -x: 1 m of shadow behind the box.
  const double shadow = brightness(seen_from_above(image, 0.75, 0));
  const double sunny = brightness(seen_from_above(image, -0.75, 0));
  EXPECT_LT(shadow, 0.6 * sunny);
  EXPECT_GT(shadow, 0.1 * sunny);  // the sky still shines there
  EXPECT_NEAR(brightness(seen_from_above(image, 2, 0)), sunny, 0.15 * sunny);
}

TEST(ScenePicture, ACornerGetsLessSkyThanTheOpen) {
  World world;
  world.appearance.to_sun = {1, 0,
                             0.02};  // so low behind the wall that all the ground is in its shadow
  world.add(Plane{{20, 20}}, {}, paint(0.4f, 0.4f, 0.4f));
  world.add(Box{{0.2, 20, 3}}, Pose::translation({0.1, 0, 1.5}), paint(0.4f, 0.4f, 0.4f));
  const Image image = draw_scene(*world.scene, world.appearance, bird(), {}, kSmall);
  EXPECT_LT(brightness(seen_from_above(image, -0.25, 0)),
            0.9 * brightness(seen_from_above(image, -3.5, 0)));
}

TEST(ScenePicture, PointsShowBeforeThingsAndHideBehindThem) {
  World world;
  world.add(Plane{{20, 20}}, {}, paint(0.4f, 0.4f, 0.4f));
  world.add(Box{{2, 2, 1}}, Pose::translation({0, 0, 1.5}), paint(0.4f, 0.4f, 0.4f));
  const std::vector<ScenePoint> points = {{{0.5, 0.5, 2.0}, 1},    // on the box: red
                                          {{-0.5, -0.5, 0.5}, 1},  // below it
                                          {{3, 0, 0}, 0},          // on the ground: blue
                                          {{0, 0, 11}, 1}};        // behind the camera
  const Image with = draw_scene(*world.scene, world.appearance, bird(), points, kSmall);
  const Image without = draw_scene(*world.scene, world.appearance, bird(), {}, kSmall);
  const double nearer = 10 / 8.0;  // the top of the box is larger in the picture
  const auto top = seen_from_above(with, 0.5 * nearer, 0.5 * nearer);
  EXPECT_GT(top.x(), 2 * top.z());
  const auto floor = seen_from_above(with, 3, 0);
  EXPECT_GT(floor.z(), 1.5 * floor.x());
  int changed = 0;
  for (int y = 0; y < with.height; ++y) {
    for (int x = 0; x < with.width; ++x) changed += pixel(with, x, y) != pixel(without, x, y);
  }
  EXPECT_GE(changed, 2 * 5);
  EXPECT_LE(changed, 2 * 21);  // two discs of 1.5 pixels, no more
}

TEST(ScenePicture, APlaneShowsItsTextureTheRightWayRound) {
  World world;
  Material material = paint(1, 1, 1);
  // Red, green on top; blue, white below.
  material.texture = std::make_shared<const Image>(
      Image{2, 2, 3, {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255}});
  world.add(Plane{{4, 4}}, {}, material);
  const Image image = draw_scene(*world.scene, world.appearance, bird(), {}, kSmall);
  // Texture coordinates grow with x and y: the picture's lower left corner lies at -x, -y.
  const auto blue = seen_from_above(image, -1, -1), white = seen_from_above(image, 1, -1);
  const auto red = seen_from_above(image, -1, 1), green = seen_from_above(image, 1, 1);
  EXPECT_GT(blue.z(), 1.5 * blue.x());
  EXPECT_GT(red.x(), 1.5 * red.z());
  EXPECT_GT(green.y(), 1.5 * green.x());
  EXPECT_NEAR(white.x(), white.y(), 25);
}

TEST(ScenePicture, ColoursAreSrgbAsPicturesAre) {
  const auto seen = [](const Material& material) {
    World world;
    world.add(Plane{{20, 20}}, {}, material);
    return seen_from_above(draw_scene(*world.scene, world.appearance, bird(), {}, kSmall), 1, 1);
  };
  Material picture = paint(1, 1, 1);
  picture.texture = std::make_shared<const Image>(Image{1, 1, 3, {200, 100, 50}});
  const auto shown = seen(picture), painted = seen(paint(200 / 255.0f, 100 / 255.0f, 50 / 255.0f));
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(painted[c], shown[c], 1) << c;
}

TEST(ScenePicture, AMeshShowsItsTextureByTriangle) {
  World world;
  Material material = paint(1, 1, 1);
  material.texture =
      std::make_shared<const Image>(Image{2, 1, 3, {255, 0, 0, 0, 0, 255}});  // red, blue
  Mesh mesh = triangulated(Plane{{4, 4}});
  for (auto& corners : mesh.uvs) {  // turned by half a turn
    for (auto& uv : corners) uv = Eigen::Vector2f(1, 1) - uv;
  }
  world.add(mesh, {}, material);
  const Image image = draw_scene(*world.scene, world.appearance, bird(), {}, kSmall);
  for (const double y : {-1.5, 0.0, 1.5}) {
    EXPECT_GT(seen_from_above(image, 1.2, y).x(), 1.5 * seen_from_above(image, 1.2, y).z());
    EXPECT_GT(seen_from_above(image, -1.2, y).z(), 1.5 * seen_from_above(image, -1.2, y).x());
  }
}

TEST(ScenePicture, SmoothNormalsHideTheEdgesOfAMesh) {
  // A flat sheet whose normals all lean to the sun looks evenly brighter than with its own.
  World flat, leaning;
  flat.appearance.to_sun = leaning.appearance.to_sun = {-1, 0, 0.5};
  Mesh mesh = triangulated(Plane{{20, 20}});
  flat.add(mesh, {}, paint(0.3f, 0.3f, 0.3f));
  const Eigen::Vector3f normal = Eigen::Vector3f(-1, 0, 1).normalized();
  mesh.normals.assign(2, {normal, normal, normal});
  leaning.add(mesh, {}, paint(0.3f, 0.3f, 0.3f));
  EXPECT_GT(brightness(seen_from_above(
                draw_scene(*leaning.scene, leaning.appearance, bird(), {}, kSmall), 1, 1)),
            1.1 * brightness(seen_from_above(
                      draw_scene(*flat.scene, flat.appearance, bird(), {}, kSmall), 1, 1)));
}

TEST(ScenePicture, TheGridHasALineEveryMetreWhereNothingStands) {
  World world;
  world.appearance.ground_z = 0;
  const Image image = draw_scene(*world.scene, world.appearance, bird(), {}, kSmall);
  for (const int x : {1, 2, 3}) {
    EXPECT_LT(brightness(seen_from_above(image, x, 0.5)),
              brightness(seen_from_above(image, x + 0.5, 0.5)) - 1);
  }
  EXPECT_LT(brightness(seen_from_above(image, 0, 0.5)),  // every ten metres a stronger one
            brightness(seen_from_above(image, 1, 0.5)));
}

TEST(ScenePicture, TheSkyIsBluerAboveThanAtTheHorizon) {
  World world;
  world.appearance.ground_z = 0;
  Camera camera;
  camera.X_WC = Pose::translation({0, 0, 1});
  camera.vertical_fov = 1.2;
  const Image image = draw_scene(*world.scene, world.appearance, camera, {}, kSmall);
  const auto above = pixel(image, 80, 2), horizon = pixel(image, 80, 57);
  EXPECT_GT(above.z() - above.x(), horizon.z() - horizon.x() + 20);
  EXPECT_LT(brightness(pixel(image, 80, 115)), brightness(horizon));
}

TEST(ScenePicture, IsTheSameForAnyNumberOfThreads) {
  Image images[2];
  for (const int threads : {1, 4}) {
    World world(threads);
    world.appearance.ground_z = -0.1;
    world.add(Plane{{6, 6}}, {}, paint(0.4f, 0.4f, 0.4f));
    world.add(Sphere{1}, Pose::translation({0, 0, 1}), paint(0.1f, 0.2f, 0.6f));
    world.add(triangulated(Cone{0.5, 1}), Pose::translation({2, 1, 0.5}), paint(1, 0.5f, 0));
    const std::vector<ScenePoint> points = {{{0, 0, 2}, 0.5f}, {{1, 1, 0}, 0.2f}};
    images[threads == 1 ? 0 : 1] =
        draw_scene(*world.scene, world.appearance,
                   frame_bounds({{-2, -2, 0}, {2, 2, 2}}, 161 / 121.0), points, kSmall);
  }
  EXPECT_EQ(images[0].pixels, images[1].pixels);
}

TEST(ScenePicture, InstancesWithoutAnAppearanceAreStillDrawn) {
  World world;
  world.add(Plane{{20, 20}}, {}, paint(0.05f, 0.05f, 0.05f));
  world.appearance.instances.clear();
  const Image image = draw_scene(*world.scene, world.appearance, bird(), {}, kSmall);
  EXPECT_GT(brightness(seen_from_above(image, 1, 1)), 40);
}

TEST(ScenePicture, RefusesSizesThatCannotBe) {
  World world;
  EXPECT_THROW(draw_scene(*world.scene, world.appearance, bird(), {}, {0, 100}),
               std::invalid_argument);
  EXPECT_THROW(draw_scene(*world.scene, world.appearance, bird(), {}, {100, 100, 99}),
               std::invalid_argument);
}

TEST(FrameBounds, ShowsEveryCornerAndWastesLittle) {
  for (const Bounds& box : {Bounds{{-1, -1, 0}, {1, 1, 1}}, Bounds{{100, 50, -3}, {180, 60, 4}},
                            Bounds{{-0.1, -0.1, 0}, {0.1, 0.1, 5}}}) {
    for (const double azimuth : {-2.2, 0.3, 1.9}) {
      const double aspect = 16.0 / 9;
      const Camera camera = frame_bounds(box, aspect, azimuth);
      const double up = std::tan(camera.vertical_fov / 2);
      double fill = 0;
      for (int i = 0; i < 8; ++i) {
        const Vec3 corner((i & 1) != 0 ? box.max.x() : box.min.x(),
                          (i & 2) != 0 ? box.max.y() : box.min.y(),
                          (i & 4) != 0 ? box.max.z() : box.min.z());
        const Vec3 p_C = camera.X_WC.inverse() * corner;
        ASSERT_GT(p_C.x(), 0);
        const double side = std::abs(p_C.y() / p_C.x()) / (up * aspect);
        const double height = std::abs(p_C.z() / p_C.x()) / up;
        EXPECT_LT(side, 1);
        EXPECT_LT(height, 1);
        fill = std::max({fill, side, height});
      }
      EXPECT_GT(fill, 0.8);
      EXPECT_GT((camera.X_WC.R * Vec3::UnitZ()).z(), 0);  // upright
      EXPECT_LT((camera.X_WC.R * Vec3::UnitX()).z(), 0);  // from above
    }
  }
}

TEST(FrameBounds, OfNothingIsStillACamera) {
  EXPECT_TRUE(frame_bounds({}, 1.5).X_WC.p.allFinite());
}

}  // namespace
}  // namespace protobeam::render
