#include "raycast/triangle_clusters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace protobeam {
namespace {

struct Item {
  std::array<float, 3> middle;  ///< three times that of the corners
  std::uint32_t index;
};

/// Splits [first, last) at the median of its longer side until what is left fits into a cluster.
/// Halves hold a multiple of a cluster, so that nearly all clusters are full.
template <std::size_t kMost, typename Take>
void split(Item* first, Item* last, const Take& take) {
  const auto count = static_cast<std::size_t>(last - first);
  if (count <= kMost) return take(first, last);
  std::array<float, 3> low = first->middle, high = first->middle;
  for (const Item* item = first; item != last; ++item) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], item->middle[axis]);
      high[axis] = std::max(high[axis], item->middle[axis]);
    }
  }
  std::size_t longest = 0;
  for (std::size_t axis = 1; axis < 3; ++axis) {
    if (high[axis] - low[axis] > high[longest] - low[longest]) longest = axis;
  }
  const std::size_t parts = (count + kMost - 1) / kMost;
  Item* const middle = first + parts / 2 * kMost;
  std::nth_element(first, middle, last, [longest](const Item& a, const Item& b) {
    const float x = a.middle[longest], y = b.middle[longest];
    return x != y ? x < y : a.index < b.index;
  });
  split<kMost>(first, middle, take);
  split<kMost>(middle, last, take);
}

/// Around triangles.
struct Ball {
  float x, y, z, radius;
};
/// The center is rounded, and so will be its place before the sensor.
Ball rounded(const Vec3& center, double radius) {
  return {static_cast<float>(center.x()), static_cast<float>(center.y()),
          static_cast<float>(center.z()),
          static_cast<float>(radius * 1.00001 + 1e-6 * center.cwiseAbs().maxCoeff())};
}
Ball ball_around(const std::vector<ClusterInput>& triangles, const Item* first, const Item* last) {
  Vec3 low = Vec3::Constant(1e30), high = -low;
  for (const Item* item = first; item != last; ++item) {
    for (const auto& corner : triangles[item->index].corner) {
      const Vec3 p(corner[0], corner[1], corner[2]);
      low = low.cwiseMin(p), high = high.cwiseMax(p);
    }
  }
  const Vec3 center = (low + high) / 2;
  double square = 0;
  for (const Item* item = first; item != last; ++item) {
    for (const auto& corner : triangles[item->index].corner) {
      square = std::max(square, (Vec3(corner[0], corner[1], corner[2]) - center).squaredNorm());
    }
  }
  return rounded(center, std::sqrt(square));
}

void add(const Ball& ball, ClusterBalls& to) {
  to.x.push_back(ball.x), to.y.push_back(ball.y), to.z.push_back(ball.z);
  to.radius.push_back(ball.radius);
}
/// Around 16 of the balls, from `first` on.
Ball ball_around(const ClusterBalls& balls, std::size_t first) {
  const std::size_t end = std::min(first + TriangleClusters::kBlock, balls.x.size());
  Vec3 low = Vec3::Constant(1e30), high = -low;
  for (std::size_t i = first; i < end; ++i) {
    const Vec3 p(balls.x[i], balls.y[i], balls.z[i]);
    const Vec3 half = Vec3::Constant(balls.radius[i]);
    low = low.cwiseMin(p - half), high = high.cwiseMax(p + half);
  }
  const Vec3 center = (low + high) / 2;
  double radius = 0;
  for (std::size_t i = first; i < end; ++i) {
    const Vec3 p(balls.x[i], balls.y[i], balls.z[i]);
    radius = std::max(radius, (p - center).norm() + balls.radius[i]);
  }
  return rounded(center, radius);
}

}  // namespace

void ClusterBalls::fill_up() {
  while (x.size() % 16 != 0) {
    for (auto* values : {&x, &y, &z}) values->push_back(0);
    radius.push_back(-1);
  }
}

TriangleClusters make_clusters(std::vector<ClusterInput> triangles) {
  std::vector<Item> items(triangles.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto& c = triangles[i].corner;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      items[i].middle[axis] = c[0][axis] + c[1][axis] + c[2][axis];
    }
    items[i].index = static_cast<std::uint32_t>(i);
  }
  TriangleClusters all;
  if (items.empty()) return all;
  const auto take = [&](Item* first, Item* last) {
    // What nth_element leaves inside a half depends on the library.
    const auto in_order = [](Item* begin, Item* end) {
      std::sort(begin, end, [](const Item& a, const Item& b) { return a.index < b.index; });
    };
    split<TriangleCluster::kGroup>(first, last, in_order);
    TriangleCluster& cluster = all.clusters.emplace_back();
    cluster = {};
    float* const to[3][3] = {{cluster.ax, cluster.ay, cluster.az},
                             {cluster.bx, cluster.by, cluster.bz},
                             {cluster.cx, cluster.cy, cluster.cz}};
    for (const Item* item = first; item != last; ++item) {
      const ClusterInput& triangle = triangles[item->index];
      const int i = cluster.count++;
      Vec3 p[3];
      for (int corner = 0; corner < 3; ++corner) {
        for (int axis = 0; axis < 3; ++axis) {
          p[corner][axis] = to[corner][axis][i] = triangle.corner[corner][axis];
        }
      }
      cluster.shape[i] = triangle.shape;
      cluster.primitive[i] = triangle.primitive;
      float& longest = cluster.longest[i / TriangleCluster::kGroup];
      for (int corner = 0; corner < 3; ++corner) {
        const double side = (p[(corner + 1) % 3] - p[corner]).norm();
        longest = std::max(longest, static_cast<float>(side * 1.00001));
      }
    }
    for (int group = 0; group < TriangleCluster::kGroups; ++group) {
      const int begin = std::min(group * TriangleCluster::kGroup, cluster.count);
      const int end = std::min(begin + TriangleCluster::kGroup, cluster.count);
      const Ball ball =
          begin < end ? ball_around(triangles, first + begin, first + end) : Ball{0, 0, 0, -1};
      cluster.ball_x[group] = ball.x, cluster.ball_y[group] = ball.y;
      cluster.ball_z[group] = ball.z, cluster.ball_radius[group] = ball.radius;
    }
    all.counts.push_back(static_cast<std::uint8_t>(cluster.count));
    add(ball_around(triangles, first, last), all.balls);
  };
  split<TriangleCluster::kMost>(items.data(), items.data() + items.size(), take);
  for (std::size_t first = 0; first < all.balls.x.size(); first += TriangleClusters::kBlock) {
    add(ball_around(all.balls, first), all.blocks);
  }
  for (ClusterBalls* balls : {&all.balls, &all.blocks}) balls->fill_up();
  return all;
}

}  // namespace protobeam
