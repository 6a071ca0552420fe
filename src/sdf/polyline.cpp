#include "sdf/polyline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "urdf/values.h"

namespace protobeam::sdf {
namespace {

constexpr double kFarthestPoint = 1e9;  // m
constexpr std::size_t kMostPoints = 4096;

struct Loop {
  std::vector<Vec2> corners;  ///< against the clock; of a hole: with it
  double height = 0;
  bool hole = false;
};

double twice_area(const std::vector<Vec2>& corners) {
  double out = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2& a = corners[i];
    const Vec2& b = corners[(i + 1) % corners.size()];
    out += a.x() * b.y() - b.x() * a.y();
  }
  return out;
}

/// Where the edge from a to b is at y.
double x_at(const Vec2& a, const Vec2& b, double y) {
  if (y == a.y()) return a.x();
  if (y == b.y()) return b.x();
  return a.x() + (b.x() - a.x()) * (y - a.y()) / (b.y() - a.y());
}

bool contains(const std::vector<Vec2>& corners, const Vec2& p) {
  bool inside = false;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2& a = corners[i];
    const Vec2& b = corners[(i + 1) % corners.size()];
    if ((a.y() > p.y()) != (b.y() > p.y()) && p.x() < x_at(a, b, p.y())) inside = !inside;
  }
  return inside;
}

class RaisedOutline {
 public:
  /// Without holes.
  void prism(const Loop& loop) {
    const Ends ends = walls(loop);
    caps(ends);
  }
  /// `pieces`: of the floor and the roof.
  void with_holes(const std::vector<Loop>& loops, const std::vector<std::vector<Vec2>>& pieces) {
    for (const Loop& loop : loops) walls(loop);
    for (const auto& piece : pieces) caps(ends_of(piece, loops.front().height));
  }

  NodePtr take(const wbt::Origin& origin) {
    return NodeMaker("IndexedFaceSet", origin)
        .node("coord", NodeMaker("Coordinate", origin).points("point", points_).take())
        .numbers("coordIndex", faces_)
        .take();
  }

 private:
  /// The first of the corners below, and of those above.
  struct Ends {
    int low, high, count;
  };

  Ends ends_of(const std::vector<Vec2>& corners, double height) {
    const int low = add(corners, 0);
    return {low, add(corners, height), static_cast<int>(corners.size())};
  }
  Ends walls(const Loop& loop) {
    const Ends ends = ends_of(loop.corners, loop.height);
    for (int i = 0; i < ends.count; ++i) {
      const int next = (i + 1) % ends.count;
      face({ends.low + i, ends.low + next, ends.high + next, ends.high + i});
    }
    return ends;
  }
  void caps(const Ends& ends) {
    std::vector<int> floor, roof;
    for (int i = 0; i < ends.count; ++i) {
      floor.push_back(ends.low + ends.count - 1 - i);
      roof.push_back(ends.high + i);
    }
    face(floor);
    face(roof);
  }
  int add(const std::vector<Vec2>& corners, double z) {
    const auto first = static_cast<int>(points_.size());
    for (const Vec2& p : corners) points_.emplace_back(p.x(), p.y(), z);
    return first;
  }
  void face(const std::vector<int>& corners) {
    faces_.insert(faces_.end(), corners.begin(), corners.end());
    faces_.push_back(-1);
  }

  std::vector<Vec3> points_;
  std::vector<double> faces_;
};

/// The area that an odd number of loops surrounds, in pieces between lines along x through all
/// corners. Loops get corners where they cross these lines, and pieces all corners that lie on
/// theirs, so that walls and pieces make a closed surface.
class Slabs {
 public:
  explicit Slabs(std::vector<Loop>& loops) : loops_(loops) {
    for (const Loop& loop : loops_) {
      for (const Vec2& p : loop.corners) on_line_[p.y()];
    }
    for (Loop& loop : loops_) cut(loop, false);
    for (const Loop& loop : loops_) {
      for (const Vec2& p : loop.corners) on_line_[p.y()].insert(p.x());
    }
    for (Loop& loop : loops_) cut(loop, true);
  }

  std::vector<std::vector<Vec2>> pieces() const {
    std::vector<std::vector<Vec2>> out;
    for (auto low = on_line_.begin(); std::next(low) != on_line_.end(); ++low) {
      const auto high = std::next(low);
      const std::vector<Side> sides = sides_between(low->first, high->first);
      for (std::size_t i = 0; i + 1 < sides.size(); i += 2) {
        std::vector<Vec2> piece;
        add(*low, sides[i].low, sides[i + 1].low, piece);
        const auto floor = static_cast<std::ptrdiff_t>(piece.size());
        add(*high, sides[i].high, sides[i + 1].high, piece);
        std::reverse(piece.begin() + floor, piece.end());
        if (piece.size() > 2) out.push_back(std::move(piece));
      }
    }
    return out;
  }

 private:
  using Lines = std::map<double, std::set<double>>;  ///< y, and the x of the corners there
  struct Side {
    double low, high;  ///< x
  };

