#include "intensity_code.h"

#include <cmath>

#include "base/clones.h"
#include "base/fast_math.h"

namespace protobeam {
namespace {

PROTOBEAM_CLONES void bytes(float white, const float* reflectance, std::size_t n, float* out) {
  const float slope = (255 - white) / log_f(kBrightest);
  for (std::size_t i = 0; i < n; ++i) {
    const float r = reflectance[i];
    const float bright = white + slope * log_f(r > 1 ? r : 1.0f);
    float code = r > 1 ? bright : r * white;
    code = code > 0 ? code : 0.0f;
    code = code < 255 ? code : 255.0f;
    out[i] = std::floor(code + 0.5f) / 255;
  }
}

}  // namespace

IntensityCode intensity_code(std::string_view name) {
  if (name == "velodyne" || name == "robosense") return {100, false};
  if (name == "ouster") return {100, true};
  if (name == "livox") return {150, false};
  return {};
}

void encode(const IntensityCode& code, const float* reflectance, std::size_t n, float* out) {
  if (code.white > 0) return bytes(code.white, reflectance, n, out);
  for (std::size_t i = 0; i < n; ++i) {
    const float r = reflectance[i] < 1 ? reflectance[i] : 1.0f;
    out[i] = r > 0 ? r : 0.0f;
  }
}

}  // namespace protobeam
