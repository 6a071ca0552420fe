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

}  // namespace

Bounds bounds(const Geometry& geometry) { return std::visit(BoundsOf{}, geometry); }

}  // namespace protobeam
