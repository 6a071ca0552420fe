#include "viewer/offscreen/pixel_mean.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace protobeam::viewer {
namespace {

constexpr std::uint32_t kWhite = 1 << 20;  // linear light of a full channel

/// IEC 61966-2-1.
std::array<std::uint32_t, 256> linear_light() {
  std::array<std::uint32_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double encoded = static_cast<double>(i) / 255;
    const double linear =
        encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
    table[i] = static_cast<std::uint32_t>(std::lround(linear * kWhite));
  }
  return table;
}

const std::array<std::uint32_t, 256> kLinear = linear_light();

/// The byte whose light is nearest.
std::uint8_t encoded(std::uint32_t light) {
  const auto above = std::lower_bound(kLinear.begin(), kLinear.end(), light);
  if (above == kLinear.begin()) return 0;
  if (above == kLinear.end()) return 255;
  const bool nearer_below = light - *(above - 1) < *above - light;
  return static_cast<std::uint8_t>(above - kLinear.begin() - (nearer_below ? 1 : 0));
}

}  // namespace

PixelMean::PixelMean(int width, int height) {
  image_.width = width;
  image_.height = height;
  image_.channels = 3;
  sums_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
}

void PixelMean::add(const std::vector<std::uint8_t>& rgb) {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += kLinear[rgb[i]];
  ++count_;
}

Image PixelMean::mean() const {
  Image result = image_;
  result.pixels.resize(sums_.size());
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    result.pixels[i] = encoded((sums_[i] + count_ / 2) / count_);
  }
  return result;
}

}  // namespace protobeam::viewer
