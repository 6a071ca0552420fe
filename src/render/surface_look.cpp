#include "render/surface_look.h"

#include <array>
#include <cmath>

#include "base/clones.h"
#include "render/lit_points.h"

namespace protobeam::render {
namespace {

const Material& grey() {
  static const Material kGrey = [] {
    Material material;
    material.base_color = {0.8f, 0.8f, 0.8f};
    material.roughness = 1;
    return material;
  }();
  return kGrey;
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

}  // namespace

SurfaceLook::SurfaceLook()
    : material_(&grey()),
      albedo_(scattered(material_->base_color, material_->metalness)),
      // Webots' old Appearance has roughness 1 and no metal: its mirror vanishes with the gloss.
      mirror_(mirrored(material_->base_color, material_->metalness)) {}

SurfaceLook::SurfaceLook(const ShapeLook& look, const Pose& X_WI, const Textures& textures)
    : material_(look.material.get()),
      geometry_(look.geometry.get()),
      albedo_(scattered(material_->base_color, material_->metalness)),
      mirror_(mirrored(material_->base_color, material_->metalness)) {
  if (!geometry_) return;
  const Mesh* mesh = std::get_if<Mesh>(geometry_);
  if (mesh && !mesh->normals.empty()) smooth_ = mesh;
  const MaterialMaps* maps = material_->maps.get();
  pictures_ = material_->texture || maps;
  if (!smooth_ && !pictures_) return;
  const Pose X_WS = X_WI * look.X_IS;
  R_WS_ = X_WS.R.toRotationMatrix().cast<float>();
  if (!pictures_) return;
  mesh_ = mesh;
  const Pose X_SW = X_WS.inverse();
  R_SW_ = X_SW.R.toRotationMatrix();
  p_SW_ = X_SW.p;
  uv_scale_ = material_->uv_transform.leftCols<2>().norm() / std::sqrt(2.0f);
  if (material_->texture) base_ = &textures.known(*material_->texture);
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

TexturePoint SurfaceLook::texture_point_of(const Point& at, const Vec3& p_S) {
  if (!mesh_) return texture_point(*geometry_, p_S, at.triangle, at.u, at.v);
  if (at.triangle >= mesh_->uvs.size()) return {};
  if (at.triangle != triangle_) {
    triangle_ = at.triangle;
    uv_per_metre_ = texture_point(*geometry_, p_S, triangle_, 0, 0).uv_per_metre;
    for (int i = 0; i < 3; ++i) corner_[i] = mesh_->uvs[triangle_][static_cast<std::size_t>(i)];
  }
  return {(1 - at.u - at.v) * corner_[0] + at.u * corner_[1] + at.v * corner_[2], uv_per_metre_};
}

void SurfaceLook::add_pictures(const Point& at, Colors& colors) {
  // Of meshes only the triangle matters.
  const Vec3 p_S = mesh_ ? Vec3::Zero() : Vec3(R_SW_ * at.p_W + p_SW_);
  const TexturePoint point = texture_point_of(at, p_S);
  const auto& transform = material_->uv_transform;
  const Eigen::Vector2f uv = transform.leftCols<2>() * point.uv + transform.col(2);
  const float footprint = at.breadth * point.uv_per_metre * uv_scale_;
  const auto sample = [&](const Texture& picture) {
    return picture.sample(uv, footprint, material_->repeat_s, material_->repeat_t);
  };
  if (base_) colors.base = colors.base.cwiseProduct(sample(*base_));
  if (!material_->maps) return;
  const MaterialMaps& maps = *material_->maps;
  if (roughness_) colors.roughness = sample(*roughness_).x();
  if (metalness_) colors.metalness = sample(*metalness_).x();
  if (occlusion_) colors.open = 1 + maps.occlusion_strength * (sample(*occlusion_).x() - 1);
  if (emissive_) colors.emissive = maps.emissive_intensity * sample(*emissive_);
  if (!normal_) return;
  const auto axes = texture_axes(*geometry_, p_S, R_WS_.transpose() * colors.n_W, at.triangle,
                                 transform.leftCols<2>());
  const Color bump = sample(*normal_) * 2 - Color::Ones();
  const Eigen::Vector3f bent =
      colors.n_W * bump.z() +
      R_WS_ * (axes.along_u * bump.x() + axes.along_v * bump.y()) * maps.normal_factor;
  const float length = bent.norm();
  // A normal that faces away would be lit through the surface.
  if (length > 0 && bent.dot(at.d_W) < 0) colors.n_W = bent / length;
}

}  // namespace protobeam::render
