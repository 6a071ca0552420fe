#include "render/surface_look.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/clones.h"
#include "render/lit_points.h"

namespace protobeam::render {
namespace {

/// Of what has no look at all.
const Material& unlit() {
  static const Material kUnlit = [] {
    Material material;
    material.roughness = 1;
    material.shading = Shading::kUnlit;
    return material;
  }();
  return kUnlit;
}

struct ShapeNormals {
  alignas(64) LitPoints::Floats x, y, z;
};

/// Normals of points instead of those of their triangles.
PROTOBEAM_CLONES void take_smooth(const Eigen::Matrix3f& by, const ShapeNormals& normals, int count,
                                  float* __restrict nx, float* __restrict ny, float* __restrict nz) {
  const Eigen::Matrix3f R = by;
  for (int i = 0; i < count; ++i) {
    const float sx = normals.x[i], sy = normals.y[i], sz = normals.z[i];
    // Added in Eigen's order.
    const float x = R(0, 0) * sx + (R(0, 1) * sy + R(0, 2) * sz);
    const float y = R(1, 0) * sx + (R(1, 1) * sy + R(1, 2) * sz);
    const float z = R(2, 0) * sx + (R(2, 1) * sy + R(2, 2) * sz);
    const float along = x * nx[i] + (y * ny[i] + z * nz[i]);
    const float length = std::sqrt(x * x + (y * y + z * z));
    // Normals that have little to do with the triangle come from broken files.
    const bool belongs = std::abs(along) > 0.3f * length;
    const float scale = (along < 0 ? -1.0f : 1.0f) / (belongs ? length : 1.0f);
    nx[i] = belongs ? scale * x : nx[i];
    ny[i] = belongs ? scale * y : ny[i];
    nz[i] = belongs ? scale * z : nz[i];
  }
}

/// Of a triangle's corners, at barycentric coordinates.
PROTOBEAM_CLONES void between(float a, float b, float c, const float* u, const float* v, int n,
                              float* __restrict out) {
  for (int i = 0; i < n; ++i) out[i] = ((1 - u[i] - v[i]) * a + u[i] * b) + v[i] * c;
}

/// From the coordinates of a surface to those of its picture.
PROTOBEAM_CLONES void transform(const Eigen::Matrix<float, 2, 3>& by, const float* breadth,
                                const float* per_metre, float scale, int n, TextureLooks& looks) {
  const Eigen::Matrix<float, 2, 3> T = by;
  for (int i = 0; i < n; ++i) {
    const float u = looks.u[i], v = looks.v[i];
    looks.u[i] = (T(0, 0) * u + T(0, 1) * v) + T(0, 2);
    looks.v[i] = (T(1, 0) * u + T(1, 1) * v) + T(1, 2);
    looks.footprint[i] = breadth[i] * per_metre[i] * scale;
  }
}

PROTOBEAM_CLONES void multiply(const float* by, int n, float* __restrict to) {
  for (int i = 0; i < n; ++i) to[i] *= by[i];
}

/// Between scattered and mirrored light.
PROTOBEAM_CLONES void share_light(const float* base, const float* metalness, int n,
                                  float* __restrict albedo, float* __restrict mirror) {
  for (int i = 0; i < n; ++i) {
    albedo[i] = scattered(base[i], metalness[i]);
    mirror[i] = mirrored(base[i], metalness[i]);
  }
}

/// As linear_from_srgb(), whose powers take longer than all else that a look needs: images meet the
/// same colours again and again.
Color linear_of(const Color& encoded) {
  struct Known {
    Color encoded = Color::Zero(), linear = Color::Zero();
  };
  thread_local std::array<Known, 64> known;
  std::uint32_t slot = 0;
  for (const float channel : encoded) slot = slot * 31 + (std::bit_cast<std::uint32_t>(channel) >> 10);
  Known& one = known[slot % known.size()];
  if (one.encoded != encoded) one = {encoded, linear_from_srgb(encoded)};
  return one.linear;
}

}  // namespace

SurfaceLook::SurfaceLook() : material_(&unlit()) {
  base_color_.setOnes(), albedo_.setZero(), mirror_.setZero(), emissive_light_.setOnes();
}

/// Where no picture shows others.
void SurfaceLook::find_colors() {
  base_color_ = linear_of(material_->base_color);
  switch (material_->shading) {
    case Shading::kPhysical:
      albedo_ = scattered(base_color_, material_->metalness);
      mirror_ = mirrored(base_color_, material_->metalness);
      emissive_light_ = material_->emissive;
      break;
    case Shading::kPhong:
      albedo_ = base_color_;
      mirror_ = material_->specular;
      emissive_light_ = material_->emissive;
      break;
    case Shading::kUnlit:
      albedo_.setZero(), mirror_.setZero(), emissive_light_.setOnes();
      break;
  }
}

SurfaceLook::SurfaceLook(const ShapeLook& look, const Pose& X_WI, const Textures& textures)
    : material_(look.material.get()), geometry_(look.geometry.get()) {
  find_colors();
  if (!geometry_) return;
  const Mesh* mesh = std::get_if<Mesh>(geometry_);
  if (mesh && !mesh->normals.empty()) smooth_ = mesh;
  const MaterialMaps* maps = is_physical() ? material_->maps.get() : nullptr;
  paint_ = look.paint.get();
  pictures_ = material_->texture || maps || paint_;
  if (!smooth_ && !pictures_) return;
  const Pose X_WS = X_WI * look.X_IS;
  R_WS_ = X_WS.R.toRotationMatrix().cast<float>();
  if (!pictures_) return;
  mesh_ = mesh;
  const Pose X_SW = X_WS.inverse();
  R_SW_ = X_SW.R.toRotationMatrix();
  p_SW_ = X_SW.p;
  uv_scale_ = material_->uv_transform.leftCols<2>().norm() / std::sqrt(2.0f);
  if (material_->texture) base_ = &textures.known(*material_->texture, encoding_of(*material_));
  if (!maps) return;
  const auto linear = [&](const auto& image) {
    return image ? &textures.known(*image, Encoding::kLinear) : nullptr;
  };
  roughness_ = linear(maps->roughness);
  metalness_ = linear(maps->metalness);
  occlusion_ = linear(maps->occlusion);
  normal_ = linear(maps->normal);
  if (maps->emissive) emissive_ = &textures.known(*maps->emissive);
}

void SurfaceLook::smooth_normals(const Hits& hits, float* nx, float* ny, float* nz) const {
  // Of length 0 they belong to no triangle.
  static const std::array<Eigen::Vector3f, 3> kNoNormals = {
      Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero()};
  ShapeNormals normals;
  for (int i = 0; i < hits.count; ++i) {
    const std::uint32_t triangle = hits.triangle[i];
    const float u = hits.u[i], v = hits.v[i];
    const auto& at = triangle < smooth_->normals.size() ? smooth_->normals[triangle] : kNoNormals;
    const Eigen::Vector3f n = (1 - u - v) * at[0] + u * at[1] + v * at[2];
    normals.x[i] = n.x(), normals.y[i] = n.y(), normals.z[i] = n.z();
  }
  take_smooth(R_WS_, normals, hits.count, nx, ny, nz);
}

/// Where pictures are looked at, and how breadths count there.
void SurfaceLook::find_looks(const PicturePoints& points, TextureLooks& to) {
  const Hits& hits = points.hits;
  LitPoints::Floats per_metre;
  if (!mesh_) {
    for (int i = 0; i < hits.count; ++i) {
      const TexturePoint at = texture_point(*geometry_, in_shape(points.p_W[i]), hits.triangle[i],
                                            hits.u[i], hits.v[i]);
      to.u[i] = at.uv.x(), to.v[i] = at.uv.y(), per_metre[i] = at.uv_per_metre;
    }
  }
  for (int i = 0; mesh_ && i < hits.count;) {
    const std::uint32_t triangle = hits.triangle[i];
    int end = i + 1;
    while (end < hits.count && hits.triangle[end] == triangle) ++end;
    const int n = end - i;
    if (triangle >= mesh_->uvs.size()) {
      for (float* of : {to.u, to.v, per_metre}) std::fill_n(of + i, n, 0.0f);
    } else {
      if (triangle != triangle_) {
        triangle_ = triangle;
        uv_per_metre_ = texture_point(*geometry_, Vec3::Zero(), triangle, 0, 0).uv_per_metre;
      }
      const auto& corners = mesh_->uvs[triangle];
      between(corners[0].x(), corners[1].x(), corners[2].x(), hits.u + i, hits.v + i, n, to.u + i);
      between(corners[0].y(), corners[1].y(), corners[2].y(), hits.u + i, hits.v + i, n, to.v + i);
      std::fill_n(per_metre + i, n, uv_per_metre_);
    }
    i = end;
  }
  transform(material_->uv_transform, points.breadth, per_metre, uv_scale_, hits.count, to);
  to.repeat_s = material_->repeat_s, to.repeat_t = material_->repeat_t;
}

void SurfaceLook::show_pictures(const PicturePoints& points, int first, LitPoints& to,
                                float* alpha) {
  const int n = points.hits.count;
  TextureLooks looks;
  if (base_ || material_->maps) find_looks(points, looks);
  LitPoints::Floats base[3], metalness, picture[3];
  looks.smooth = material_->smooth_texture;
  if (base_ && base_->is_opaque()) base_->sample(looks, n, picture);
  if (base_ && !base_->is_opaque()) {
    LitPoints::Floats opaque;
    base_->sample(looks, n, picture, opaque);
    for (int i = 0; i < n; ++i) alpha[i] *= opaque[i] > 0.9999f ? 1 : opaque[i];  // but for rounding
  }
  if (!is_physical() && !base_ && is_lit()) {
    // Paint has another colour for scattered light only (resources/wren/shaders/phong.frag).
    for (int c = 0; c < 3; ++c) std::fill_n(base[c], n, albedo_[c]);
    show_paint(points, base);
    for (int c = 0; c < 3; ++c) std::copy_n(base[c], n, to.albedo[c] + first);
    return;
  }
  if (!is_physical()) {
    for (int c = 0; !base_ && c < 3; ++c) std::fill_n(picture[c], n, 1.0f);
    if (paint_) show_paint(points, picture);
    for (int c = 0; c < 3; ++c) {
      for (float* of : {to.albedo[c], to.emissive[c], to.ambient[c]}) multiply(picture[c], n, of + first);
    }
    return;
  }
  for (int c = 0; c < 3; ++c) std::fill_n(base[c], n, base_color_[c]);
  if (base_) {
    for (int c = 0; c < 3; ++c) multiply(picture[c], n, base[c]);
  }
  if (paint_) show_paint(points, base);
  looks.smooth = true;
  std::fill_n(metalness, n, material_->metalness);
  if (metalness_) metalness_->sample(looks, n, picture), std::copy_n(picture[0], n, metalness);
  for (int c = 0; c < 3; ++c) {
    share_light(base[c], metalness, n, to.albedo[c] + first, to.mirror[c] + first);
  }
  if (!material_->maps) return;
  const MaterialMaps& maps = *material_->maps;
  if (roughness_) {
    roughness_->sample(looks, n, picture);
    std::copy_n(picture[0], n, to.roughness + first);
  }
  if (occlusion_) {
    occlusion_->sample(looks, n, picture);
    for (int i = 0; i < n; ++i) {
      to.open[first + i] *= 1 + maps.occlusion_strength * (picture[0][i] - 1);
    }
  }
  if (emissive_) {
    emissive_->sample(looks, n, picture);
    for (int c = 0; c < 3; ++c) {
      for (int i = 0; i < n; ++i) to.emissive[c][first + i] = maps.emissive_intensity * picture[c][i];
    }
  }
  if (!normal_) return;
  normal_->sample(looks, n, picture);
  bend_normals(points, picture, first, to);
}

/// Ink over colours of the surface: its numbers are light, as in Webots
/// (resources/wren/shaders/pbr.frag mixes them after its textures have been made linear).
void SurfaceLook::show_paint(const PicturePoints& points, LitPoints::Floats color[3]) const {
  const Eigen::Matrix3f R_SW = R_WS_.transpose();
  for (int i = 0; i < points.hits.count; ++i) {
    const Eigen::Vector3f n_S = R_SW * Eigen::Vector3f(points.nx[i], points.ny[i], points.nz[i]);
    const Ink ink = paint_->at(in_shape(points.p_W[i]), n_S.cast<double>());
    for (int c = 0; c < 3; ++c) color[c][i] += ink.density * (ink.color[c] - color[c][i]);
  }
}

/// By the normals in a picture.
void SurfaceLook::bend_normals(const PicturePoints& points, const LitPoints::Floats bumps[3], int first,
                               LitPoints& to) const {
  for (int i = 0; i < points.hits.count; ++i) {
    const int k = first + i;
    const Eigen::Vector3f n_W(to.nx[k], to.ny[k], to.nz[k]), d_W(to.dx[k], to.dy[k], to.dz[k]);
    const Vec3 p_S = mesh_ ? Vec3::Zero() : in_shape(points.p_W[i]);
    const auto axes = texture_axes(*geometry_, p_S, R_WS_.transpose() * n_W, points.hits.triangle[i],
                                   material_->uv_transform.leftCols<2>());
    const Color bump = Color(bumps[0][i], bumps[1][i], bumps[2][i]) * 2 - Color::Ones();
    const Eigen::Vector3f bent =
        n_W * bump.z() +
        R_WS_ * (axes.along_u * bump.x() + axes.along_v * bump.y()) * material_->maps->normal_factor;
    const float length = bent.norm();
    // A normal that faces away would be lit through the surface.
    if (!(length > 0) || !(bent.dot(d_W) < 0)) continue;
    const Eigen::Vector3f unit = bent / length;
    to.nx[k] = unit.x(), to.ny[k] = unit.y(), to.nz[k] = unit.z();
  }
}

void need_textures(const Appearance& appearance, Textures& textures) {
  for (const InstanceLook& instance : appearance.instances) {
    for (const ShapeLook& shape : instance.shapes) {
      const Material& material = *shape.material;
      if (material.texture) textures.need(material.texture, encoding_of(material));
      const MaterialMaps* maps = material.maps.get();
      if (!maps) continue;
      for (const auto& map : {maps->roughness, maps->metalness, maps->occlusion, maps->normal}) {
        if (map) textures.need(map, Encoding::kLinear);
      }
      if (maps->emissive) textures.need(maps->emissive);
    }
  }
}

}  // namespace protobeam::render
