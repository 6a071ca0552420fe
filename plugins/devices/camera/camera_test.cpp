// A camera before a wall whose light has a closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

/// The plane x = 3 below z = 0.7, instance 0, facing the camera.
class Wall final : public RayScene {
 public:
  void cast(const RayBatch& batch, const BlockSink& sink) override {
    for (std::size_t i = 0; i < batch.count; ++i) {
      const Vec3 d = batch.X_WS.R * Vec3(batch.dx[i], batch.dy[i], batch.dz[i]);
      const Vec3 o_S = batch.ox ? Vec3(batch.ox[i], batch.oy[i], batch.oz[i]) : Vec3(0, 0, 0);
      const Vec3 o = batch.X_WS * o_S;
      const double t = (3 - o.x()) / d.x(), near = batch.near ? batch.near[i] : batch.t_near;
      const bool hit = t >= near && t < 1e6 && o.z() + t * d.z() < 0.7;
      const float range = hit ? static_cast<float>(t) : std::numeric_limits<float>::infinity();
      const float minus = -1, zero = 0, cosine = static_cast<float>(std::abs(d.x()));
      const std::uint32_t number = hit ? 0 : kNoHit;
      RayBlock block;
      block.first = i, block.count = 1;
      block.range = &range;
      block.instance = block.shape = block.primitive = &number;
      block.u = block.v = block.ny = block.nz = &zero;
      block.nx = &minus;
      block.cosine = &cosine;
      sink(block);
    }
  }
  Instance add(const std::vector<VisibleShape>&, const Pose&) override { return 0; }
  void set_motion(Instance, const Pose&, const Pose&) override {}
  void set_visible(Instance, bool) override {}
  std::size_t triangle_count() const override { return 0; }
};

Appearance wall_of(const Eigen::Vector3f& color) {
  Material material;
  material.base_color = color;
  material.roughness = 1;
  Appearance out;
  out.instances = {{{{std::make_shared<Material>(material), nullptr, {}}}, {}}};
  return out;
}

LightSource sun(const Vec3& direction, float intensity = 1) {
  LightSource light;
  light.intensity = intensity;
  light.direction_W = direction.normalized();
  return light;
}

class CameraOfAWall : public testing::Test {
 protected:
  void make(std::map<std::string, std::string> fields) {
    camera = make_sensor("Camera", std::move(fields));
    const auto& shape = camera->layout().channels[0].shape;
    height = shape[0], width = shape[1];
    image.resize(camera->layout().size);
  }
  void take(const Appearance& appearance) {
    SampleInput in;
    in.visible = &scene;
    in.appearance = &appearance;
    take_sample(*camera, in, image);
  }
  int at(std::size_t column, std::size_t row, std::size_t channel) const {
    return static_cast<int>(image[(row * width + column) * 4 + channel]);
  }
  Wall scene;
  std::unique_ptr<DeviceModel> camera;
  std::size_t width = 0, height = 0;
  std::vector<std::byte> image;
};

/// Webots' response to light.
int level(double light) {
  return static_cast<int>(std::lround(255 * std::pow(1 - std::exp(-light), 1 / 2.2)));
}

/// IEC 61966-2-1.
double linear(double srgb) {
  return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
}

/// Light that a wall of this colour (as it is written) and roughness 1 sends back along its normal:
/// 96 % of what is not mirrored is scattered; 4 % are mirrored by facets that face all directions
/// alike (D = 1 / pi).
double seen(double color, double intensity, double angle = 0) {
  const double half = angle / 2, fresnel = 0.04 + 0.96 * std::pow(1 - std::cos(half), 5);
  const double shaded = 2 * std::cos(angle) / (std::cos(angle) + 1);  // and 1 for the camera
  return std::cos(angle) * 0.96 * linear(color) * (1 - fresnel) * intensity * intensity / kPi +
         fresnel * shaded * intensity / (4 * kPi);
}

