#include "geometry/immersion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/libm.h"

namespace protobeam {
namespace {

constexpr int kSegments = 48;  ///< around a circle

/// Sums over the triangles of a closed surface, clipped at the water's.
class ClippedSurface {
 public:
  /// `apex`: in the water's surface, or anywhere where all of the shape is in the water; near the
  /// shape, for the sake of precision.
  ClippedSurface(const HalfSpace& water, const Vec3& apex) : water_(water), apex_(apex) {}

  void add(const Vec3& a, const Vec3& b, const Vec3& c) {
    full_area_ += (b - a).cross(c - a).norm() / 2;
    full_volume_ += (a - apex_).dot((b - apex_).cross(c - apex_)) / 6;
    const std::array<Vec3, 3> corners{a, b, c};
    std::array<double, 3> height;
    for (std::size_t i = 0; i < 3; ++i) height[i] = water_.normal.dot(corners[i]) - water_.offset;
    std::array<Vec3, 4> wet;
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t k = (i + 1) % 3;
      if (height[i] <= 0) wet[count++] = corners[i];
      if ((height[i] < 0 && height[k] > 0) || (height[i] > 0 && height[k] < 0)) {
        wet[count++] =
            corners[i] + (corners[k] - corners[i]) * (height[i] / (height[i] - height[k]));
      }
    }
    for (std::size_t i = 2; i < count; ++i) add_wet(wet[0], wet[i - 1], wet[i]);
  }

  /// `full_volume` and `full_area` are those of the exact shape.
  Immersion result(double full_volume, double full_area) const {
    Immersion out;
    out.full_area = full_area;
    if (!(full_volume_ > 0) || !(volume_ > 0)) return out;
    out.volume = std::min(1.0, volume_ / full_volume_) * full_volume;
    out.centre = apex_ + moment_ / volume_;
    const double scale = full_area_ > 0 ? full_area / full_area_ : 0;
    out.area = area_ * scale;
    out.projected_area = towards_.cwiseMax(away_) * scale;
    return out;
  }
  double full_volume() const { return full_volume_; }
  double full_area() const { return full_area_; }

 private:
  // The tetrahedra have their apex in the water's surface, so that a cut face adds nothing.
  void add_wet(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 twice = (b - a).cross(c - a);
    area_ += twice.norm() / 2;
    towards_ += twice.cwiseMax(0.0) / 2;
    away_ -= twice.cwiseMin(0.0) / 2;
    const double volume = (a - apex_).dot((b - apex_).cross(c - apex_)) / 6;
    volume_ += volume;
    moment_ += volume * (a + b + c - 3 * apex_) / 4;
  }

  HalfSpace water_;
  Vec3 apex_;
  double full_volume_ = 0, full_area_ = 0, volume_ = 0, area_ = 0;
  Vec3 moment_ = Vec3::Zero();
  Vec3 towards_ = Vec3::Zero(),
       away_ = Vec3::Zero();  ///< what faces along each axis, and against it
};

Immersion of_sphere(double r, const Vec3& centre, const HalfSpace& water) {
  Immersion out;
  out.full_area = 4 * kPi * r * r;
  const double below = water.offset - water.normal.dot(centre);  // of the surface over the centre
  const double h = std::clamp(r + below, 0.0, 2 * r);            // depth of the cap
  if (h == 0) return out;
  out.volume = kPi * h * h * (3 * r - h) / 3;
  const double down = h == 2 * r ? 0 : 3 * (2 * r - h) * (2 * r - h) / (4 * (3 * r - h));
  out.centre = centre - down * water.normal;
  out.area = 2 * kPi * r * h;
  // Seen along the water's surface a segment of the disc is wet, from below a smaller disc while
  // less than half is; in between, a mean of the two.
  const double c = std::clamp((r - h) / r, -1.0, 1.0);
  const double segment = r * r * (libm::acos(c) - c * std::sqrt(1 - c * c));
  const double disc = h < r ? kPi * h * (2 * r - h) : kPi * r * r;
  const Vec3 steepness = water.normal.cwiseProduct(water.normal);
  out.projected_area = segment * (Vec3::Ones() - steepness) + disc * steepness;
  return out;
}

double full_area(const Geometry& geometry, double of_triangles) {
  if (const auto* c = std::get_if<Cylinder>(&geometry))
    return 2 * kPi * c->radius * (c->radius + c->height);
  if (const auto* c = std::get_if<Capsule>(&geometry)) {
    return 2 * kPi * c->radius * (2 * c->radius + c->height);
  }
  return of_triangles;
}

}  // namespace

Immersion immersion(const Geometry& geometry, const Pose& X_AS, const HalfSpace& water) {
  if (const auto* sphere = std::get_if<Sphere>(&geometry)) {
    return of_sphere(sphere->radius, X_AS.p, water);
  }
  const double volume = mass_properties(geometry, 1).mass;
  if (!(volume > 0) || std::holds_alternative<HeightField>(geometry)) return {};
  const Mesh* mesh = std::get_if<Mesh>(&geometry);
  Mesh made;
  if (!mesh) {
    made = triangulated(geometry, kSegments);
    mesh = &made;
  }
  std::vector<Vec3> points;
  points.reserve(mesh->vertices.size());
  bool cut = false;
  for (const Vec3& vertex : mesh->vertices) {
    points.push_back(X_AS * vertex);
    cut = cut || water.normal.dot(points.back()) > water.offset;
  }
  const double height = water.normal.dot(X_AS.p) - water.offset;
  ClippedSurface surface(water, cut ? Vec3(X_AS.p - height * water.normal) : X_AS.p);
  for (const auto& t : mesh->triangles) surface.add(points[t[0]], points[t[1]], points[t[2]]);
  return surface.result(volume, full_area(geometry, surface.full_area()));
}

}  // namespace protobeam
