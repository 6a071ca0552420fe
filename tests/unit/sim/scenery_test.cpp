// What the builder keeps for pictures: view, sky, lights, cameras, whose shape is whose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "device/appearance.h"
#include "geometry/files.h"
#include "render/color.h"
#include "render/light_reach.h"
#include "sim/scene/scene_observer.h"
#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

TEST(Scenery, ALightInAMovingSolidStaysWithItAndTheSunDoesNot) {
  WorldText world;
  const auto& model = world
                          .load(R"(
    DirectionalLight { direction 1 0 -1 intensity 2 castShadows TRUE }
    Solid { translation 0 0 5 rotation 0 0 1 1.5707963 physics Physics { }
      boundingObject Box { size 1 1 1 }
      children [
        PointLight { location 1 0 0 attenuation 0 0 1 radius 7 color 1 0 0 }
        SpotLight { direction 1 0 0 cutOffAngle 0.5 beamWidth 0.3 }
        DirectionalLight { direction 1 0 0 on FALSE }
      ] })")
                          .model();
  ASSERT_EQ(model.lights.size(), 3u);
  EXPECT_EQ(model.lights[0].body, physics::kWorldBody);
  EXPECT_TRUE(model.lights[0].casts_shadows);
  const Light& bulb = model.lights[1];
  EXPECT_EQ(bulb.kind, Light::Kind::kPoint);
  EXPECT_EQ(bulb.body, model.solids[0].body);
  const Vec3 seen = model.physics->pose(bulb.body) * bulb.location_B;
  EXPECT_NEAR((seen - Vec3(0, 1, 5)).norm(), 0, 1e-6);
  EXPECT_EQ(bulb.radius, 7);
  const Light& spot = model.lights[2];
  EXPECT_NEAR((model.physics->pose(spot.body).R * spot.direction_B - Vec3(0, 1, 0)).norm(), 0,
              1e-6);
  EXPECT_EQ(spot.cut_off_angle, 0.5);
}

TEST(Scenery, BackgroundFogAndViewpointAreKept) {
  WorldText world;
  Image blue{1, 1, 3, {0, 0, 255}};
  std::filesystem::create_directories(world.folder().path() / "worlds");
  save_png(blue, world.folder().path() / "worlds/side.png");
  const auto& model = world
                          .load(R"(
    Background { skyColor [ 0.1 0.2 0.3 ] luminosity 2 frontUrl [ "side.png" ] backUrl [ "gone.png" ] }
    Fog { fogType "EXPONENTIAL2" color 0.5 0.5 0.5 visibilityRange 40 }
    Viewpoint { position 1 2 3 fieldOfView 1.2 near 0.2 far 90 follow "car" })")
                          .model();
  EXPECT_TRUE(model.background.given);
  EXPECT_FLOAT_EQ(model.background.sky.y(), 0.2f);
  EXPECT_FLOAT_EQ(model.background.luminosity, 2);
  ASSERT_TRUE(model.background.sides[4]);
  EXPECT_EQ(model.background.sides[4]->pixels, blue.pixels);
  EXPECT_FALSE(model.background.sides[5]);
  EXPECT_THAT(world.diagnostics().to_string(), HasSubstr("gone.png"));
  EXPECT_EQ(world.diagnostics().warning_count(), 1);
  EXPECT_EQ(model.fog.kind, Fog::Kind::kExponential2);
  EXPECT_EQ(model.fog.visibility_range, 40);
  ASSERT_TRUE(model.viewpoint);
  EXPECT_EQ(model.viewpoint->X_WV.p, Vec3(1, 2, 3));
  EXPECT_EQ(model.viewpoint->far, 90);
  EXPECT_EQ(model.viewpoint->follow, "car");
}

