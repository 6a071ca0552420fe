#include <algorithm>
#include <cmath>
#include <tuple>

#include "geometry/geometry.h"

namespace protobeam {
namespace {

MassProperties about_centre(double mass, const Vec3& com, const Vec3& diagonal) {
  return {mass, com, diagonal.asDiagonal()};
}

MassProperties box_mass(const Vec3& size, const Vec3& centre, double density) {
  const double m = density * size.prod();
  const Vec3 s = size.cwiseAbs2();
  return about_centre(m, centre, m / 12 * Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()));
}

/// Every edge is traversed equally often in both directions: the surface has no border, so that the
/// signed tetrahedra add up to the same volume for any apex. Corners meet when their coordinates
/// are equal, whether or not they share an index (STL files have three corners a triangle).
bool closed(const Mesh& mesh) {
  std::vector<std::uint32_t> order(mesh.vertices.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto key = [&](std::uint32_t i) {
    const Vec3& v = mesh.vertices[i];
    return std::tuple(v.x(), v.y(), v.z());
  };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::vector<std::uint32_t> point(order.size());
  std::uint32_t points = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && key(order[i - 1]) < key(order[i])) ++points;
    point[order[i]] = points;
  }

  struct Edge {
    std::uint32_t low, high;
    int direction;
  };
  std::vector<Edge> edges;
  edges.reserve(mesh.triangles.size() * 3);
  for (const auto& triangle : mesh.triangles) {
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t a = point[triangle[i]], b = point[triangle[(i + 1) % 3]];
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
    }
  }
  const auto same = [](const Edge& a, const Edge& b) { return a.low == b.low && a.high == b.high; };
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.low, a.high) < std::tie(b.low, b.high);
  });
  for (std::size_t i = 0; i < edges.size();) {
    int balance = 0;
    std::size_t next = i;
    for (; next < edges.size() && same(edges[i], edges[next]); ++next) {
      balance += edges[next].direction;
    }
    if (balance != 0) return false;
    i = next;
  }
  return true;
}

/// Integrals over tetrahedra with one corner in the middle of the bounding box (near the shape: no
/// cancellation when it lies far from its origin). The second moments are those of a tetrahedron
/// as an affine image of the canonical one: J. Blow and A. Binstock, "How to find the inertia
/// tensor (or other mass properties) of a 3D solid body represented by a triangle mesh", 2004.
MassProperties mesh_mass(const Mesh& mesh, double density) {
  const Bounds box = bounds(mesh);
  if (box.empty()) return {};
  const Vec3 apex = (box.min + box.max) / 2;
  const Vec3 size = box.max - box.min;
  if (!closed(mesh)) return box_mass(size, apex, density);

  double volume6 = 0;  // six times the volume, and so on
  Vec3 moment24 = Vec3::Zero();
  Mat3 second120 = Mat3::Zero();
  for (const auto& triangle : mesh.triangles) {
    const Vec3 a = mesh.vertices[triangle[0]] - apex;
    const Vec3 b = mesh.vertices[triangle[1]] - apex;
    const Vec3 c = mesh.vertices[triangle[2]] - apex;
    const double det = a.dot(b.cross(c));
    const Vec3 sum = a + b + c;
    volume6 += det;
    moment24 += det * sum;
    second120 +=
        det * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  // Inside out (clockwise) triangles bound the same body. A closed sheet without volume has none.
  if (std::abs(volume6) <= 1e-9 * size.prod()) return box_mass(size, apex, density);
  const double volume = volume6 / 6;
  const Vec3 com = moment24 / 24 / volume;
  const Mat3 second = (second120 / 120 - volume * com * com.transpose()) * (volume < 0 ? -1 : 1);
  MassProperties result;
  result.mass = density * std::abs(volume);
  result.com = apex + com;
  result.inertia = density * (second.trace() * Mat3::Identity() - second);
  return result;
}

struct MassOf {
  double density;

  MassProperties operator()(const Box& box) const {
    return box_mass(box.size, Vec3::Zero(), density);
  }
  MassProperties operator()(const Sphere& sphere) const {
    const double r = sphere.radius;
    const double m = density * 4 / 3 * kPi * r * r * r;
    return about_centre(m, Vec3::Zero(), Vec3::Constant(0.4 * m * r * r));
  }
  MassProperties operator()(const Cylinder& c) const {
    const double r2 = c.radius * c.radius, h2 = c.height * c.height;
    const double m = density * kPi * r2 * c.height;
    const double across = m * (3 * r2 + h2) / 12;
    return about_centre(m, Vec3::Zero(), {across, across, m * r2 / 2});
  }
  MassProperties operator()(const Capsule& c) const {
    const double r = c.radius, h = c.height;
    const MassProperties middle = (*this)(Cylinder{r, h});
    // Two half spheres, each with its centre of mass 3/8 r beyond its flat side.
    const MassProperties ball = (*this)(Sphere{r});
    const double shift = ball.mass * (h * h / 4 + 3 * h * r / 8);
    return about_centre(
        middle.mass + ball.mass, Vec3::Zero(),
        middle.inertia.diagonal() + ball.inertia.diagonal() + Vec3(shift, shift, 0));
  }
  MassProperties operator()(const Cone& c) const {
    const double r2 = c.radius * c.radius, h2 = c.height * c.height;
    const double m = density * kPi * r2 * c.height / 3;
    const double across = 3 * m * (4 * r2 + h2) / 80;
    return about_centre(m, {0, 0, -c.height / 4}, {across, across, 0.3 * m * r2});
  }
  MassProperties operator()(const Plane&) const { return {}; }
  MassProperties operator()(const Mesh& mesh) const { return mesh_mass(mesh, density); }
  MassProperties operator()(const HeightField& field) const {
    const Bounds box = bounds(field);
    if (box.empty()) return {};
    return box_mass(box.max - box.min, (box.min + box.max) / 2, density);
  }
};

/// What the parallel axis theorem adds for a mass at `offset` from the axis' origin.
Mat3 point_inertia(double mass, const Vec3& offset) {
  return mass * (offset.squaredNorm() * Mat3::Identity() - offset * offset.transpose());
}

}  // namespace

MassProperties mass_properties(const Geometry& geometry, double density) {
  return std::visit(MassOf{density}, geometry);
}

MassProperties transformed(const MassProperties& m, const Pose& X_AB) {
  const Mat3 R = X_AB.R.toRotationMatrix();
  return {m.mass, X_AB * m.com, R * m.inertia * R.transpose()};
}

MassProperties combined(const MassProperties& a, const MassProperties& b) {
  const double mass = a.mass + b.mass;
  if (!(mass > 0)) return {};
  MassProperties result;
  result.mass = mass;
  result.com = (a.mass * a.com + b.mass * b.com) / mass;
  result.inertia = a.inertia + point_inertia(a.mass, a.com - result.com) + b.inertia +
                   point_inertia(b.mass, b.com - result.com);
  return result;
}

}  // namespace protobeam
