// What the builder tells sensors about surfaces, weather and sun.
#include "sim/surfaces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/files.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

Material insulator(float grey) {
  Material m;
  m.base_color = {grey, grey, grey};
  m.roughness = 1;
  return m;
}

TEST(SurfaceOfALook, InsulatorsRunFromTwoToNinetyPercent) {
  EXPECT_FLOAT_EQ(surface_of(insulator(0)).diffuse, 0.02f);
  EXPECT_FLOAT_EQ(surface_of(insulator(1)).diffuse, 0.90f);
  EXPECT_NEAR(surface_of(insulator(0.5)).diffuse, 0.46, 1e-6);
  EXPECT_FLOAT_EQ(surface_of(insulator(0.5)).specular, 0.04f);
  Material green = insulator(0);
  green.base_color = {0, 1, 0};
  EXPECT_NEAR(surface_of(green).diffuse, 0.02 + 0.88 * 0.7152, 1e-6);  // Rec. 709 luminance
}

TEST(SurfaceOfALook, AMetalOnlyMirrorsAndItsRoughnessWidensTheMirror) {
  Material metal = insulator(0.8f);
  metal.metalness = 1;
  metal.roughness = 0.5f;
  EXPECT_FLOAT_EQ(surface_of(metal).diffuse, 0);
  EXPECT_NEAR(surface_of(metal).specular, 0.8, 1e-6);
  EXPECT_FLOAT_EQ(surface_of(metal).slope, 0.25f);
  metal.roughness = 0;
  EXPECT_FLOAT_EQ(surface_of(metal).slope, 0.02f);
  metal.transparency = 0.5f;
  EXPECT_FLOAT_EQ(surface_of(metal).transmission, 0);
}

TEST(SurfaceOfALook, TransparencyPassesLightThatTheBodyDoesNotScatter) {
  Material glass = insulator(1);
  glass.transparency = 0.9f;
  EXPECT_NEAR(surface_of(glass).transmission, 0.9, 1e-6);
  EXPECT_NEAR(surface_of(glass).diffuse, 0.09, 1e-6);
}

TEST(SurfaceOfALook, AGivenReflectanceIsTakenAsItIs) {
  Material m = insulator(0.3f);
  m.metalness = 1;
  m.lidar_reflectance = 0.1f;
  m.lidar_retroreflectance = 250;
  const Surface s = surface_of(m);
  EXPECT_FLOAT_EQ(s.diffuse, 0.1f);
  EXPECT_FLOAT_EQ(s.specular, 0);
  EXPECT_FLOAT_EQ(s.retro, 250);
}

TEST(SurfacesOfAWorld, AreNotMadeUnlessASensorAsks) {
  WorldText world;
  EXPECT_FALSE(world
                   .load(R"(Robot { children [ Lidar { } ] }
                             Solid { children [ Shape { geometry Box { } } ] })")
                   .model()
                   .surfaces);
}

/// The table of a world, as the builder would make it for a sensor that asks.
std::unique_ptr<SurfaceTable> table_of(const WorldModel& model) {
  return SurfaceBuilder().table(model.visuals);
}

float diffuse_of(const SurfaceTable& table, const VisualGroup& group, std::uint32_t shape) {
  return table.diffuse()[table.number(group.instance, shape)];
}

TEST(SurfacesOfAWorld, AreFoundByInstanceAndShape) {
  WorldText world;
  const auto& model = world
                          .load(R"(
    Solid { children [
      Shape { appearance PBRAppearance { lidarReflectance 0.1 } geometry Box { } }
      Shape { appearance Appearance { lidarReflectance 0.2 lidarRetroreflectance 300 } geometry Sphere { } } ] }
    Solid { translation 9 0 0 children [
      Shape { appearance PBRAppearance { baseColor 1 1 1 metalness 0 roughness 1 } geometry Box { } } ] })")
                          .model();
  const auto table = table_of(model);
  ASSERT_EQ(model.visuals.size(), 2u);
  EXPECT_FLOAT_EQ(diffuse_of(*table, model.visuals[0], 0), 0.1f);
  EXPECT_FLOAT_EQ(diffuse_of(*table, model.visuals[0], 1), 0.2f);
  EXPECT_FLOAT_EQ(table->retro()[table->number(model.visuals[0].instance, 1)], 300);
  EXPECT_FLOAT_EQ(diffuse_of(*table, model.visuals[1], 0), 0.9f);
  EXPECT_EQ(table->number(kNoHit, kNoHit), 0u);
  EXPECT_EQ(table->number(model.visuals[1].instance, 1), 0u);
  EXPECT_EQ(table->diffuse()[0], 0);
}