TEST_F(CameraOfAWall, ShowsItsColorInTheLightThatFallsOnIt) {
  make({{"width", "5"}, {"height", "3"}, {"fieldOfView", "0.2"}});
  Appearance scene_light = wall_of({0.5f, 0.25f, 0});
  scene_light.lights = {sun({1, 0, 0})};
  take(scene_light);
  EXPECT_NEAR(at(2, 1, 2), level(seen(0.5, 1)), 1);
  EXPECT_NEAR(at(2, 1, 1), level(seen(0.25, 1)), 1);
  EXPECT_NEAR(at(2, 1, 0), level(seen(0, 1)), 1);
  EXPECT_EQ(at(2, 1, 3), 255);
  scene_light.lights = {sun({1, 0, -std::sqrt(3)}, 2)};  // 60 degrees from the normal
  take(scene_light);
  EXPECT_NEAR(at(2, 1, 2), level(seen(0.5, 2, kPi / 3)), 1);
  scene_light.lights = {sun({-1, 0, 0})};  // from behind
  take(scene_light);
  EXPECT_EQ(at(2, 1, 2), 0);
  scene_light.lights[0].ambient = 0.3f;  // for an Appearance only
  take(scene_light);
  EXPECT_EQ(at(2, 1, 2), 0);
  scene_light.lights = {sun({1, 0, 0})};
  scene_light.lights[0].color = {0.5f, 1, 1};
  take(scene_light);
  EXPECT_NEAR(at(2, 1, 2), level(linear(0.5) * seen(0.5, 1)), 1);
}

/// Of an Appearance whose Material has this diffuseColor.
Material phong(const Eigen::Vector3f& color) {
  Material material;
  material.shading = Shading::kPhong;
  material.base_color = color;
  return material;
}

Appearance wall_of(const Material& material) {
  Appearance out;
  out.instances = {{{{std::make_shared<Material>(material), nullptr, {}}}, {}}};
  return out;
}

TEST_F(CameraOfAWall, ShowsAnAppearanceInLightAfterPhong) {
  make({{"width", "5"}, {"height", "3"}, {"fieldOfView", "0.2"}});
  Material material = phong({0.5f, 0.25f, 0});
  Appearance scene_light = wall_of(material);
  scene_light.sky.light = {1, 1, 1};  // lights physical surfaces only
  scene_light.lights = {sun({1, 0, -std::sqrt(3)}, 2)};  // 60 degrees from the normal
  scene_light.lights[0].color = {0.5f, 1, 1};
  take(scene_light);
  EXPECT_NEAR(at(2, 1, 2), level(linear(0.5) * linear(0.5) * 2 * 0.5), 1);
  EXPECT_NEAR(at(2, 1, 1), level(linear(0.25) * 2 * 0.5), 1);
  EXPECT_EQ(at(2, 1, 0), 0);
  // Ambient light, in the colour of its light as it is written, and its own light.
  material.ambient = {0.1f, 0.2f, 0.3f};
  material.emissive = {0.05f, 0, 0};
  scene_light = wall_of(material);
  scene_light.lights = {sun({-1, 0, 0}), sun({-1, 0, 0})};  // from behind
  scene_light.lights[0].ambient = 0.5f, scene_light.lights[1].ambient = 1;
  scene_light.lights[0].color = {0.5f, 1, 1};
  take(scene_light);
  EXPECT_NEAR(at(2, 1, 2), level(0.05 + 0.1 * (0.25 + 1)), 1);
  EXPECT_NEAR(at(2, 1, 1), level(0.2 * (0.5 + 1)), 1);
  EXPECT_NEAR(at(2, 1, 0), level(0.3 * (0.5 + 1)), 1);
}

// What Webots' own test asserts of its world tests/api/worlds/camera_color_focus.wbt.
TEST_F(CameraOfAWall, RedInTwoLightsHasTheLevelThatWebotsTestsFor) {
  make({{"width", "5"}, {"height", "3"}, {"fieldOfView", "0.2"}});
  Material material = phong({1, 0, 0});
  material.ambient = {static_cast<float>(linear(0.2)), 0, 0};  // ambientIntensity 0.2
  Appearance scene_light = wall_of(material);
  scene_light.lights = {sun({1, 0, -1}), sun({1, 0, -1})};
  scene_light.lights[0].ambient = scene_light.lights[1].ambient = 1;
  take(scene_light);
  EXPECT_EQ(at(2, 1, 2), 227);
  EXPECT_EQ(at(2, 1, 0), 0);
}

