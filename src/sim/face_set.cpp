#include "sim/face_set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "base/libm.h"

namespace protobeam {
using wbt::NodePtr;
using wbt::NodeView;

namespace {

// A point of more faces than this keeps them flat: each would be compared with each.
constexpr std::size_t kMostFacesOfAPoint = 1000;

/// Of three numbers each.
std::vector<Vec3> points_of(const NodeView& view, std::string_view field) {
  const auto numbers = view.numbers(field);
  std::vector<Vec3> points(numbers.size() / 3);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = Vec3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
  }
  return points;
}

/// Newell's: twice the face's area long.
Vec3 normal_of(const std::vector<Vec3>& points, const std::vector<std::uint32_t>& face) {
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Vec3& a = points[face[i]];
    const Vec3& b = points[face[(i + 1) % face.size()]];
    normal += Vec3((a.y() - b.y()) * (a.z() + b.z()), (a.z() - b.z()) * (a.x() + b.x()),
                   (a.x() - b.x()) * (a.y() + b.y()));
  }
  return normal;
}

/// Corner numbers of one face's triangles, counter-clockwise as the face: ears are cut off one by
/// one (G. Meisters, "Polygons have ears", 1975), so that concave faces come out right.
std::vector<std::array<std::size_t, 3>> split_face(const std::vector<Vec3>& points,
                                                   const std::vector<std::uint32_t>& face) {
  if (face.size() == 3) return {{0, 1, 2}};
  // The polygon is judged in the coordinate plane that it covers most of.
  const Vec3 normal = normal_of(points, face);
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  const double sign = normal[axis] < 0 ? -1 : 1;
  const auto flat = [&](std::size_t i) {
    const Vec3& p = points[face[i]];
    return Vec2(p[(axis + 1) % 3], p[(axis + 2) % 3]);
  };
  const auto turn = [&](std::size_t a, std::size_t b, std::size_t c) {
    const Vec2 u = flat(b) - flat(a), v = flat(c) - flat(a);
    return sign * (u.x() * v.y() - u.y() * v.x());
  };
  std::vector<std::size_t> ring(face.size());
  for (std::size_t i = 0; i < ring.size(); ++i) ring[i] = i;
  std::vector<std::array<std::size_t, 3>> out;
  while (ring.size() > 3) {
    const std::size_t n = ring.size();
    std::size_t ear = 0;  // a face that crosses itself has no ear: cut anywhere, lose nothing else
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t a = ring[(i + n - 1) % n], b = ring[i], c = ring[(i + 1) % n];
      bool is_ear = turn(a, b, c) > 0;
      for (std::size_t k = 0; is_ear && k < n; ++k) {
        const std::size_t p = ring[k];
        if (p == a || p == b || p == c) continue;
        is_ear = !(turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0);
      }
      if (is_ear) {
        ear = i;
        break;
      }
    }
    out.push_back({ring[(ear + n - 1) % n], ring[ear], ring[(ear + 1) % n]});
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  out.push_back({ring[0], ring[1], ring[2]});
  return out;
}

/// A face and where it comes from.
struct Face {
  std::vector<std::uint32_t> points;
  std::vector<std::size_t> at;  ///< of its corners in coordIndex
  std::size_t first_triangle = 0;
  std::vector<std::array<std::size_t, 3>> triangles;  ///< corners of the face
};

/// As the node's lists of indices say it: element `index` of `all`; nothing beyond them.
template <class T>
const T* element(const std::vector<T>& all, double index) {
  const bool there = index >= 0 && index < static_cast<double>(all.size());
  return there ? &all[static_cast<std::size_t>(index)] : nullptr;
}

/// Sets the normal of a face's corner in all triangles that have it.
void set_normal(Mesh& mesh, const Face& face, std::size_t corner, const Vec3& normal) {
  for (std::size_t t = 0; t < face.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (face.triangles[t][k] == corner)
        mesh.normals[face.first_triangle + t][k] = normal.cast<float>();
    }
  }
}

void take_normals(const NodeView& view, const std::vector<Vec3>& vectors,
                  const std::vector<Face>& faces, Mesh& mesh) {
  const auto given = view.numbers("normalIndex");
  const auto coord_index = view.numbers("coordIndex");
  const bool each_corner = view.boolean("normalPerVertex");
  const auto& index = each_corner && given.empty() ? coord_index : given;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Face& face = faces[f];
    for (std::size_t c = 0; c < face.points.size(); ++c) {
      const double* at = element(index, static_cast<double>(each_corner ? face.at[c] : f));
      const double number = at ? *at : each_corner ? -1 : static_cast<double>(f);
      const Vec3* normal = element(vectors, number);
      if (normal && normal->norm() > 0) set_normal(mesh, face, c, normal->normalized());
    }
  }
}

