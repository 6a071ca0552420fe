#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>

#include "geometry/files.h"
#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// Every fixture is the box from (0, 0, 0) to (1, 2, 3).
const Vec3 kSize(1, 2, 3);

const char kObj[] = R"(mtllib box.mtl
v 0 0 0
v 1 0 0
v 1 2 0
v 0 2 0
v 0 0 3
v 1 0 3
v 1 2 3
v 0 2 3
usemtl red
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
usemtl clear
f 3 4 8 7
f 2 3 7 6
f 4 1 5 8
)";
const char kMtl[] = R"(newmtl red
Kd 0.8 0.1 0.05
newmtl clear
Kd 0.1 0.2 0.3
d 0.25
)";

constexpr float kCorners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {0, 2, 0},
                                  {0, 0, 3}, {1, 0, 3}, {1, 2, 3}, {0, 2, 3}};
constexpr int kFaces[6][4] = {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4},
                              {2, 3, 7, 6}, {1, 2, 6, 5}, {3, 0, 4, 7}};

/// Corner numbers, three a triangle.
std::vector<int> box_corners() {
  std::vector<int> result;
  for (const auto& q : kFaces) result.insert(result.end(), {q[0], q[1], q[2], q[0], q[2], q[3]});
  return result;
}

template <class T>
std::string raw(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string binary_stl() {
  std::string bytes(80, ' ');
  bytes += raw(std::uint32_t{12});
  const auto corners = box_corners();
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    bytes += raw(std::array<float, 3>{});
    for (std::size_t j = 0; j < 3; ++j) bytes += raw(kCorners[corners[i + j]]);
    bytes += raw(std::uint16_t{0});
  }
  return bytes;
}

std::string ascii_stl() {
  std::string text = "solid box\n";
  const auto corners = box_corners();
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (std::size_t j = 0; j < 3; ++j) {
      const auto& c = kCorners[corners[i + j]];
      text += "vertex " + std::to_string(c[0]) + " " + std::to_string(c[1]) + " " +
              std::to_string(c[2]) + "\n";
    }
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid box\n";
}

/// In centimetres, z up, shifted by a node whose matrix puts it back.
std::string collada(const std::string& nodes =
                        "<node id=\"n\"><translate>-10 0 0</translate>"
                        "<instance_geometry url=\"#box\"/></node>") {
  std::string positions, indices;
  for (const auto& c : kCorners) {
    positions += std::to_string(c[0] * 100 + 10) + " " + std::to_string(c[1] * 100) + " " +
                 std::to_string(c[2] * 100) + " ";
  }
  for (const int corner : box_corners()) indices += std::to_string(corner) + " ";
  return R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="box"><mesh>
<source id="p"><float_array id="pa" count="24">)" +
         positions + R"(</float_array>
<technique_common><accessor source="#pa" count="8" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="12"><input semantic="VERTEX" source="#v" offset="0"/><p>)" +
         indices +
         R"(</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">)" +
         nodes + R"(</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

std::string glb(std::string nodes = R"([{"mesh":0,"translation":[0.5,0,0]}])",
                std::uint16_t change_first_index = 0) {
  std::string data;
  for (const auto& c : kCorners) {
    data += raw(std::array<float, 3>{c[0] - 0.5f, c[1], c[2]});
  }
  auto corners = box_corners();
  corners[0] += change_first_index;
  for (const int corner : corners) data += raw(static_cast<std::uint16_t>(corner));
  std::string json = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":)" +
                     nodes +
                     R"(,"meshes":[{"primitives":[{"attributes":{"POSITION":0},)"
                     R"("indices":1,"material":0}]}],"materials":[{"pbrMetallicRoughness":)"
                     R"({"baseColorFactor":[0.5,0.25,1,1],"metallicFactor":0.75,)"
                     R"("roughnessFactor":0.5}}],"buffers":[{"byteLength":168}],"bufferViews":)"
                     R"([{"buffer":0,"byteLength":96},{"buffer":0,"byteOffset":96,)"
                     R"("byteLength":72}],"accessors":[{"bufferView":0,"componentType":5126,)"
                     R"("count":8,"type":"VEC3","min":[-0.5,0,0],"max":[0.5,2,3]},)"
                     R"({"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}]})";
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const auto u32 = [](std::size_t n) { return raw(static_cast<std::uint32_t>(n)); };
  return "glTF" + u32(2) + u32(12 + 8 + json.size() + 8 + data.size()) + u32(json.size()) + "JSON" +
         json + u32(data.size()) + std::string("BIN\0", 4) + data;
}

