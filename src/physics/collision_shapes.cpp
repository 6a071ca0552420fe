#include "physics/collision_shapes.h"

#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <LinearMath/btConvexHullComputer.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "physics/mesh_shape.h"
#include "physics/terrain_shape.h"

namespace protobeam::physics {
namespace {

// Rounds edges by this much where Bullet compares shapes by distance.
constexpr double kMargin = 0.0005;  // m

class ShapeMaker {
 public:
  ShapeMaker(Motion motion, const std::string& who) : motion_(motion), who_(who) {}

  BulletShape operator()(const Box& box) const {
    check("Box size", {box.size.x(), box.size.y(), box.size.z()});
    const Vec3 half = box.size / 2;
    return with_margin(std::make_unique<btBoxShape>(to_bullet(half)), half.minCoeff());
  }
  BulletShape operator()(const Sphere& sphere) const {
    check("Sphere radius", {sphere.radius});
    return {nullptr, std::make_unique<btSphereShape>(sphere.radius)};
  }
  BulletShape operator()(const Cylinder& c) const {
    check("Cylinder radius and height", {c.radius, c.height});
    return with_margin(
        std::make_unique<btCylinderShapeZ>(btVector3(c.radius, c.radius, c.height / 2)),
        std::min(c.radius, c.height / 2));
  }
  BulletShape operator()(const Capsule& c) const {
    check("Capsule radius and height", {c.radius, c.height});
    return {nullptr, std::make_unique<btCapsuleShapeZ>(c.radius, c.height)};
  }
  BulletShape operator()(const Cone& c) const {
    check("Cone radius and height", {c.radius, c.height});
    auto cone = std::make_unique<btConeShapeZ>(c.radius, c.height);
    cone->setMargin(0);  // Bullet adds a cone's margin to its size
    return {nullptr, std::move(cone)};
  }
  BulletShape operator()(const Plane&) const {
    if (motion_ != Motion::kStatic) fail("a Plane collides as a half space and cannot move");
    return {nullptr, std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0)};
  }
  BulletShape operator()(const Mesh& mesh) const {
    if (mesh.triangles.empty()) fail("a mesh without triangles");
    for (const Vec3& v : mesh.vertices)
      if (!v.allFinite()) fail("a mesh vertex that is not finite");
    for (const auto& t : mesh.triangles)
      for (const std::uint32_t i : t)
        if (i >= mesh.vertices.size()) fail("a mesh triangle with a vertex that does not exist");
    if (motion_ != Motion::kDynamic) return static_triangles(mesh);
    btConvexHullComputer hull;
    const double hull_volume = compute_hull(mesh, hull);
    if (mesh.convex || std::abs(hull_volume - volume(mesh)) <= 1e-3 * hull_volume)
      return convex(hull, mesh);
    return moving_triangles(mesh);
  }
  BulletShape operator()(const HeightField& field) const {
    const auto points =
        static_cast<std::size_t>(field.columns) * static_cast<std::size_t>(field.rows);
    if (field.columns < 2 || field.rows < 2 || field.heights.size() != points)
      fail("a terrain needs 2 x 2 heights or more");
    check("terrain spacing", {field.spacing.x(), field.spacing.y()});
    for (const double height : field.heights)
      if (!std::isfinite(height)) fail("a height that is not finite");
    if (motion_ == Motion::kDynamic) return (*this)(triangulated(field));
    const auto [low, high] = std::minmax_element(field.heights.begin(), field.heights.end());
    auto shape = std::make_unique<TerrainShape>(field, *low, *high);
    const Vec3 center = shape->center();
    return {nullptr, std::move(shape), center, nullptr};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument(who_ + ": " + what);
  }

  void check(const char* what, std::initializer_list<double> sizes) const {
    if (std::all_of(sizes.begin(), sizes.end(), [](double s) { return s > 0 && std::isfinite(s); }))
      return;
    std::ostringstream text;
    text << what;
    for (const double s : sizes) text << ' ' << s;
    fail(text.str() + " must be positive and finite");
  }

  /// Boxes and cylinders shrink by their margin, so that they end where they should.
  static BulletShape with_margin(std::unique_ptr<btCollisionShape> shape, double smallest) {
    shape->setMargin(std::min(kMargin, 0.1 * smallest));
    return {nullptr, std::move(shape)};
  }

