// Pictures of what varies over a surface, against surfaces that are like that everywhere.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

std::shared_ptr<const Image> even(int red, int green, int blue) {
  auto image = std::make_shared<Image>(Image{2, 2, 3, {}});
  for (int i = 0; i < 4; ++i) {
    for (const int c : {red, green, blue}) image->pixels.push_back(static_cast<std::uint8_t>(c));
  }
  return image;
}

/// In the middle of an image.
int green_level(RayScene& scene, const Appearance& look) {
  const auto camera = make_sensor("Camera", {{"width", "3"}, {"height", "3"}, {"fieldOfView", "0.01"}});
  std::vector<std::byte> bytes(camera->layout().size);
  SampleInput in;
  in.visible = &scene;
  in.appearance = &look;
  take_sample(*camera, in, bytes);
  return static_cast<int>(bytes[4 * 4 + 1]);
}

/// The level of the green in the middle of an image of a block 3 m away that is turned about z, in
/// the light of a sun from above, from behind the camera on the right.
int level(const std::function<void(Material&, MaterialMaps&)>& change, double turn = 0,
          const Geometry& shape = Box{{1, 4, 4}}) {
  const auto scene = make_embree_scene({1});
  const auto geometry = std::make_shared<Geometry>(shape);
  const Pose X{axis_angle(Vec3::UnitZ(), turn), Vec3(3, 0, 0)};
  scene->add({{geometry, {}}}, X);
  Material material;
  material.base_color = {0.8f, 0.8f, 0.8f};
  material.roughness = 0.8f;
  MaterialMaps maps;
  change(material, maps);
  material.maps = std::make_shared<MaterialMaps>(maps);
  Appearance look;
  look.instances = {{{{std::make_shared<Material>(material), geometry, {}}}, X, X}};
  LightSource sun;
  sun.direction_W = Vec3(1, 0.8, -0.3).normalized();
  sun.intensity = 1.2f;
  look.lights = {sun};
  look.sky.light = {0.1f, 0.1f, 0.1f};
  return green_level(*scene, look);
}

/// Red of a normal map that leans by an angle along u, and its blue.
std::shared_ptr<const Image> leaning(double angle) {
  const auto byte = [](double v) { return static_cast<int>(std::lround((v + 1) / 2 * 255)); };
  return even(byte(std::sin(angle)), byte(0), byte(std::cos(angle)));
}

// On the side of a box that faces the camera u grows to the right (-y): a normal that leans that way
// is that of a box that is turned to the left.
TEST(MaterialMaps, ANormalMapTurnsTheSurface) {
  const double angle = 0.4;
  const int straight = level([](Material&, MaterialMaps&) {});
  const int turned = level([](Material&, MaterialMaps&) {}, angle);
  EXPECT_GT(std::abs(turned - straight), 8);
  EXPECT_NEAR(level([&](Material&, MaterialMaps& maps) { maps.normal = leaning(angle); }), turned, 1);
  EXPECT_NEAR(level([&](Material&, MaterialMaps& maps) {
                maps.normal = leaning(angle);
                maps.normal_factor = 0;
              }),
              straight, 1);
  // A picture that is turned by a quarter: u' = v, v' = -u.
  EXPECT_NEAR(level([&](Material& material, MaterialMaps& maps) {
                material.uv_transform << 0, 1, 0, -1, 0, 0;
                const auto byte = [](double v) { return static_cast<int>(std::lround((v + 1) / 2 * 255)); };
                maps.normal = even(byte(0), byte(-std::sin(angle)), byte(std::cos(angle)));
              }),
              turned, 1);
  // The same of a mesh, whose axes come from its corners.
  Mesh wall;
  wall.vertices = {{-0.5, 2, -2}, {-0.5, -2, -2}, {-0.5, -2, 2}, {-0.5, 2, 2}};
  wall.triangles = {{0, 1, 2}, {0, 2, 3}};
  using Uv = Eigen::Vector2f;
  wall.uvs = {{Uv(0, 0), Uv(1, 0), Uv(1, 1)}, {Uv(0, 0), Uv(1, 1), Uv(0, 1)}};
  EXPECT_NEAR(level([&](Material&, MaterialMaps& maps) { maps.normal = leaning(angle); }, 0, wall),
              turned, 1);
}

