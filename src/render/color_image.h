// Colour images of a camera by rays, in the light of the world: its lights with hard shadows, its
// background, its fog. The same input gives the same bytes, whatever the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/appearance.h"
#include "raycast/ray_scene.h"
#include "render/color.h"
#include "render/projection.h"
#include "render/texture.h"

namespace protobeam::render {

/// Light as Webots has it (its shader pbr.frag), so that images have the brightness of its cameras: with
/// I a light's intensity, the diffuse part is albedo (1 - F) I^2 cos / pi, the highlight F G D I / (4
/// n.v) with D and G of Trowbridge and Reitz, F after Schlick; the background lights from all sides. An
/// ambientIntensity counts for all materials. Lights with castShadows have hard shadows. What lies
/// behind transparent surfaces is seen through them, up to four of them.
class ColorImager {
 public:
  /// `side` x `side` rays a pixel. `near` and `far` are planes of planar images, distances of others; m,
  /// far 0: none.
  ColorImager(const ImageGeometry& image, int side, double near, double far);

  /// Light that arrives at each pixel: `out` [height][width].
  void render(RayScene& scene, const Appearance& appearance, const Pose& X_WC, std::span<Color> out);

 private:
  /// A surface that a ray has met, and what its light counts for.
  struct Hit {
    std::uint32_t ray;
    float weight;
    float distance;
    Eigen::Vector3f normal, direction;  ///< unit, in the world; the normal faces the camera
    Color albedo, emissive, mirror;     ///< of light that is scattered, sent out, mirrored
    float roughness;
  };

  void meet(RayScene& scene, const Appearance& appearance, const Pose& X_WC,
            const std::vector<std::uint32_t>& rays, const std::vector<float>& near);
  Hit surface(const Appearance& appearance, const Pose& X_WC, const RayBlock& block, std::size_t i,
              std::uint32_t ray, float& transparency) const;
  void light(RayScene& scene, const Appearance& appearance, const Pose& X_WC);
  std::vector<float> visible(RayScene& scene, const LightSource& light, const Pose& X_WC,
                             const std::vector<std::size_t>& which) const;
  Color background(const SkyLook& sky, const Eigen::Vector3f& direction, bool mirrored) const;

  ImageGeometry image_;
  int side_;
  double far_;
  PixelRays rays_;
  std::vector<float> near_;     ///< of each ray, m
  float pixel_angle_;           ///< rad
  Textures textures_;
  const Appearance* known_ = nullptr;  ///< whose textures are made

  // Of the image that is being made.
  std::vector<Hit> hits_;
  std::vector<Color> shown_;  ///< by hit
  std::vector<Color> light_;  ///< by ray
};

/// Webots' response of a camera, (1 - exp(-exposure light))^(1 / 2.2), in 8 bits (its shader
/// hdr_resolve.frag), in the order blue, green, red, alpha (255).
void to_bgra(std::span<const Color> light, float exposure, std::span<std::uint8_t> out);

}  // namespace protobeam::render
