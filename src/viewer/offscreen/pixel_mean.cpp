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

/// From `byte` up to the one whose light is nearest.
std::uint8_t raised(std::uint8_t byte, std::uint32_t light) {
  while (byte < 255 && kLinear[byte] + kLinear[byte + 1u] <= 2 * light) ++byte;
  return byte;
}

constexpr std::uint32_t kStep = 64;  // finer than the steps of bytes

/// The nearest byte for each multiple of kStep.
std::vector<std::uint8_t> first_bytes() {
  std::vector<std::uint8_t> table(kWhite / kStep + 1);
  std::uint8_t byte = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = byte = raised(byte, static_cast<std::uint32_t>(i) * kStep);
  }
  return table;
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
  static const std::vector<std::uint8_t> kFirst = first_bytes();
  Image result = image_;
  result.pixels.resize(sums_.size());
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const std::uint32_t light = (sums_[i] + count_ / 2) / count_;
    result.pixels[i] = raised(kFirst[light / kStep], light);
  }
  return result;
}

}  // namespace protobeam::viewer
