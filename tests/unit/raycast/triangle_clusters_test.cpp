#include "raycast/triangle_clusters.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace protobeam {
namespace {

std::vector<ClusterInput> scattered(std::size_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> place(-50, 50), side(-0.5f, 0.5f);
  std::vector<ClusterInput> triangles(count);
  for (std::size_t i = 0; i < count; ++i) {
    const float middle[3] = {place(random), place(random), place(random)};
    for (auto& corner : triangles[i].corner) {
      for (int axis = 0; axis < 3; ++axis) corner[axis] = middle[axis] + side(random);
    }
    triangles[i].shape = 1;
    triangles[i].primitive = static_cast<std::uint32_t>(i);
  }
  return triangles;
}

Vec3 corner_of(const TriangleCluster& cluster, int i, int corner) {
  switch (corner) {
    case 0:
      return {cluster.ax[i], cluster.ay[i], cluster.az[i]};
    case 1:
      return {cluster.bx[i], cluster.by[i], cluster.bz[i]};
    default:
      return {cluster.cx[i], cluster.cy[i], cluster.cz[i]};
  }
}

TEST(TriangleClusters, HoldEachTriangleOnce) {
  const auto triangles = scattered(1000);
  const TriangleClusters all = make_clusters(triangles);
  std::set<std::uint32_t> seen;
  for (const TriangleCluster& cluster : all.clusters) {
    for (int i = 0; i < cluster.count; ++i) {
      EXPECT_TRUE(seen.insert(cluster.primitive[i]).second);
      const auto& corners = triangles[cluster.primitive[i]].corner;
      for (int corner = 0; corner < 3; ++corner) {
        const auto& p = corners[corner];
        EXPECT_EQ(corner_of(cluster, i, corner), Vec3(p[0], p[1], p[2]));
      }
    }
  }
  EXPECT_EQ(seen.size(), triangles.size());
}

TEST(TriangleClusters, LieInTheirBallsAndSoDoTheirGroups) {
  const TriangleClusters all = make_clusters(scattered(1000));
  ASSERT_EQ(all.clusters.size(), 16u);
  double groups = 0, clusters = 0;
  for (std::size_t k = 0; k < all.clusters.size(); ++k) {
    const TriangleCluster& cluster = all.clusters[k];
    const Vec3 center(all.balls.x[k], all.balls.y[k], all.balls.z[k]);
    for (int i = 0; i < cluster.count; ++i) {
      const int group = i / TriangleCluster::kGroup;
      const Vec3 middle(cluster.ball_x[group], cluster.ball_y[group], cluster.ball_z[group]);
      for (int corner = 0; corner < 3; ++corner) {
        const Vec3 p = corner_of(cluster, i, corner);
        EXPECT_LE((p - center).norm(), double{all.balls.radius[k]});
        EXPECT_LE((p - middle).norm(), double{cluster.ball_radius[group]});
        const Vec3 next = corner_of(cluster, i, (corner + 1) % 3);
        EXPECT_LE((next - p).norm(), double{cluster.longest[group]});
      }
    }
    clusters += double{all.balls.radius[k]};
    for (const float radius : cluster.ball_radius) {
      groups += radius > 0 ? double{radius} / TriangleCluster::kGroups : 0;
    }
  }
  // A quarter of the triangles of a cluster, taken by place: not any of them.
  EXPECT_LT(groups, 0.8 * clusters);
}

TEST(TriangleClusters, SayWhichGroupsAreEmpty) {
  const TriangleClusters all = make_clusters(scattered(20));
  ASSERT_EQ(all.clusters.size(), 1u);
  EXPECT_GT(all.clusters[0].ball_radius[1], 0);
  EXPECT_EQ(all.clusters[0].ball_radius[2], -1);
  EXPECT_EQ(all.clusters[0].ball_radius[3], -1);
}

}  // namespace
}  // namespace protobeam
