#include "geometry/edges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/libm.h"

namespace protobeam {
namespace {

constexpr int kCirclePieces = 64;
constexpr double kLeastPlane = 10;  // m
constexpr int kGridCells = 20;      // at most, along each side
// Two triangles that meet at less are one face. Where a mesh has very many edges, only the sharp
// ones are drawn.
constexpr double kFlatAngle = 1 * kPi / 180, kSharpAngle = 20 * kPi / 180;
constexpr std::size_t kManyEdges = 20000;

using Segments = std::vector<Vec3>;

void add(Segments& segments, const Vec3& a, const Vec3& b) {
  segments.push_back(a);
  segments.push_back(b);
}

/// From the direction `u` towards `v`, both of the circle's radius.
void add_arc(Segments& segments, const Vec3& centre, const Vec3& u, const Vec3& v, double angle) {
  const int pieces = static_cast<int>(std::lround(kCirclePieces * angle / (2 * kPi)));
  const auto at = [&](int i) -> Vec3 {
    const double a = angle * i / pieces;
    return centre + u * libm::cos(a) + v * libm::sin(a);
  };
  for (int i = 0; i < pieces; ++i) add(segments, at(i), at(i + 1));
}

void add_circle(Segments& segments, double z, double radius) {
  add_arc(segments, {0, 0, z}, {radius, 0, 0}, {0, radius, 0}, 2 * kPi);
}

const Vec3 kSides[] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};

Segments edges(const Box& box) {
  Segments segments;
  const auto corner = [&box](int bits) -> Vec3 {
    return Vec3(bits & 1 ? 0.5 : -0.5, bits & 2 ? 0.5 : -0.5, bits & 4 ? 0.5 : -0.5)
        .cwiseProduct(box.size);
  };
  for (int bits = 0; bits < 8; ++bits) {
    for (const int axis : {1, 2, 4}) {
      if (!(bits & axis)) add(segments, corner(bits), corner(bits | axis));
    }
  }
  return segments;
}

Segments edges(const Sphere& sphere) {
  const double r = sphere.radius;
  Segments segments;
  for (int axis = 0; axis < 3; ++axis) {
    add_arc(segments, Vec3::Zero(), Vec3::Unit(axis) * r, Vec3::Unit((axis + 1) % 3) * r, 2 * kPi);
  }
  return segments;
}

Segments edges(const Cylinder& cylinder) {
  const double r = cylinder.radius, half = cylinder.height / 2;
  Segments segments;
  for (const double z : {-half, half}) add_circle(segments, z, r);
  for (const Vec3& side : kSides) {
    add(segments, side * r - Vec3(0, 0, half), side * r + Vec3(0, 0, half));
  }
  return segments;
}

Segments edges(const Capsule& capsule) {
  const double r = capsule.radius, half = capsule.height / 2;
  Segments segments = edges(Cylinder{r, capsule.height});
  for (const double end : {-1.0, 1.0}) {
    for (int axis = 0; axis < 2; ++axis) {
      add_arc(segments, {0, 0, end * half}, Vec3::Unit(axis) * r, {0, 0, end * r}, kPi);
    }
  }
  return segments;
}

Segments edges(const Cone& cone) {
  const double r = cone.radius, half = cone.height / 2;
  Segments segments;
  add_circle(segments, -half, r);
  for (const Vec3& side : kSides) add(segments, side * r - Vec3(0, 0, half), {0, 0, half});
  return segments;
}

Segments edges(const Plane& plane) {
  const Vec2 size = plane.size.cwiseMax(kLeastPlane);
  Segments segments;
  for (int axis = 0; axis < 2; ++axis) {
    const double length = size[axis], reach = size[1 - axis] / 2;
    const int cells = std::clamp(static_cast<int>(std::lround(length)), 1, kGridCells);
    for (int i = 0; i <= cells; ++i) {
      const Vec3 middle = Vec3::Unit(axis) * (length * (static_cast<double>(i) / cells - 0.5));
      const Vec3 along = Vec3::Unit(1 - axis) * reach;
      add(segments, middle - along, middle + along);
    }
  }
  return segments;
}

/// One side of a triangle, by the numbers of its ends.
struct Side {
  std::uint32_t low, high;
  std::size_t triangle;
  bool operator<(const Side& other) const {
    return std::tie(low, high, triangle) < std::tie(other.low, other.high, other.triangle);
  }
};

/// For each vertex the first one at the same place: exporters repeat vertices to give each face its
/// own normal.
std::vector<std::uint32_t> welded(const std::vector<Vec3>& vertices) {
  const auto less = [&vertices](std::uint32_t a, std::uint32_t b) {
    const Vec3 &p = vertices[a], &q = vertices[b];
    return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
  };
  std::vector<std::uint32_t> order(vertices.size()), first(vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), less);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && !less(order[i - 1], order[i]);
    first[order[i]] = same ? first[order[i - 1]] : order[i];
  }
  return first;
}

Segments edges(const Mesh& mesh) {
  const std::vector<std::uint32_t> first = welded(mesh.vertices);
  std::vector<Vec3> normals;
  std::vector<Side> sides;
  for (const auto& triangle : mesh.triangles) {
    std::array<std::uint32_t, 3> corners;
    bool good = true;
    for (int i = 0; i < 3; ++i) {
      good = good && triangle[i] < first.size();
      if (good) corners[i] = first[triangle[i]];
    }
    if (!good) continue;
    const Vec3& a = mesh.vertices[corners[0]];
    const Vec3 normal = (mesh.vertices[corners[1]] - a).cross(mesh.vertices[corners[2]] - a);
    if (!(normal.norm() > 0)) continue;  // no area: its sides belong to no face
    for (int i = 0; i < 3; ++i) {
      const auto [low, high] = std::minmax(corners[i], corners[(i + 1) % 3]);
      sides.push_back({low, high, normals.size()});
    }
    normals.push_back(normal.normalized());
  }
  std::stable_sort(sides.begin(), sides.end());

  Segments all, sharp;
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].low == sides[i].low &&
           sides[end].high == sides[i].high) {
      ++end;
    }
    const Vec3 &a = mesh.vertices[sides[i].low], &b = mesh.vertices[sides[i].high];
    double angle = kPi;  // one triangle, or more than two
    if (end - i == 2) {
      const Vec3 &n = normals[sides[i].triangle], &m = normals[sides[i + 1].triangle];
      angle = libm::atan2(n.cross(m).norm(), n.dot(m));
    }
    if (angle > kFlatAngle) add(all, a, b);
    if (angle > kSharpAngle) add(sharp, a, b);
    i = end;
  }
  return all.size() > 2 * kManyEdges ? sharp : all;
}

Segments edges(const HeightField& field) { return edges(triangulated(coarse(field, kManyEdges))); }

}  // namespace

std::vector<Vec3> edges_of(const Geometry& geometry) {
  return std::visit([](const auto& shape) { return edges(shape); }, geometry);
}

}  // namespace protobeam
