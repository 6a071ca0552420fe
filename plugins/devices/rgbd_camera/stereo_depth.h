// What a stereo camera makes of true depths: its error, and where it has none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/math.h"
#include "base/rng.h"
#include "raycast/ray_scene.h"
#include "render/projection.h"

namespace protobeam {

/// Two imagers side by side: the left one is the device's origin, the right one lies at -y.
struct StereoFigures {
  double focal = 400;       ///< pixels
  double baseline = 0.05;   ///< m
  double subpixel = 0.08;   ///< pixels, standard deviation of a disparity
  double least_depth = 0;   ///< m, of the greatest disparity that is looked for
  int window = 3;           ///< pixels about an edge in which disparities are ambiguous
};

/// Z = f B / d: the depth of a disparity (A. Wendel, J. Underwood and others use it for the D4xx;
/// Intel's "Depth image best known methods" gives Z^2 subpixel / (f B) as the RMS error).
class StereoDepth {
 public:
  StereoDepth(const StereoFigures& figures, const render::ImageGeometry& image)
      : figures_(figures), width_(image.width), height_(image.height) {}

  /// Turns true depths (m, [height][width], infinity: none) into those of the camera: 0 where it has
  /// none. `shadowed`: 1 for pixels whose surface the right imager does not see.
  void apply(std::span<const std::uint8_t> shadowed, const NoiseKey& key,
             std::span<float> depth) const;

 private:
  /// Disparities within the window differ by more than a pixel.
  std::vector<std::uint8_t> edges(std::span<const float> disparity) const;

  StereoFigures figures_;
  int width_, height_;
};

}  // namespace protobeam
