#include "mvsim/world/height_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "base/named_files.h"
#include "mvsim/expression.h"

namespace protobeam::mvsim {
namespace {

constexpr std::size_t kMostPointBytes = 256 << 20;
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

/// The numbers of a line; nothing when something else is in it.
std::optional<std::vector<double>> numbers_of(std::string_view line) {
  constexpr std::string_view kBetween = " \t\r,";
  std::vector<double> out;
  while (line.find_first_not_of(kBetween) != std::string_view::npos) {
    line.remove_prefix(line.find_first_not_of(kBetween));
    const std::string_view word = line.substr(0, line.find_first_of(kBetween));
    std::size_t end = 0;
    const auto number = scan_number(word, end);
    if (!number || end != word.size()) return std::nullopt;
    out.push_back(*number);
    line.remove_prefix(word.size());
  }
  return out;
}

}  // namespace

HeightPoints load_height_points(const std::filesystem::path& file) {
  const std::string text = read_named_file(file, kMostPointBytes);
  HeightPoints out;
  std::size_t count = 0;
  for (std::string_view left = text; !left.empty();) {
    ++count;
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(left.size(), line.size() + 1));
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#' || line[first] == '%') continue;
    const auto n = numbers_of(line);
    if (!n || n->size() != 6) {
      throw std::runtime_error(file.string() + ":" + std::to_string(count) +
                               ": a line of heights has six numbers, x y z r g b" +
                               (n ? ", got " + std::to_string(n->size()) : ""));
    }
    const auto at = [&](std::size_t i) { return (*n)[i]; };
    out.points.emplace_back(at(0), at(1), at(2));
    out.colors.push_back((Vec3(at(3), at(4), at(5)) / 255).cwiseMax(0.0).cwiseMin(1.0));
  }
  if (out.points.empty()) throw std::runtime_error(file.string() + ": there are no heights in it");
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
