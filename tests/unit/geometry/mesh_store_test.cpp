#include "geometry/mesh_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "geometry/files.h"
#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::shared_ptr<const Geometry> shape(Geometry geometry) {
  return std::make_shared<const Geometry>(std::move(geometry));
}

std::string path_in(const std::string& address) { return address.substr(sizeof("file://") - 1); }

TEST(MeshStore, WritesWhatAssimpReads) {
  TemporaryFolder folder;
  MeshStore store(folder.path());
  const auto cone = shape(Cone{0.5, 2});
  const std::string address = store.address_of(cone);
  ASSERT_THAT(address, StartsWith("file:///"));
  ASSERT_THAT(address, EndsWith(".stl"));
  const auto read = load_mesh(path_in(address));
  const Mesh made = triangulated(*cone);
  ASSERT_EQ(read->triangles.size(), made.triangles.size());
  for (std::size_t i = 0; i < made.triangles.size(); ++i) {
    for (int corner = 0; corner < 3; ++corner) {
      const auto at = static_cast<std::size_t>(corner);
      EXPECT_LT(
          (read->vertices[read->triangles[i][at]] - made.vertices[made.triangles[i][at]]).norm(),
          1e-7);
    }
  }
}

TEST(MeshStore, HasAFileForEachShapeAndNoMore) {
  TemporaryFolder folder;
  MeshStore store(folder.path());
  const std::string one = store.address_of(shape(Cone{0.5, 2}));
  EXPECT_EQ(store.address_of(shape(Cone{0.5, 2})), one);
  EXPECT_NE(store.address_of(shape(Cone{0.6, 2})), one);
  EXPECT_EQ(store.address_of(shape(HeightField{})), "");
  EXPECT_EQ(store.address_of(shape(Mesh{})), "");
  // One that was cut short is written anew.
  std::filesystem::resize_file(path_in(one), 100);
  EXPECT_EQ(MeshStore(folder.path()).address_of(shape(Cone{0.5, 2})), one);
  EXPECT_EQ(load_mesh(path_in(one))->triangles.size(), triangulated(Cone{0.5, 2}).triangles.size());
}

TEST(MeshStore, KeepsNoShapeThatNobodyElseHas) {
  TemporaryFolder folder;
  MeshStore store(folder.path());
  auto cone = shape(Cone{0.5, 2});
  const std::string address = store.address_of(cone);
  const std::weak_ptr<const Geometry> seen = cone;
  EXPECT_EQ(store.address_of(cone), address);
  cone.reset();
  EXPECT_TRUE(seen.expired());
  // Another one may get the same memory, and is not taken for it.
  for (int i = 1; i <= 200; ++i) EXPECT_NE(store.address_of(shape(Cone{0.5, 2.0 + i})), address);
}

TEST(MeshStore, SpellsAddressesAsRfc3986) {
  TemporaryFolder folder;
  const auto odd = folder.path() / "a b#\xC3\xA9";
  EXPECT_THAT(MeshStore(odd).address_of(shape(Cone{})), HasSubstr("/a%20b%23%C3%A9/meshes/"));
}

TEST(MeshStore, SaysWhatItCannotWrite) {
  TemporaryFolder folder;
  std::ofstream(folder.path() / "meshes") << "a file";
  MeshStore store(folder.path());
  const auto cone = shape(Cone{});
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT([&] { store.address_of(cone); },
                testing::ThrowsMessage<std::runtime_error>(HasSubstr("cannot write")));
  }
}

}  // namespace
}  // namespace protobeam
