#include <algorithm>

#include "geometry/geometry.h"

namespace protobeam {
namespace {

Bounds centred(const Vec3& half) { return {-half, half}; }

struct BoundsOf {
  Bounds operator()(const Box& box) const { return centred(box.size / 2); }
  Bounds operator()(const Sphere& sphere) const { return centred(Vec3::Constant(sphere.radius)); }
  Bounds operator()(const Cylinder& c) const { return centred({c.radius, c.radius, c.height / 2}); }
  Bounds operator()(const Capsule& c) const {
    return centred({c.radius, c.radius, c.height / 2 + c.radius});
  }
  Bounds operator()(const Cone& c) const { return centred({c.radius, c.radius, c.height / 2}); }
  Bounds operator()(const Plane& p) const { return centred({p.size.x() / 2, p.size.y() / 2, 0}); }
  Bounds operator()(const Mesh& mesh) const {
    Bounds result;
    for (const auto& triangle : mesh.triangles) {
      for (const std::uint32_t corner : triangle) {
        result.min = result.min.cwiseMin(mesh.vertices[corner]);
        result.max = result.max.cwiseMax(mesh.vertices[corner]);
      }
    }
    return result;
  }
  Bounds operator()(const HeightField& field) const {
    const auto [low, high] = std::minmax_element(field.heights.begin(), field.heights.end());
    if (low == field.heights.end()) return {};
    Bounds result{field.point(0, 0), field.point(field.columns - 1, field.rows - 1)};
    result.min.z() = *low;
    result.max.z() = *high;
    return result;
  }
};

/// Across the axis z, towards the direction; zero along the axis.
Vec3 outwards(const Vec3& direction, double radius) {
  const Vec3 across(direction.x(), direction.y(), 0);
  const double length = across.norm();
  return length > 0 ? Vec3(radius / length * across) : Vec3::Zero();
}

struct SupportOf {
  const Vec3& d;
  double end(double height) const { return d.z() < 0 ? -height / 2 : height / 2; }

  Vec3 operator()(const Sphere& s) const { return s.radius * d; }
  Vec3 operator()(const Cylinder& c) const {
    return outwards(d, c.radius) + Vec3(0, 0, end(c.height));
  }
  Vec3 operator()(const Capsule& c) const { return c.radius * d + Vec3(0, 0, end(c.height)); }
  Vec3 operator()(const Cone& c) const {
    const Vec3 apex(0, 0, c.height / 2), rim = outwards(d, c.radius) - apex;
    return d.dot(apex) > d.dot(rim) ? apex : rim;
  }
  template <typename Other>
  Vec3 operator()(const Other& other) const {
    const Bounds box = BoundsOf{}(other);
    if (box.empty()) return Vec3::Zero();
    return (d.array() < 0).select(box.min, box.max);
  }
};

}  // namespace

Bounds bounds(const Geometry& geometry) { return std::visit(BoundsOf{}, geometry); }

Vec3 support(const Geometry& geometry, const Vec3& direction) {
  return std::visit(SupportOf{direction}, geometry);
}

}  // namespace protobeam
