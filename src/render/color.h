// Colours: a perceptual colour map, and the step from light to 8-bit pixels.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

namespace protobeam::render {

using Color = Eigen::Vector3f;

/// Turbo, from dark blue (0) over green to dark red (1); sRGB 0..1. Values beyond 0..1 have the
/// colours of the ends, NaN that of 0.
Color turbo(float value);

/// Turbo as polynomials of the value: the coefficients of value^0 to value^7 for red, green and
/// blue. For code that cannot call turbo(), as shaders.
using TurboPolynomials = std::array<std::array<float, 8>, 3>;
extern const TurboPolynomials kTurboPolynomials;

/// The sRGB transfer function (IEC 61966-2-1) and its inverse, for one channel.
float srgb_from_linear(float linear);
float linear_from_srgb(float encoded);
Color linear_from_srgb(const Color& encoded);

/// Webots' response of a camera to light (exposure included), (1 - exp(-light))^(1 / 2.2), 0..1 (its
/// shader hdr_resolve.frag).
float camera_response(float light);

/// Rounds 0..1 to 0..255; what is outside is clipped.
std::uint8_t to_byte(float value);

}  // namespace protobeam::render
