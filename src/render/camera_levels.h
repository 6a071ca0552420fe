// Webots' response of a camera in 8 bits, from a table: an image asks three times a pixel.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "render/color.h"

namespace protobeam::render {

/// to_byte(camera_response(light)) within a level, by the square root of the light, in which the
/// response is nearly even. Beyond a light of 9 all is white.
class CameraLevels {
 public:
  static constexpr std::size_t kSteps = 6144;
  static constexpr float kMostRoot = 3;

  CameraLevels() {
    for (std::size_t i = 0; i <= kSteps; ++i) {
      const double root = kMostRoot * static_cast<double>(i) / kSteps;
      levels_[i] = to_byte(camera_response(static_cast<float>(root * root)));
    }
    levels_[kSteps] = 255;
  }
  std::uint8_t at_step(std::size_t step) const { return levels_[step]; }
  std::uint8_t operator()(float light) const {
    const float root = light > 0 ? std::sqrt(light) : 0.0f;
    const float limited = root < kMostRoot ? root : kMostRoot;
    const float above = limited * (kSteps / kMostRoot) + 0.5f;
    return levels_[static_cast<std::size_t>(above)];
  }

 private:
  std::array<std::uint8_t, kSteps + 1> levels_;
};

inline const CameraLevels& camera_levels() {
  static const CameraLevels kLevels;
  return kLevels;
}

}  // namespace protobeam::render
