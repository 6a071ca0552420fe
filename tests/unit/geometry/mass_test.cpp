#include <gtest/gtest.h>

#include <cmath>

#include "geometry/geometry.h"

namespace protobeam {
namespace {

void expect_near(const MassProperties& a, const MassProperties& b, double relative) {
  const double size = std::max({1e-300, b.com.norm(), std::sqrt(b.inertia.norm() / b.mass)});
  EXPECT_NEAR(a.mass, b.mass, relative * b.mass);
  EXPECT_LT((a.com - b.com).norm(), relative * size) << a.com.transpose();
  EXPECT_LT((a.inertia - b.inertia).norm(), relative * b.inertia.norm()) << a.inertia;
}

/// Second opinion: cells of a grid whose middle lies inside.
template <class Inside>
MassProperties by_cells(double density, const Vec3& half, int cells, Inside inside) {
  const Vec3 step = 2 * half / cells;
  double count = 0;
  Vec3 sum = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      for (int k = 0; k < cells; ++k) {
        const Vec3 p = -half + step.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5));
        if (!inside(p)) continue;
        count += 1;
        sum += p;
        second += p * p.transpose();
      }
    }
  }
  MassProperties m;
  m.mass = density * step.prod() * count;
  m.com = sum / count;
  second = m.mass * (second / count - m.com * m.com.transpose());
  m.inertia = second.trace() * Mat3::Identity() - second;
  return m;
}

TEST(MassProperties, OfABoxAreTheTextbookValues) {
  const MassProperties m = mass_properties(Box{{1, 2, 3}}, 1000);
  EXPECT_DOUBLE_EQ(m.mass, 6000);
  EXPECT_EQ(m.com, Vec3::Zero());
  const Mat3 inertia = Vec3(6500, 5000, 2500).asDiagonal();  // 6000 / 12 * (4 + 9), ...
  EXPECT_LT((m.inertia - inertia).norm(), 1e-9);
}

TEST(MassProperties, OfASphereAreTheTextbookValues) {
  const MassProperties m = mass_properties(Sphere{0.5}, 3);
  EXPECT_DOUBLE_EQ(m.mass, kPi / 2);  // 4/3 pi / 8 * 3
  EXPECT_LT((m.inertia - Mat3::Identity() * kPi / 20).norm(), 1e-15);
}

TEST(MassProperties, OfACylinderAreTheTextbookValues) {
  const MassProperties m = mass_properties(Cylinder{2, 6}, 1 / kPi);
  EXPECT_DOUBLE_EQ(m.mass, 24);
  const Mat3 inertia = Vec3(96, 96, 48).asDiagonal();  // 24 (12 + 36) / 12, 24 * 4 / 2
  EXPECT_LT((m.inertia - inertia).norm(), 1e-12);
}

TEST(MassProperties, OfRoundShapesAgreeWithCountedCells) {
  const double r = 0.7, h = 1.6;
  const auto across = [](const Vec3& p) { return std::hypot(p.x(), p.y()); };
  expect_near(mass_properties(Cylinder{r, h}, 5),
              by_cells(5, {r, r, h / 2}, 100, [&](const Vec3& p) { return across(p) < r; }), 2e-3);
  expect_near(mass_properties(Capsule{r, h}, 5),
              by_cells(5, {r, r, h / 2 + r}, 100,
                       [&](const Vec3& p) {
                         return std::hypot(across(p), std::max(0.0, std::abs(p.z()) - h / 2)) < r;
                       }),
              2e-3);
  expect_near(mass_properties(Cone{r, h}, 5),
              by_cells(5, {r, r, h / 2}, 100,
                       [&](const Vec3& p) { return across(p) < r * (0.5 - p.z() / h); }),
              2e-3);
}

TEST(MassProperties, MissingCapsAreOnlyInvisible) {
  EXPECT_EQ(mass_properties(Cylinder{1, 2, false, true, false}, 7).mass,
            mass_properties(Cylinder{1, 2}, 7).mass);
}

TEST(MassProperties, OfAPlaneAreZero) { EXPECT_EQ(mass_properties(Plane{{10, 10}}, 1000).mass, 0); }

TEST(MassProperties, OfAMeshedBoxAreThoseOfTheBox) {
  const Box box{{0.3, 0.4, 1.2}};
  expect_near(mass_properties(triangulated(box), 800), mass_properties(box, 800), 1e-13);
}

