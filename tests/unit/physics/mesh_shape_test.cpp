#include "physics/mesh_shape.h"

#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "base/rng.h"

namespace protobeam::physics {
namespace {

/// Bumpy ground of 9 x 9 cells, steep and flat, with a few triangles across it and two that have no
/// area.
void add_ground(std::uint64_t seed, btTriangleMesh& mesh) {
  constexpr int kPoints = 10;
  std::uint64_t drawn = 0;
  const auto draw = [&] { return uniform({.seed = seed}, drawn++); };
  btVector3 points[kPoints][kPoints];
  for (int i = 0; i < kPoints; ++i) {
    for (int j = 0; j < kPoints; ++j)
      points[i][j] = {i + 0.3 * draw(), j + 0.3 * draw(), draw() < 0.3 ? 0 : 2 * draw()};
  }
  for (int i = 0; i + 1 < kPoints; ++i) {
    for (int j = 0; j + 1 < kPoints; ++j) {
      mesh.addTriangle(points[i][j], points[i + 1][j], points[i + 1][j + 1]);
      mesh.addTriangle(points[i][j], points[i + 1][j + 1], points[i][j + 1]);
    }
  }
  for (int i = 0; i < 5; ++i) mesh.addTriangle(points[i][i], points[i + 1][i + 1], points[9][i]);
  mesh.addTriangle(points[2][2], points[2][2], points[3][3]);
  mesh.addTriangle(points[4][4], points[5][5], points[4][4]);
}

TEST(MeshShape, FindsForOneTriangleWhatBulletFindsForAll) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    btTriangleMesh triangles(true, false);
    add_ground(seed, triangles);
    btBvhTriangleMeshShape bullets(&triangles, false);
    btTriangleInfoMap expected;
    btGenerateInternalEdgeInfo(&bullets, &expected);
    MeshShape shape(triangles);
    const btTriangleInfoMap& edges = *shape.getTriangleInfoMap();
    // Backwards, and some of them twice.
    for (int i = triangles.getNumTriangles(); i-- > 0;) {
      EXPECT_EQ(edges.find(i), nullptr);
      for (int k = 0; k < 1 + i % 2; ++k) shape.find_edges_of(i);
      const btTriangleInfo* of_one = edges.find(i);
      const btTriangleInfo* of_all = expected.find(i);
      ASSERT_EQ(of_one != nullptr, of_all != nullptr) << seed << ' ' << i;
      if (!of_all) continue;
      EXPECT_EQ(of_one->m_flags, of_all->m_flags) << seed << ' ' << i;
      EXPECT_EQ(of_one->m_edgeV0V1Angle, of_all->m_edgeV0V1Angle) << seed << ' ' << i;
      EXPECT_EQ(of_one->m_edgeV1V2Angle, of_all->m_edgeV1V2Angle) << seed << ' ' << i;
      EXPECT_EQ(of_one->m_edgeV2V0Angle, of_all->m_edgeV2V0Angle) << seed << ' ' << i;
    }
    EXPECT_EQ(edges.size(), expected.size());
    EXPECT_GT(edges.size(), 150);
  }
}

TEST(MeshShape, KnowsNothingOfTrianglesThatItDoesNotHave) {
  btTriangleMesh triangles(true, false);
  triangles.addTriangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  triangles.addTriangle({1, 0, 0}, {1, 1, 0.5}, {0, 1, 0});
  MeshShape shape(triangles);
  for (const int triangle : {-1, 2, 1 << 20}) shape.find_edges_of(triangle);
  EXPECT_EQ(shape.getTriangleInfoMap()->size(), 0);
  shape.find_edges_of(0);
  EXPECT_EQ(shape.getTriangleInfoMap()->size(), 1);
}

}  // namespace
}  // namespace protobeam::physics