void smooth_edges(double crease_angle, const std::vector<Face>& faces, bool ccw, Mesh& mesh) {
  std::vector<Vec3> flat(faces.size());
  std::vector<std::vector<std::uint32_t>> of_point(mesh.vertices.size());
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Vec3 normal = (ccw ? 1 : -1) * normal_of(mesh.vertices, faces[f].points);
    if (!(normal.norm() > 0)) continue;  // nothing to see
    flat[f] = normal.normalized();
    for (const std::uint32_t point : faces[f].points)
      of_point[point].push_back(static_cast<std::uint32_t>(f));
  }
  const double least = crease_angle < kPi ? libm::cos(crease_angle) : -2;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    if (flat[f].isZero(0)) continue;
    for (std::size_t c = 0; c < faces[f].points.size(); ++c) {
      const auto& others = of_point[faces[f].points[c]];
      Vec3 sum = Vec3::Zero();
      if (others.size() <= kMostFacesOfAPoint) {
        for (const std::uint32_t other : others)
          if (flat[other].dot(flat[f]) > least) sum += flat[other];
      }
      set_normal(mesh, faces[f], c, sum.norm() > 1e-6 ? sum.normalized() : flat[f]);
    }
  }
}

}  // namespace

Mesh face_set(const NodeView& view, const SchemaRegistry& schemas) {
  Mesh mesh;
  const NodePtr coord = view.node("coord");
  if (!coord) return mesh;
  mesh.vertices = points_of(NodeView(*coord, schemas), "point");
  std::vector<Eigen::Vector2f> texture_points;
  if (const NodePtr tex = view.node("texCoord")) {
    const auto numbers = NodeView(*tex, schemas).numbers("point");
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
      texture_points.emplace_back(static_cast<float>(numbers[i]),
                                  static_cast<float>(numbers[i + 1]));
    }
  }
  const auto coord_index = view.numbers("coordIndex");
  auto tex_index = view.numbers("texCoordIndex");
  if (tex_index.empty()) tex_index = coord_index;
  const bool textured = !texture_points.empty() && tex_index.size() >= coord_index.size();
  const bool ccw = view.boolean("ccw");
  std::vector<Face> faces;
  Face face;
  const auto finish = [&] {
    // Faces without an area are counted, too: normals may be given for each.
    if (face.points.size() >= 3) face.triangles = split_face(mesh.vertices, face.points);
    face.first_triangle = mesh.triangles.size();
    for (auto& t : face.triangles) {
      if (!ccw) std::swap(t[1], t[2]);
      mesh.triangles.push_back({face.points[t[0]], face.points[t[1]], face.points[t[2]]});
      if (!textured) continue;
      std::array<Eigen::Vector2f, 3> corners;
      for (std::size_t k = 0; k < 3; ++k) {
        const Eigen::Vector2f* point = element(texture_points, tex_index[face.at[t[k]]]);
        corners[k] = point ? *point : Eigen::Vector2f(0, 0);
      }
      mesh.uvs.push_back(corners);
    }
    faces.push_back(std::exchange(face, {}));
  };
  for (std::size_t i = 0; i < coord_index.size(); ++i) {
    if (coord_index[i] < 0) {
      finish();
    } else if (coord_index[i] < static_cast<double>(mesh.vertices.size())) {
      face.points.push_back(static_cast<std::uint32_t>(coord_index[i]));
      face.at.push_back(i);
    }
  }
  if (!face.points.empty()) finish();

  const NodePtr given = view.node("normal");
  const double crease_angle = view.number("creaseAngle");
  const std::vector<Vec3> normals =
      given ? points_of(NodeView(*given, schemas), "vector") : std::vector<Vec3>();
  if (normals.empty() && !(crease_angle > 0)) return mesh;
  mesh.normals.assign(mesh.triangles.size(),
                      {Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero()});
  if (normals.empty())
    smooth_edges(crease_angle, faces, ccw, mesh);
  else
    take_normals(view, normals, faces, mesh);
  return mesh;
}

}  // namespace protobeam
