// What a <camera> of Gazebo says of its lens.
#pragma once

#include <string_view>

#include "urdf/import.h"

namespace protobeam::urdf {

struct ImageSize {
  double view = 1;  ///< rad, of its width
  int width = 1, height = 1;
  bool wide_angle = false;  ///< by the <type> of its <lens>
};

/// A type of a <sensor>.
bool is_wide_angle(std::string_view type);

/// Adds the fieldOfView, and the lensModel of a <camera> whose <intrinsics>, <distortion> or <lens>
/// are not those of a pinhole. What has no effect goes into import.ignored.
void add_lens(Import& import, const Element& camera, const ImageSize& image, NodeMaker& made);

}  // namespace protobeam::urdf
