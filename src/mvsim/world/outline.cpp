#include "mvsim/world/outline.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace protobeam::mvsim {
namespace {

/// `place(p, second)`: a corner of the first or the second end, whose outline runs against the
/// clock when seen from the second end.
wbt::NodePtr closed_between(Outline outline, const std::function<Vec3(const Vec2&, bool)>& place,
                            const Origin& origin) {
  if (signed_area(outline) < 0) std::reverse(outline.begin(), outline.end());
  const auto n = static_cast<int>(outline.size());
  std::vector<Vec3> points;
  for (const bool second : {false, true}) {
    for (const Vec2& corner : outline) points.push_back(place(corner, second));
  }
  std::vector<double> faces;
  for (int i = n; i-- > 0;) faces.push_back(i);
  faces.push_back(-1);
  for (int i = 0; i < n; ++i) faces.push_back(n + i);
  faces.push_back(-1);
  for (int i = 0; i < n; ++i) {
    const int next = (i + 1) % n;
    faces.insert(faces.end(), {double(i), double(next), double(n + next), double(n + i), -1.0});
  }
  return NodeMaker("IndexedFaceSet", origin)
      .node("coord", NodeMaker("Coordinate", origin).points("point", points).take())
      .numbers("coordIndex", std::move(faces))
      .take();
}

}  // namespace

double signed_area(const Outline& outline) {
  double twice = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2& a = outline[i];
    const Vec2& b = outline[(i + 1) % outline.size()];
    twice += a.x() * b.y() - b.x() * a.y();
  }
  return twice / 2;
}

// Andrew's monotone chain.
Outline convex_hull(std::vector<Vec2> points) {
  const auto before = [](const Vec2& a, const Vec2& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  };
  std::sort(points.begin(), points.end(), before);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  Outline hull;
  const auto side = [&](auto begin, auto end) {
    const std::size_t first = hull.size();
    for (auto it = begin; it != end; ++it) {
      while (hull.size() >= first + 2) {
        const Vec2 u = hull.back() - hull[hull.size() - 2], v = *it - hull.back();
        if (u.x() * v.y() - u.y() * v.x() > 0) break;
        hull.pop_back();
      }
      hull.push_back(*it);
    }
    hull.pop_back();
  };
  side(points.begin(), points.end());
  side(points.rbegin(), points.rend());
  return hull;
}

std::optional<Outline> written_outline(Import& import, const Element& owner) {
  const Element* shape = owner.child("shape");
  if (!shape) return std::nullopt;
  auto corners =
      ValueReader("<shape> of <" + owner.tag + ">", shape->chain, import.diagnostics).shape(*shape);
  if (!corners) return std::nullopt;
  if (corners->size() > 3 && corners->front() == corners->back()) corners->pop_back();
  double reach = 0;
  for (const Vec2& p : *corners) reach = std::max(reach, p.cwiseAbs().maxCoeff());
  if (!(std::abs(signed_area(*corners)) > 1e-9 * reach * reach)) {
    import.diagnostics.error(shape->place, "<shape> of <" + owner.tag + "> has no area",
                             "its <pt> must be the corners of a polygon, one after the other",
                             shape->chain);
    return std::nullopt;
  }
  return corners;
}

wbt::NodePtr prism_node(const Prism& prism, const Origin& origin) {
  return closed_between(
      prism.outline,
      [&](const Vec2& p, bool top) { return Vec3(p.x(), p.y(), top ? prism.high : prism.low); },
      origin);
}

wbt::NodePtr extruded_along_y(const Outline& outline, double low, double high,
                              const Origin& origin) {
  // x to the right and z up is seen from -y.
  return closed_between(
      outline, [&](const Vec2& p, bool second) { return Vec3(p.x(), second ? low : high, p.y()); },
      origin);
}

}  // namespace protobeam::mvsim
