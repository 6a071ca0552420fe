// The scene as a whole: movement, picking, highlights, precision.
#include <gtest/gtest.h>

#include <osgUtil/IntersectionVisitor>
#include <osgUtil/LineSegmentIntersector>

#include "tests/unit/viewer/scene/stage.h"
#include "viewer/scene/world_scene.h"

namespace protobeam::viewer {
namespace {

/// A floor and a robot with a wheel, besides another thing.
struct Robots {
  Robots() {
    stage.description().lights = {sun({0.5, -1, -2})};
    stage.add(Plane{{30, 30}}, colored(0.4f, 0.4f, 0.4f), {}, "floor");
    stage.add(Box{{1, 1, 1}}, colored(0.2f, 0.2f, 0.8f), Pose::translation({0, 1, 0.5}), "robot",
              -1, true);
    stage.add(Cylinder{0.4, 0.3}, colored(0.48f, 0.48f, 0.48f),
              {axis_angle({0, 1, 0}, kPi / 2), Vec3(-0.7, 1, 0.4)}, "wheel", 1, true);
    stage.add(Sphere{0.5}, colored(0.2f, 0.8f, 0.2f), Pose::translation({0, -1.5, 0.5}), "ball", -1,
              true);
  }
  static constexpr int kFloor = 0, kRobot = 1, kWheel = 2, kBall = 3;
  Stage stage;
};

/// The Solid that is seen first along the ray, as the scene says.
int pick(WorldScene& scene, const Vec3& from, const Vec3& to) {
  osg::ref_ptr<osgUtil::LineSegmentIntersector> ray = new osgUtil::LineSegmentIntersector(
      osg::Vec3d(from.x(), from.y(), from.z()), osg::Vec3d(to.x(), to.y(), to.z()));
  osgUtil::IntersectionVisitor visitor(ray);
  scene.root()->accept(visitor);
  if (!ray->containsIntersections()) return -2;
  const osg::NodePath& path = ray->getFirstIntersection().nodePath;
  return scene.solid_of({path.begin(), path.end()});
}

TEST(Scene, TellsWhichSolidWasPicked) {
  Robots robots;
  const auto scene = robots.stage.scene();
  EXPECT_EQ(pick(*scene, {0, 1, 9}, {0, 1, -1}), Robots::kRobot);
  EXPECT_EQ(pick(*scene, {-9, 1, 0.4}, {9, 1, 0.4}), Robots::kWheel);
  EXPECT_EQ(pick(*scene, {0, -1.5, 9}, {0, -1.5, -1}), Robots::kBall);
  EXPECT_EQ(pick(*scene, {5, 5, 9}, {5, 5, -1}), Robots::kFloor);
  EXPECT_EQ(pick(*scene, {50, 50, 9}, {50, 50, -1}), -2) << "nobody picks sky or grid";
  EXPECT_EQ(scene->solid_of({}), -1);
}

TEST(Scene, LacksWhatIsHiddenUntilItIsSeen) {
  Robots robots;
  robots.stage.state().hidden = {false, true};
  const auto scene = robots.stage.scene();
  EXPECT_EQ(pick(*scene, {0, 1, 9}, {0, 1, -1}), Robots::kFloor);
  EXPECT_EQ(pick(*scene, {-9, 1, 0.4}, {9, 1, 0.4}), Robots::kWheel);
  robots.stage.state().hidden = {false, false, true};
  scene->update(robots.stage.state());
  EXPECT_EQ(pick(*scene, {0, 1, 9}, {0, 1, -1}), Robots::kRobot);
  EXPECT_EQ(pick(*scene, {-9, 1, 0.4}, {9, 1, 0.4}), Robots::kRobot);
}

TEST(Scene, ShapesOutsideOfSolidsBelongToNone) {
  Stage stage;
  stage.add(Box{{1, 1, 1}}, colored(1, 0, 0));
  const auto scene = stage.scene();
  EXPECT_EQ(pick(*scene, {0, 0, 9}, {0, 0, -9}), -1);
}

TEST(Scene, HighlightsASolidAndThoseInsideItOnly) {
  Robots robots;
  const auto scene = robots.stage.scene();
  Camera camera(200, {-8, 0, 4}, {0, 0, 0.5});
  const Image plain = camera.take(*scene);
  const auto changed = [&](int solid) {
    scene->highlight(solid);
    const Image lit = camera.take(*scene);
    std::vector<int> picked(robots.stage.description().solids.size() + 1);
    int elsewhere = 0;
    for (int row = 0; row < 200; ++row) {
      for (int column = 0; column < 200; ++column) {
        if (pixel(lit, column, row) == pixel(plain, column, row)) continue;
        const Vec3 ray = camera.camera().X_WC.R *
                         Vec3(1, 0.5 * (1 - (column + 0.5) / 100), 0.5 * (1 - (row + 0.5) / 100));
        const int there = pick(*scene, camera.camera().X_WC.p, camera.camera().X_WC.p + 100 * ray);
        (there >= 0 ? picked[static_cast<std::size_t>(there)] : elsewhere) += 1;
      }
    }
    EXPECT_EQ(elsewhere, 0);
    return picked;
  };
  // The wheel is inside the robot. The slack is for edges: rays and pixels round differently.
  std::vector<int> pixels = changed(Robots::kRobot);
  EXPECT_GT(pixels[Robots::kRobot], 200);
  EXPECT_GT(pixels[Robots::kWheel], 100);
  EXPECT_LE(pixels[Robots::kFloor] + pixels[Robots::kBall], 6);
  pixels = changed(Robots::kWheel);
  EXPECT_GT(pixels[Robots::kWheel], 100);
  EXPECT_LE(pixels[Robots::kRobot] + pixels[Robots::kFloor] + pixels[Robots::kBall], 6);
  scene->highlight(-1);
  EXPECT_EQ(camera.take(*scene).pixels, plain.pixels);
}

TEST(Scene, ThingsAreWhereTheFrameSays) {
  Robots robots;
  const auto scene = robots.stage.scene();
  Camera camera(200, {-8, 0, 4}, {0, 0, 0.5});
  const auto green = [&](const Image& image, const Vec3& p_W) {
    const Vec3 rgb = pixel(image, camera.where(p_W));
    return rgb.y() > rgb.x() + 40 && rgb.y() > rgb.z() + 40;
  };
  const Vec3 before(-0.3, -1.5, 0.6), after(-0.3, -0.4, 0.6);
  Image image = camera.take(*scene);
  EXPECT_TRUE(green(image, before));
  EXPECT_FALSE(green(image, after));
  robots.stage.state().groups[Robots::kBall].p.y() = -0.4;
  scene->update(robots.stage.state());
  image = camera.take(*scene);
  EXPECT_FALSE(green(image, before));
  EXPECT_TRUE(green(image, after));
  // A frame of another load is not this world's.
  robots.stage.state().groups[Robots::kBall].p.y() = 2;
  robots.stage.state().load = 2;
  scene->update(robots.stage.state());
  EXPECT_EQ(camera.take(*scene).pixels, image.pixels);
}

TEST(Scene, LooksTheSameFarFromTheOrigin) {
  // 2^20 m away; nothing trembles.
  const Vec3 away(1048576, -1048576, 0);
  Robots near, far;
  for (Pose& pose : far.stage.state().groups) pose.p += away;
  far.stage.description().bounds.min += away;
  far.stage.description().bounds.max += away;
  Camera camera(200, {-8, 0, 4}, {0, 0, 0.5}),
      moved(200, Vec3(-8, 0, 4) + away, Vec3(0, 0, 0.5) + away);
  const Image here = camera.take(near.stage), there = moved.take(far.stage);
  int different = 0;
  for (int row = 0; row < 200; ++row) {
    for (int column = 0; column < 200; ++column) {
      different += (pixel(here, column, row) - pixel(there, column, row)).norm() > 12 ? 1 : 0;
    }
  }
  EXPECT_LT(different, 80);  // edges of shadows fall on other texels
}

TEST(Scene, IsDrawnToTheSameBytesAgain) {
  for (const Quality quality : {Quality::kWindow, Quality::kPicture}) {
    Robots robots;
    const auto first = robots.stage.scene(quality), second = robots.stage.scene(quality);
    Camera camera(120, {-8, 0, 4}, {0, 0, 0.5}, 0.8, Vec3::UnitZ(), 2);
    Camera other(120, {-8, 0, 4}, {0, 0, 0.5}, 0.8, Vec3::UnitZ(), 2);
    const Image image = camera.take(*first);
    EXPECT_EQ(camera.take(*first).pixels, image.pixels);
    EXPECT_EQ(other.take(*first).pixels, image.pixels);
    EXPECT_EQ(camera.take(*second).pixels, image.pixels);
  }
}

TEST(Scene, OutlivesThePicturesThatWereMadeOfIt) {
  Robots robots;
  const auto scene = robots.stage.scene(Quality::kPicture);
  std::vector<std::uint8_t> first;
  for (int i = 0; i < 4; ++i) {
    Camera camera(60, {-8, 0, 4}, {0, 0, 0.5});
    const Image image = camera.take(*scene);
    if (i == 0) first = image.pixels;
    EXPECT_EQ(image.pixels, first) << i;
  }
}

TEST(Scene, EmptyWorldIsGroundAndSky) {
  Camera camera(50, {0, 0, 3}, {10, 0, 2.9});
  const Image image = camera.take(Stage());
  EXPECT_GT(brightness(pixel(image, 25, 5)), brightness(pixel(image, 25, 45)));
  EXPECT_GT(brightness(pixel(image, 25, 45)), 30);
}

TEST(Scene, NothingIsBlackWithoutAnyLightFromTheWorld) {
  Robots robots;
  robots.stage.description().background.given = true;  // a black one
  Light weak = sun({0, 0, 1}, 0);
  robots.stage.description().lights = {weak};
  Camera camera(100, {-8, 0, 4}, {0, 0, 0.5});
  const Image image = camera.take(robots.stage, Quality::kPicture);
  for (const Vec3& p : {Vec3(-0.5, 1, 0.8), Vec3(0, -1.5, 0.9), Vec3(-2, 0, 0)}) {
    EXPECT_GT(brightness(pixel(image, camera.where(p))), 20) << p.transpose();
  }
}

}  // namespace
}  // namespace protobeam::viewer
