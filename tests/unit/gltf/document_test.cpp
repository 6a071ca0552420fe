// Scenes as glTF: read again by Assimp, and what Assimp does not keep by the format's own rules.
#include "gltf/document.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "geometry/files.h"
#include "tests/support/glb.h"
#include "tests/support/temporary_folder.h"

namespace protobeam::gltf {
namespace {

using nlohmann::json;
using test::Glb;
using testing::ElementsAre;
using testing::FloatNear;

std::shared_ptr<const Geometry> shared(Geometry geometry) {
  return std::make_shared<const Geometry>(std::move(geometry));
}
std::shared_ptr<const Material> surface(const Material& material = {}) {
  return std::make_shared<const Material>(material);
}

/// All corners in glTF's frame, as Assimp has them.
Bounds extent(const std::vector<ModelPart>& parts) {
  Bounds out;
  for (const ModelPart& part : parts) {
    for (const Vec3& v : part.mesh->vertices) {
      out.min = out.min.cwiseMin(v);
      out.max = out.max.cwiseMax(v);
    }
  }
  return out;
}

TEST(GltfDocument, IsReadByAssimpAsItWasWritten) {
  Document document("protobeam test");
  const int node = document.add_node("robot", Pose::translation({5, 6, 7}));
  Material red;
  red.base_color = {0.8F, 0.2F, 0.1F};
  red.roughness = 0.5F;
  document.add_shape(node, "box", shared(Box{{1, 2, 3}}), surface(red),
                     Pose::translation({10, 0, 0}));
  const TemporaryFolder folder;
  const auto parts = load_model(folder.write("scene.glb", document.glb()));
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].mesh->triangles.size(), 12u);
  // x, y and z of the world are x, -z and y of glTF.
  const Bounds box = extent(parts);
  EXPECT_LT((box.min - Vec3(14.5, 5.5, -7)).norm(), 1e-5) << box.min.transpose();
  EXPECT_LT((box.max - Vec3(15.5, 8.5, -5)).norm(), 1e-5) << box.max.transpose();
  // glTF's factors are light, and importers, as Webots', take them as they are. IEC 61966-2-1.
  EXPECT_LT((parts[0].material.base_color - Eigen::Vector3f(0.60383F, 0.03310F, 0.01002F)).norm(),
            1e-4F);
  EXPECT_EQ(parts[0].material.roughness, 0.5F);
  for (const auto& triangle : parts[0].mesh->triangles) {
    const auto& v = parts[0].mesh->vertices;
    const Vec3 middle = (v[triangle[0]] + v[triangle[1]] + v[triangle[2]]) / 3;
    const Vec3 outward = (v[triangle[1]] - v[triangle[0]]).cross(v[triangle[2]] - v[triangle[0]]);
    EXPECT_GT(outward.dot(middle - Vec3(15, 7, -6)), 0) << "seen from outside, counter-clockwise";
  }
}

TEST(GltfDocument, LeavesWorldsAsTheyAreThatHaveTheirSkyInY) {
  Document document("protobeam test", Vec3::UnitY());
  document.add_shape(document.add_node("box", Pose::translation({5, 6, 7})), "box",
                     shared(Box{{1, 2, 3}}), surface(), {});
  const TemporaryFolder folder;
  const Bounds box = extent(load_model(folder.write("scene.glb", document.glb())));
  EXPECT_LT((box.min - Vec3(4.5, 5, 5.5)).norm(), 1e-5) << box.min.transpose();
  EXPECT_LT((box.max - Vec3(5.5, 7, 8.5)).norm(), 1e-5) << box.max.transpose();
}

