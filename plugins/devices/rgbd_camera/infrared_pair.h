// Two infrared imagers and a projector of dots, and the depths that matching their images gives.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "device/appearance.h"
#include "render/color_image.h"
#include "stereo_depth.h"

namespace protobeam {

class InfraredPair {
 public:
  /// `projector`: light of a dot on a surface 1 m away; `noise`: of a level of 255. Throws
  /// std::invalid_argument when this build cannot match.
  InfraredPair(const StereoFigures& figures, const render::ImageGeometry& image, double projector,
               double noise);

  /// m, [height][width] of the left imager, whose pose is X_WS; 0: none.
  void find_depths(RayScene& scene, const Appearance& appearance, const Pose& X_WS, NoiseKey key,
                   std::span<float> depths);
  /// Shapes that are fixed to them, as SampleInput has them: imagers look out of those they are in.
  void set_fixed_shapes(const std::vector<FixedShape>* shapes);

 private:
  struct Imager {
    render::ColorImager colors;
    std::optional<render::NearLimits> near;  ///< of the dots
  };
  /// The image of one imager, 8 bits.
  std::vector<std::uint8_t> take(RayScene& scene, const Appearance& appearance, Imager& imager,
                                 const Pose& X_WI, const Pose& X_WP, const NoiseKey& key);
  /// Adds the dots that the projector P throws on what the imager I sees.
  void add_dots(RayScene& scene, const Imager& imager, const Pose& X_WI, const Pose& X_WP);

  StereoFigures figures_;
  render::ImageGeometry image_;
  double projector_, noise_;
  render::PixelRays rays_;
  std::vector<Imager> imagers_;  ///< left and right; one for both when neither is in a shape
  std::vector<render::Color> light_;
  std::vector<float> disparity_;
};

}  // namespace protobeam
