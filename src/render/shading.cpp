#include "render/shading.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"

namespace protobeam::render {
namespace {

const Color kSun(2.3f, 2.05f, 1.68f);
const Color kZenith(0.18f, 0.42f, 0.88f), kHorizon(0.95f, 1.08f, 1.22f);
const Color kSkyLight(0.42f, 0.52f, 0.68f);     // mean of the upper hemisphere, on a level surface
const Color kGroundLight(0.20f, 0.19f, 0.17f);  // reflected by the ground

/// Schlick's approximation of Fresnel reflection ("An inexpensive BRDF model for physically-based
/// rendering", Eurographics 1994).
Color fresnel(const Color& at_normal, float cosine) {
  const float x = 1 - std::clamp(cosine, 0.0f, 1.0f);
  return at_normal + (Color::Ones() - at_normal) * (x * x * x * x * x);
}

}  // namespace

Color sky(const Eigen::Vector3f& direction, const Eigen::Vector3f& to_sun) {
  const float up = std::max(0.0f, direction.z());
  const float level = 1 - up, height = 1 - level * level * level;
  const float near_sun = std::max(0.0f, direction.dot(to_sun));
  const float n2 = near_sun * near_sun, n4 = n2 * n2, n8 = n4 * n4;  // a power of 24
  return kHorizon + (kZenith - kHorizon) * height + Color(0.35f, 0.3f, 0.2f) * (n8 * n8 * n8);
}

Color shade(const ShadingSurface& surface, const LightVisibility& visibility,
            const Eigen::Vector3f& direction, const Eigen::Vector3f& normal,
            const Eigen::Vector3f& to_sun) {
  const float facing_sun = std::max(0.0f, normal.dot(to_sun));
  const float facing_camera = std::max(0.0f, -normal.dot(direction));
  const float up = 0.5f + 0.5f * normal.z();
  const Color ambient = (kGroundLight + (kSkyLight - kGroundLight) * up) * visibility.sky;
  const Color sun = kSun * visibility.sun;

  const Color f0 =
      Color::Constant(0.04f) + (surface.albedo - Color::Constant(0.04f)) * surface.metalness;
  const Color diffuse =
      surface.albedo.cwiseProduct(sun * facing_sun + ambient) * (1 - surface.metalness);

  // What a mirror would show, blurred into the ambient light as the surface gets rough.
  const Eigen::Vector3f mirrored = direction + 2 * facing_camera * normal;
  const float gloss = (1 - surface.roughness) * (1 - surface.roughness);
  const Color mirror = mirrored.z() < 0 ? kGroundLight : sky(mirrored, to_sun);
  const Color reflected = ambient + (mirror * visibility.sky - ambient) * gloss;
  const Color edge = fresnel(f0, facing_camera);
  const Color environment = reflected.cwiseProduct(f0 + (edge - f0) * gloss) *
                            (0.35f + 0.65f * gloss + 0.65f * (1 - gloss) * surface.metalness);

  // GGX highlight of the sun (B. Walter et al., EGSR 2007, eq. 33) with the visibility term of
  // Kelemen and Szirmay-Kalos (2001). The smallest roughness keeps it wider than a pixel.
  const float alpha = std::max(0.06f, surface.roughness * surface.roughness);
  const Eigen::Vector3f half = (to_sun - direction).normalized();
  const float n_h = std::max(0.0f, normal.dot(half)), v_h = std::max(0.1f, -half.dot(direction));
  const float d = n_h * n_h * (alpha * alpha - 1) + 1;
  const float highlight =
      facing_sun > 0 ? alpha * alpha / (4 * static_cast<float>(kPi) * d * d * v_h * v_h) : 0;
  const Color specular =
      sun.cwiseProduct(fresnel(f0, v_h)) * (facing_sun * std::min(highlight, 8.0f));

  const Color result = diffuse + environment + specular + surface.emissive;
  // Glass: the horizon stands for what is behind.
  return result + (kHorizon - result) * (0.7f * surface.transparency);
}

Color through_haze(const Color& color, double distance, double haze_distance) {
  const auto haze = static_cast<float>(1 - libm::exp(-distance / haze_distance));
  return color + (kHorizon - color) * haze;
}

ShadingSurface ground(double x, double y, double footprint) {
  // The share of the pixel that a line of this width and spacing covers: sharp when near, an even
  // tint when far.
  const auto coverage = [footprint](double value, double spacing, double width) {
    const double offset = std::abs(value - spacing * std::round(value / spacing));
    const double inside = std::clamp((width / 2 + footprint / 2 - offset) / footprint, 0.0, 1.0);
    const double sharp = inside * std::min(1.0, width / footprint);
    const double even = width / spacing;
    const double far = std::clamp(2 * footprint / spacing - 0.5, 0.0, 1.0);
    return static_cast<float>(sharp + (even - sharp) * far);
  };
  const auto grid = [&](double spacing, double width) {
    return std::max(coverage(x, spacing, width), coverage(y, spacing, width));
  };
  ShadingSurface result;
  const Color plain(0.24f, 0.26f, 0.25f), fine(0.13f, 0.14f, 0.14f), coarse(0.08f, 0.09f, 0.09f);
  result.albedo = plain + (fine - plain) * grid(1, 0.025);
  result.albedo += (coarse - result.albedo) * grid(10, 0.06);
  return result;
}

// K. Narkowicz, "ACES filmic tone mapping curve", 2015 (CC0).
Color tone_mapped(const Color& light) {
  return light.unaryExpr([](float channel) {
    const float x = 0.48f * std::max(0.0f, channel);
    return std::clamp(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 0.0f, 1.0f);
  });
}

}  // namespace protobeam::render
