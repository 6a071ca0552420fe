#include "mvsim/world/height_points.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "mvsim/expression.h"
#include "mvsim/world/number_lines.h"

namespace protobeam::mvsim {
namespace {

constexpr double kMostSquares = 4e6;

/// Points in the plane, each half of them on one side of a line: the nearest one to a place is
/// found without looking at most of them.
class NearestPoint {
 public:
  explicit NearestPoint(const std::vector<Vec2>& points) : points_(points), order_(points.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    sort(0, order_.size(), 0);
  }

  /// Of points that are equally near the first one.
  std::size_t find(const Vec2& p) const {
    Best best;
    find(p, 0, order_.size(), 0, best);
    return best.point;
  }

 private:
  struct Best {
    double distance2 = std::numeric_limits<double>::infinity();
    std::size_t point = std::numeric_limits<std::size_t>::max();
  };

  void sort(std::size_t begin, std::size_t end, int axis) {
    if (end - begin < 2) return;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::stable_sort(at(begin), at(end), [&](std::size_t a, std::size_t b) {
      return points_[a][axis] < points_[b][axis];
    });
    sort(begin, middle, 1 - axis);
    sort(middle + 1, end, 1 - axis);
  }

  void find(const Vec2& p, std::size_t begin, std::size_t end, int axis, Best& best) const {
    if (begin == end) return;
    const std::size_t middle = begin + (end - begin) / 2, point = order_[middle];
    const double distance2 = (points_[point] - p).squaredNorm();
    if (distance2 < best.distance2 || (distance2 == best.distance2 && point < best.point)) {
      best = {distance2, point};
    }
    const double across = p[axis] - points_[point][axis];
    const auto side = [&](bool upper) {
      if (upper) {
        find(p, middle + 1, end, 1 - axis, best);
      } else {
        find(p, begin, middle, 1 - axis, best);
      }
    };
    side(across > 0);
    if (across * across <= best.distance2) side(across <= 0);
  }

  const std::vector<Vec2>& points_;
  std::vector<std::size_t> order_;
};

}  // namespace

HeightPoints load_height_points(const std::filesystem::path& file) {
  HeightPoints out;
  read_number_lines(file, 6, false, "heights has six numbers, x y z r g b",
                    [&](std::span<const double> n) {
                      out.points.emplace_back(n[0], n[1], n[2]);
                      const Vec3 color = Vec3(n[3], n[4], n[5]) / 255;
                      out.colors.push_back(color.cwiseMax(0.0).cwiseMin(1.0));
                    });
  return out;
}

SampledHeights sampled(const HeightPoints& points, double resolution) {
  Vec2 low = Vec2::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vec3& p : points.points) {
    low = low.cwiseMin(p.head<2>());
    high = high.cwiseMax(p.head<2>());
  }
  std::vector<Vec2> flat;
  flat.reserve(points.points.size());
  for (const Vec3& p : points.points) flat.emplace_back(p.head<2>() - low);
  const Vec2 squares = ((high - low) / resolution).array().ceil();
  if (!(squares.minCoeff() >= 2 && squares.prod() <= kMostSquares)) {
    throw std::runtime_error("the points cover " + to_text(high.x() - low.x()) + " by " +
                             to_text(high.y() - low.y()) + " m: that is " + to_text(squares.x()) +
                             " by " + to_text(squares.y()) + " squares of the <resolution> " +
                             to_text(resolution) +
                             " m, and there must be 2 by 2 to 4 million of them");
  }
  SampledHeights out;
  out.corner = low;
  out.rows = static_cast<std::size_t>(squares.x());
  out.columns = static_cast<std::size_t>(squares.y());
  const NearestPoint nearest(flat);
  for (std::size_t row = 0; row < out.rows; ++row) {
    for (std::size_t column = 0; column < out.columns; ++column) {
      const std::size_t point = nearest.find(
          resolution * Vec2(static_cast<double>(row) + 0.5, static_cast<double>(column) + 0.5));
      out.heights.push_back(points.points[point].z());
      out.color += points.colors[point];
    }
  }
  out.color /= static_cast<double>(out.heights.size());
  return out;
}

}  // namespace protobeam::mvsim
