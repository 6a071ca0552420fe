#include "geometry/edges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace protobeam {
namespace {

/// Whether some segment has these ends.
bool has(const std::vector<Vec3>& ends, const Vec3& a, const Vec3& b) {
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
    const Vec3 &p = ends[i], &q = ends[i + 1];
    if (((p - a).norm() < 1e-9 && (q - b).norm() < 1e-9) ||
        ((p - b).norm() < 1e-9 && (q - a).norm() < 1e-9)) {
      return true;
    }
  }
  return false;
}

void expect_all(const std::vector<Vec3>& ends, const std::function<bool(const Vec3&)>& on_surface) {
  ASSERT_FALSE(ends.empty());
  ASSERT_EQ(ends.size() % 2, 0u);
  for (const Vec3& p : ends) EXPECT_TRUE(on_surface(p)) << p.transpose();
}

/// A box of 1 x 2 x 3 m as exporters write it: each face has its own four corners.
Mesh box_mesh() {
  Mesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-0.5, 0.5}) {
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (const auto& [u, v] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
        Vec3 p;
        p[axis] = side;
        p[(axis + 1) % 3] = u;
        p[(axis + 2) % 3] = v;
        mesh.vertices.push_back(p.cwiseProduct(Vec3(1, 2, 3)));
      }
      if (side > 0) {
        mesh.triangles.push_back({first, first + 1, first + 2});
        mesh.triangles.push_back({first, first + 2, first + 3});
      } else {
        mesh.triangles.push_back({first, first + 2, first + 1});
        mesh.triangles.push_back({first, first + 3, first + 2});
      }
    }
  }
  return mesh;
}

void expect_box_edges(const std::vector<Vec3>& ends) {
  EXPECT_EQ(ends.size(), 24u);
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-1.0, 1.0}) {
      EXPECT_TRUE(has(ends, {-0.5, a, 1.5 * b}, {0.5, a, 1.5 * b}));
      EXPECT_TRUE(has(ends, {0.5 * a, -1, 1.5 * b}, {0.5 * a, 1, 1.5 * b}));
      EXPECT_TRUE(has(ends, {0.5 * a, b, -1.5}, {0.5 * a, b, 1.5}));
    }
  }
}

TEST(Edges, OfABoxAreItsTwelve) { expect_box_edges(edges_of(Box{{1, 2, 3}})); }

TEST(Edges, OfAMeshAreThoseBetweenItsFaces) { expect_box_edges(edges_of(box_mesh())); }

TEST(Edges, OfAFlatMeshAreItsOutline) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  const std::vector<Vec3> ends = edges_of(mesh);
  EXPECT_EQ(ends.size(), 8u);
  EXPECT_TRUE(has(ends, {0, 0, 0}, {1, 0, 0}));
  EXPECT_TRUE(has(ends, {0, 1, 0}, {0, 0, 0}));
  EXPECT_FALSE(has(ends, {0, 0, 0}, {1, 1, 0}));
  mesh.vertices[3].z() = 0.1;  // folded along the diagonal
  EXPECT_TRUE(has(edges_of(mesh), {0, 0, 0}, {1, 1, 0}));
}

TEST(Edges, OfABrokenMeshAreThoseOfItsGoodTriangles) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 1, 9}, {0, 0, 1}};
  EXPECT_EQ(edges_of(mesh).size(), 6u);
  EXPECT_TRUE(edges_of(Mesh{}).empty());
}

TEST(Edges, OfAVeryFineMeshAreTheSharpOnes) {
  // A tube open at both ends, of 300 x 300 cells, which meet at 1.2 degrees.
  Mesh mesh;
  const int n = 300;
  for (int i = 0; i <= n; ++i) {
    for (int k = 0; k < n; ++k) {
      const double a = 2 * kPi * k / n;
      mesh.vertices.push_back({std::cos(a), std::sin(a), static_cast<double>(i) / n});
    }
  }
  const auto at = [](int i, int k) { return static_cast<std::uint32_t>(i * n + k % n); };
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      mesh.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k + 1)});
      mesh.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i + 1, k)});
    }
  }
  // What is left are the two rims.
  const std::vector<Vec3> ends = edges_of(mesh);
  EXPECT_EQ(ends.size(), 2u * 2 * n);
  for (const Vec3& p : ends) EXPECT_TRUE(p.z() == 0 || p.z() == 1);
}

TEST(Edges, OfRoundShapesLieOnThem) {
  expect_all(edges_of(Sphere{2}), [](const Vec3& p) { return std::abs(p.norm() - 2) < 1e-9; });
  expect_all(edges_of(Cylinder{0.5, 3}), [](const Vec3& p) {
    return std::abs(p.head<2>().norm() - 0.5) < 1e-9 && std::abs(std::abs(p.z()) - 1.5) < 1e-9;
  });
  expect_all(edges_of(Capsule{0.5, 3}), [](const Vec3& p) {
    const Vec3 core(0, 0, std::clamp(p.z(), -1.5, 1.5));
    return std::abs((p - core).norm() - 0.5) < 1e-9;
  });
  expect_all(edges_of(Cone{0.5, 3}), [](const Vec3& p) {
    return std::abs(p.head<2>().norm() - 0.5 * (1.5 - p.z()) / 3) < 1e-9;
  });
}

TEST(Edges, OfRoundShapesReachTheirEnds) {
  const auto highest = [](const Geometry& shape) {
    double z = 0;
    for (const Vec3& p : edges_of(shape)) z = std::max(z, p.z());
    return z;
  };
  EXPECT_NEAR(highest(Sphere{2}), 2, 1e-9);
  EXPECT_NEAR(highest(Capsule{0.5, 3}), 2, 1e-9);
  EXPECT_NEAR(highest(Cone{0.5, 3}), 1.5, 1e-9);
}

TEST(Edges, OfAPlaneAreAGridOfItsSize) {
  const auto extent = [](const Plane& plane) {
    Vec3 most = Vec3::Zero();
    for (const Vec3& p : edges_of(plane)) {
      EXPECT_EQ(p.z(), 0);
      most = most.cwiseMax(p);
    }
    return Vec2(2 * most.x(), 2 * most.y());
  };
  EXPECT_NEAR((extent(Plane{{60, 30}}) - Vec2(60, 30)).norm(), 0, 1e-9);
  // Physics makes nothing of the size: a plane that is left small is still seen.
  EXPECT_NEAR((extent(Plane{{1, 1}}) - Vec2(10, 10)).norm(), 0, 1e-9);
  EXPECT_LE(edges_of(Plane{{1e6, 1e6}}).size(), 100u);
}

}  // namespace
}  // namespace protobeam