void expect_box(const Mesh& mesh) {
  const Bounds box = bounds(mesh);
  EXPECT_LT((box.min - Vec3::Zero()).norm(), 1e-6) << box.min.transpose();
  EXPECT_LT((box.max - kSize).norm(), 1e-6) << box.max.transpose();
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_EQ(mesh.vertices.size(), 8u);
  double volume = 0;
  for (const auto& t : mesh.triangles) {
    volume += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6;
  }
  EXPECT_NEAR(volume, 6, 1e-5);
  EXPECT_NEAR(mass_properties(mesh, 1).mass, 6, 1e-5);
}

std::string model_error(const std::filesystem::path& path) {
  return message_of<std::runtime_error>([&] { load_model(path); });
}

// What is tested here is reading itself, and not what is left of earlier reading.
const bool kWithoutCache = setenv("PROTOBEAM_DERIVED_CACHE", "0", 1) == 0;

TEST(ModelFile, EachFormatGivesTheSameBox) {
  const TemporaryFolder folder;
  expect_box(*load_mesh(folder.write("box.stl", binary_stl())));
  expect_box(*load_mesh(folder.write("text.stl", ascii_stl())));
  expect_box(*load_mesh(folder.write("box.dae", collada())));
  expect_box(*load_mesh(folder.write("box.glb", glb())));
  expect_box(*load_mesh(folder.write("BOX.STL", binary_stl())));
}

TEST(ModelFile, ObjWithMaterialsGivesOnePartAMaterial) {
  const TemporaryFolder folder;
  folder.write("box.mtl", kMtl);
  const auto parts = load_model(folder.write("box.obj", kObj));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].mesh->triangles.size(), 6u);
  EXPECT_LT((parts[0].material.base_color - Eigen::Vector3f(0.8f, 0.1f, 0.05f)).norm(), 1e-6f);
  EXPECT_EQ(parts[0].material.transparency, 0);
  EXPECT_LT((parts[1].material.base_color - Eigen::Vector3f(0.1f, 0.2f, 0.3f)).norm(), 1e-6f);
  EXPECT_FLOAT_EQ(parts[1].material.transparency, 0.75f);
}

TEST(ModelFile, ColladaMayHaveSpaceBeforeColoursAndCamerasOfOneName) {
  // As exporters write them: the file is read as it would be without.
  const TemporaryFolder folder;
  std::string text =
      collada(R"(<node id="n"><translate>-10 0 0</translate><instance_geometry url="#box">
<bind_material><technique_common><instance_material symbol="m" target="#m"/></technique_common>
</bind_material></instance_geometry><instance_camera url="#a"/></node>)");
  text.replace(text.find("<triangles "), 11, "<triangles material=\"m\" ");
  text.insert(
      text.find("<library_geometries>"),
      R"(<library_cameras><camera id="a" name="c"><optics><technique_common><perspective><xfov>
 40</xfov></perspective></technique_common></optics></camera><camera id="b" name="c"/></library_cameras>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><phong><emission/>
<diffuse><color sid="d">
  0.25  0.5 0.75 1</color></diffuse><shininess><float> 4</float></shininess></phong></technique>
</profile_COMMON></effect></library_effects><library_materials><material id="m">
<instance_effect url="#e"/></material></library_materials>)");
  const auto parts = load_model(folder.write("box.dae", text));
  ASSERT_EQ(parts.size(), 1u);
  expect_box(*parts[0].mesh);
  EXPECT_LT((parts[0].material.base_color - Eigen::Vector3f(0.25f, 0.5f, 0.75f)).norm(), 1e-6f);
}

