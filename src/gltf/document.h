// A scene that moves, as a file that browsers, Blender and many others show: binary glTF (".glb").
//
// Source: Khronos Group, "glTF 2.0 Specification", version 2.0.1 (ISO/IEC 12113:2022), and its
// extensions KHR_lights_punctual, KHR_materials_unlit and KHR_materials_emissive_strength. Worlds
// have z up, or y before R2022a, and glTF has y up: the root node turns one into the other, so that
// everything below it is as it is in the world.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "geometry/geometry.h"
#include "geometry/material.h"
#include "gltf/track.h"

namespace protobeam::gltf {

/// A lamp.
struct Light {
  enum class Kind { kDirectional, kPoint, kSpot };
  Kind kind = Kind::kDirectional;
  Eigen::Vector3f color{1, 1, 1};  ///< linear, 0..1
  double intensity = 1;            ///< lux of a directional one, candela of others
  double range = 0;                ///< m; 0: no limit
  Vec3 direction{0, 0, -1};        ///< where it shines, in its node; any length but 0
  double inner_angle = 0, outer_angle = 0.785398;  ///< rad, of the cone's edge; kSpot
};

class Document {
 public:
  /// `generator`: "protobeam 0.9.0"; `up`: where the world has its sky, unit.
  explicit Document(const std::string& generator, const Vec3& up = Vec3::UnitZ());
  /// Of the root: from the world's frame to that of the file, whose y is up.
  static Quat turn(const Vec3& up) { return Quat::FromTwoVectors(up, Vec3::UnitY()); }
  ~Document();

  /// A node under the root: its index. `X_WN`: its pose in the world, unless a track has another
  /// one.
  int add_node(const std::string& name, const Pose& X_WN);
  /// Under node `node`: the index of its own; -1 for what has no triangles or cannot be seen, which
  /// is left out. Those of one geometry and one material are one mesh.
  int add_shape(int node, const std::string& name, const std::shared_ptr<const Geometry>& geometry,
                const std::shared_ptr<const Material>& material, const Pose& X_NS);
  /// Where the origin of a shape's node is in the shape's own frame: elsewhere than its origin if
  /// all of the shape is far from there.
  static Vec3 origin_of(const Geometry& geometry);
  void add_light(int node, const Light& light, const Vec3& location_N = Vec3::Zero());
  /// Where to look from: x forward, z up. `vertical_fov` in rad.
  void add_camera(const Pose& X_WV, double vertical_fov, double near);
  /// From the root's animation, the only one.
  void animate(int node, const Track& track);

  /// Throws std::runtime_error when it is larger than the format allows, 4 GiB.
  std::string glb() const;

 private:
  struct Parts;
  /// Arrays of a shape; -1: none. Its origin is moved so that single precision suffices.
  struct Arrays {
    int positions = -1, normals = -1, indices = -1;
    Vec3 origin = Vec3::Zero();
  };
  using UvPlacement = std::array<float, 6>;

  int add_child(int parent, const std::string& name, const Pose& X);
  const Arrays& arrays_of(const std::shared_ptr<const Geometry>& geometry);
  int uvs_of(const std::shared_ptr<const Geometry>& geometry, const Material& material);
  int mesh_of(const std::shared_ptr<const Geometry>& geometry,
              const std::shared_ptr<const Material>& material, const Arrays& arrays);

  std::unique_ptr<Parts> parts_;
  std::map<std::shared_ptr<const Geometry>, Arrays> arrays_;
  std::map<std::pair<std::shared_ptr<const Geometry>, UvPlacement>, int> uvs_;
  std::map<std::pair<std::shared_ptr<const Geometry>, std::shared_ptr<const Material>>, int>
      meshes_;
};

}  // namespace protobeam::gltf
