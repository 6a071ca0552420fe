// What a surface looks like, and what a sensor sees of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace protobeam {

/// 8-bit pixels, row 0 on top.
struct Image {
  int width = 0, height = 0, channels = 0;  ///< channels 1 (grey), 3 (RGB) or 4 (RGBA)
  std::vector<std::uint8_t> pixels;
  std::uint32_t version =
      0;  ///< of a picture that changes while the world runs: counts its changes
};

/// Pictures of what else varies over a surface; each may be null. They lie as the texture does.
struct MaterialMaps {
  std::shared_ptr<const Image> roughness, metalness;  ///< red, instead of the material's
  std::shared_ptr<const Image> normal;     ///< tangent space, 128 128 255 is even; green along v
  std::shared_ptr<const Image> occlusion;  ///< red: share of the light from all around
  std::shared_ptr<const Image> emissive;   ///< instead of the material's
  float normal_factor = 1, occlusion_strength = 1, emissive_intensity = 1;
};

/// How a camera sees a surface: a PBRAppearance, an Appearance with a Material, or one without.
enum class Shading { kPhysical, kPhong, kUnlit };

struct Material {
  Shading shading = Shading::kPhysical;
  Eigen::Vector3f base_color{1, 1, 1};  ///< as it is written, sRGB 0..1
  Eigen::Vector3f emissive{0, 0, 0};    ///< linear
  float emissive_intensity = 1;  ///< in `emissive` already; for who replaces its colour
  float transparency = 0;  ///< 1 is invisible, also to a lidar
  float roughness = 0;
  float metalness = 0;
  float sky_light = 1;  ///< kPhysical: share of the sky's light that falls on it (IBLStrength)
  /// kPhong: colours of ambient light and of highlights, linear, and the highlights' exponent.
  Eigen::Vector3f ambient{0, 0, 0}, specular{0, 0, 0};
  float exponent = 0;
  /// Lambertian reflectance at a lidar's wavelength, 0..1; -1: it follows from the look.
  float lidar_reflectance = -1;
  /// Radiance back to a lamp in front of it; 1 is that of a white Lambertian surface.
  float lidar_retroreflectance = 0;
  /// What infra-red distance sensors see, as in Webots: the red that its picture multiplies, and a
  /// roughness that only a PBRAppearance has.
  float infrared_red = 1, infrared_roughness = 0;
  std::shared_ptr<const Image> texture;  ///< multiplies base_color; may be null
  std::shared_ptr<const MaterialMaps> maps;  ///< null: none
  bool repeat_s = true, repeat_t = true;
  bool smooth_texture = true;  ///< false: each of its pixels is a square of one colour
  Eigen::Matrix<float, 2, 3> uv_transform =
      (Eigen::Matrix<float, 2, 3>() << 1, 0, 0, 0, 1, 0).finished();

  /// Pictures are equal when they are the same ones.
  bool operator==(const Material&) const = default;
};

}  // namespace protobeam
