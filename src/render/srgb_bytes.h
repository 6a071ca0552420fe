// The sRGB transfer function of 8-bit values, as pictures have them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "render/color.h"

namespace protobeam::render {

/// linear_from_srgb(byte / 255) of each byte: an image looks up several for each of its pixels, and
/// the power of 2.4 took most of its time.
class SrgbBytes {
 public:
  SrgbBytes() {
    for (std::size_t i = 0; i < linear_.size(); ++i) {
      linear_[i] = linear_from_srgb(static_cast<float>(i) / 255.0f);
    }
  }
  /// Of a pixel of one or three channels and more.
  Color color(const std::uint8_t* pixel, bool grey) const {
    return {linear_[pixel[0]], linear_[pixel[grey ? 0 : 1]], linear_[pixel[grey ? 0 : 2]]};
  }

 private:
  std::array<float, 256> linear_;
};

inline const SrgbBytes& srgb_bytes() {
  static const SrgbBytes kTable;
  return kTable;
}

/// to_byte(srgb_from_linear(linear)), without its power: the bytes begin at known light.
class LinearBytes {
 public:
  LinearBytes() {
    for (std::size_t byte = 1; byte < begins_.size(); ++byte) {
      begins_[byte] = linear_from_srgb((static_cast<float>(byte) - 0.5f) / 255.0f);
    }
    std::uint8_t byte = 0;
    for (std::size_t i = 0; i < first_.size(); ++i) {
      first_[i] = byte = raised(byte, static_cast<float>(i) / kSteps);
    }
  }
  std::uint8_t byte(float linear) const {
    if (!(linear > 0)) return 0;
    if (linear >= 1) return 255;
    return raised(first_[static_cast<std::size_t>(linear * kSteps)], linear);
  }

 private:
  static constexpr int kSteps = 4096;
  std::uint8_t raised(std::uint8_t byte, float linear) const {
    while (byte < 255 && linear >= begins_[byte + std::size_t{1}]) ++byte;
    return byte;
  }

  std::array<float, 256> begins_{};
  std::array<std::uint8_t, kSteps> first_{};
};

inline std::uint8_t srgb_byte(float linear) {
  static const LinearBytes kTable;
  return kTable.byte(linear);
}

}  // namespace protobeam::render