TEST(Scenery, APictureOfTheSkyIsTurnedByQuarters) {
  WorldText world;
  std::filesystem::create_directories(world.folder().path() / "worlds");
  const auto grey = [](std::uint8_t level) { return std::vector<std::uint8_t>(3, level); };
  std::string urls;
  std::uint8_t level = 10;
  for (const std::string side : {"right", "left", "front", "back"}) {
    save_png(Image{1, 1, 3, grey(level += 10)},
             world.folder().path() / ("worlds/" + side + ".png"));
    urls += side + "Url [ \"" + side + ".png\" ] ";
  }
  // Two rows of two, each with a level of its own: 1 2, 3 4.
  Image four{2, 2, 3, {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4}};
  for (const std::string side : {"top", "bottom"}) {
    save_png(four, world.folder().path() / ("worlds/" + side + ".png"));
    urls += side + "Url [ \"" + side + ".png\" ] ";
  }
  const auto level_at = [](const WorldModel& model, const Vec3& direction) {
    SkyLook sky;
    sky.sides = model.background.sides;
    sky.up = Vec3::UnitZ();
    const render::Color seen = render::sky_at(sky, direction.normalized().cast<float>(), false);
    return static_cast<int>(std::lround(255 * render::srgb_from_linear(seen.x())));
  };
  for (const int turns : {0, 1, -3, 2, 7}) {
    SCOPED_TRACE(turns);
    const auto& model =
        world.load("Background { " + urls + "quarterTurns " + std::to_string(turns) + " }").model();
    // Webots has the front along -x, and the right of it is y: WbBackground.cpp.
    const Mat3 R = axis_angle(Vec3::UnitZ(), turns * M_PI / 2).toRotationMatrix();
    EXPECT_EQ(level_at(model, R * Vec3(-1, 0, 0)), 40);
    EXPECT_EQ(level_at(model, R * Vec3(0, 1, 0)), 20);
    EXPECT_EQ(level_at(model, R * Vec3(1, 0, 0)), 50);
    EXPECT_EQ(level_at(model, R * Vec3(0, -1, 0)), 30);
    // The lower edge of the top is over the front, the upper one of the bottom below it.
    EXPECT_EQ(level_at(model, R * Vec3(-0.5, -0.5, 1)), 3);
    EXPECT_EQ(level_at(model, R * Vec3(0.5, 0.5, 1)), 2);
    EXPECT_EQ(level_at(model, R * Vec3(-0.5, -0.5, -1)), 1);
    EXPECT_EQ(level_at(model, R * Vec3(-0.5, 0.5, -1)), 2);
  }
}

// Webots' WbMaterial::modifyWrenMaterial(), PhongMaterial::setAllParameters().
TEST(Scenery, MaterialsOfAnAppearanceAreThoseOfPhong) {
  WorldText world;
  const Image grey{1, 1, 3, {128, 128, 128}};
  std::filesystem::create_directories(world.folder().path() / "worlds");
  save_png(grey, world.folder().path() / "worlds/grey.png");
  const auto& model = world
                          .load(R"(
    DEF M Shape { appearance Appearance { material DEF P Material {
      ambientIntensity 0.5 diffuseColor 1 0.04 0 emissiveColor 0.5 0 0 specularColor 0 0.5 0 shininess 0.25 } }
      geometry Sphere { } }
    Shape { appearance Appearance { material USE P texture ImageTexture { url [ "grey.png" ] } } geometry Sphere { } }
    Shape { appearance Appearance { } geometry Sphere { } }
    Shape { geometry Sphere { } }
    Shape { appearance PBRAppearance { emissiveColor 0.5 0 0 emissiveIntensity 4 IBLStrength 0.5 } geometry Sphere { } })")
                          .model();
  std::vector<std::shared_ptr<const Material>> found;
  for (const VisualGroup& group : model.visuals) {
    found.insert(found.end(), group.materials.begin(), group.materials.end());
  }
  ASSERT_EQ(found.size(), 5u);
  constexpr float kHalf = 0.21404114f, kSmall = 0.04f / 12.92f;  // 0.5 and 0.04 of sRGB
  const Material& m = *found[0];
  EXPECT_EQ(m.shading, Shading::kPhong);
  EXPECT_EQ(m.base_color, Eigen::Vector3f(1, 0.04f, 0));
  EXPECT_LT((m.ambient - Eigen::Vector3f(kHalf, kSmall / 2, 0)).norm(), 1e-6f);
  EXPECT_LT((m.emissive - Eigen::Vector3f(kHalf, 0, 0)).norm(), 1e-6f);
  EXPECT_LT((m.specular - Eigen::Vector3f(0, kHalf, 0)).norm(), 1e-6f);
  EXPECT_EQ(m.exponent, 32);
  EXPECT_EQ(m.roughness, 0.75f);
  const Material& textured = *found[1];
  EXPECT_EQ(textured.shading, Shading::kPhong);
  EXPECT_EQ(textured.base_color, Eigen::Vector3f::Ones());
  EXPECT_LT((textured.ambient - Eigen::Vector3f::Constant(kHalf)).norm(), 1e-6f);
  EXPECT_LT((textured.emissive - m.emissive).norm(), 1e-6f);
  EXPECT_TRUE(textured.specular.isZero());
  EXPECT_EQ(found[2]->shading, Shading::kUnlit);
  EXPECT_EQ(found[3]->shading, Shading::kUnlit);
  const Material& physical = *found[4];
  EXPECT_EQ(physical.shading, Shading::kPhysical);
  EXPECT_EQ(physical.sky_light, 0.5f);
  EXPECT_LT((physical.emissive - Eigen::Vector3f(4 * kHalf, 0, 0)).norm(), 1e-6f);
}

