#include "render/surface_look.h"

#include <cmath>

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

bool SurfaceLook::is_smooth(std::uint32_t triangle) const {
  return smooth_ && triangle < smooth_->normals.size();
}

Eigen::Vector3f SurfaceLook::smooth_normal(std::uint32_t triangle, float u, float v,
                                           const Eigen::Vector3f& n_W) const {
  const auto& corners = smooth_->normals[triangle];
  const Eigen::Vector3f n_S = (1 - u - v) * corners[0] + u * corners[1] + v * corners[2];
  const Eigen::Vector3f smooth_W = R_WS_ * n_S;
  const float along = smooth_W.dot(n_W), length = smooth_W.norm();
  // Normals that have little to do with the triangle come from broken files.
  if (!(std::abs(along) > 0.3f * length)) return n_W;
  return ((along < 0 ? -1 : 1) / length) * smooth_W;
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
