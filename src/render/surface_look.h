// A shape as those who colour the points on it need it: looked up once for all points of a run.
#pragma once

#include <cstdint>

#include "device/appearance.h"
#include "render/texture.h"

namespace protobeam::render {

class SurfaceLook {
 public:
  /// Grey, without pictures.
  SurfaceLook();
  /// A shape of an instance that is at X_WI; its textures are made. Keeps references.
  SurfaceLook(const ShapeLook& look, const Pose& X_WI, const Textures& textures);

  const Material& material() const { return *material_; }
  const Color& albedo() const { return albedo_; }  ///< of light that is scattered
  const Color& mirror() const { return mirror_; }  ///< share that is mirrored at right angles
  bool has_pictures() const { return pictures_; }
  bool is_plain() const { return !pictures_ && !smooth_; }  ///< everywhere the same

  bool is_smooth() const { return smooth_; }  ///< triangles have normals at their corners
  /// Triangles and barycentric coordinates of hits on the shape.
  struct Hits {
    const std::uint32_t* triangle;
    const float *u, *v;
    int count;  ///< at most LitPoints::kSize
  };
  /// Makes normals of triangles those at the points where they are hit, if the latter belong to the
  /// former.
  void smooth_normals(const Hits& hits, float* nx, float* ny, float* nz) const;

  /// Its pictures need to know where points are; of meshes the triangle says that.
  bool needs_places() const { return !mesh_; }
  /// A point that pictures show. `p_W`, triangle, u and v say where it is; `d_W` whence it is seen;
  /// `breadth` is that of a pixel on the surface, m.
  struct Point {
    Vec3 p_W;
    std::uint32_t triangle;
    float u, v, breadth;
    Eigen::Vector3f d_W;
  };
  struct Colors {
    Color base;
    float metalness, roughness, open;
    Color emissive;
    Eigen::Vector3f n_W;
  };
  /// What pictures make of what the material says, which `colors` holds before.
  void add_pictures(const Point& at, Colors& colors);

 private:
  TexturePoint texture_point_of(const Point& at, const Vec3& p_S);

  const Material* material_;
  const Geometry* geometry_ = nullptr;
  const Mesh* mesh_ = nullptr;    ///< of which a picture is shown
  const Mesh* smooth_ = nullptr;  ///< with normals
  bool pictures_ = false;
  const Texture *base_ = nullptr, *roughness_ = nullptr, *metalness_ = nullptr,
                *occlusion_ = nullptr, *emissive_ = nullptr, *normal_ = nullptr;
  Eigen::Matrix3f R_WS_ = Eigen::Matrix3f::Identity();
  Mat3 R_SW_ = Mat3::Identity();
  Vec3 p_SW_ = Vec3::Zero();
  float uv_scale_ = 0;
  Color albedo_, mirror_;
  // The triangle that was asked for last: neighbours mostly lie in the same.
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t triangle_ = kNone;
  Eigen::Vector2f corner_[3];
  float uv_per_metre_ = 0;
};

/// Shares of the light that a surface of that colour scatters, and mirrors at right angles.
inline Color scattered(const Color& base, float metalness) { return base * (0.96f * (1 - metalness)); }
inline Color mirrored(const Color& base, float metalness) {
  return Color::Constant(0.04f) + (base - Color::Constant(0.04f)) * metalness;
}

}  // namespace protobeam::render
