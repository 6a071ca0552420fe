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
template <typename Take>
void split(Item* first, Item* last, const Take& take) {
  const auto count = static_cast<std::size_t>(last - first);
  if (count <= TriangleCluster::kMost) return take(first, last);
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
  const std::size_t clusters = (count + TriangleCluster::kMost - 1) / TriangleCluster::kMost;
  Item* const middle = first + clusters / 2 * TriangleCluster::kMost;
  std::nth_element(first, middle, last, [longest](const Item& a, const Item& b) {
    const float x = a.middle[longest], y = b.middle[longest];
    return x != y ? x < y : a.index < b.index;
  });
  split(first, middle, take);
  split(middle, last, take);
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
    std::sort(first, last, [](const Item& a, const Item& b) { return a.index < b.index; });
    TriangleCluster& cluster = all.clusters.emplace_back();
    cluster = {};
    Vec3 low = Vec3::Constant(1e30), high = -low;
    float* const to[3][3] = {{cluster.ax, cluster.ay, cluster.az},
                             {cluster.bx, cluster.by, cluster.bz},
                             {cluster.cx, cluster.cy, cluster.cz}};
    for (const Item* item = first; item != last; ++item) {
      const ClusterInput& triangle = triangles[item->index];
      const int i = cluster.count++;
      for (int corner = 0; corner < 3; ++corner) {
        for (int axis = 0; axis < 3; ++axis) {
          const float x = triangle.corner[corner][axis];
          to[corner][axis][i] = x;
          low[axis] = std::min<double>(low[axis], x);
          high[axis] = std::max<double>(high[axis], x);
        }
      }
      cluster.shape[i] = triangle.shape;
      cluster.primitive[i] = triangle.primitive;
    }
    const Vec3 center = (low + high) / 2;
    double square = 0;
    for (const Item* item = first; item != last; ++item) {
      const auto& corners = triangles[item->index].corner;
      float& longest = cluster.longest[(item - first) / TriangleCluster::kGroup];
      for (std::size_t i = 0; i < 3; ++i) {
        const auto *a = corners[i], *b = corners[(i + 1) % 3];
        const Vec3 p_a(a[0], a[1], a[2]), p_b(b[0], b[1], b[2]);
        square = std::max(square, (p_a - center).squaredNorm());
        longest = std::max(longest, static_cast<float>((p_b - p_a).norm() * 1.00001));
      }
    }
    all.balls.x.push_back(static_cast<float>(center.x()));
    all.balls.y.push_back(static_cast<float>(center.y()));
    all.balls.z.push_back(static_cast<float>(center.z()));
    // The center was rounded, and so will be its place before the sensor.
    all.balls.radius.push_back(
        static_cast<float>(std::sqrt(square) * 1.00001 + 1e-6 * center.cwiseAbs().maxCoeff()));
  };
  split(items.data(), items.data() + items.size(), take);
  all.balls.fill_up();
  return all;
}

}  // namespace protobeam
