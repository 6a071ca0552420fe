#include "vehicle/planar_mass.h"

#include <cmath>

#include "vehicle/require.h"

namespace protobeam {
namespace {

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

}  // namespace

double PlanarMass::inertia_about(const Vec2& point) const {
  return inertia + mass * (point - centre).squaredNorm();
}

double signed_area(std::span<const Vec2> corners) {
  double twice = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    twice += cross(corners[i], corners[(i + 1) % corners.size()]);
  }
  return twice / 2;
}

PlanarMass polygon_mass(std::span<const Vec2> corners, double mass) {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    require(corners[i].allFinite(), "corner ", i, " of the chassis is not finite");
  }
  const double area = signed_area(corners);
  require(area != 0, "the chassis polygon of ", corners.size(), " corners has no area");
  // Moments of the triangles to the first corner, which keeps their precision far from the origin.
  Vec2 first = Vec2::Zero();
  double second = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 a = corners[i] - corners[0];
    const Vec2 b = corners[(i + 1) % corners.size()] - corners[0];
    const double twice = cross(a, b);
    first += twice / 6 * (a + b);
    second += twice / 12 * (a.squaredNorm() + a.dot(b) + b.squaredNorm());
  }
  const Vec2 offset = first / area;
  return {mass, corners[0] + offset, mass * (second / area - offset.squaredNorm())};
}

PlanarMass box_mass(const Vec2& size, const Vec2& centre, double mass) {
  return {mass, centre, mass * size.squaredNorm() / 12};
}

PlanarMass combined(const PlanarMass& a, const PlanarMass& b) {
  const double mass = a.mass + b.mass;
  const Vec2 centre = (a.mass * a.centre + b.mass * b.centre) / mass;
  return {mass, centre, a.inertia_about(centre) + b.inertia_about(centre)};
}

PlanarMass vehicle_mass(std::span<const Vec2> chassis, const VehicleLayout& layout) {
  PlanarMass sum = polygon_mass(chassis, layout.chassis_mass);
  for (const Wheel& wheel : layout.wheels) {
    sum = combined(sum, box_mass({wheel.diameter, wheel.width}, wheel.planar(), wheel.mass));
  }
  return sum;
}

}  // namespace protobeam
