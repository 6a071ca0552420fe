#include "geometry/shared_geometry.h"

#include <gtest/gtest.h>

#include <memory>

namespace protobeam {
namespace {

Mesh triangle(double x) {
  Mesh mesh;
  mesh.vertices = {{x, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  return mesh;
}

TEST(SharedGeometry, TheSameContentsAreOneObject) {
  const auto mesh = shared_geometry(triangle(0.5)), box = shared_geometry(Box{{1, 2, 3}});
  EXPECT_EQ(shared_geometry(triangle(0.5)), mesh);
  EXPECT_EQ(shared_geometry(Box{{1, 2, 3}}), box);
}

TEST(SharedGeometry, ADifferenceInAnyFieldMakesAnotherObject) {
  const auto mesh = shared_geometry(triangle(0));
  EXPECT_NE(shared_geometry(triangle(-0.0)), mesh);
  Mesh other = triangle(0);
  other.convex = true;
  EXPECT_NE(shared_geometry(other), mesh);
  other = triangle(0);
  other.uvs = {{Eigen::Vector2f(0, 0), Eigen::Vector2f(1, 0), Eigen::Vector2f(0, 1)}};
  EXPECT_NE(shared_geometry(other), mesh);
  other = triangle(0);
  other.normals.resize(
      1, {Eigen::Vector3f(0, 0, 1), Eigen::Vector3f(0, 0, 1), Eigen::Vector3f(0, 0, 1)});
  EXPECT_NE(shared_geometry(other), mesh);
  other = triangle(0);
  other.triangles = {{0, 2, 1}};
  EXPECT_NE(shared_geometry(other), mesh);

  const auto capsule = shared_geometry(Capsule{1, 2});
  EXPECT_NE(shared_geometry(Cylinder{1, 2}), capsule);
  EXPECT_NE(shared_geometry(Capsule{1, 2, true, true, false}), capsule);
  HeightField field;
  field.heights = {0, 1, 2, 3};
  const auto flat = shared_geometry(field);
  field.uv(1, 2) = 1;
  EXPECT_NE(shared_geometry(field), flat);
}

TEST(SharedGeometry, GoesWithItsLastUser) {
  std::weak_ptr<const Geometry> seen = shared_geometry(triangle(3));
  EXPECT_TRUE(seen.expired());
  const auto again = shared_geometry(triangle(3));
  EXPECT_EQ(again, shared_geometry(triangle(3)));
}

}  // namespace
}  // namespace protobeam
