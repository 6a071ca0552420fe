#include "sim/property_region.h"

#include <algorithm>

namespace protobeam {
namespace {

constexpr double kEdge = 1e-9;  // m

double distance_to_edge(const Vec2& a, const Vec2& b, const Vec2& p) {
  const Vec2 along = b - a;
  const double length2 = along.squaredNorm();
  const double t = length2 > 0 ? std::clamp((p - a).dot(along) / length2, 0.0, 1.0) : 0;
  return (p - a - t * along).norm();
}

/// Even-odd rule: a ray along +x crosses the outline an odd number of times.
bool is_inside(const std::vector<Vec2>& outline, const Vec2& p) {
  bool inside = false;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2 &a = outline[i], &b = outline[(i + 1) % outline.size()];
    if (distance_to_edge(a, b, p) <= kEdge) return true;
    if ((a.y() > p.y()) == (b.y() > p.y())) continue;
    const double x = a.x() + (p.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
    if (p.x() < x) inside = !inside;
  }
  return inside;
}

}  // namespace

bool PropertyRegion::contains(const Vec3& p_W) const {
  const Vec3 p = X_WR.inverse() * p_W;
  const auto between = [&](int i) { return p[i] >= min[i] - kEdge && p[i] <= max[i] + kEdge; };
  if (!between(2)) return false;
  return polygon.empty() ? between(0) && between(1) : is_inside(polygon, p.head<2>());
}

template <class T>
std::optional<T> PropertyRegions::last(std::optional<T> PropertyRegion::*property,
                                       const Vec3& p_W) const {
  for (auto region = regions_.rbegin(); region != regions_.rend(); ++region) {
    const std::optional<T>& said = (*region).*property;
    if (said && region->contains(p_W)) return said;
  }
  return std::nullopt;
}

std::optional<double> PropertyRegions::friction_at(const Vec3& p_W) const {
  return last(&PropertyRegion::friction, p_W);
}
std::optional<double> PropertyRegions::rolling_resistance_at(const Vec3& p_W) const {
  return last(&PropertyRegion::rolling_resistance, p_W);
}
bool PropertyRegions::gnss_outage_at(const Vec3& p_W) const {
  return last(&PropertyRegion::gnss_outage, p_W).value_or(false);
}

}  // namespace protobeam
