// The bottom level of the ray scene: one rigid group of shapes and its Embree scene.
#pragma once

#include <embree3/rtcore.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "base/clones.h"
#include "raycast/height_field.h"
#include "raycast/quadric.h"
#include "raycast/ray_scene.h"
#include "raycast/triangle_clusters.h"

namespace protobeam {

/// Plane of a triangle: normal . p = offset, unit normal; all zeros for a triangle without area.
struct alignas(32) TrianglePlane {
  double nx = 0, ny = 0, nz = 0, offset = 0;
};

/// Barycentric coordinates of points in coordinates G: u = along_u . p + u0, and so v.
struct TrianglePlaces {
  Vec3 along_u = Vec3::Zero(), along_v = Vec3::Zero();
  double u0 = 0, v0 = 0;
};
/// As floats, moved into the triangle.
PROTOBEAM_INLINE void set_place(double u, double v, float& u_out, float& v_out) {
  const double within_u = u > 0 ? (u < 1 ? u : 1.0) : 0.0, most = 1 - within_u;
  u_out = static_cast<float>(within_u);
  v_out = static_cast<float>(v > 0 ? (v < most ? v : most) : 0.0);
}

/// Where a shape is in the coordinates of its group.
struct ShapeFrame {
  Mat3 R_QG;  ///< from the group's axes to those of the shape
  Vec3 p_GQ;  ///< origin of the shape
};

/// A quadric as a part of its group.
struct QuadricPart {
  Quadric quadric;
  ShapeFrame frame;
  /// Half extents of its bounding box, group's axes, slightly enlarged; 0: there is no quadric.
  Vec3 half = Vec3::Zero();
  Vec3 center = Vec3::Zero();  ///< of that box
};

/// A height field as a part of its group.
struct FieldPart {
  TiledField tiles;
  ShapeFrame frame;
};

/// Shapes that move together. Coordinates G have the axes of the body B and their origin in the
/// middle of the shapes, so that a mesh far from its body's origin keeps its digits in float. Does
/// not change once it is made: scenes on several threads may use it.
class ShapeGroup {
 public:
  ShapeGroup(std::shared_ptr<RTCDeviceTy> device, const std::vector<VisibleShape>& shapes,
             const RaySceneOptions& options);
  ShapeGroup(const ShapeGroup&) = delete;
  ShapeGroup& operator=(const ShapeGroup&) = delete;

  RTCScene scene() const { return scene_.get(); }
  const Vec3& center() const { return p_BG_; }
  /// Half extents of their bounding box about the center, axes of B.
  const Vec3& half() const { return half_; }
  /// No point of the shapes is farther from B's origin; m.
  double reach() const { return reach_; }
  std::size_t triangle_count() const { return mesh_triangles() + field_triangles_; }
  std::size_t mesh_triangles() const { return planes_.size() - 1; }
  /// Of a ball about the center around the shapes, m; 1e30 at most.
  float radius() const {
    return static_cast<float>(std::min(1e30, half_.norm() * 1.00001 + 1e-3));
  }

  /// Plane 0 is all zeros: the answer for a hit that is not on a triangle.
  const TrianglePlane* planes() const { return planes_.data(); }
  /// Plane of the first triangle of each mesh; 0 for quadrics and height fields.
  const std::uint32_t* first_plane() const { return first_plane_.data(); }

  bool has_fields() const { return !fields_.empty(); }
  /// Around the shapes that are not made of triangles, in G, slightly enlarged; several balls around
  /// a long one.
  struct CurvedBalls {
    ClusterBalls balls;
    std::vector<std::uint32_t> shape;  ///< one a ball; kFields: around the whole group
    static constexpr std::uint32_t kFields = 0xffffffffu;
  };
  const CurvedBalls& curved() const { return curved_; }
  const QuadricPart& quadric(std::uint32_t shape) const { return quadrics_[shape]; }
  /// The triangles for the beam caster; made at the first call.
  const TriangleClusters& clusters() const;
  /// A box in G, axes of B.
  struct Box {
    Vec3 center, half;
  };
  /// All shapes are within some of them; made with the clusters.
  const std::vector<Box>& boxes() const;

  /// Where points are in that triangle; 0 for those that have no places.
  TrianglePlaces places(std::uint32_t shape, std::uint32_t triangle) const;
  /// Has the triangle's corners on the way to the caches, for places().
  void fetch_corners(std::uint32_t shape, std::uint32_t triangle) const {
    const Mesh* mesh = meshes_[shape].mesh;
    if (mesh == nullptr || triangle >= mesh->triangles.size()) return;
    for (const std::uint32_t number : mesh->triangles[triangle]) {
      fetch_ahead(mesh->vertices.data() + number);
    }
  }
  /// Whether someone may ask for them: triangles have texture coordinates, or, for who asks for
  /// normals, normals at their corners.
  bool has_places(std::uint32_t shape, bool with_normals) const {
    const MeshPart& part = meshes_[shape];
    return part.field != nullptr ||
           (part.mesh != nullptr &&
            ((with_normals && !part.mesh->normals.empty()) || !part.mesh->uvs.empty()));
  }

 private:
  TriangleClusters find_clusters() const;
  std::vector<Box> find_boxes() const;
  void add_mesh(RTCDevice device, std::uint32_t shape, const Mesh& mesh, const Pose& X_GS);
  void add_ball(const Vec3& center, double radius, std::uint32_t shape);
  void add_balls(const Geometry& geometry, std::uint32_t shape);
  void add_quadric(RTCDevice device, std::uint32_t shape);
  void add_field(RTCDevice device, std::uint32_t shape);
  /// Embree tests the boxes of instances without the care of ROBUST, and a ray along a flat box
  /// would slip through. Two triangles without area, just outside two corners, enlarge the box.
  void add_margin(RTCDevice device, std::uint32_t id, const Bounds& bounds_B);

  /// Where the planes of a mesh end.
  std::uint32_t next_plane(std::uint32_t shape) const;

  struct MeshPart {
    const Mesh* mesh = nullptr;
    const HeightField* field = nullptr;
    Pose X_SG;
  };

  struct ReleaseScene {
    void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
  };

  std::shared_ptr<RTCDeviceTy> device_;
  std::vector<std::shared_ptr<const Geometry>> keep_;
  std::unique_ptr<RTCSceneTy, ReleaseScene> scene_;
  Vec3 p_BG_;
  Vec3 half_ = Vec3::Zero();
  double reach_ = 0;
  std::vector<TrianglePlane> planes_{1};
  std::vector<std::uint32_t> first_plane_;
  std::vector<MeshPart> meshes_;       ///< one a shape (empty for others), and one for the margin
  std::vector<QuadricPart> quadrics_;  ///< one a shape (empty for others): Embree keeps pointers
  std::deque<FieldPart> fields_;       ///< those that there are; Embree keeps pointers
  std::size_t field_triangles_ = 0;
  CurvedBalls curved_;
  mutable std::once_flag clusters_made_;
  mutable TriangleClusters clusters_;
  mutable std::vector<Box> boxes_;
};

}  // namespace protobeam
