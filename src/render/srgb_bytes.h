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

}  // namespace protobeam::render
