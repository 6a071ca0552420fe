// Sun, shadows, lamps and fog.
#include <gtest/gtest.h>

#include "tests/unit/viewer/scene/stage.h"

namespace protobeam::viewer {
namespace {

TEST(Light, BoxIsBrighterOnTheSideOfTheLight) {
  Stage stage;
  stage.description().lights = {sun({0, -1, -0.5})};  // from the left, as seen along +x
  stage.add(Box{{2, 2, 2}}, colored(0.8f, 0.1f, 0.1f),
            {axis_angle({0, 0, 1}, kPi / 4), Vec3(0, 0, 50)});
  Camera camera(100, {-10, 0, 50}, {0, 0, 50});
  const Image image = camera.take(stage);
  const Vec3 left = pixel(image, 44, 50), right = pixel(image, 56, 50);
  EXPECT_GT(left.x(), right.x() + 40);
  EXPECT_GT(right.x(), 10) << "nothing is black";
  EXPECT_GT(left.x(), 2 * left.y()) << "and it is red";
}

TEST(Light, GlossySpheresMirrorTheSunWhereItMust) {
  // Half way between the camera and the sun.
  Stage stage;
  stage.description().lights = {sun({1, -1, -1})};
  Material black = colored(0, 0, 0);
  black.roughness = 0.3f;
  stage.add(Sphere{2}, black, Pose::translation({0, 0, 50}));
  Camera camera(200, {-20, 0, 50}, {0, 0, 50}, 0.3);
  const Image image = camera.take(stage);
  const Vec3 to_sun = Vec3(-1, 1, 1).normalized(), to_eye = Vec3(-1, 0, 0);
  const Eigen::Vector2d expected =
      camera.where(Vec3(0, 0, 50) + 2 * (to_sun + to_eye).normalized());
  Eigen::Vector2d brightest(0, 0);
  double most = 0;
  for (int row = 40; row < 160; ++row) {
    for (int column = 40; column < 160; ++column) {
      const bool on_sphere = std::hypot(column - 100, row - 100) < 55;
      const double here = brightness(pixel(image, column, row));
      if (on_sphere && here > most) {
        most = here;
        brightest = {column + 0.5, row + 0.5};
      }
    }
  }
  EXPECT_LT((brightest - expected).norm(), 6) << brightest.transpose();
}

/// A post of 0.4 x 0.4 m, 3 m high, on a floor, in light of 45 degrees from +y.
Stage post() {
  Stage stage;
  stage.description().lights = {sun({0, -1, -1})};
  stage.add(Plane{{30, 30}}, colored(0.5f, 0.5f, 0.5f));
  stage.add(Box{{0.4, 0.4, 3}}, colored(0.5f, 0.5f, 0.5f), Pose::translation({0, 0, 1.5}));
  return stage;
}

class Shadow : public testing::TestWithParam<Quality> {};

TEST_P(Shadow, FallsWhereGeometrySays) {
  Camera camera(400, {-6, -1.5, 8}, {0, -1.5, 0}, 0.9);
  const Image image = camera.take(post(), GetParam());
  const auto at = [&](double x, double y) {
    return brightness(pixel(image, camera.where({x, y, 0})));
  };
  const double lit = at(0, 2), shaded = at(0, -1.5);
  EXPECT_LT(shaded, lit - 50);
  EXPECT_GT(shaded, 15) << "the sky lights it";
  const double half = (lit + shaded) / 2;
  // As long as the post is high; as wide as it is.
  EXPECT_LT(at(0, -3.05), half);
  EXPECT_GT(at(0, -3.35), half);
  EXPECT_LT(at(0.14, -1.5), half);
  EXPECT_GT(at(0.26, -1.5), half);
  EXPECT_LT(at(-0.14, -1.5), half);
  EXPECT_GT(at(-0.26, -1.5), half);
}

TEST_P(Shadow, MovesWithThings) {
  Stage stage = post();
  SceneDescription& description = stage.description();
  description.groups.back().moves = true;
  const auto scene = stage.scene(GetParam());
  Camera camera(200, {-8, -1.5, 9}, {0, -1.5, 0}, 1.1);
  const auto at = [&](const Image& image, double x) {
    return brightness(pixel(image, camera.where({x, -1.5, 0})));
  };
  const Image before = camera.take(*scene);
  EXPECT_LT(at(before, 0) + 40, at(before, 1.5));
  stage.state().groups.back().p.x() += 1.5;
  scene->update(stage.state());
  const Image after = camera.take(*scene);
  EXPECT_GT(at(after, 0), at(after, 1.5) + 40);
  // And back again: as if nothing had been.
  stage.state().groups.back().p.x() -= 1.5;
  scene->update(stage.state());
  EXPECT_EQ(camera.take(*scene).pixels, before.pixels);
}

TEST_P(Shadow, DoesNotSpotTheSurfacesThatCastIt) {
  // Slanting light on everything round and flat: no place that faces the sun is darker than its
  // neighbour.
  Stage stage;
  stage.description().lights = {sun({0.3, -1, -0.35})};
  stage.add(Plane{{30, 30}}, colored(0.5f, 0.5f, 0.5f));
  stage.add(Box{{2, 2, 2}}, colored(0.5f, 0.5f, 0.5f), Pose::translation({0, 4, 1}));
  Camera camera(200, {0, 14, 5}, {0, 5, 1}, 0.35);
  const Image image = camera.take(stage, GetParam());
  const Eigen::Vector2d low = camera.where({0.9, 5, 0.1}), high = camera.where({-0.9, 5, 1.9});
  double darkest = 255, brightest = 0;
  for (int row = static_cast<int>(std::min(low.y(), high.y())) + 2;
       row < std::max(low.y(), high.y()) - 2; ++row) {
    for (int column = static_cast<int>(std::min(low.x(), high.x())) + 2;
         column < std::max(low.x(), high.x()) - 2; ++column) {
      const double here = brightness(pixel(image, column, row));
      darkest = std::min(darkest, here);
      brightest = std::max(brightest, here);
    }
  }
  EXPECT_GT(darkest, 100);
  EXPECT_LT(brightest - darkest, 30);
}

TEST_P(Shadow, StaysSharpInAHugeWorld) {
  Stage stage = post();
  stage.add(Plane{{20000, 20000}}, colored(0.5f, 0.5f, 0.5f), Pose::translation({0, 0, -0.01}));
  stage.add(Box{{1, 1, 1}}, colored(0.5f, 0.5f, 0.5f), Pose::translation({4000, 3000, 0.5}));
  Camera camera(400, {-6, -1.5, 8}, {0, -1.5, 0}, 0.9);
  const Image image = camera.take(stage, GetParam());
  const auto at = [&](double x, double y) {
    return brightness(pixel(image, camera.where({x, y, 0})));
  };
  EXPECT_LT(at(0.12, -1.5) + 30, at(0.32, -1.5));
  EXPECT_LT(at(0, -2.9) + 30, at(0, -3.4));
}

TEST_P(Shadow, OfGlassIsNone) {
  Stage stage;
  stage.description().lights = {sun({0, -1, -1})};
  stage.add(Plane{{30, 30}}, colored(0.5f, 0.5f, 0.5f));
  Material glass = colored(0.5f, 0.5f, 0.5f);
  glass.transparency = 0.9f;
  stage.add(Box{{0.4, 0.4, 3}}, glass, Pose::translation({0, 0, 1.5}));
  stage.add(Box{{0.4, 0.4, 3}}, colored(0.5f, 0.5f, 0.5f), Pose::translation({4, 0, 1.5}));
  Camera camera(200, {-6, -1.5, 8}, {0, -1.5, 0}, 0.9);
  const Image image = camera.take(stage, GetParam());
  const double lit = brightness(pixel(image, camera.where({-1, -1.5, 0})));
  EXPECT_NEAR(brightness(pixel(image, camera.where({0, -1.5, 0}))), lit, 12);
}

INSTANTIATE_TEST_SUITE_P(BothQualities, Shadow,
                         testing::Values(Quality::kWindow, Quality::kPicture),
                         [](const auto& info) {
                           return info.param == Quality::kWindow ? "Window" : "Picture";
                         });

TEST_P(Shadow, FallsOnNoFloorThatIsAlone) {
  Stage stage;
  stage.description().lights = {sun({0, 0, -1})};
  stage.add(Plane{{30, 30}}, colored(0.5f, 0.5f, 0.5f));
  Camera camera(50, {-9, 0, 4}, {0, 0, 0}, 0.8);
  const double alone = brightness(pixel(camera.take(stage, GetParam()), 25, 25));
  stage.add(Box{{1, 1, 1}}, colored(0.5f, 0.5f, 0.5f), Pose::translation({0, 12, 0.5}));
  const double beside_box = brightness(pixel(camera.take(stage, GetParam()), 25, 25));
  EXPECT_GT(alone, 100);
  EXPECT_NEAR(alone, beside_box, 3);
}

TEST(Light, SunIsTheLightThatCastsShadowsElseTheFirst) {
  const auto shadow_is_left = [](bool second_casts) {
    Stage stage;
    Light from_right = sun({0, 1, -1}), from_left = sun({0, -1, -1});
    from_left.casts_shadows = second_casts;
    stage.description().lights = {from_right, from_left};
    stage.add(Plane{{30, 30}}, colored(0.5f, 0.5f, 0.5f));
    stage.add(Box{{0.4, 0.4, 3}}, colored(0.5f, 0.5f, 0.5f), Pose::translation({0, 0, 1.5}));
    Camera camera(200, {-6, 0, 8}, {0, 0, 0}, 0.9);
    const Image image = camera.take(stage);
    return brightness(pixel(image, camera.where({0, 1.5, 0}))) <
           brightness(pixel(image, camera.where({0, -1.5, 0})));
  };
  EXPECT_TRUE(shadow_is_left(false));
  EXPECT_FALSE(shadow_is_left(true));
}

TEST(Light, PlacesUnderThingsSeeLessOfTheSkyInPictures) {
  Stage stage;
  stage.description().lights = {sun({1, 0, -0.2}, 0.001f)};
  stage.add(Plane{{30, 30}}, colored(0.5f, 0.5f, 0.5f));
  stage.add(Box{{3, 3, 0.2}}, colored(0.5f, 0.5f, 0.5f), Pose::translation({0, 0, 0.6}));
  Camera camera(200, {-9, 0, 1}, {-1, 0, 0.3}, 0.8);
  const Image image = camera.take(stage, Quality::kPicture);
  EXPECT_LT(brightness(pixel(image, camera.where({-0.9, 0, 0}))) + 15,
            brightness(pixel(image, camera.where({-5, 0, 0}))));
}

/// A dark wall in x = 0, seen from -x; lamps shine at it.
class Lamps : public testing::Test {
 protected:
  Lamps() {
    stage_.description().background.given = true;
    stage_.add(Box{{0.2, 60, 60}}, colored(0.3f, 0.3f, 0.3f), Pose::translation({0.1, 0, 50}));
  }
  static Light lamp(double y, double distance) {
    Light light;
    light.kind = Light::Kind::kPoint;
    light.location_B = {-distance, y, 50};
    light.intensity = 1.5f;
    return light;
  }
  double seen(double y, double z = 50) {
    if (!image_) {
      camera_.emplace(200, Vec3(-40, 0, 50), Vec3(0, 0, 50), 2 * std::atan(0.5));
      image_ = camera_->take(stage_);
    }
    return brightness(pixel(*image_, camera_->where({0, y, z})));
  }