  std::vector<Side> sides_between(double low, double high) const {
    std::vector<Side> out;
    for (const Loop& loop : loops_) {
      for (std::size_t i = 0; i < loop.corners.size(); ++i) {
        const Vec2& a = loop.corners[i];
        const Vec2& b = loop.corners[(i + 1) % loop.corners.size()];
        if (a.y() == low && b.y() == high) out.push_back({a.x(), b.x()});
        if (b.y() == low && a.y() == high) out.push_back({b.x(), a.x()});
      }
    }
    std::ranges::stable_sort(out, {}, [](const Side& side) { return side.low + side.high; });
    return out;
  }

  /// Corners on a line from one x to another.
  static void add(const Lines::value_type& line, double from, double to, std::vector<Vec2>& out) {
    const auto& [y, all] = line;
    for (auto x = all.lower_bound(from); x != all.end() && *x <= to; ++x) out.emplace_back(*x, y);
  }

  /// Edges that lie along the lines, or those that do not.
  void cut(Loop& loop, bool along) const {
    std::vector<Vec2> out;
    for (std::size_t i = 0; i < loop.corners.size(); ++i) {
      const Vec2& a = loop.corners[i];
      const Vec2& b = loop.corners[(i + 1) % loop.corners.size()];
      std::vector<Vec2> between;
      if (along && a.y() == b.y()) {
        for (const double x : on_line_.at(a.y())) between.emplace_back(x, a.y());
      } else if (!along) {
        for (const auto& line : on_line_) between.emplace_back(x_at(a, b, line.first), line.first);
      }
      std::erase_if(between, [&](const Vec2& p) {
        const int k = along ? 0 : 1;
        return p[k] <= std::min(a[k], b[k]) || p[k] >= std::max(a[k], b[k]);
      });
      if (along ? a.x() > b.x() : a.y() > b.y()) std::ranges::reverse(between);
      out.push_back(a);
      out.insert(out.end(), between.begin(), between.end());
    }
    loop.corners = std::move(out);
  }

  std::vector<Loop>& loops_;
  Lines on_line_;
};

class PolylineReader {
 public:
  explicit PolylineReader(Context& context) : context_(context) {}

  NodePtr run(const Element& geometry) {
    std::vector<Loop> loops;
    std::size_t count = 0;
    for (const Element* one : geometry.all("polyline")) {
      Loop loop = read(*one);
      count += loop.corners.size();
      if (!loop.corners.empty()) loops.push_back(std::move(loop));
    }
    const Element& first = *geometry.child("polyline");
    if (count > kMostPoints) {
      context_.diagnostics.error(
          first.place, fmt::format("the <polyline>s of a <geometry> have at most {} points, got {}",
                                   kMostPoints, count));
      return nullptr;
    }
    if (loops.empty()) return nullptr;
    find_holes(loops);
    RaisedOutline made;
    if (std::ranges::none_of(loops, &Loop::hole)) {
      for (const Loop& loop : loops) made.prism(loop);
    } else {
      const Slabs slabs(loops);
      made.with_holes(loops, slabs.pieces());
    }
    return made.take(at(first));
  }

 private:
  /// Without corners: it has no area, with a message.
  Loop read(const Element& polyline) {
    Loop out;
    for (const Element* point : polyline.all("point")) {
      const auto xy = urdf::numbers_of(point->text, 2, "<point>", context_.diagnostics);
      if (!xy) return {};
      const Vec2 p((*xy)[0], (*xy)[1]);
      if (!(p.cwiseAbs().maxCoeff() < kFarthestPoint)) {
        context_.diagnostics.error(point->place, "a <point> must be nearer than 1e9 m");
        return {};
      }
      if (out.corners.empty() || out.corners.back() != p) out.corners.push_back(p);
    }
    if (out.corners.size() > 1 && out.corners.front() == out.corners.back()) out.corners.pop_back();
    out.height = number_in(context_, polyline, "height", 1, -kFarthestPoint, kFarthestPoint);
    if (!(out.height > 0)) {
      context_.diagnostics.error(
          polyline.child("height")->place,
          fmt::format("<height> of <polyline> must be greater than 0 m, got {}", out.height));
      return {};
    }
    double reach = 0;
    for (const Vec2& p : out.corners) reach = std::max(reach, p.cwiseAbs().maxCoeff());
    if (std::abs(twice_area(out.corners)) > 1e-9 * reach * reach) return out;
    context_.ignored.add("a <polyline> without an area", polyline.place);
    return {};
  }

  static void find_holes(std::vector<Loop>& loops) {
    for (Loop& loop : loops) {
      const auto around = std::ranges::count_if(loops, [&](const Loop& other) {
        return &other != &loop && contains(other.corners, loop.corners.front());
      });
      loop.hole = around % 2 == 1;
    }
    for (Loop& loop : loops) {
      if ((twice_area(loop.corners) < 0) != loop.hole) std::ranges::reverse(loop.corners);
    }
  }

  Context& context_;
};

}  // namespace

NodePtr polyline_node(Context& context, const Element& geometry) {
  return PolylineReader(context).run(geometry);
}

}  // namespace protobeam::sdf
