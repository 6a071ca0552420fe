// What surfaces send back to the lidar that shines on them.
//
// All reflectances are radiances towards the lidar, divided by that of a white Lambertian surface
// that faces it: 1 is "100 %" in data sheets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clones.h"
#include "base/fast_math.h"
#include "raycast/ray_scene.h"
#include "device/surroundings.h"

namespace protobeam {

/// Of an insulator's face at normal incidence, refractive index 1.5: ((n - 1) / (n + 1))^2.
inline constexpr float kFaceMirror = 0.04f;
/// What is known about a surface when nobody says anything.
inline constexpr float kUnknownReflectance = 0.5f;

/// The formula of sensor/surroundings.h. Diffuse: Lambert's cosine law. Mirror: facets with the
/// normal distribution of P. Beckmann and A. Spizzichino, "The scattering of electromagnetic waves
/// from rough surfaces", 1963, in the model of R. Cook and K. Torrance, ACM Trans. Graph. 1 (1982),
/// seen from where the light comes from. Retro-reflectors: a fourth power, about as fast as the
/// entrance angles of ASTM D4956 (70 cd/lx/m^2 at 4 deg, 30 at 30 deg, type I).
PROTOBEAM_INLINE float reflectance(float diffuse, float specular, float slope, float retro,
                                   float cosine) {
  const float c = cosine > 1e-3f ? cosine : 1e-3f;
  const float c2 = c * c, m2 = slope * slope;
  const float mirror = exp_f((1 - 1 / c2) / m2) / (4 * m2 * c2 * c2 * c);
  return diffuse * cosine + specular * mirror + retro * (c2 * c2);
}

/// Share of light that a smooth face mirrors: C. Schlick, "An inexpensive BRDF model", 1994.
inline float fresnel(float cosine) {
  const float a = 1 - cosine, a2 = a * a;
  return kFaceMirror + (1 - kFaceMirror) * a2 * a2 * a;
}

/// Share of light that comes back after it has gone on through a face and returned through it.
inline float two_way_transmission(float transmission, float cosine) {
  const float once = transmission * (1 - fresnel(cosine));
  return once * once;
}

/// What is found out about n hits.
struct Reflections {
  float* reflectance;
  std::uint32_t* number = nullptr;  ///< of the surfaces; null: nobody wants them
  float* diffuse = nullptr;         ///< the same
};

/// Of hits [first, first + n) of a block; null: all surfaces are unknown.
void reflect(const RayBlock& block, std::size_t first, std::size_t n, const SurfaceTable* surfaces,
             const Reflections& out);

/// Light of the sun and the sky off the same hits, in that of a white surface that faces the sun.
/// `diffuse` is what reflect() has found. The sky is a fifth of the full sun's horizontal light, on
/// surfaces and behind them; there are no shadows.
void ambient(const RayBlock& block, std::size_t first, std::size_t n, const float* diffuse,
             const Sun* sun, float* out);

}  // namespace protobeam
