#include <gtest/gtest.h>

#include "geometry/geometry.h"
#include "tests/unit/geometry/signed_volume.h"

namespace protobeam {
namespace {

TEST(Scaled, BoxesStayExactUnderAnyScale) {
  EXPECT_EQ(std::get<Box>(scaled(Box{{1, 2, 3}}, {2, -3, 4})).size, Vec3(2, 6, 12));
}

TEST(Scaled, SpheresStayExactWhenUniform) {
  EXPECT_EQ(std::get<Sphere>(scaled(Sphere{2}, {3, 3, 3})).radius, 6);
  EXPECT_EQ(std::get<Sphere>(scaled(Sphere{2}, {-3, 3, 3})).radius, 6);
}

TEST(Scaled, CylindersStayExactAlongTheirAxis) {
  const auto cylinder = std::get<Cylinder>(scaled(Cylinder{2, 3}, {2, 2, 5}));
  EXPECT_EQ(cylinder.radius, 4);
  EXPECT_EQ(cylinder.height, 15);
}

TEST(Scaled, AMirroredCylinderSwapsItsCaps) {
  const auto cylinder = std::get<Cylinder>(scaled(Cylinder{1, 1, false, true, true}, {1, 1, -1}));
  EXPECT_TRUE(cylinder.bottom);
  EXPECT_FALSE(cylinder.top);
}

TEST(Scaled, RoundShapesBecomeMeshesOtherwise) {
  EXPECT_TRUE(std::holds_alternative<Mesh>(scaled(Sphere{1}, {1, 1, 2})));
  EXPECT_TRUE(std::holds_alternative<Mesh>(scaled(Cylinder{1, 2}, {1, 2, 2})));
  EXPECT_TRUE(std::holds_alternative<Mesh>(scaled(Capsule{1, 2}, {1, 1, 2})));
  EXPECT_TRUE(std::holds_alternative<Mesh>(scaled(Cone{1, 2}, {1, 1, -1})));
  EXPECT_TRUE(std::holds_alternative<Mesh>(scaled(Plane{{1, 2}}, {1, 1, -1})));
}

TEST(Scaled, AnEllipsoidHasTheMassOfAnEllipsoid) {
  // 4/3 pi a b c, m/5 (b^2 + c^2), ...; the default mesh lies inside it, by about 1 %.
  const MassProperties m = mass_properties(scaled(Sphere{1}, {0.5, 1, 2}), 1);
  const double mass = 4 * kPi / 3;
  EXPECT_NEAR(m.mass, mass, 0.02 * mass);
  const Vec3 inertia = mass / 5 * Vec3(5, 4.25, 1.25);
  EXPECT_LT((m.inertia.diagonal() - inertia).norm(), 0.03 * inertia.norm());
}

/// Positive for triangles that are counter-clockwise seen from outside.
TEST(Scaled, AMirroredMeshStillFacesOutwards) {
  const Mesh cone = triangulated(Cone{1, 3});
  const double volume = signed_volume(cone);
  EXPECT_GT(volume, 0);
  EXPECT_NEAR(signed_volume(std::get<Mesh>(scaled(cone, {-1, 1, 1}))), volume, 1e-12);
  EXPECT_NEAR(signed_volume(std::get<Mesh>(scaled(cone, {-2, -3, -1}))), 6 * volume, 1e-12);
}

TEST(Scaled, NormalsStayUprightOnTheSurfaceAndUvsStayWithTheirCorners) {
  Mesh mesh;
  mesh.vertices = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.triangles = {{0, 1, 2}};
  const Eigen::Vector3f normal = Eigen::Vector3f::Ones().normalized();
  mesh.normals = {{normal, normal, normal}};
  mesh.uvs = {{Eigen::Vector2f(0, 0), {1, 0}, {0, 1}}};
  for (const Vec3& scale : {Vec3(1, 2, 4), Vec3(-1, 2, 4), Vec3(-1, -2, -4)}) {
    const Mesh result = std::get<Mesh>(scaled(mesh, scale));
    const auto& t = result.triangles[0];
    const Vec3 &a = result.vertices[t[0]], &b = result.vertices[t[1]], &c = result.vertices[t[2]];
    const Vec3 flat = (b - a).cross(c - a).normalized();
    EXPECT_NEAR(result.normals[0][0].cast<double>().dot(flat), 1, 1e-6);
    for (int corner = 0; corner < 3; ++corner) {
      const Eigen::Vector2f expected = t[corner] == 0   ? Eigen::Vector2f(0, 0)
                                       : t[corner] == 1 ? Eigen::Vector2f(1, 0)
                                                        : Eigen::Vector2f(0, 1);
      EXPECT_EQ(result.uvs[0][corner], expected);
    }
  }
}

}  // namespace
}  // namespace protobeam