TEST_F(CameraOfAWall, HighlightsOfAnAppearanceAreThoseOfBlinn) {
  make({{"width", "5"}, {"height", "3"}, {"fieldOfView", "0.2"}});
  Material material = phong({0, 0, 0});
  material.specular = {0.5f, 0.25f, 0};
  material.exponent = 12.8f;  // shininess 0.1
  Appearance scene_light = wall_of(material);
  scene_light.lights = {sun({1, 0, -1}, 0.5f)};  // 45 degrees: the half vector is at 22.5
  take(scene_light);
  const double highlight = 0.5 * std::pow(std::cos(kPi / 8), 12.8);
  EXPECT_NEAR(at(2, 1, 2), level(0.5 * highlight), 1);
  EXPECT_NEAR(at(2, 1, 1), level(0.25 * highlight), 1);
  EXPECT_EQ(at(2, 1, 0), 0);
  scene_light.lights = {sun({-1, 0, 0})};
  take(scene_light);
  EXPECT_EQ(at(2, 1, 2), 0);
}

TEST_F(CameraOfAWall, WithoutALookIsWhiteWithoutAnyLight) {
  make({{"width", "5"}, {"height", "3"}, {"fieldOfView", "0.2"}});
  Material material;
  material.shading = Shading::kUnlit;
  take(wall_of(material));
  EXPECT_EQ(at(2, 1, 2), level(1));
}

TEST_F(CameraOfAWall, TakesItsShareOfTheSkysLight) {
  make({{"width", "5"}, {"height", "3"}, {"fieldOfView", "0.2"}});
  Material material;
  material.base_color = {0.5f, 0.5f, 0.5f};
  material.roughness = 1;
  material.sky_light = 0.25f;
  Appearance scene_light = wall_of(material);
  scene_light.sky.light = {0.5f, 0.5f, 1};
  scene_light.sky.luminosity = 2;
  take(scene_light);
  EXPECT_NEAR(at(2, 1, 2), level(0.96 * linear(0.5) * 0.5 * 2 * 0.25), 1);
  EXPECT_NEAR(at(2, 1, 0), level(0.96 * linear(0.5) * 1 * 2 * 0.25), 1);
}

TEST_F(CameraOfAWall, LampsFadeAsTheirAttenuationSays) {
  make({{"width", "3"}, {"height", "3"}, {"fieldOfView", "0.02"}});
  Appearance scene_light = wall_of({1, 1, 1});
  LightSource lamp = sun({1, 0, 0});
  lamp.kind = LightSource::Kind::kPoint;
  lamp.p_W = {1, 0, 0};  // 2 m before the wall
  lamp.attenuation = {0, 0, 1};
  scene_light.lights = {lamp};
  take(scene_light);
  EXPECT_NEAR(at(1, 1, 1), level(0.25 * seen(1, 1)), 2);
  scene_light.lights[0].radius = 1.9;
  take(scene_light);
  EXPECT_EQ(at(1, 1, 1), 0);
  scene_light.lights[0].radius = 100;
  scene_light.lights[0].kind = LightSource::Kind::kSpot;
  scene_light.lights[0].direction_W = Vec3(1, 0, std::tan(0.7)).normalized();
  scene_light.lights[0].beam_width = 0.5, scene_light.lights[0].cut_off_angle = 0.9;
  take(scene_light);
  EXPECT_NEAR(at(1, 1, 1), level(0.25 * seen(1, 1) * 0.5), 2);  // half way between the beam's border and the cut-off
}

