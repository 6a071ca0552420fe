#include "vibration.h"

#include <cmath>

#include "base/libm.h"

namespace protobeam {

void Vibration::choose_phases(const NoiseKey& key) {
  key_ = {key.seed, key.device, key.stream, 0};
  harmonics_.clear();
  std::uint32_t block = 0;  // of four numbers: three phases and a place in the band
  for (const Row& tone : tones_) {
    const auto u = uniforms(key_, block++);
    harmonics_.push_back({tone.frequency, tone.value, Vec3(u[0], u[1], u[2])});
  }
  for (std::size_t i = 0; i + 1 < spectrum_.size(); ++i) {
    const Row &low = spectrum_[i], &high = spectrum_[i + 1];
    const double width = (high.frequency - low.frequency) / kBands;
    for (int band = 0; band < kBands; ++band) {
      const auto u = uniforms(key_, block++);
      // The density is linear, so that of the middle has the power of the band.
      const Vec3 density = low.value + (band + 0.5) / kBands * (high.value - low.value);
      harmonics_.push_back({low.frequency + (band + double{u[3]}) * width,
                            (2 * width * density).cwiseSqrt(), Vec3(u[0], u[1], u[2])});
    }
  }
}

Vec3 Vibration::at(double time, const NoiseKey& key) {
  if (tones_.empty() && spectrum_.empty()) return Vec3::Zero();
  if (harmonics_.empty() || key.seed != key_.seed || key.device != key_.device ||
      key.stream != key_.stream) {
    choose_phases(key);
  }
  Vec3 sum = Vec3::Zero();
  for (const Harmonic& harmonic : harmonics_) {
    for (int axis = 0; axis < 3; ++axis) {
      if (harmonic.amplitude[axis] == 0) continue;
      double turns = harmonic.frequency * time + harmonic.phase[axis];
      turns -= std::floor(turns);  // the sine of a large angle would lose digits
      sum[axis] += harmonic.amplitude[axis] * libm::cos(2 * kPi * turns);
    }
  }
  return sum;
}

}  // namespace protobeam
