// Functions of single precision for vectorised loops: plain arithmetic, so that each clone of a
// loop (clones.h) and each machine gives the same bits. Polynomials are those of Cephes (S.
// Moshier).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/clones.h"

namespace protobeam {

/// Natural logarithm of a normal number > 0.
PROTOBEAM_INLINE float log_f(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x);
  const std::int32_t exponent = (bits - 0x3f3504f3) >> 23;  // of x / sqrt(1/2)
  const float e = static_cast<float>(exponent);
  const float f = std::bit_cast<float>(bits - exponent * (1 << 23)) - 1.0f;
  float p = 7.0376836292e-2f;
  p = p * f - 1.1514610310e-1f;
  p = p * f + 1.1676998740e-1f;
  p = p * f - 1.2420140846e-1f;
  p = p * f + 1.4249322787e-1f;
  p = p * f - 1.6668057665e-1f;
  p = p * f + 2.0000714765e-1f;
  p = p * f - 2.4999993993e-1f;
  p = p * f + 3.3333331174e-1f;
  const float f2 = f * f;
  return f + (p * f * f2 - 2.12194440e-4f * e - 0.5f * f2) + 0.693359375f * e;
}

/// e to the x; what is below -87, or no number, is taken as -87, above 88 as 88.
PROTOBEAM_INLINE float exp_f(float x) {
  x = x > -87.0f ? x : -87.0f;
  x = x > 88.0f ? 88.0f : x;
  const float n = std::floor(x * 1.44269504088896341f + 0.5f);
  const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float mantissa = p * r * r + r + 1.0f;
  return mantissa * std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
}

}  // namespace protobeam
