// What a <camera> of Gazebo sees: size of its image, angle, clip planes.
#pragma once

#include <optional>

#include "urdf/import.h"

namespace protobeam::urdf {

inline constexpr int kMostPixels = 16384;

/// A number of pixels or beams that is the text of a child, 1 with an error. A fraction, which
/// Xacro may have reckoned, is cut off, as SDFormat and urdf2webots do.
int whole_count(const Element& owner, const char* tag, int otherwise, int most,
                Diagnostics& diagnostics);

struct CameraView {
  double angle = 1;  ///< rad, of the width
  int width = 1, height = 1;
  double near = 0, far = 1;  ///< m
};
/// SDFormat's defaults for what is not written; nothing with an error.
std::optional<CameraView> camera_view(const Element& camera, Diagnostics& diagnostics);

}  // namespace protobeam::urdf