constexpr const char* kWelded = R"(
  Solid { name "a" physics Physics { density -1 mass 3 } boundingObject Box { size 1 1 1 }
    children [
      Shape { geometry Box { size 1 1 1 } }
      Solid { name "b" translation 2 0 0 boundingObject Sphere { radius 0.5 }
        children [ Shape { geometry Sphere { radius 0.5 } } ] }
      HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0 0 1 }
        endPoint Solid { name "c" translation 0 0 2 physics Physics { density -1 mass 1 }
                         boundingObject Box { size 1 1 1 } } }
    ] })";

TEST(Look, EachShapeAndBoundingObjectBelongsToItsSolid) {
  WorldText world;
  const auto description = describe_scene(world.load(kWelded));
  ASSERT_EQ(description->solids.size(), 3u);
  ASSERT_EQ(description->groups.size(), 1u);  // one body, one instance
  const auto& shapes = description->groups[0].shapes;
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(description->solids[static_cast<std::size_t>(shapes[0].solid)].name, "a");
  EXPECT_EQ(description->solids[static_cast<std::size_t>(shapes[1].solid)].name, "b");
  EXPECT_EQ(shapes[1].X_GS.p, Vec3(2, 0, 0));
  EXPECT_TRUE(description->groups[0].moves);
  ASSERT_EQ(description->collisions.size(), 3u);
  EXPECT_EQ(description->solids[1].parent, 0);
  EXPECT_EQ(description->solids[1].body_mass, 3);  // welded: the body weighs what it weighs
  EXPECT_EQ(description->solids[2].body_mass, 1);
  ASSERT_EQ(description->joints.size(), 1u);
  EXPECT_EQ(description->joints[0].anchor_P, Vec3(0, 0, 1));
  ASSERT_EQ(description->joints[0].axes_P.size(), 1u);
  EXPECT_EQ(description->joints[0].axes_P[0], Vec3(0, 1, 0));
  EXPECT_NEAR(description->bounds.max.x(), 2.5, 1e-12);
  EXPECT_NEAR(description->bounds.min.z(), -0.5, 1e-12);
}

TEST(Look, ACameraSaysWhatItWouldSee) {
  WorldText world;
  const auto description = describe_scene(world.load(R"(Robot { name "r" children [
      Camera { name "eye" fieldOfView 1 width 200 height 100 near 0.2 far 30 } ] })"));
  ASSERT_EQ(description->devices.size(), 1u);
  const auto& camera = description->devices[0];
  EXPECT_EQ(camera.robot + "/" + camera.name, "r/eye");
  EXPECT_EQ(camera.layers, 0);
  EXPECT_EQ(camera.fov, 1);
  EXPECT_NEAR(camera.vertical_fov, 2 * std::atan(std::tan(0.5) / 2), 1e-12);
  EXPECT_EQ(camera.max_range, 30);
}

