#include "geometry/holed_polygon.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace protobeam {
namespace {

constexpr std::size_t kMostCorners = 4096;

double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

/// Not outside, for a triangle against the clock.
bool is_within(const Vec2& p, const Vec2& a, const Vec2& b, const Vec2& c) {
  return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}

using Loop = std::vector<std::size_t>;

class HoledPolygon {
 public:
  /// `points`: in the plane, with an outline against the clock.
  explicit HoledPolygon(std::vector<Vec2> points) : points_(std::move(points)) {}

  /// A hole becomes part of the outline by a cut from its rightmost corner to one that it sees
  /// (D. Eberly, "Triangulation by ear clipping").
  void join(Loop& outline, Loop hole) const {
    if (area(hole) > 0) std::ranges::reverse(hole);
    std::ranges::rotate(
        hole, std::ranges::max_element(hole, {}, [&](std::size_t i) { return points_[i].x(); }));
    const std::size_t at = seen_from(outline, points_[hole.front()]);
    Loop cut{outline[at]};
    cut.insert(cut.begin(), hole.front());
    cut.insert(cut.begin(), hole.begin(), hole.end());
    outline.insert(outline.begin() + static_cast<std::ptrdiff_t>(at) + 1, cut.begin(), cut.end());
  }

  /// The first ear of those that are left is cut, again and again.
  std::vector<std::array<std::size_t, 3>> ears(const Loop& outline) const {
    std::vector<Corner> corners;
    for (const std::size_t point : outline) corners.push_back({point});
    Loop left(corners.size());  // of them
    std::iota(left.begin(), left.end(), 0);
    std::vector<std::array<std::size_t, 3>> out;
    while (left.size() > 2) {
      const std::size_t n = left.size();
      std::size_t ear = 0;
      while (ear < n && !is_ear(corners, left, ear)) ++ear;
      if (ear == n) ear = 0;  // by rounding: cut anywhere, lose nothing else
      Corner &before = corners[left[(ear + n - 1) % n]], &after = corners[left[(ear + 1) % n]];
      out.push_back({before.point, corners[left[ear]].point, after.point});
      corners[left[ear]].cut = true;
      before.known = after.known = false;
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    return out;
  }

  double rightmost(const Loop& loop) const {
    double out = -std::numeric_limits<double>::infinity();
    for (const std::size_t i : loop) out = std::max(out, points_[i].x());
    return out;
  }

 private:
  double area(const Loop& loop) const {
    double out = 0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec2 &a = points_[loop[i]], &b = points_[loop[(i + 1) % loop.size()]];
      out += a.x() * b.y() - b.x() * a.y();
    }
    return out;
  }

  /// The place in the outline of a corner that nothing hides from `p`, which is in it.
  std::size_t seen_from(const Loop& outline, const Vec2& p) const {
    const std::size_t n = outline.size();
    double nearest = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Vec2 &a = points_[outline[i]], &b = points_[outline[(i + 1) % n]];
      // Only edges that go up have their inside on the left, where p is.
      if (!(a.y() <= p.y() && b.y() >= p.y() && a.y() < b.y())) continue;
      const double x = a.x() + (b.x() - a.x()) * (p.y() - a.y()) / (b.y() - a.y());
      if (x < p.x() || x >= nearest) continue;
      nearest = x;
      best = a.x() > b.x() ? i : (i + 1) % n;
    }
    // Corners before the line to it hide it: of those the one least off the x axis is seen.
    const Vec2 hit(nearest, p.y()), corner = points_[outline[best]];
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i) {
      const Vec2& q = points_[outline[i]];
      if (q == corner || !is_reflex(outline, i) || q.x() <= p.x()) continue;
      const bool within =
          corner.y() >= p.y() ? is_within(q, p, hit, corner) : is_within(q, p, corner, hit);
      const double slope = std::abs(q.y() - p.y()) / (q.x() - p.x());
      if (!within || slope >= least) continue;
      least = slope;
      best = i;
    }
    return best;
  }

  bool is_reflex(const Loop& loop, std::size_t i) const {
    const std::size_t n = loop.size();
    return turn(points_[loop[(i + n - 1) % n]], points_[loop[i]], points_[loop[(i + 1) % n]]) <= 0;
  }

  /// What is known of a corner as long as those beside it stay. What is not outside of its triangle
  /// keeps it from being an ear until that is cut itself.
  struct Corner {
    std::size_t point = 0;
    bool cut = false, known = false, ear = false;
    std::optional<std::size_t> within{};  ///< a corner
  };

  bool is_ear(std::vector<Corner>& corners, const Loop& left, std::size_t i) const {
    Corner& corner = corners[left[i]];
    if (corner.known && !(corner.within && corners[*corner.within].cut)) return corner.ear;
    const auto at = [&](std::size_t place) { return points_[corners[left[place]].point]; };
    const std::size_t n = left.size();
    const Vec2 a = at((i + n - 1) % n), b = at(i), c = at((i + 1) % n);
    corner.known = true;
    corner.ear = turn(a, b, c) > 0;
    corner.within.reset();
    if (!corner.ear) return false;
    const auto within = std::ranges::find_if(left, [&](std::size_t other) {
      const Vec2& p = points_[corners[other].point];
      return p != a && p != b && p != c && is_within(p, a, b, c);
    });
    corner.ear = within == left.end();
    if (!corner.ear) corner.within = *within;
    return corner.ear;
  }

  std::vector<Vec2> points_;
};

}  // namespace

std::vector<std::array<std::size_t, 3>> triangles_with_holes(std::span<const Vec3> corners,
                                                             std::span<const std::size_t> ends) {
  if (ends.empty() || ends.front() < 3 || corners.size() > kMostCorners) return {};
  std::vector<Loop> loops;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    Loop loop;
    for (; begin < end; ++begin) loop.push_back(begin);
    if (loop.size() > 2) loops.push_back(std::move(loop));
  }
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 0; i < loops.front().size(); ++i)
    normal += corners[i].cross(corners[(i + 1) % loops.front().size()]);
  if (!(normal.norm() > 0)) return {};
  // Seen along the axis that is nearest to the normal, from where the outline is against the clock.
  Eigen::Index axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  const Eigen::Index u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::vector<Vec2> points;
  for (const Vec3& p : corners)
    points.push_back(normal[axis] > 0 ? Vec2(p[u], p[v]) : Vec2(p[v], p[u]));
  const HoledPolygon polygon(std::move(points));
  Loop outline = std::move(loops.front());
  loops.erase(loops.begin());
  // Those on the right first: what a hole sees is the outline or one of them.
  std::ranges::stable_sort(loops, std::greater(),
                           [&](const Loop& loop) { return polygon.rightmost(loop); });
  for (Loop& hole : loops) polygon.join(outline, std::move(hole));
  return polygon.ears(outline);
}

}  // namespace protobeam