TEST(GltfDocument, LaysPicturesAsTheyLie) {
  Material painted;
  auto picture = std::make_shared<Image>();
  // Black, but for the lower left pixel.
  *picture = {2, 2, 3, std::vector<std::uint8_t>(12, 0)};
  picture->pixels[6] = picture->pixels[7] = picture->pixels[8] = 255;
  painted.texture = picture;
  Document document("protobeam test");
  document.add_shape(document.add_node("floor", {}), "floor", shared(Plane{{2, 2}}),
                     surface(painted), {});
  const Glb glb(document.glb());
  const json& attributes = glb.text["meshes"][0]["primitives"][0]["attributes"];
  const auto places = glb.numbers(attributes["POSITION"].get<std::size_t>());
  const auto uvs = glb.numbers(attributes["TEXCOORD_0"].get<std::size_t>());
  bool found = false;
  for (std::size_t i = 0; i < places.size() / 3; ++i) {
    if (places[3 * i] > 0 || places[3 * i + 1] > 0) continue;
    // v of glTF counts from the top row.
    EXPECT_EQ(uvs[2 * i], 0);
    EXPECT_EQ(uvs[2 * i + 1], 1);
    found = true;
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(glb.text["images"][0]["mimeType"], "image/png");
  const TemporaryFolder folder;
  const auto parts = load_model(folder.write("scene.glb", document.glb()));
  ASSERT_EQ(parts.size(), 1u);
  ASSERT_TRUE(parts[0].material.texture);
  EXPECT_EQ(parts[0].material.texture->pixels, picture->pixels);
}

TEST(GltfDocument, HasOneMeshForWhatLooksTheSame) {
  Document document("protobeam test");
  const auto ball = shared(Sphere{1});
  const auto red = surface(), same = surface();
  Material clear;
  clear.transparency = 1;
  for (int i = 0; i < 3; ++i)
    document.add_shape(document.add_node("ball", {}), "ball", ball, i < 2 ? red : same, {});
  const int empty = document.add_node("nothing", {});
  document.add_shape(empty, "clear", ball, surface(clear), {});
  document.add_shape(empty, "empty", shared(Mesh{}), red, {});
  const json text = Glb(document.glb()).text;
  EXPECT_EQ(text["materials"].size(), 1u) << "equal ones are one";
  EXPECT_EQ(text["meshes"].size(), 2u);
  EXPECT_EQ(text["meshes"][0]["primitives"][0]["indices"],
            text["meshes"][1]["primitives"][0]["indices"]);
  EXPECT_FALSE(text["nodes"][static_cast<std::size_t>(empty)].contains("children"));
  EXPECT_FALSE(text.contains("animations")) << "nothing moves";
  EXPECT_FALSE(text.contains("textures")) << "empty lists are not allowed";
}

TEST(GltfDocument, MovesHidesAndShows) {
  Document document("protobeam test");
  const int node = document.add_node("ball", {});
  document.add_shape(node, "ball", shared(Sphere{1}), surface(), {});
  Track track;
  track.show(0, false);
  track.show(1, true);
  track.add(1, Pose::translation({1, 2, 3}));
  track.add(2, {axis_angle(Vec3::UnitZ(), kPi / 2), Vec3(4, 5, 6)});
  document.animate(node, track);
  const Glb glb(document.glb());
  EXPECT_EQ(glb.track("ball", "translation").first, (std::vector<float>{1, 2}));
  EXPECT_EQ(glb.track("ball", "translation").second, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  const float half = std::sqrt(0.5F);
  const auto turns = glb.track("ball", "rotation").second;
  EXPECT_THAT(std::vector<float>(turns.begin() + 4, turns.end()),
              ElementsAre(0, 0, FloatNear(half, 1e-6F), FloatNear(half, 1e-6F)));
  EXPECT_EQ(glb.track("ball", "scale").second, (std::vector<float>{0, 0, 0, 1, 1, 1}));
}

TEST(GltfDocument, SaysHowSurfacesLook) {
  Document document("protobeam test");
  const auto ball = shared(Sphere{1});
  const auto add = [&](const Material& material) {
    document.add_shape(document.add_node("ball", {}), "ball", ball, surface(material), {});
  };
  Material glass;
  glass.base_color = {0.5F, 1, 0};
  glass.transparency = 0.25F;
  glass.metalness = 1;
  add(glass);
  Material lamp;
  lamp.shading = Shading::kUnlit;
  lamp.emissive = {4, 2, 0};
  add(lamp);
  Material phong;
  phong.shading = Shading::kPhong;
  phong.specular = {1, 1, 1};
  phong.exponent = 30;
  add(phong);
  Material worn;
  auto maps = std::make_shared<MaterialMaps>();
  maps->roughness = std::make_shared<Image>(Image{1, 1, 1, {51}});
  worn.maps = maps;
  worn.metalness = 0.25F;
  add(worn);
  const json text = Glb(document.glb()).text;
  const json& first = text["materials"][0];
  // IEC 61966-2-1: 0.5 is 0.2140 of the light.
  const std::vector<float> color = first["pbrMetallicRoughness"]["baseColorFactor"];
  EXPECT_THAT(color, ElementsAre(FloatNear(0.2140F, 1e-4F), 1, 0, 0.75F));
  EXPECT_EQ(first["alphaMode"], "BLEND");
  EXPECT_EQ(first["pbrMetallicRoughness"]["metallicFactor"], 1.0);
  const json& second = text["materials"][1];
  EXPECT_TRUE(second["extensions"].contains("KHR_materials_unlit"));
  EXPECT_EQ(second["emissiveFactor"], json({1.0, 0.5, 0.0}));
  EXPECT_EQ(second["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"], 4.0);
  EXPECT_THAT(text["extensionsUsed"].get<std::vector<std::string>>(),
              ElementsAre("KHR_materials_emissive_strength", "KHR_materials_unlit"));
  // alpha^2 = 2 / 32, and the roughness is the root of alpha.
  EXPECT_NEAR(text["materials"][2]["pbrMetallicRoughness"]["roughnessFactor"].get<double>(), 0.5,
              1e-6);
  const json& fourth = text["materials"][3]["pbrMetallicRoughness"];
  EXPECT_EQ(fourth["roughnessFactor"], 1.0) << "the picture's is in its place";
  EXPECT_EQ(fourth["metallicFactor"], 0.25);
  EXPECT_TRUE(fourth.contains("metallicRoughnessTexture"));
}

TEST(GltfDocument, LeavesPicturesOutThatAreNone) {
  Document document("protobeam test");
  const auto ball = shared(Sphere{1});
  for (const Image& broken : {Image{2, 2, 2, std::vector<std::uint8_t>(8)},
                              Image{2, 2, 3, std::vector<std::uint8_t>(5)}, Image{}}) {
    Material material;
    material.texture = std::make_shared<Image>(broken);
    document.add_shape(document.add_node("ball", {}), "ball", ball, surface(material), {});
  }
  const json text = Glb(document.glb()).text;
  EXPECT_FALSE(text.contains("images"));
  EXPECT_EQ(text["materials"].size(), 1u);
}

TEST(GltfDocument, PlacesLampsAndTheViewpoint) {
  Document document("protobeam test");
  Light light;
  light.kind = Light::Kind::kSpot;
  light.direction = Vec3::UnitX();
  light.inner_angle = 2;
  light.outer_angle = 0.5;
  document.add_light(document.add_node("lamp", {}), light, {1, 2, 3});
  document.add_camera(Pose::translation({0, 0, 2}), 0.7, 0.05);
  const json text = Glb(document.glb()).text;
  const json& lamp = text["extensions"]["KHR_lights_punctual"]["lights"][0];
  EXPECT_EQ(lamp["type"], "spot");
  EXPECT_LT(lamp["spot"]["innerConeAngle"].get<double>(), 0.5)
      << "it must be less than the outer one";
  const auto axis = [&](const json& node, const Vec3& of) {
    const std::vector<double> q = node["rotation"];
    return Vec3(Quat(q[3], q[0], q[1], q[2]) * of);
  };
  // Lamps and cameras of glTF look along -z; the camera's y is up.
  EXPECT_LT((axis(text["nodes"][2], -Vec3::UnitZ()) - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_EQ(text["nodes"][2]["translation"], json({1.0, 2.0, 3.0}));
  const json& camera = text["nodes"][3];
  EXPECT_EQ(camera["camera"], 0);
  EXPECT_LT((axis(camera, -Vec3::UnitZ()) - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_LT((axis(camera, Vec3::UnitY()) - Vec3::UnitZ()).norm(), 1e-12);
}

TEST(GltfDocument, KeepsShapesPreciseThatLieFarFromTheirOrigin) {
  Mesh far;
  const Vec3 place(4e6, 5e6, 100);
  far.vertices = {place, place + Vec3(0.25, 0, 0), place + Vec3(0, 0.25, 0)};
  far.triangles = {{0, 1, 2}};
  Document document("protobeam test");
  document.add_shape(document.add_node("far", Pose::translation(-place)), "far", shared(far),
                     surface(), {});
  const Glb glb(document.glb());
  const auto places = glb.numbers(0);
  EXPECT_NEAR(places[3] - places[0], 0.25, 1e-6);
  const std::vector<double> at = glb.text["nodes"][2]["translation"];
  EXPECT_NEAR(at[0] + places[0], 4e6, 1e-6);
}

}  // namespace
}  // namespace protobeam::gltf