TEST(CaptureOfAFrame, AWeldedSolidMovesAsItsBodyTurns) {
  WorldText world;
  Simulation& simulation = world.load(kWelded);
  const auto description = describe_scene(simulation);
  const SceneObserver observer(simulation, *description);
  const auto body = simulation.model().solids[0].body;
  simulation.model().physics->set_pose(body, {axis_angle(Vec3::UnitZ(), kPi / 2), Vec3(0, 0, 9)});
  simulation.model().physics->set_velocity(body, Vec3(1, 0, 0), Vec3(0, 0, 2));
  const auto state = observer.state(simulation);
  ASSERT_EQ(state->solids.size(), 3u);
  EXPECT_NEAR((state->solids[1].X_WS.p - Vec3(0, 2, 9)).norm(), 0, 1e-9);
  // v + w x r = (1, 0, 0) + (0, 0, 2) x (0, 2, 0)
  EXPECT_NEAR((state->solids[1].v_WS - Vec3(-3, 0, 0)).norm(), 0, 1e-9);
  EXPECT_NEAR((state->groups[0].p - Vec3(0, 0, 9)).norm(), 0, 1e-9);
  EXPECT_EQ(state->load, description->load);
}

TEST(CaptureOfASweep, KeepsTheReturnsAndTheSensorsPoseOfTheStepThatFinishedIt) {
  WorldText world;
  Simulation& simulation = world.load(R"(
    Robot { name "r" physics Physics { } boundingObject Sphere { radius 0.1 } linearVelocity 1 0 0
      children [ Lidar { name "l" horizontalResolution 8 numberOfLayers 1 fieldOfView 0.1 maxRange 50 } ] }
    Solid { translation 20 0 0 children [ Shape { geometry Box { size 1 30 30 } } ] })");
  const auto description = describe_scene(simulation);
  SceneObserver observer(simulation, *description);
  simulation.enable(device_named(simulation, "l"), 0.04);
  double at = 0;
  for (int i = 0; i < 12; ++i) {
    simulation.step();
    observer.record_sweeps(simulation);
    if (device_named(simulation, "l").frames == 2 && at == 0) at = simulation.time();
  }
  const auto state = observer.state(simulation);
  ASSERT_EQ(state->sweeps.size(), 1u);
  const Sweep& sweep = *state->sweeps[0];
  EXPECT_EQ(sweep.number, 2u);
  EXPECT_DOUBLE_EQ(sweep.time, at);
  EXPECT_NEAR(sweep.X_WS.p.x(), at, 1e-6);  // 1 m/s: not where the sensor is now
  ASSERT_EQ(sweep.returns.size(), 8u);
  EXPECT_NEAR(sweep.returns[4].range, (19.5 - at) / std::cos(sweep.returns[4].azimuth), 1e-3);
  // A frame without a new sweep shares it.
  EXPECT_EQ(observer.state(simulation)->sweeps[0], state->sweeps[0]);
}

// Lights were added again in each sample of a world without a Shape.
TEST(SampleInputs, AWorldWithNothingToSeeKeepsItsLight) {
  WorldText world;
  Simulation& simulation = world.load(R"(
    PointLight { attenuation 0 0 1 intensity 2 ambientIntensity 0 radius 100 }
    Robot { controller "<none>" children [ LightSensor { name "l" translation -0.5 0 0 lookupTable [ ] } ] })");
  Device& device = device_named(simulation, "l");
  simulation.enable(device, 0.008);
  for (int i = 0; i < 5; ++i) {
    simulation.step();
    double value = 0;
    std::memcpy(&value, device.data.data(), sizeof value);
    EXPECT_NEAR(value, 8, 1e-6) << i;  // 2 / 0.5^2
  }
}

}  // namespace
}  // namespace protobeam
