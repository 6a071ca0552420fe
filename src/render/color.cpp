#include "render/color.h"

#include <algorithm>

#include "base/libm.h"

namespace protobeam::render {

// Polynomial approximation by R. Du of A. Mikhailov's colour map ("Turbo, an improved rainbow
// colormap for visualization", Google AI blog, 2019; Apache-2.0).
const std::array<std::array<float, 6>, 3> kTurboPolynomials = {{
    {0.13572138f, 4.61539260f, -42.66032258f, 132.13108234f, -152.94239396f, 59.28637943f},
    {0.09140261f, 2.19418839f, 4.84296658f, -14.18503333f, 4.27729857f, 2.82956604f},
    {0.10667330f, 12.64194608f, -60.58204836f, 110.36276771f, -89.90310912f, 27.34824973f},
}};

Color turbo(float value) {
  const float x = value > 0 ? std::min(value, 1.0f) : 0.0f;  // written so that a NaN is 0
  Color color;
  for (int channel = 0; channel < 3; ++channel) {
    const auto& c = kTurboPolynomials[static_cast<std::size_t>(channel)];
    color[channel] = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
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

std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0f, 1.0f) * 255 + 0.5f);
}

}  // namespace protobeam::render
