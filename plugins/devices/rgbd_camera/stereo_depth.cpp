#include "stereo_depth.h"

#include <algorithm>
#include <cmath>

namespace protobeam {

std::vector<std::uint8_t> StereoDepth::edges(std::span<const float> disparity) const {
  const auto width = static_cast<std::size_t>(width_), height = static_cast<std::size_t>(height_);
  // First where neighbours differ, then all within the window of those.
  std::vector<std::uint8_t> steps(disparity.size(), 0), out(disparity.size(), 0);
  const auto differs = [&](std::size_t a, std::size_t b) {
    return std::abs(disparity[a] - disparity[b]) > 1;
  };
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t i = y * width + x;
      if (x + 1 < width && differs(i, i + 1)) steps[i] = steps[i + 1] = 1;
      if (y + 1 < height && differs(i, i + width)) steps[i] = steps[i + width] = 1;
    }
  }
  const int reach = figures_.window / 2;
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      if (steps[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] == 0) continue;
      for (int v = std::max(0, y - reach); v <= std::min(height_ - 1, y + reach); ++v) {
        for (int u = std::max(0, x - reach); u <= std::min(width_ - 1, x + reach); ++u) {
          out[static_cast<std::size_t>(v) * width + static_cast<std::size_t>(u)] = 1;
        }
      }
    }
  }
  return out;
}

void StereoDepth::apply(std::span<const std::uint8_t> shadowed, const NoiseKey& key,
                        std::span<float> depth) const {
  const double scale = figures_.focal * figures_.baseline;
  std::vector<float> disparity(depth.size());
  for (std::size_t i = 0; i < depth.size(); ++i) {
    disparity[i] = depth[i] > 0 ? static_cast<float>(scale / depth[i]) : 0.0f;  // 0 at infinity
  }
  std::vector<std::uint8_t> ambiguous;
  if (figures_.window > 1) ambiguous = edges(disparity);
  std::vector<float> noise(depth.size(), 0.0f);
  if (figures_.subpixel > 0) fill_gaussian(key, 0, noise);
  for (std::size_t i = 0; i < depth.size(); ++i) {
    const double measured = disparity[i] + figures_.subpixel * noise[i];
    const bool none = shadowed[i] != 0 || (!ambiguous.empty() && ambiguous[i] != 0) ||
                      !(disparity[i] > 0) || !(measured > 0) || depth[i] < figures_.least_depth;
    depth[i] = none ? 0.0f : static_cast<float>(scale / measured);
  }
}

}  // namespace protobeam
