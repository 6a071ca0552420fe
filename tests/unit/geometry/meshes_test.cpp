// The models of meshes/: each is read whole, and they are what make_meshes.py makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/child_process.h"
#include "geometry/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/paths.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

const fs::path kMeshes = fs::path(source_dir()) / "meshes";

void make_meshes(const std::vector<std::string>& arguments) {
  ChildProcess::Start start;
  start.argv = {"/usr/bin/python3", kMeshes / "make_meshes.py"};
  start.argv.insert(start.argv.end(), arguments.begin(), arguments.end());
  start.out = start.err = ChildProcess::Stream::kOurs;
  ChildProcess child(start);
  child.wait();
  ASSERT_EQ(exit_code(child.wait_status()), 0);
}

struct Expected {
  const char* file;
  Vec3 size;      ///< m
  double lowest;  ///< m, z
  bool picture;
};

class Meshes : public testing::TestWithParam<Expected> {};

TEST_P(Meshes, HaveTheirSizeNormalsAndPicture) {
  const auto& [file, size, lowest, picture] = GetParam();
  std::vector<std::string> warnings;
  const auto parts = load_model(kMeshes / file, true, &warnings);
  EXPECT_THAT(warnings, IsEmpty());
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].material.texture != nullptr, picture);
  const Mesh& mesh = *parts[0].mesh;
  const Bounds box = bounds(mesh);
  EXPECT_TRUE((box.max - box.min).isApprox(size, 1e-3)) << (box.max - box.min).transpose();
  EXPECT_NEAR(box.min.z(), lowest, 1e-4);
  EXPECT_EQ(mesh.uvs.empty(), !picture);
  ASSERT_EQ(mesh.normals.size(), mesh.triangles.size());
  double volume = 0;
  int inwards = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto& t = mesh.triangles[i];
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Vec3 n = (b - a).cross(c - a);
    volume += a.dot(b.cross(c)) / 6;
    for (const auto& normal : mesh.normals[i]) {
      EXPECT_NEAR(normal.norm(), 1, 1e-3);
      inwards += normal.cast<double>().dot(n) < 0;
    }
  }
  EXPECT_GT(volume, 0.1 * size.prod());
  EXPECT_EQ(inwards, 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, Meshes,
    testing::Values(Expected{"puck.obj", {0.103, 0.103, 0.0717}, -0.0377, true},
                    Expected{"case.stl", {0.604, 0.430, 0.290}, 0, false},
                    Expected{"car.dae", {4.4, 1.8, 1.25}, 0.2, true},
                    Expected{"pallet.glb", {1.2, 0.8, 0.144}, 0, true}),
    [](const auto& info) {
      return std::string(info.param.file, std::string(info.param.file).find('.'));
    });

TEST(MeshFiles, AreThoseThatTheScriptMakes) {
  const TemporaryFolder folder;
  make_meshes({folder.path()});
  std::set<std::string> kept;
  for (const auto& entry : fs::directory_iterator(kMeshes)) {
    const std::string name = entry.path().filename();
    if (entry.path().extension() == ".py" || entry.is_directory()) continue;
    kept.insert(name);
    EXPECT_TRUE(read_bytes(entry.path()) == read_bytes(folder / name))
        << name << " is out of date; run meshes/make_meshes.py";
    EXPECT_LT(entry.file_size(), 1u << 20) << name;
  }
  EXPECT_EQ(kept.size(),
            static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), {})));
}

TEST(MeshFiles, AStatueOfAMillionTrianglesIsReadWhole) {
#ifdef PROTOBEAM_SANITIZED
  const std::string triangles = "100000";
#else
  const std::string triangles = "1000000";
#endif
  const TemporaryFolder folder;
  for (const char* name : {"statue.stl", "statue.glb"}) {
    make_meshes({"statue", folder / name, triangles});
    const auto mesh = load_mesh(folder / name);
    EXPECT_NEAR(static_cast<double>(mesh->triangles.size()), std::stod(triangles), 3000);
    EXPECT_LT(mesh->vertices.size(), 0.6 * static_cast<double>(mesh->triangles.size()));
    EXPECT_NEAR(bounds(*mesh).max.z(), 0.8, 1e-6);
  }
}

}  // namespace
}  // namespace protobeam