TEST(SurfacesOfAWorld, APictureIsReadWhereAMeshWasHitAndAveragedOtherwise) {
  WorldText world;
  std::filesystem::create_directories(world.folder().path() / "worlds");
  // Left half black, right half white.
  Image halves{2, 1, 3, {0, 0, 0, 255, 255, 255}};
  save_png(halves, world.folder().path() / "worlds/halves.png");
  const std::string description =
      R"(appearance PBRAppearance { metalness 0 roughness 1 baseColorMap ImageTexture { url [ "halves.png" ] } })";
  const auto& model = world
                          .load("Solid { children [ Shape { " + description +
                                R"( geometry IndexedFaceSet {
      coord Coordinate { point [ 0 0 0, 1 0 0, 1 1 0, 0 1 0 ] }
      texCoord TextureCoordinate { point [ 0 0, 1 0, 1 1, 0 1 ] }
      coordIndex [ 0 1 2 -1 0 2 3 -1 ] } }
      Shape { )" + description + " geometry Box { } } ] }")
                          .model();
  const auto table = table_of(model);
  const std::uint32_t mesh = table->number(model.visuals[0].instance, 0);
  ASSERT_TRUE(table->has_pictures());
  ASSERT_TRUE(table->has_picture(mesh));
  // Triangle 0 has its corners at u = 0, 1, 1: near corner 0 it is black, near corner 1 white.
  // Between two hits of the Box, which keeps what it has.
  const std::uint32_t box = table->number(model.visuals[0].instance, 1);
  std::vector<std::uint32_t> number(1000, box), triangle(1000, 0);
  std::vector<float> u(1000, 0.1f), v(1000, 0.1f), diffuse(1000, 7);
  for (std::size_t i = 1; i < 1000; i += 2) {
    number[i] = mesh;
    u[i] = i % 4 == 1 ? 0.1f : 0.8f;
  }
  table->draw_pictures(number.data(), triangle.data(), u.data(), v.data(), 1000, diffuse.data());
  for (std::size_t i = 0; i < 1000; ++i) {
    ASSERT_NEAR(diffuse[i], i % 2 == 0 ? 7 : i % 4 == 1 ? 0.02 : 0.90, 1e-6) << i;
  }
  EXPECT_NEAR(table->diffuse()[mesh], 0.46, 1e-6);
  EXPECT_FALSE(table->has_picture(table->number(model.visuals[0].instance, 1)));
  EXPECT_NEAR(diffuse_of(*table, model.visuals[0], 1), 0.46, 1e-6);
}

TEST(SurfacePictures, AreRepeatedOrEndAtTheirEdge) {
  // 4 x 2 pixels, row 0 on top; the triangle's corners are at (0, 0), (1, 0) and (0, 1).
  const auto picture = std::make_shared<SurfacePicture>();
  picture->width = 4, picture->height = 2;
  picture->reflectance = {0.5f, 0.6f, 0.7f, 0.8f, 0.1f, 0.2f, 0.3f, 0.4f};
  picture->uv_transform << 1, 0, 0, 0, 1, 0;
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  mesh.uvs = {{Eigen::Vector2f{0, 0}, Eigen::Vector2f{1, 0}, Eigen::Vector2f{0, 1}}};
  Surface surface;
  surface.picture = picture;
  surface.geometry = std::make_shared<Geometry>(mesh);
  SurfaceTable table;
  table.set(0, std::vector{surface});
  const auto at = [&](float u, float v) {
    const std::uint32_t number = table.number(0, 0), triangle = 0;
    float diffuse = -1;
    table.draw_pictures(&number, &triangle, &u, &v, 1, &diffuse);
    return diffuse;
  };
  EXPECT_EQ(at(0.1f, 0.1f), 0.1f);
  EXPECT_EQ(at(0.6f, 0.2f), 0.3f);
  EXPECT_EQ(at(0.1f, 0.8f), 0.5f);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& [u, v] : {std::pair{nan, 0.3f}, {0.3f, nan}, {1e38f * 10, 0.0f}}) {
    EXPECT_EQ(at(u, v), 0.1f);  // as the origin
  }
  EXPECT_EQ(at(1.6f, 0.2f), 0.3f);
  EXPECT_EQ(at(-0.4f, -0.8f), 0.3f);
  EXPECT_EQ(at(0.6f, 3.8f), 0.7f);
  picture->repeat_s = picture->repeat_t = false;
  EXPECT_EQ(at(1.6f, 0.2f), 0.4f);
  EXPECT_EQ(at(1, 1), 0.8f);
  EXPECT_EQ(at(-0.4f, -0.8f), 0.1f);
  EXPECT_EQ(at(0.6f, 3.8f), 0.7f);
  picture->uv_transform << 0, 1, 0.5, 1, 0, 0;  // turned, and half a picture along
  EXPECT_EQ(at(0.6f, 0.1f), 0.7f);
}

TEST(WeatherOfAWorld, ComesFromItsAtmosphere) {
  WorldText world;
  const auto& model =
      world.load("Atmosphere { visibility 80 rainRate 5 snowRate 1 dustDensity 0.2 }").model();
  EXPECT_EQ(model.atmosphere, (Atmosphere{80, 5, 1, 0.2}));
  EXPECT_TRUE(world.load("").model().atmosphere.clear());
  EXPECT_THAT([&] { world.load("Atmosphere { rainRate -1 }"); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("rainRate")));
  EXPECT_THAT([&] { world.load("Atmosphere { }\nAtmosphere { }"); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("a second Atmosphere")));
}

TEST(SunOfAWorld, IsItsFirstParallelLight) {
  WorldText world;
  const auto& model = world
                          .load(R"(
    PointLight { } DirectionalLight { direction 0 3 -4 intensity 0.5 } DirectionalLight { })")
                          .model();
  ASSERT_TRUE(model.sun);
  EXPECT_NEAR((model.sun->direction_W - Vec3(0, -0.6, 0.8)).norm(), 0, 1e-12);
  EXPECT_EQ(model.sun->irradiance, 0.5);
  EXPECT_FALSE(world.load("PointLight { }").model().sun);
}

}  // namespace
}  // namespace protobeam
