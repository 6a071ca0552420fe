#pragma once

#include "base/device_type.h"
#include "camera_records.h"

namespace protobeam {

DeviceType camera_declaration();

/// In the order of the declaration.
enum CameraChannel : std::size_t {
  kImage,
  kObjects,
  kObjectColors,
  kObjectModels,
  kObjectCount,
  kSegmentation,
  kStamp,
  kOrientedBoxes
};
enum CameraCommand : std::size_t {
  kSetFov,
  kSetExposure,
  kSetFocus,
  kRecognize,
  kSegment,
  kSetImagePeriod
};

constexpr int kMostObjects = 256;  ///< in a sample, when maxObjects is -1

}  // namespace protobeam