TEST_F(CameraOfAWall, ShowsTheSkyAboveItAndFogBeforeIt) {
  // 90 degrees: the wall ends 0.7 m above the middle, at 0.7 / 3 of half the height.
  make({{"width", "40"}, {"height", "40"}, {"fieldOfView", "1.5707963"}});
  Appearance scene_light = wall_of({0.5f, 0.5f, 0.5f});
  scene_light.sky.color = scene_light.sky.light = {0.1f, 0.2f, 0.4f};
  take(scene_light);
  // The sky as it is written: its light is encoded by the response, not by sRGB.
  EXPECT_NEAR(at(20, 14, 2), 255 * std::pow(0.1, 1 / 2.2), 1);
  EXPECT_NEAR(at(20, 14, 0), 255 * std::pow(0.4, 1 / 2.2), 1);
  EXPECT_NEAR(at(20, 15, 0), level(0.4 * 0.96 * linear(0.5)), 1);  // the wall in the light of the sky
  scene_light.fog.visibility_range = 6;
  scene_light.fog.color = {1, 1, 1};
  scene_light.sky.color.setZero();
  scene_light.sky.light.setZero();
  take(scene_light);
  // Of linear fog half is left at half of the range, which Webots' shaders blend by (1 - 0.5)^2.2.
  EXPECT_NEAR(at(20, 20, 0), level(std::pow(0.5, 2.2)), 1);
  scene_light.fog.kind = FogLook::Kind::kExponential;
  take(scene_light);
  EXPECT_NEAR(at(20, 20, 0), level(std::pow(1 - std::exp(-0.5), 2.2)), 1);
  scene_light.fog.kind = FogLook::Kind::kExponential2;
  take(scene_light);
  EXPECT_NEAR(at(20, 20, 0), level(std::pow(1 - std::exp(-0.25), 2.2)), 1);
  EXPECT_EQ(at(20, 2, 0), level(1));
}

TEST_F(CameraOfAWall, TakesCommands) {
  make({{"width", "2"}, {"height", "2"}, {"fieldOfView", "0.6"},
        {"zoom", "Zoom { maxFieldOfView 1 minFieldOfView 0.5 }"}});
  Appearance scene_light = wall_of({1, 1, 1});
  scene_light.sky.light = {0.5f, 0.5f, 0.5f};
  EXPECT_EQ(camera->send_command("exposure", {0.5}), "");
  take(scene_light);
  EXPECT_NEAR(at(0, 0, 1), level(0.25 * 0.96), 1);
  EXPECT_EQ(camera->send_command("fov", {0.9}), "");
  EXPECT_NE(camera->send_command("fov", {1.1}), "");
  EXPECT_NE(camera->send_command("focal distance", {1}), "");  // it has no Focus
}

// Webots: WbCamera::initializeImageSharedMemory.
TEST_F(CameraOfAWall, IsBlackAndOpaqueBeforeItsFirstImage) {
  const auto alpha_of = [&](const std::string& format) {
    make({{"width", "2"}, {"height", "1"}, {"pixelFormat", format}});
    std::ranges::fill(image, std::byte{0});
    Sample before(image, camera->layout());
    camera->blank(before);
    std::vector<int> out;
    for (const auto level : before.channel<std::uint8_t>(0)) out.push_back(level);
    return out;
  };
  EXPECT_EQ(alpha_of("\"bgra8\""), (std::vector<int>{0, 0, 0, 255, 0, 0, 0, 255}));
  EXPECT_EQ(alpha_of("\"mono8\""), (std::vector<int>{0, 0}));
}

TEST_F(CameraOfAWall, NoiseIsInPartsOfTheBrightest) {
  make({{"width", "100"}, {"height", "100"}, {"fieldOfView", "0.2"}, {"noise", "0.02"}});
  Appearance scene_light = wall_of({0.2f, 0.2f, 0.2f});
  scene_light.sky.light = {1, 1, 1};
  take(scene_light);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < 10000; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      const double off = static_cast<int>(image[4 * i + c]) - level(linear(0.2) * 0.96);
      sum += off, squares += off * off;
    }
  }
  const double sigma = 0.02 * 255;
  EXPECT_NEAR(sum / 30000, 0, 5 * sigma / std::sqrt(30000));
  EXPECT_NEAR(std::sqrt(squares / 30000), std::sqrt(sigma * sigma + 1 / 12.0), 0.1);
}

TEST_F(CameraOfAWall, ContradictionsAreRefused) {
  EXPECT_THROW(make({{"near", "1"}, {"far", "0.5"}}), std::invalid_argument);
  EXPECT_THROW(make({{"zoom", "Zoom { maxFieldOfView 0.2 minFieldOfView 0.5 }"}}), std::invalid_argument);
}

}  // namespace
}  // namespace protobeam