TEST(MassProperties, OfAFineMeshTendToThoseOfTheRoundShape) {
  for (const Geometry& shape : {Geometry(Sphere{0.6}), Geometry(Cylinder{0.6, 2}),
                                Geometry(Capsule{0.6, 2}), Geometry(Cone{0.6, 2})}) {
    expect_near(mass_properties(triangulated(shape, 720), 2), mass_properties(shape, 2), 1e-4);
  }
}

TEST(MassProperties, OfAMeshFarFromItsOriginKeepTheirDigits) {
  const Box box{{0.3, 0.4, 1.2}};
  Mesh mesh = triangulated(box);
  const Vec3 far(1e5, -2e5, 3e4);
  for (Vec3& vertex : mesh.vertices) vertex += far;
  const MassProperties m = mass_properties(mesh, 800);
  const MassProperties expected = mass_properties(box, 800);
  EXPECT_NEAR(m.mass, expected.mass, 1e-8 * expected.mass);
  EXPECT_LT((m.com - far).norm(), 1e-8);
  EXPECT_LT((m.inertia - expected.inertia).norm(), 1e-8 * expected.inertia.norm());
}

TEST(MassProperties, OfASkewTetrahedronHaveProductsOfInertia) {
  // Corners (0,0,0), (1,0,0), (0,2,0), (0,0,3): volume 1, centre a quarter of each edge. About the
  // corner: int x^2 = V a^2 / 10, int x y = V a b / 20.
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const MassProperties m = mass_properties(mesh, 1);
  EXPECT_NEAR(m.mass, 1, 1e-14);
  EXPECT_LT((m.com - Vec3(0.25, 0.5, 0.75)).norm(), 1e-14);
  Mat3 second;
  second << 0.1, 0.1, 0.15, 0.1, 0.4, 0.3, 0.15, 0.3, 0.9;
  second -= m.com * m.com.transpose();
  EXPECT_LT((m.inertia - (second.trace() * Mat3::Identity() - second)).norm(), 1e-14);
}

TEST(MassProperties, AnInsideOutMeshIsTheSameBody) {
  Mesh mesh = triangulated(Cone{1, 2});
  const MassProperties expected = mass_properties(mesh, 3);
  for (auto& triangle : mesh.triangles) std::swap(triangle[0], triangle[1]);
  expect_near(mass_properties(mesh, 3), expected, 1e-13);
}

TEST(MassProperties, AMeshWithoutSharedVerticesIsClosedAllTheSame) {
  const Mesh shared = triangulated(Cylinder{1, 2});
  Mesh soup;
  for (const auto& triangle : shared.triangles) {
    const auto n = static_cast<std::uint32_t>(soup.vertices.size());
    for (const std::uint32_t corner : triangle) soup.vertices.push_back(shared.vertices[corner]);
    soup.triangles.push_back({n, n + 1, n + 2});
  }
  EXPECT_EQ(mass_properties(soup, 1).mass, mass_properties(shared, 1).mass);
}

TEST(MassProperties, AnOpenMeshGetsItsBoundingBox) {
  Mesh mesh = triangulated(Cylinder{1, 2, false, true, true});
  for (Vec3& vertex : mesh.vertices) vertex.z() += 5;
  const MassProperties m = mass_properties(mesh, 10);
  EXPECT_DOUBLE_EQ(m.mass, 80);
  EXPECT_LT((m.com - Vec3(0, 0, 5)).norm(), 1e-14);
}

TEST(MassProperties, SeenFromAnotherFrameTurnAndShift) {
  const Pose X_AB{axis_angle({0, 0, 1}, kPi / 2), {1, 2, 3}};
  const MassProperties m = transformed(mass_properties(Box{{1, 2, 3}}, 1000), X_AB);
  EXPECT_LT((m.com - Vec3(1, 2, 3)).norm(), 1e-14);
  const Mat3 inertia = Vec3(5000, 6500, 2500).asDiagonal();
  EXPECT_LT((m.inertia - inertia).norm(), 1e-9);
}

TEST(MassProperties, TwoHalvesMakeTheWhole) {
  const auto slab = [](double z, double height) {
    return transformed(mass_properties(Box{{1, 2, height}}, 1000), Pose::translation({0, 0, z}));
  };
  expect_near(combined(slab(-1, 1), slab(0.5, 2)), mass_properties(Box{{1, 2, 3}}, 1000), 1e-14);
}

TEST(MassProperties, NothingAddsNothing) {
  const MassProperties box = mass_properties(Box{{1, 2, 3}}, 1000);
  expect_near(combined(box, {}), box, 1e-15);
  EXPECT_EQ(combined({}, {}).mass, 0);
}

}  // namespace
}  // namespace protobeam
