#include <gtest/gtest.h>

#include "geometry/geometry.h"

namespace protobeam {
namespace {

TEST(Bounds, PrimitivesAreCentredAtTheOrigin) {
  const auto half = [](const Geometry& geometry) {
    const Bounds box = bounds(geometry);
    EXPECT_EQ(box.min, -box.max);
    return box.max;
  };
  EXPECT_EQ(half(Box{{1, 2, 4}}), Vec3(0.5, 1, 2));
  EXPECT_EQ(half(Sphere{3}), Vec3(3, 3, 3));
  EXPECT_EQ(half(Cylinder{2, 6}), Vec3(2, 2, 3));
  EXPECT_EQ(half(Capsule{2, 6}), Vec3(2, 2, 5));
  EXPECT_EQ(half(Cone{2, 6}), Vec3(2, 2, 3));
  EXPECT_EQ(half(Plane{{4, 8}}), Vec3(2, 4, 0));
}

TEST(Bounds, OfAMeshCountOnlyVerticesThatTrianglesUse) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 5}, {1, 0, 6}, {0, 2, 5}, {100, 100, 100}};
  mesh.triangles = {{0, 1, 2}};
  EXPECT_EQ(bounds(mesh).min, Vec3(0, 0, 5));
  EXPECT_EQ(bounds(mesh).max, Vec3(1, 2, 6));
}

TEST(Bounds, OfAnEmptyMeshAreEmpty) { EXPECT_TRUE(bounds(Mesh{}).empty()); }

}  // namespace
}  // namespace protobeam