TEST(ModelFile, ColladaMayHaveCommentsAnywhereAndImagesWithoutAFile) {
  const TemporaryFolder folder;
  const std::string material = R"(<node id="n"><translate>-10 0 0</translate>
<instance_geometry url="#box"><bind_material><technique_common>
<instance_material symbol="m" target="#m"/></technique_common></bind_material></instance_geometry>
</node>)";
  std::vector<std::string> warnings;
  const auto box = [&](const std::string& in_image) {
    std::string text = collada(material);
    text.replace(text.find("<triangles "), 11, "<triangles material=\"m\" ");
    text.insert(text.find("</vertices>"), "<!-- <input semantic=\"NORMAL\" source=\"#q\"/> -->");
    text.insert(text.find("<library_geometries>"), R"(<library_images><image id="i">)" + in_image +
                                                       R"(</image></library_images>
<library_effects><effect id="e"><profile_COMMON><newparam sid="u"><surface type="2D">
<init_from>i</init_from></surface></newparam><newparam sid="w"><sampler2D><source>u</source>
</sampler2D></newparam><technique sid="t"><phong><emission><color>0.5 0 0 1</color></emission>
<diffuse><texture texture="w" texcoord="T"/></diffuse></phong></technique></profile_COMMON></effect>
</library_effects><library_materials><material id="m"><instance_effect url="#e"/></material>
</library_materials>)");
    warnings.clear();
    return load_model(folder.write("box.dae", text), true, &warnings);
  };
  for (const std::string none : {"", "\n", "<!--<init_from>a.png</init_from>-->", "<init_from/>",
                                 "<init_from> </init_from>"}) {
    const auto parts = box(none);
    ASSERT_EQ(parts.size(), 1u) << none;
    expect_box(*parts[0].mesh);
    EXPECT_THAT(warnings, IsEmpty()) << none;
    EXPECT_FLOAT_EQ(parts[0].material.emissive.x(), 0.5f) << none;
  }
  box("<init_from>a.png</init_from>");
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("a.png")));
}

TEST(ModelFile, MaterialIndexPicksParts) {
  const TemporaryFolder folder;
  folder.write("box.mtl", kMtl);
  const auto path = folder.write("box.obj", kObj);
  const auto all = load_mesh(path);
  EXPECT_EQ(all->triangles.size(), 12u);
  EXPECT_EQ(bounds(*all).max, kSize);
  std::size_t sum = 0;
  std::string error;
  for (int material = 0; error.empty(); ++material) {
    ASSERT_LT(material, 5);
    error = message_of<std::runtime_error>(
        [&] { sum += load_mesh(path, true, material)->triangles.size(); });
    if (!error.empty() && material == 0) error.clear();  // Assimp's default material may be unused
  }
  EXPECT_EQ(sum, 12u);
  EXPECT_THAT(error, AllOf(HasSubstr("box.obj"), HasSubstr("material number")));
}

TEST(ModelFile, ClockwiseFilesAreTurned) {
  const TemporaryFolder folder;
  const auto path = folder.write("box.stl", binary_stl());
  const auto ccw = load_mesh(path, true), cw = load_mesh(path, false);
  for (std::size_t i = 0; i < 12; ++i) {
    const auto normal = [&](const Mesh& mesh) -> Vec3 {
      const auto& t = mesh.triangles[i];
      const Vec3& a = mesh.vertices[t[0]];
      return (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a);
    };
    EXPECT_EQ(normal(*ccw), -normal(*cw));
  }
}

TEST(ModelFile, GltfMaterialIsPhysicallyBased) {
  const TemporaryFolder folder;
  const auto parts = load_model(folder.write("box.glb", glb()));
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_LT((parts[0].material.base_color - Eigen::Vector3f(0.5f, 0.25f, 1)).norm(), 1e-6f);
  EXPECT_FLOAT_EQ(parts[0].material.metalness, 0.75f);
  EXPECT_FLOAT_EQ(parts[0].material.roughness, 0.5f);
}

