// A shape as those who colour the points on it need it: looked up once for all points of a run.
#pragma once

#include <cstdint>

#include "base/clones.h"
#include "device/appearance.h"
#include "render/lit_points.h"
#include "render/texture.h"

namespace protobeam::render {

class SurfaceLook {
 public:
  /// Grey, without pictures.
  SurfaceLook();
  /// A shape of an instance that is at X_WI; its textures are known. Keeps references.
  SurfaceLook(const ShapeLook& look, const Pose& X_WI, const Textures& textures);

  const Material& material() const { return *material_; }
  const Color& albedo() const { return albedo_; }  ///< of light that is scattered
  /// Share that is mirrored at right angles; kPhong: the colour of highlights.
  const Color& mirror() const { return mirror_; }
  const Color& emissive() const { return emissive_light_; }  ///< light that is sent out
  bool is_physical() const { return material_->shading == Shading::kPhysical; }
  bool is_lit() const { return material_->shading != Shading::kUnlit; }
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

  /// Its pictures need to know where points are; of meshes the triangle says that, but for paint.
  bool needs_places() const { return !mesh_ || paint_; }
  /// Points that pictures show.
  struct PicturePoints {
    Hits hits;
    const float* breadth;       ///< of a pixel on the surface, m
    const Vec3* p_W;            ///< if needs_places()
    const float *nx, *ny, *nz;  ///< of the triangles, to who looks; in W
  };
  /// Gives the points of `to` from `first` on what its pictures make of what its material says; their
  /// normals are there. Of a material without maps only albedo and mirror. `alpha`, of the points, is
  /// lowered where the picture of its colour is transparent.
  void show_pictures(const PicturePoints& points, int first, LitPoints& to, float* alpha);

 private:
  void find_colors();
  void show_paint(const PicturePoints& points, LitPoints::Floats color[3]) const;
  void find_looks(const PicturePoints& points, TextureLooks& to);
  void bend_normals(const PicturePoints& points, const LitPoints::Floats bumps[3], int first,
                    LitPoints& to) const;
  Vec3 in_shape(const Vec3& p_W) const { return R_SW_ * p_W + p_SW_; }

  const Material* material_;
  const Geometry* geometry_ = nullptr;
  const Mesh* mesh_ = nullptr;    ///< of which a picture is shown
  const Mesh* smooth_ = nullptr;  ///< with normals
  const PaintLayer* paint_ = nullptr;
  bool pictures_ = false;
  const Texture *base_ = nullptr, *roughness_ = nullptr, *metalness_ = nullptr,
                *occlusion_ = nullptr, *emissive_ = nullptr, *normal_ = nullptr;
  Eigen::Matrix3f R_WS_ = Eigen::Matrix3f::Identity();
  Mat3 R_SW_ = Mat3::Identity();
  Vec3 p_SW_ = Vec3::Zero();
  float uv_scale_ = 0;
  Color base_color_, albedo_, mirror_, emissive_light_;
  // The triangle that was asked for last: neighbours mostly lie in the same.
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t triangle_ = kNone;
  float uv_per_metre_ = 0;
};

/// Those that SurfaceLook asks for.
void need_textures(const Appearance& appearance, Textures& textures);

/// How the picture of a material's colour is to be read: where there is no light, its bytes are light.
inline Encoding encoding_of(const Material& material) {
  return material.shading == Shading::kUnlit ? Encoding::kLinear : Encoding::kSrgb;
}

/// Shares of the light that a surface of that colour scatters, and mirrors at right angles; of one channel.
PROTOBEAM_INLINE float scattered(float base, float metalness) {
  return base * (0.96f * (1 - metalness));
}
PROTOBEAM_INLINE float mirrored(float base, float metalness) {
  return 0.04f + (base - 0.04f) * metalness;
}
inline Color scattered(const Color& base, float metalness) {
  return base.unaryExpr([metalness](float channel) { return scattered(channel, metalness); });
}
inline Color mirrored(const Color& base, float metalness) {
  return base.unaryExpr([metalness](float channel) { return mirrored(channel, metalness); });
}

}  // namespace protobeam::render