  static std::unique_ptr<btTriangleMesh> triangle_mesh(const Mesh& mesh) {
    auto triangles = std::make_unique<btTriangleMesh>(true, false);
    for (const auto& t : mesh.triangles)
      triangles->addTriangle(to_bullet(mesh.vertices[t[0]]), to_bullet(mesh.vertices[t[1]]),
                             to_bullet(mesh.vertices[t[2]]));
    return triangles;
  }

  static BulletShape static_triangles(const Mesh& mesh) {
    auto triangles = triangle_mesh(mesh);
    auto shape = std::make_unique<MeshShape>(*triangles);
    return {std::move(triangles), std::move(shape)};
  }

  static BulletShape moving_triangles(const Mesh& mesh) {
    auto triangles = triangle_mesh(mesh);
    auto shape = std::make_unique<btGImpactMeshShape>(triangles.get());
    shape->setMargin(kMargin);
    shape->updateBound();
    return {std::move(triangles), std::move(shape)};
  }

  static BulletShape convex(const btConvexHullComputer& hull, const Mesh& mesh) {
    auto shape = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < hull.vertices.size(); ++i) shape->addPoint(hull.vertices[i], false);
    shape->setMargin(0);  // Bullet adds a hull's margin to its size
    shape->recalcLocalAabb();
    BulletShape made{nullptr, std::move(shape)};
    made.hull = faces_of(hull, mesh);
    return made;
  }

  static std::vector<HullFace> faces_of(const btConvexHullComputer& hull, const Mesh& mesh) {
    // Bullet's own corners are rounded to 1e-5 of the hull's size.
    const auto corner = [&](int i) {
      return mesh.vertices[static_cast<std::size_t>(hull.original_vertex_index[i])];
    };
    Vec3 middle = Vec3::Zero();
    for (int i = 0; i < hull.vertices.size(); ++i) middle += corner(i);
    middle /= hull.vertices.size();
    std::vector<HullFace> faces;
    for (int f = 0; f < hull.faces.size(); ++f) {
      // The sum of triangles, so that corners on one line do not matter.
      const auto* first = &hull.edges[hull.faces[f]];
      const Vec3 a = corner(first->getSourceVertex());
      Vec3 area = Vec3::Zero();
      for (const auto* e = first->getNextEdgeOfFace(); e != first; e = e->getNextEdgeOfFace()) {
        area += (corner(e->getSourceVertex()) - a).cross(corner(e->getTargetVertex()) - a);
      }
      if (!(area.norm() > 0)) continue;
      Vec3 normal = area.normalized();
      if (normal.dot(middle - a) > 0) normal = -normal;
      double offset = normal.dot(a);
      for (const auto* e = first->getNextEdgeOfFace(); e != first; e = e->getNextEdgeOfFace()) {
        offset = std::max(offset, normal.dot(corner(e->getSourceVertex())));
      }
      faces.push_back({normal, offset});
    }
    return faces;
  }

  double compute_hull(const Mesh& mesh, btConvexHullComputer& hull) const {
    hull.compute(mesh.vertices.front().data(), sizeof(Vec3), static_cast<int>(mesh.vertices.size()),
                 0, 0);
    double volume = 0;
    for (int f = 0; f < hull.faces.size(); ++f) {
      const auto* first = &hull.edges[hull.faces[f]];
      const btVector3& a = hull.vertices[first->getSourceVertex()];
      for (const auto* e = first->getNextEdgeOfFace(); e != first; e = e->getNextEdgeOfFace())
        volume +=
            a.triple(hull.vertices[e->getSourceVertex()], hull.vertices[e->getTargetVertex()]) / 6;
    }
    if (!(std::abs(volume) > 0)) fail("a mesh without volume cannot be a moving body");
    return std::abs(volume);
  }

  static double volume(const Mesh& mesh) {
    double volume = 0;
    for (const auto& t : mesh.triangles)
      volume += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6;
    return std::abs(volume);
  }

  Motion motion_;
  const std::string& who_;
};

}  // namespace

BulletShape collision_shape(const std::shared_ptr<const Geometry>& geometry, Motion motion,
                            const std::string& who) {
  BulletShape shape = std::visit(ShapeMaker(motion, who), *geometry);
  shape.geometry = geometry;
  return shape;
}

double nearest_corners(const btCollisionShape& shape) {
  constexpr double kThinnest = 0.25;
  btVector3 low, high;
  shape.getAabb(btTransform::getIdentity(), low, high);
  const btVector3 size = high - low;
  return kThinnest * size[size.minAxis()];
}

}  // namespace protobeam::physics
