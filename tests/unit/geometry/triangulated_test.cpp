#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "geometry/geometry.h"
#include "tests/unit/geometry/signed_volume.h"

namespace protobeam {
namespace {

double area(const Mesh& mesh) {
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3& a = mesh.vertices[t[0]];
    area += (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a).norm() / 2;
  }
  return area;
}

/// A regular polygon in the unit circle.
double polygon_area(int n) { return n / 2.0 * std::sin(2 * kPi / n); }

bool watertight(const Mesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const auto& t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) ++edges[{t[i], t[(i + 1) % 3]}];
  }
  for (const auto& [edge, count] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    if (count != 1 || back == edges.end()) return false;
  }
  return true;
}

TEST(Triangulated, BoxFacesOutwardsAndIsClosed) {
  const Mesh mesh = triangulated(Box{{1, 2, 3}});
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_NEAR(signed_volume(mesh), 6, 1e-14);
  EXPECT_NEAR(area(mesh), 22, 1e-14);
  EXPECT_TRUE(watertight(mesh));
}

TEST(Triangulated, CylinderIsThePrismOfItsPolygon) {
  for (const int n : {3, 12, 36}) {
    const Mesh mesh = triangulated(Cylinder{0.5, 3}, n);
    EXPECT_NEAR(signed_volume(mesh), polygon_area(n) * 0.25 * 3, 1e-13);
    EXPECT_NEAR(area(mesh), 2 * polygon_area(n) * 0.25 + 3 * n * std::sin(kPi / n), 1e-13);
    EXPECT_TRUE(watertight(mesh));
  }
}

TEST(Triangulated, ConeIsThePyramidOfItsPolygonWithItsApexOnTop) {
  const Mesh mesh = triangulated(Cone{0.5, 3}, 24);
  EXPECT_NEAR(signed_volume(mesh), polygon_area(24) * 0.25, 1e-14);
  EXPECT_TRUE(watertight(mesh));
  int on_top = 0;
  for (const Vec3& vertex : mesh.vertices) on_top += vertex.z() == 1.5 ? 1 : 0;
  EXPECT_EQ(on_top, 1);
}

/// Frusta between rings on the sphere.
double sphere_volume(int segments) {
  const int rings = segments / 4 * 2;
  double volume = 0;
  for (int i = 0; i < rings; ++i) {
    const double a = kPi * i / rings, b = kPi * (i + 1) / rings;
    volume += polygon_area(segments) / 3 * (std::cos(a) - std::cos(b)) *
              (std::sin(a) * std::sin(a) + std::sin(a) * std::sin(b) + std::sin(b) * std::sin(b));
  }
  return volume;
}

TEST(Triangulated, SphereIsMadeOfFrusta) {
  for (const int n : {4, 36}) {
    const Mesh mesh = triangulated(Sphere{2}, n);
    EXPECT_NEAR(signed_volume(mesh), 8 * sphere_volume(n), 1e-12);
    EXPECT_TRUE(watertight(mesh));
    for (const Vec3& vertex : mesh.vertices) EXPECT_NEAR(vertex.norm(), 2, 1e-14);
  }
}

TEST(Triangulated, CapsuleIsASphereAndACylinder) {
  const Mesh mesh = triangulated(Capsule{1, 3}, 36);
  EXPECT_NEAR(signed_volume(mesh), sphere_volume(36) + 3 * polygon_area(36), 1e-12);
  EXPECT_TRUE(watertight(mesh));
  EXPECT_TRUE(watertight(triangulated(Capsule{1, 0}, 36)));
}

TEST(Triangulated, LeavesOutWhatIsSwitchedOff) {
  const Mesh tube = triangulated(Cylinder{0.5, 3, false, true, false}, 36);
  EXPECT_NEAR(area(tube), 3 * 36 * std::sin(kPi / 36), 1e-12);
  const Mesh lid = triangulated(Cylinder{0.5, 3, false, false, true}, 36);
  EXPECT_EQ(bounds(lid).min.z(), 1.5);
  const Mesh dome = triangulated(Capsule{1, 2, false, false, true}, 36);
  EXPECT_EQ(bounds(dome).min.z(), 1);
  EXPECT_EQ(bounds(dome).max.z(), 2);
  const Mesh hat = triangulated(Cone{1, 2, false, true}, 36);
  EXPECT_EQ(hat.triangles.size(), 36u);
}

TEST(Triangulated, PlaneFacesUp) {
  const Mesh mesh = triangulated(Plane{{2, 4}});
  EXPECT_DOUBLE_EQ(area(mesh), 8);
  for (const auto& t : mesh.triangles) {
    const Vec3& a = mesh.vertices[t[0]];
    EXPECT_GT((mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a).z(), 0);
  }
}

TEST(Triangulated, OnlyWholeBodiesAreMarkedConvex) {
  EXPECT_TRUE(triangulated(Cylinder{1, 2}).convex);
  EXPECT_FALSE(triangulated(Cylinder{1, 2, true, true, false}).convex);
}

}  // namespace
}  // namespace protobeam
