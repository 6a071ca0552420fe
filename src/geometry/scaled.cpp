#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/geometry.h"

namespace protobeam {
namespace {

Mesh scaled_mesh(Mesh mesh, const Vec3& scale) {
  for (Vec3& vertex : mesh.vertices) vertex = vertex.cwiseProduct(scale);
  // Normals scale with the cofactors, which stay right for mirrors and flattened shapes.
  const Eigen::Vector3f cofactors =
      Vec3(scale.y() * scale.z(), scale.x() * scale.z(), scale.x() * scale.y()).cast<float>() *
      (scale.prod() < 0 ? -1.0f : 1.0f);
  for (auto& corners : mesh.normals) {
    for (auto& normal : corners) {
      normal = normal.cwiseProduct(cofactors);
      normal.normalize();
    }
  }
  if (scale.prod() < 0) {  // a mirror turns the triangles inside out
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    for (auto& corners : mesh.uvs) std::swap(corners[1], corners[2]);
    for (auto& corners : mesh.normals) std::swap(corners[1], corners[2]);
  }
  return mesh;
}

struct ScaledBy {
  Vec3 scale;
  Vec3 size = scale.cwiseAbs();
  bool round = size.x() == size.y();
  bool uniform = round && size.x() == size.z();
  bool upright = scale.z() > 0;

  Geometry operator()(const Box& box) const { return Box{box.size.cwiseProduct(size)}; }
  Geometry operator()(const Sphere& sphere) const {
    if (uniform) return Sphere{sphere.radius * size.x()};
    return mesh(sphere);
  }
  Geometry operator()(const Cylinder& c) const {
    if (!round) return mesh(c);
    return Cylinder{c.radius * size.x(), c.height * size.z(), upright ? c.bottom : c.top, c.side,
                    upright ? c.top : c.bottom};
  }
  Geometry operator()(const Capsule& c) const {
    if (!uniform) return mesh(c);
    return Capsule{c.radius * size.x(), c.height * size.z(), upright ? c.bottom : c.top, c.side,
                   upright ? c.top : c.bottom};
  }
  Geometry operator()(const Cone& c) const {
    if (!round || !upright) return mesh(c);
    return Cone{c.radius * size.x(), c.height * size.z(), c.bottom, c.side};
  }
  Geometry operator()(const Plane& plane) const {
    if (!upright) return mesh(plane);
    return Plane{plane.size.cwiseProduct(size.head<2>())};
  }
  Geometry operator()(const Mesh& m) const { return scaled_mesh(m, scale); }
  Geometry operator()(const HeightField& field) const {
    if (!(scale.minCoeff() > 0)) return mesh(field);
    HeightField out = field;
    out.origin = field.origin.cwiseProduct(scale.head<2>());
    out.spacing = field.spacing.cwiseProduct(scale.head<2>());
    for (double& height : out.heights) height *= scale.z();
    out.uv.leftCols<2>() = field.uv.leftCols<2>() * scale.head<2>().cwiseInverse().asDiagonal();
    return out;
  }

  Geometry mesh(const Geometry& shape) const { return scaled_mesh(triangulated(shape), scale); }
};

}  // namespace

Geometry scaled(const Geometry& geometry, const Vec3& scale) {
  return std::visit(ScaledBy{scale}, geometry);
}

}  // namespace protobeam
