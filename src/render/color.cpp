#include "render/color.h"

#include <algorithm>

#include "base/libm.h"

namespace protobeam::render {

// Fitted to the published table of 256 colours (A. Mikhailov, "Turbo, an improved rainbow colormap
// for visualization", Google AI blog, 2019; Apache-2.0) for the least largest error: 0.041.
const TurboPolynomials kTurboPolynomials = {{
    {0.149262f, 2.747607f, -2.728528f, -153.933143f, 771.308514f, -1427.895094f, 1164.385428f,
     -353.593613f},
    {0.078849f, 2.435604f, 5.109699f, -30.989757f, 83.416062f, -148.298941f, 130.599978f,
     -42.327420f},
    {0.262024f, 4.278551f, 38.878108f, -362.539990f, 1012.821878f, -1313.164072f, 814.083730f,
     -194.576769f},
}};

Color turbo(float value) {
  const float x = value > 0 ? std::min(value, 1.0f) : 0.0f;  // written so that a NaN is 0
  Color color;
  for (int channel = 0; channel < 3; ++channel) {
    const auto& factors = kTurboPolynomials[static_cast<std::size_t>(channel)];
    float sum = 0;
    for (std::size_t k = factors.size(); k-- > 0;) sum = sum * x + factors[k];
    color[channel] = sum;
  }
  return color.cwiseMax(0.0f).cwiseMin(1.0f);
}

float srgb_from_linear(float linear) {
  if (linear <= 0.0031308f) return 12.92f * linear;
  return 1.055f * libm::pow(linear, 1 / 2.4f) - 0.055f;
}

float linear_from_srgb(float encoded) {
  if (encoded <= 0.04045f) return encoded / 12.92f;
  return libm::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

Color linear_from_srgb(const Color& encoded) {
  return encoded.unaryExpr([](float channel) { return linear_from_srgb(channel); });
}

float camera_response(float light) {
  return light > 0 ? static_cast<float>(libm::pow(1 - libm::exp(-double{light}), 1 / 2.2)) : 0.0f;
}

std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0f, 1.0f) * 255 + 0.5f);
}

}  // namespace protobeam::render