TEST(MaterialMaps, RoughnessAndMetalnessTakeThePlaceOfTheirNumbers) {
  for (const int byte : {51, 128, 230}) {
    const auto share = static_cast<float>(byte / 255.0);
    EXPECT_EQ(level([&](Material&, MaterialMaps& maps) { maps.roughness = even(byte, 0, 0); }),
              level([&](Material& material, MaterialMaps&) { material.roughness = share; }));
    EXPECT_EQ(level([&](Material&, MaterialMaps& maps) { maps.metalness = even(byte, 9, 9); }),
              level([&](Material& material, MaterialMaps&) { material.metalness = share; }));
  }
}

TEST(MaterialMaps, EmissionIsAColourAndOcclusionTakesLightFromAllAround) {
  EXPECT_EQ(level([](Material&, MaterialMaps& maps) {
              maps.emissive = even(0, 188, 0);
              maps.emissive_intensity = 2;
            }),
            level([](Material& material, MaterialMaps&) {
              material.emissive = {0, 2 * std::pow((188 / 255.0f + 0.055f) / 1.055f, 2.4f), 0};
            }));
  const int open = level([](Material&, MaterialMaps&) {});
  const int shut = level([](Material&, MaterialMaps& maps) { maps.occlusion = even(0, 255, 255); });
  const int half = level([](Material&, MaterialMaps& maps) {
    maps.occlusion = even(0, 0, 0);
    maps.occlusion_strength = 0.5f;
  });
  EXPECT_LT(shut, half);
  EXPECT_LT(half, open);
}

/// The level of green behind two black panes whose pictures are transparent by these bytes, half of a
/// pixel each, before a wall that sends out a light of 0.5.
int level_behind(int left, int right, bool physical) {
  const auto scene = make_embree_scene({1});
  const auto pane = std::make_shared<Geometry>(Box{{0.1, 4, 4}});
  const auto wall = std::make_shared<Geometry>(Box{{1, 40, 40}});
  const Pose near = Pose::translation({3, 0, 0}), far = Pose::translation({9, 0, 0});
  scene->add({{pane, {}}}, near);
  scene->add({{wall, {}}}, far);
  Material black, bright;
  black.shading = physical ? Shading::kPhysical : Shading::kPhong;
  black.base_color.setZero();
  black.roughness = 1;
  black.texture = std::make_shared<Image>(
      Image{2, 1, 4, {0, 0, 0, static_cast<std::uint8_t>(left), 0, 0, 0, static_cast<std::uint8_t>(right)}});
  bright.shading = Shading::kPhong;
  bright.base_color.setZero();
  bright.emissive = {0, 0.5f, 0};
  Appearance look;
  look.instances = {{{{std::make_shared<Material>(black), pane, {}}}, near, near},
                    {{{std::make_shared<Material>(bright), wall, {}}}, far, far}};
  return green_level(*scene, look);
}

TEST(MaterialMaps, APictureIsAsTransparentAsItsPixels) {
  const auto response = [](double light) {
    return static_cast<int>(std::lround(255 * std::pow(1 - std::exp(-light), 1 / 2.2)));
  };
  for (const bool physical : {false, true}) {
    // A ray through the pane meets its front and its back.
    EXPECT_NEAR(level_behind(0, 0, physical), response(0.5), 1);
    EXPECT_NEAR(level_behind(102, 102, physical), response(0.5 * 0.6 * 0.6), 1);
    EXPECT_NEAR(level_behind(0, 204, physical), response(0.5 * 0.6 * 0.6), 1);  // between two pixels
    EXPECT_EQ(level_behind(255, 255, physical), 0);
  }
}

}  // namespace
}  // namespace protobeam
