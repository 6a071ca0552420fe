// Depth by matching two images, as a stereo camera does it.
#pragma once

#include <cstdint>
#include <span>

namespace protobeam {

/// Whether this build can: it needs OpenCV (libopencv-calib3d-dev).
bool can_match();

/// Disparities of the left of two rectified 8-bit images ([height][width]), pixels; 0 for none.
/// Semi-global matching (H. Hirschmueller, "Stereo processing by semiglobal matching and mutual
/// information", PAMI 30(2), 2008) by OpenCV's StereoSGBM. `most`: greatest disparity.
void match(std::span<const std::uint8_t> left, std::span<const std::uint8_t> right, int width,
           int height, double most, std::span<float> disparity);

}  // namespace protobeam
