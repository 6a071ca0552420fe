#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

TEST(Support, IsTheFarthestPoint) {
  const Geometry shapes[] = {Sphere{1.5}, Cylinder{0.5, 2}, Capsule{0.4, 1}, Cone{0.7, 2}, Box{{1, 2, 3}}};
  for (const Geometry& shape : shapes) {
    const Mesh mesh = triangulated(shape, 120);
    for (int i = 0; i < 100; ++i) {
      const double z = -0.995 + 0.0199 * i, around = 2.4 * i, wide = std::sqrt(1 - z * z);
      const Vec3 d(wide * std::cos(around), wide * std::sin(around), z);
      double most = -1e30;
      for (const Vec3& p : mesh.vertices) most = std::max(most, d.dot(p));
      const double reached = d.dot(support(shape, d));
      EXPECT_GE(reached, most - 1e-9) << shape.index() << " " << d.transpose();
      EXPECT_NEAR(reached, most, 2e-3) << shape.index() << " " << d.transpose();
    }
  }
}

}  // namespace
}  // namespace protobeam
