#include <algorithm>
#include <cmath>
#include <utility>

#include "base/libm.h"
#include "geometry/geometry.h"

namespace protobeam {
namespace {

/// Builds bodies of revolution about z, ring by ring from bottom to top.
class Lathe {
 public:
  explicit Lathe(int segments) : segments_(static_cast<std::uint32_t>(segments)) {}

  struct Ring {
    std::uint32_t first;
    bool point;
  };
  /// Adds a ring and returns it; a ring of radius 0 is one vertex.
  Ring ring(double radius, double z) {
    const Ring result{static_cast<std::uint32_t>(mesh_.vertices.size()), radius == 0};
    for (std::uint32_t i = 0; i < (result.point ? 1 : segments_); ++i) {
      const double angle = 2 * kPi * i / segments_;
      mesh_.vertices.emplace_back(radius * libm::cos(angle), radius * libm::sin(angle), z);
    }
    return result;
  }
  /// The band between two rings, seen from outside; from a point to a ring: a fan. A disc is the
  /// band between its rim and its centre.
  void band(const Ring& low, const Ring& high) {
    for (std::uint32_t i = 0; i < segments_; ++i) {
      const std::uint32_t j = (i + 1) % segments_;
      if (!low.point) add(low.first + i, low.first + j, high.point ? high.first : high.first + j);
      if (!high.point) add(low.point ? low.first : low.first + i, high.first + j, high.first + i);
    }
  }
  Mesh take(bool convex) {
    mesh_.convex = convex;
    return std::move(mesh_);
  }

 private:
  void add(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh_.triangles.push_back({a, b, c});
  }

  std::uint32_t segments_;
  Mesh mesh_;
};

struct Triangulated {
  int segments;

  Mesh operator()(const Box& box) const {
    Mesh mesh;
    for (int i = 0; i < 8; ++i) {
      const Vec3 corner((i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5,
                        (i & 4) != 0 ? 0.5 : -0.5);
      mesh.vertices.push_back(corner.cwiseProduct(box.size));
    }
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    mesh.convex = true;
    return mesh;
  }

  Mesh operator()(const Sphere& sphere) const {
    Lathe lathe(segments);
    half_sphere_pair(lathe, sphere.radius, 0, true, false, true);
    return lathe.take(true);
  }

  Mesh operator()(const Cylinder& c) const {
    Lathe lathe(segments);
    const auto low = lathe.ring(c.radius, -c.height / 2);
    const auto high = lathe.ring(c.radius, c.height / 2);
    if (c.bottom) lathe.band(lathe.ring(0, -c.height / 2), low);
    if (c.side) lathe.band(low, high);
    if (c.top) lathe.band(high, lathe.ring(0, c.height / 2));
    return lathe.take(c.bottom && c.side && c.top);
  }

  Mesh operator()(const Capsule& c) const {
    Lathe lathe(segments);
    half_sphere_pair(lathe, c.radius, c.height, c.bottom, c.side, c.top);
    return lathe.take(c.bottom && c.side && c.top);
  }

  Mesh operator()(const Cone& c) const {
    Lathe lathe(segments);
    const auto low = lathe.ring(c.radius, -c.height / 2);
    if (c.bottom) lathe.band(lathe.ring(0, -c.height / 2), low);
    if (c.side) lathe.band(low, lathe.ring(0, c.height / 2));
    return lathe.take(c.bottom && c.side);
  }

  Mesh operator()(const Plane& plane) const {
    const double x = plane.size.x() / 2, y = plane.size.y() / 2;
    Mesh mesh;
    mesh.vertices = {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    mesh.uvs = {{Eigen::Vector2f(0, 0), {1, 0}, {1, 1}}, {Eigen::Vector2f(0, 0), {1, 1}, {0, 1}}};
    return mesh;
  }

  Mesh operator()(const Mesh& mesh) const { return mesh; }

  Mesh operator()(const HeightField& field) const {
    Mesh mesh;
    mesh.vertices.reserve(field.heights.size());
    for (int j = 0; j < field.rows; ++j) {
      for (int i = 0; i < field.columns; ++i) mesh.vertices.push_back(field.point(i, j));
    }
    const auto columns = static_cast<std::uint32_t>(field.columns);
    const auto rows = static_cast<std::uint32_t>(field.rows);
    mesh.triangles.reserve(field.triangle_count());
    mesh.uvs.reserve(field.triangle_count());
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      mesh.triangles.push_back({a, b, c});
      const auto& p = mesh.vertices;
      mesh.uvs.push_back({field.uv_at(p[a]), field.uv_at(p[b]), field.uv_at(p[c])});
    };
    for (std::uint32_t j = 0; j + 1 < rows; ++j) {
      for (std::uint32_t i = 0; i + 1 < columns; ++i) {
        const std::uint32_t a = i + j * columns;
        add(a, a + 1, a + columns + 1);
        add(a, a + columns + 1, a + columns);
      }
    }
    return mesh;
  }

 private:
  /// A sphere cut at its equator, with `gap` between the halves, bridged when `side`.
  void half_sphere_pair(Lathe& lathe, double radius, double gap, bool bottom, bool side,
                        bool top) const {
    const int rings = std::max(1, segments / 4);  // a half
    const auto polar = [&](int i) { return kPi / 2 * i / rings; };
    const auto rim_low = lathe.ring(radius, -gap / 2);
    const auto rim_high = gap == 0 ? rim_low : lathe.ring(radius, gap / 2);
    if (side && gap != 0) lathe.band(rim_low, rim_high);
    auto low = rim_low, high = rim_high;
    for (int i = 1; i <= rings; ++i) {
      const double r = i == rings ? 0 : radius * libm::cos(polar(i));
      const double z = gap / 2 + (i == rings ? radius : radius * libm::sin(polar(i)));
      if (bottom) {
        const auto next = lathe.ring(r, -z);
        lathe.band(next, low);
        low = next;
      }
      if (top) {
        const auto next = lathe.ring(r, z);
        lathe.band(high, next);
        high = next;
      }
    }
  }
};

}  // namespace

Mesh triangulated(const Geometry& geometry, int segments) {
  return std::visit(Triangulated{std::max(3, segments)}, geometry);
}

HeightField coarse(const HeightField& field, double points) {
  const double n = std::ceil(std::sqrt(static_cast<double>(field.heights.size()) / points));
  const int step = std::clamp(static_cast<int>(n), 1, std::min(field.columns, field.rows) - 1);
  if (step == 1) return field;
  HeightField out;
  out.columns = (field.columns - 1) / step + 1;
  out.rows = (field.rows - 1) / step + 1;
  out.origin = field.origin;
  out.spacing = step * field.spacing;
  out.uv = field.uv;
  out.heights.reserve(static_cast<std::size_t>(out.columns) * static_cast<std::size_t>(out.rows));
  for (int j = 0; j < out.rows; ++j) {
    for (int i = 0; i < out.columns; ++i) out.heights.push_back(field.height(i * step, j * step));
  }
  return out;
}

}  // namespace protobeam