TEST(ModelFile, AMirroringNodeKeepsTrianglesOutside) {
  const TemporaryFolder folder;
  const auto mesh = load_mesh(folder.write("box.glb", glb(R"([{"mesh":0,"scale":[-1,1,1],)"
                                                          R"("translation":[0.5,0,0]}])")));
  expect_box(*mesh);
}

TEST(ModelFile, TexturesComeAlongAndMissingOnesAreTold) {
  const TemporaryFolder folder;
  save_png(Image{2, 1, 3, {255, 0, 0, 0, 255, 0}}, folder / "picture.png");
  folder.write("a.mtl", "newmtl m\nmap_Kd picture.png\n");
  const std::string face =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl m\n"
      "f 1/1 2/2 3/3\n";
  std::vector<std::string> warnings;
  auto parts = load_model(folder.write("a.obj", "mtllib a.mtl\n" + face), true, &warnings);
  ASSERT_EQ(parts.size(), 1u);
  ASSERT_NE(parts[0].material.texture, nullptr);
  EXPECT_EQ(parts[0].material.texture->width, 2);
  ASSERT_EQ(parts[0].mesh->uvs.size(), 1u);
  EXPECT_EQ(parts[0].mesh->uvs[0][1], Eigen::Vector2f(1, 0));
  EXPECT_EQ(parts[0].mesh->uvs[0][2], Eigen::Vector2f(0, 1));
  EXPECT_TRUE(warnings.empty());

  std::filesystem::remove(folder / "picture.png");
  parts = load_model(folder / "a.obj", true, &warnings);
  EXPECT_EQ(parts[0].material.texture, nullptr);
  EXPECT_THAT(warnings, ElementsAre(AllOf(HasSubstr("a.obj"), HasSubstr("picture.png"),
                                          HasSubstr("No such file"))));
}

TEST(ModelFile, WhatIsNoMeshIsRefusedByNameAndReason) {
  const TemporaryFolder folder;
  EXPECT_THAT(model_error(folder / "none.obj"),
              AllOf(HasSubstr("none.obj"), HasSubstr("No such file")));
  EXPECT_THAT(model_error(folder.write("a.step", "x")), HasSubstr(".dae .obj .stl .glb"));
  for (const char* name : {"a.obj", "a.stl", "a.dae", "a.glb"}) {
    EXPECT_THAT(model_error(folder.write(name, "")),
                AllOf(HasSubstr(name), HasSubstr("the file is empty")));
    EXPECT_THAT(model_error(folder.write(name, "This is a letter, not a mesh.\n")),
                HasSubstr(std::string("cannot read mesh ") + (folder / name).string() + ": "));
    EXPECT_THAT(model_error(folder.write(name, std::string(3000, '\xff'))), HasSubstr(name));
    EXPECT_THAT(model_error(folder.write(name, std::string(3000, '\0'))), HasSubstr(name));
  }
  EXPECT_THAT(model_error(folder.write("points.obj", "v 0 0 0\nv 1 0 0\n")),
              HasSubstr("points.obj"));
}

TEST(ModelFile, ImpossibleIndicesAndNumbersAreRefused) {
  const TemporaryFolder folder;
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_NE(model_error(folder.write("a.obj", three + "f 1 2 2000000000\n")), "");
  EXPECT_NE(model_error(folder.write("a.obj", three + "f 1 2 -7\n")), "");
  EXPECT_NE(model_error(folder.write("a.obj", three + "f 1 2 99999999999999999999\n")), "");
  EXPECT_THAT(model_error(folder.write("a.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")),
              HasSubstr("not a finite number"));
  EXPECT_THAT(model_error(folder.write("a.glb", glb(R"([{"mesh":0}])", 60000))),
              HasSubstr("a.glb"));
  std::string stl = binary_stl();
  const std::uint32_t many = 0xfffffff0u;
  std::memcpy(stl.data() + 80, &many, 4);
  EXPECT_NE(model_error(folder.write("a.stl", stl)), "");
  stl = binary_stl();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(stl.data() + 84 + 12, &nan, 4);
  EXPECT_THAT(model_error(folder.write("a.stl", stl)), HasSubstr("not a finite number"));
}

