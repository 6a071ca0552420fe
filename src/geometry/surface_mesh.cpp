#include "geometry/surface_mesh.h"

#include <unordered_map>

#include "base/libm.h"

namespace protobeam {
namespace {

constexpr double kMostPoints = 2e6;  // of a terrain; more are too slow to draw
constexpr int kSegments = 48;  // around a circle; a chord leaves it by 0.2 % of the radius

struct Corner {
  Vec3 position;
  Eigen::Vector3f normal;
  Eigen::Vector2f uv;
};

class Builder {
 public:
  std::uint32_t add(const Corner& corner) {
    mesh_.positions.push_back(corner.position);
    mesh_.normals.push_back(corner.normal);
    mesh_.uvs.push_back(corner.uv);
    return static_cast<std::uint32_t>(mesh_.positions.size() - 1);
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh_.triangles.push_back({a, b, c});
  }
  /// Counter-clockwise from its lower left corner.
  void rectangle(const std::array<Vec3, 4>& corners, const Eigen::Vector3f& normal) {
    const std::array<Eigen::Vector2f, 4> uvs = {Eigen::Vector2f{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    std::array<std::uint32_t, 4> at{};
    for (std::size_t i = 0; i < 4; ++i) at[i] = add({corners[i], normal, uvs[i]});
    triangle(at[0], at[1], at[2]);
    triangle(at[0], at[2], at[3]);
  }
  SurfaceMesh take() { return std::move(mesh_); }

 private:
  SurfaceMesh mesh_;
};

/// A surface of revolution about z: textures go once around, from -x over -y and so on.
class Lathe {
 public:
  explicit Lathe(Builder& builder) : builder_(builder) {}

  /// `along` is the normal's part along z; `v` the picture's height there.
  void ring(double radius, double z, double along, double v) {
    const std::uint32_t first = next_;
    for (int i = 0; i <= kSegments; ++i) {
      const double angle = 2 * kPi * i / kSegments - kPi;
      // The last column is the first one again, to the bit.
      const double c = i == kSegments ? -1 : libm::cos(angle);
      const double s = i == kSegments || i == 0 ? 0 : libm::sin(angle);
      const double outward = std::sqrt(std::max(0.0, 1 - along * along));
      next_ = 1 + builder_.add({Vec3(radius * c, radius * s, z),
                                Vec3(outward * c, outward * s, along).cast<float>(),
                                {static_cast<float>(i) / kSegments, static_cast<float>(v)}});
    }
    if (connected_) {
      for (std::uint32_t i = 0; i < kSegments; ++i) {
        const std::uint32_t low = previous_ + i, high = first + i;
        builder_.triangle(low, low + 1, high + 1);
        builder_.triangle(low, high + 1, high);
      }
    }
    previous_ = first;
    connected_ = true;
  }
  /// The next ring starts a band of its own.
  void gap() { connected_ = false; }

  void disc(double radius, double z, bool up) {
    const Eigen::Vector3f normal(0, 0, up ? 1.0f : -1.0f);
    const std::uint32_t middle = builder_.add({Vec3(0, 0, z), normal, {0.5f, 0.5f}});
    for (int i = 0; i < kSegments; ++i) {
      const double angle = 2 * kPi * i / kSegments - kPi;
      const double c = libm::cos(angle), s = libm::sin(angle);
      next_ = 1 + builder_.add({Vec3(radius * c, radius * s, z),
                                normal,
                                {static_cast<float>(0.5 + 0.5 * c),
                                 static_cast<float>(0.5 + (up ? 0.5 : -0.5) * s)}});
    }
    for (std::uint32_t i = 0; i < kSegments; ++i) {
      const std::uint32_t a = middle + 1 + i, b = middle + 1 + (i + 1) % kSegments;
      builder_.triangle(middle, up ? a : b, up ? b : a);
    }
    connected_ = false;
  }

 private:
  Builder& builder_;
  std::uint32_t next_ = 0, previous_ = 0;
  bool connected_ = false;
};

struct MeshOf {
  SurfaceMesh operator()(const Box& box) const {  // each face shows the whole picture
    Builder builder;
    const Vec3 h = box.size / 2;
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {-1.0, 1.0}) {
        Vec3 normal = Vec3::Zero(), right = Vec3::Zero(), up = Vec3::Zero();
        normal[axis] = side;
        if (axis == 0) right.y() = side;
        if (axis == 1) right.x() = -side;
        if (axis == 2) right.x() = 1;
        (axis == 2 ? up.y() : up.z()) = axis == 2 ? side : 1;
        const auto corner = [&](double x, double y) {
          return Vec3((normal + x * right + y * up).cwiseProduct(h));
        };
        builder.rectangle({corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)},
                          normal.cast<float>());
      }
    }
    return builder.take();
  }

  SurfaceMesh operator()(const Sphere& sphere) const {
    return capsule({sphere.radius, 0, true, false, true});
  }
  SurfaceMesh operator()(const Capsule& c) const { return capsule(c); }

