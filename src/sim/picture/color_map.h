// Colours: a perceptual colour map, and the step from light to 8-bit pixels.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace protobeam {

using Color = Eigen::Vector3f;

/// Turbo, from dark blue (0) over green to dark red (1); sRGB 0..1.
Color turbo(float value);

/// The sRGB transfer function (IEC 61966-2-1) and its inverse, for one channel.
float srgb_from_linear(float linear);
float linear_from_srgb(float encoded);
Color linear_from_srgb(const Color& encoded);

/// Rounds 0..1 to 0..255; what is outside is clipped.
std::uint8_t to_byte(float value);

}  // namespace protobeam