TEST(ModelFile, TruncatedBinaryFilesAreRefusedWhereverTheyEnd) {
  const TemporaryFolder folder;
  const std::string stl = binary_stl(), binary = glb();
  for (std::size_t size = 0; size < stl.size(); size += 13) {
    EXPECT_NE(model_error(folder.write("a.stl", stl.substr(0, size))), "") << size;
  }
  for (std::size_t size = 0; size < binary.size(); size += 13) {
    EXPECT_NE(model_error(folder.write("a.glb", binary.substr(0, size))), "") << size;
  }
  const std::string xml = collada();
  for (std::size_t size = 0; size + 1 < xml.size(); size += 37) {
    EXPECT_NE(model_error(folder.write("a.dae", xml.substr(0, size))), "") << size;
  }
}

TEST(ModelFile, NodesThatContainThemselvesAreRefused) {
  const TemporaryFolder folder;
  EXPECT_THAT(model_error(folder.write("a.glb", glb(R"([{"mesh":0,"children":[0]}])"))),
              HasSubstr("contain themselves"));
  EXPECT_THAT(model_error(folder.write(
                  "a.dae", collada("<node id=\"a\"><instance_geometry url=\"#box\"/>"
                                   "<node id=\"b\"><instance_node url='#a'/></node></node>"))),
              HasSubstr("contain themselves"));
  std::string doubling;  // 2^30 boxes
  for (int i = 0; i < 30; ++i) {
    const std::string next = "<instance_node url=\"#n" + std::to_string(i + 1) + "\"/>";
    doubling += "<node id=\"n" + std::to_string(i) + "\">" + next + next + "</node>\n";
  }
  doubling += "<node id=\"n30\"><instance_geometry url=\"#box\"/></node>";
  EXPECT_THAT(model_error(folder.write("a.dae", collada(doubling))), HasSubstr("too many times"));
}

TEST(ModelFile, EndlessNestingIsRefused) {
  const TemporaryFolder folder;
  std::string deep = "<COLLADA>";
  for (int i = 0; i < 200000; ++i) deep += "<node>";
  EXPECT_THAT(model_error(folder.write("a.dae", deep)), HasSubstr("levels deep"));
  EXPECT_THAT(model_error(folder.write("a.glb", glb(std::string(200000, '[')))),
              HasSubstr("levels deep"));
}

// Beginnings without an end: what follows is not copied anew for each of them.
TEST(ModelFile, ColladaPolygonsAndImagesInEachOtherTakeNoMemory) {
  const TemporaryFolder folder;
  const auto many = [](const std::string& tag) {
    std::string out;
    for (int i = 0; i < 200; ++i) out += tag;
    return out;
  };
  const std::string polygons = R"(<polygons count="1"><input semantic="VERTEX" source="#v"/>)";
  const std::string holed = "<ph><p>0 1 2</p><h>3 4 5</h></ph></polygons>";
  const std::pair<const char*, std::string> added[] = {
      {"<library_geometries>", "<library_images>" + many("<image>") + "</image></library_images>"},
      {"</mesh>", many(polygons) + holed},
      {"</mesh>", polygons + many("<ph>") + holed}};
  for (const auto& [before, what] : added) {
    std::string text = collada() + std::string(8 << 20, ' ');
    text.insert(text.find(before), what);
    EXPECT_THAT(model_error(folder.write("a.dae", text)), Not(HasSubstr("memory"))) << what;
  }
}

TEST(ModelFile, AColladaImageMayEndWithinATag) {
  const TemporaryFolder folder;
  EXPECT_THAT(model_error(folder.write("a.dae", "<COLLADA><image><init_from><</image></COLLADA>")),
              AllOf(HasSubstr("a.dae: "), Not(HasSubstr("parser"))));
}