  Stage stage_;
  std::optional<Camera> camera_;
  std::optional<Image> image_;
};

TEST_F(Lamps, AttenuationDimsWithDistance) {
  Light near = lamp(15, 1), far = lamp(-15, 2.5);
  near.attenuation = far.attenuation = {0, 0, 1};
  stage_.description().lights = {near, far};
  EXPECT_GT(seen(15), seen(-15) + 20);
  EXPECT_GT(seen(-15), seen(0) + 5);
}

TEST_F(Lamps, WithoutAttenuationDistanceDoesNotMatter) {
  Light near = lamp(15, 1), far = lamp(-15, 4);
  near.radius = far.radius = 6;
  far.attenuation = {0, 0, 0};  // means 1 0 0
  stage_.description().lights = {near, far};
  EXPECT_NEAR(seen(15), seen(-15), 1.5);
  EXPECT_GT(seen(15), seen(0) + 30);
}

TEST_F(Lamps, NothingIsLitBeyondTheRadius) {
  Light light = lamp(0, 3);
  light.radius = 5;  // a circle of 4 m on the wall
  stage_.description().lights = {light};
  EXPECT_GT(seen(3.7), seen(4.3) + 10);
  EXPECT_NEAR(seen(4.3), seen(12), 1);
}

TEST_F(Lamps, SpotIsFullInsideTheBeamAndEndsAtTheCutOff) {
  Light light = lamp(0, 10);
  light.kind = Light::Kind::kSpot;
  light.direction_B = {1, 0, 0};
  light.beam_width = 0.2;
  light.cut_off_angle = 0.6;
  stage_.description().lights = {light};
  const auto at_angle = [&](double angle) { return seen(10 * std::tan(angle)); };
  EXPECT_GT(at_angle(0.18), at_angle(0.4) + 10);
  EXPECT_GT(at_angle(0.4), at_angle(0.58) + 10);
  EXPECT_NEAR(at_angle(0.62), at_angle(0.9), 1);
  EXPECT_NEAR(at_angle(0), at_angle(0.15), 6);
}

TEST_F(Lamps, LightIsOfItsColorAndAmbientPartsLightWhatIsTurnedAway) {
  Light red = lamp(15, 1);
  red.color = {1, 0, 0};
  Light behind = lamp(-15, -3);  // behind the wall's face
  behind.radius = 8;
  behind.ambient = 0.8f;
  behind.intensity = 0;
  stage_.description().lights = {red, behind};
  const double dark = seen(0);
  const Vec3 lit = pixel(*image_, camera_->where({0, 15, 50}));
  EXPECT_GT(lit.x(), lit.y() + 30);
  EXPECT_GT(seen(-15), dark + 10);
}

TEST_F(Lamps, ColorsAreSrgb) {
  // 188 of 255 is half of the light.
  Light grey = lamp(15, 1), white = lamp(-15, 1);
  grey.color.setConstant(188 / 255.0f);
  white.intensity = 0.5f * grey.intensity;
  grey.attenuation = white.attenuation = {0, 0, 1};
  stage_.description().lights = {grey, white};
  EXPECT_NEAR(seen(15), seen(-15), 1);
  EXPECT_GT(seen(15), seen(0) + 20);
}

TEST_F(Lamps, MoveWithTheirBodies) {
  Light carried = lamp(0, 0);
  carried.body = 1;
  carried.location_B = {2, 0, 0};  // in the body
  carried.kind = Light::Kind::kSpot;
  carried.direction_B = {0, 1, 0};
  carried.beam_width = carried.cut_off_angle = 0.5;
  stage_.description().lights = {carried};
  // Turned by -90 degrees about z: its +y points to +x, its +x to -y.
  stage_.state().bodies = {Pose{}, Pose{axis_angle({0, 0, 1}, -kPi / 2), Vec3(-5, 12, 50)}};
  EXPECT_GT(seen(10), seen(0) + 30);
  EXPECT_GT(seen(10), seen(14) + 30);
}

TEST_F(Lamps, EightAtOnceAllShine) {
  for (int i = 0; i < 8; ++i) {
    Light light = lamp(-14 + 4 * i, 0.7);
    light.attenuation = {0, 0, 1};
    stage_.description().lights.push_back(light);
  }
  const double dark = seen(0, 60);
  for (int i = 0; i < 8; ++i) EXPECT_GT(seen(-14 + 4 * i), dark + 40) << i;
}

TEST(Light, FogHidesWhatIsFar) {
  const auto seen = [](Fog::Kind kind, double distance) {
    Stage stage;
    stage.description().fog = {kind, {0, 1, 0}, 100};
    stage.add(Box{{1, 200, 200}}, colored(0.9f, 0, 0), Pose::translation({distance + 0.5, 0, 50}));
    Camera camera(20, {0, 0, 50}, {1, 0, 50});
    return pixel(camera.take(stage), 10, 10);
  };
  using Kind = Fog::Kind;
  EXPECT_LT((seen(Kind::kLinear, 120) - Vec3(0, 255, 0)).norm(), 2);
  EXPECT_GT((seen(Kind::kExponential, 120) - Vec3(0, 255, 0)).norm(), 20);
  const double red = seen(Kind::kLinear, 0.2).x();
  EXPECT_GT(red, 100);
  // What is left of the red: 1 - d / range, exp(-d / range), exp(-(d / range)^2).
  EXPECT_NEAR(seen(Kind::kLinear, 50).x() / red, 0.5, 0.06);
  EXPECT_NEAR(seen(Kind::kExponential, 50).x() / red, std::exp(-0.5), 0.06);
  EXPECT_NEAR(seen(Kind::kExponential2, 50).x() / red, std::exp(-0.25), 0.06);
}

TEST(Light, EmittersShineInTheColorOfTheState) {
  Stage stage;
  Material black = colored(0, 0, 0);
  const auto lamp =
      static_cast<std::size_t>(stage.add(Sphere{1}, black, Pose::translation({0, 2, 50})));
  stage.add(Sphere{1}, black, Pose::translation({0, -2, 50}));
  stage.description().groups[lamp].shapes[0].emits = true;
  stage.description().emitters = {{{{lamp, 0}}, {}}};
  stage.state().emissions = {{0, 0, 0}};
  Camera camera(100, {-10, 0, 50}, {0, 0, 50});
  const Image off = camera.take(stage);
  stage.state().emissions = {{1, 0, 0}};
  const Image on = camera.take(stage);
  const auto at = [&](const Image& image, double y) {
    return pixel(image, camera.where({-1, y, 50}));
  };
  EXPECT_LT(at(off, 2).x(), 60);
  EXPECT_GT(at(on, 2).x(), 200);
  EXPECT_LT(at(on, 2).y(), 60);
  EXPECT_EQ(at(on, -2), at(off, -2)) << "the other one is as before";
}

TEST(Light, EmittersChangeWhileTheSceneIsShown) {
  Stage stage;
  const auto lamp = static_cast<std::size_t>(
      stage.add(Sphere{1}, colored(0, 0, 0), Pose::translation({0, 0, 50})));
  stage.description().groups[lamp].shapes[0].emits = true;
  stage.description().emitters = {{{{lamp, 0}}, {}}};
  stage.state().emissions = {{0, 0, 0}};
  const auto scene = stage.scene();
  Camera camera(100, {-10, 0, 50}, {0, 0, 50});
  const double off = pixel(camera.take(*scene), 50, 50).y();
  stage.state().emissions = {{0, 1, 0}};
  scene->update(stage.state());
  EXPECT_GT(pixel(camera.take(*scene), 50, 50).y(), off + 100);
}

}  // namespace
}  // namespace protobeam::viewer