  SurfaceMesh operator()(const Cylinder& c) const {
    Builder builder;
    Lathe lathe(builder);
    if (c.bottom) lathe.disc(c.radius, -c.height / 2, false);
    if (c.side) {
      lathe.ring(c.radius, -c.height / 2, 0, 0);
      lathe.ring(c.radius, c.height / 2, 0, 1);
    }
    lathe.gap();
    if (c.top) lathe.disc(c.radius, c.height / 2, true);
    return builder.take();
  }

  SurfaceMesh operator()(const Cone& c) const {
    Builder builder;
    Lathe lathe(builder);
    if (c.bottom) lathe.disc(c.radius, -c.height / 2, false);
    if (c.side) {
      const double slant = libm::hypot(c.radius, c.height);
      const double along = slant > 0 ? c.radius / slant : 0;
      lathe.ring(c.radius, -c.height / 2, along, 0);
      lathe.ring(0, c.height / 2, along, 1);
    }
    return builder.take();
  }

  SurfaceMesh operator()(const Plane& plane) const {
    Builder builder;
    const double x = plane.size.x() / 2, y = plane.size.y() / 2;
    builder.rectangle({Vec3(-x, -y, 0), Vec3(x, -y, 0), Vec3(x, y, 0), Vec3(-x, y, 0)},
                      Eigen::Vector3f::UnitZ());
    return builder.take();
  }

  SurfaceMesh operator()(const Mesh& mesh) const;
  SurfaceMesh operator()(const HeightField& field) const {
    return (*this)(triangulated(coarse(field, kMostPoints)));
  }

 private:
  static SurfaceMesh capsule(const Capsule& c) {
    Builder builder;
    Lathe lathe(builder);
    constexpr int kRings = kSegments / 4;  // a half
    const double top = c.height / 2 + c.radius;
    const auto ring = [&](int i, double middle) {
      const double latitude = kPi / 2 * i / kRings;
      const double radius = std::abs(i) == kRings ? 0 : c.radius * libm::cos(latitude);
      const double z = middle + c.radius * libm::sin(latitude);
      // A sphere's picture is spread evenly over the latitudes, a capsule's over the height.
      const double v = c.height == 0 ? latitude / kPi + 0.5 : (z / top + 1) / 2;
      lathe.ring(radius, z, libm::sin(latitude), v);
    };
    if (c.bottom) {
      for (int i = -kRings; i <= 0; ++i) ring(i, -c.height / 2);
    } else if (c.side) {
      ring(0, -c.height / 2);
    }
    if (!c.side && c.height > 0) lathe.gap();
    if (c.top) {
      for (int i = c.height == 0 && c.bottom ? 1 : 0; i <= kRings; ++i) ring(i, c.height / 2);
    } else if (c.side) {
      ring(0, c.height / 2);
    }
    return builder.take();
  }
};

/// Equal corners of neighbouring triangles are one.
class CornerTable {
 public:
  explicit CornerTable(std::size_t expected) { known_.reserve(expected); }

  std::uint32_t index(Builder& builder, std::uint32_t vertex, const Corner& corner) {
    const Key key{vertex, corner.normal, corner.uv};
    const auto [place, is_new] = known_.try_emplace(key, 0);
    if (is_new) place->second = builder.add(corner);
    return place->second;
  }

 private:
  struct Key {
    std::uint32_t vertex;
    Eigen::Vector3f normal;
    Eigen::Vector2f uv;
    bool operator==(const Key&) const = default;
  };
  /// By the vertex alone: few corners share one.
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return key.vertex * std::size_t{0x9e3779b97f4a7c15};  // Fibonacci hashing
    }
  };
  std::unordered_map<Key, std::uint32_t, Hash> known_;
};

SurfaceMesh MeshOf::operator()(const Mesh& mesh) const {
  Builder builder;
  CornerTable corners(mesh.vertices.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& triangle = mesh.triangles[t];
    const Vec3& a = mesh.vertices[triangle[0]];
    const Vec3 cross = (mesh.vertices[triangle[1]] - a).cross(mesh.vertices[triangle[2]] - a);
    if (!(cross.norm() > 0)) continue;  // nothing to see
    const Eigen::Vector3f flat = cross.normalized().cast<float>();
    std::array<std::uint32_t, 3> at{};
    for (std::size_t k = 0; k < 3; ++k) {
      Corner corner{mesh.vertices[triangle[k]], flat, Eigen::Vector2f::Zero()};
      if (t < mesh.uvs.size()) corner.uv = mesh.uvs[t][k];
      if (t < mesh.normals.size()) {
        // Normals that have little to do with the triangle come from broken files.
        const Eigen::Vector3f& smooth = mesh.normals[t][k];
        const float along = smooth.dot(flat);
        if (std::abs(along) > 0.3f * smooth.norm()) {
          corner.normal = (along < 0 ? -smooth : smooth).normalized();
        }
      }
      at[k] = corners.index(builder, triangle[k], corner);
    }
    builder.triangle(at[0], at[1], at[2]);
  }
  return builder.take();
}

}  // namespace

SurfaceMesh surface_mesh(const Geometry& geometry) { return std::visit(MeshOf{}, geometry); }

}  // namespace protobeam