TEST(ModelFile, AFileThatCrashesItsParserIsRefused) {
  const TemporaryFolder folder;
  std::string text = collada();  // without its length the array stays empty: Assimp 5.2 segfaults
  text.erase(text.find(" count=\"24\""), 11);
  EXPECT_THAT(model_error(folder.write("a.dae", text)), HasSubstr("a.dae: "));
}

TEST(ModelFile, AFileThatAsksForEndlessMemoryIsRefused) {
  const TemporaryFolder folder;
  std::string text = collada();  // Assimp 5.2 fills its memory at an index that is no number
  text[text.find("<p>") + 3] = '\xff';
#ifdef PROTOBEAM_SANITIZED
  const std::string memory;  // AddressSanitizer ends the child before it can say so
#else
  const std::string memory = "more memory";
#endif
  EXPECT_THAT(model_error(folder.write("a.dae", text)), HasSubstr("a.dae: " + memory));
}

TEST(ModelFile, MaterialLibrariesThatAreDevicesAreNotRead) {
  const TemporaryFolder folder;
  const std::string text = "mtllib /dev/zero\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  EXPECT_EQ(load_mesh(folder.write("a.obj", text))->triangles.size(), 1u);
}

TEST(ModelFile, MaterialLibrariesThatArePipesAreTold) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "box.mtl").c_str(), 0600), 0);
  const auto path = folder.write("box.obj", kObj);
  std::vector<std::string> warnings;
  EXPECT_EQ(load_model(path, true, &warnings).size(), 2u);
  EXPECT_THAT(warnings, ElementsAre(AllOf(HasSubstr("box.obj goes without its materials"),
                                          HasSubstr("box.mtl: not a regular file"))));
  ASSERT_EQ(mkfifo((folder / "pipe.obj").c_str(), 0600), 0);
  EXPECT_THAT(model_error(folder / "pipe.obj"), HasSubstr("pipe.obj: not a regular file"));
}

/// The process that parses models for this one.
std::string worker_folder() {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (pid_t pid = 0; children >> pid;) {
      const std::string folder = "/proc/" + std::to_string(pid) + "/";
      if (read_bytes(folder + "cmdline").find("models") != std::string::npos) return folder;
    }
  }
  return {};
}

TEST(ModelWorker, IsLockedIn) {
  const TemporaryFolder folder;
  load_mesh(folder.write("box.obj", kObj));
  const std::string worker = worker_folder();
  ASSERT_FALSE(worker.empty());
  for (const auto& task : std::filesystem::directory_iterator(worker + "task")) {
    const std::string status = read_bytes(task.path() / "status");
    EXPECT_THAT(status, HasSubstr("NoNewPrivs:\t1")) << task.path();
    EXPECT_THAT(status, HasSubstr("Seccomp:\t2")) << task.path();
  }
  for (const auto& entry : std::filesystem::directory_iterator(worker + "fd")) {
    if (entry.path().filename() == "2") continue;  // messages of a crash, to where ours go
    EXPECT_THAT(std::filesystem::read_symlink(entry.path()).string(),
                AnyOf("/dev/null", "/dev/urandom", "anon_inode:[eventfd]", worker + "statm",
                      StartsWith("socket:"), StartsWith("/memfd:protobeam-")));
  }
}

TEST(ModelWorker, ThatDiesBetweenTwoModelsIsReplaced) {
  const TemporaryFolder folder;
  const auto path = folder.write("box.obj", kObj);
  load_mesh(path);
  const std::string worker = worker_folder();
  ASSERT_FALSE(worker.empty());
  kill(std::stoi(worker.substr(6)), SIGKILL);
  EXPECT_EQ(load_mesh(path)->triangles.size(), 12u);
}

TEST(ModelFile, FilesOverTheLimitAreRefusedUnread) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.stl", "");
  std::filesystem::resize_file(path, (std::uintmax_t{256} << 20) + 1);  // sparse
  EXPECT_THAT(model_error(path), HasSubstr("larger than 256 MiB"));
}

}  // namespace
}  // namespace protobeam
