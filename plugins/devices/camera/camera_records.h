// What the controller library and the device agree upon beside the declaration.
#pragma once

#include <cstddef>
#include <cstdint>

namespace protobeam {

/// One element of channel "objects"; Webots' WbCameraRecognitionObject without its pointers.
struct ObjectRecord {
  double position[3];
  double orientation[4];
  double size[2];
  std::int32_t id;
  std::int32_t position_on_image[2];
  std::int32_t size_on_image[2];
  std::int32_t number_of_colors;
};
static_assert(sizeof(ObjectRecord) == 96);

constexpr std::size_t kMostObjectColors = 10;   ///< of one object
constexpr std::size_t kLongestModel = 64;       ///< bytes of a model's name with its end

}  // namespace protobeam
