// Colour images of a camera by rays, in the light of the world: its lights with hard shadows, its
// background, its fog. The same input gives the same bytes, whatever the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "device/appearance.h"
#include "raycast/ray_scene.h"
#include "render/color.h"
#include "render/lit_points.h"
#include "render/near_limits.h"
#include "render/projection.h"
#include "render/surface_look.h"
#include "render/texture.h"

namespace protobeam::render {

/// Where a camera is in a step.
struct CameraMotion {
  Pose X_WC;         ///< at its end
  Pose X_WC_before;  ///< at its start, for rows with a time
};

/// Where the light that arrives at pixels goes, some of them at a time and from several threads. A
/// pixel that comes again has become brighter or darker: the last light is right.
class LightSink {
 public:
  virtual ~LightSink() = default;
  /// `pixels`: row * width + column; `light`: red, green and blue of each.
  virtual void take(const std::uint32_t* pixels, int count, const LitPoints::Floats light[3]) = 0;
};

/// Light as in lit_points.h. Lights with castShadows have hard shadows. What lies behind transparent
/// surfaces is seen through them, up to four of them.
class ColorImager {
 public:
  /// `side` x `side` rays a pixel. `near` and `far` are planes of planar images, distances of others;
  /// m, far 0: none.
  ColorImager(const ImageGeometry& image, int side, double near, double far,
              RayOrder order = RayOrder::kTiles, const Housing& housing = {});

  /// Light that arrives at each pixel at the end of the step. Pixels where the lens sees nothing are
  /// left out.
  void render(RayScene& scene, const Appearance& appearance, const Pose& X_WC, LightSink& out);
  /// The same: `out` [height][width].
  void render(RayScene& scene, const Appearance& appearance, const Pose& X_WC,
              std::span<Color> out);
  bool sees_all() const { return sees_all_; }  ///< no pixel is left out
  /// Only the rows from `first_row` on, one for each of `times`, 0..1 in the step: a rolling shutter.
  /// For RayOrder::kRows.
  void render_rows(RayScene& scene, const Appearance& appearance, const CameraMotion& motion,
                   int first_row, std::span<const float> times, std::span<Color> out);

 private:
  struct Frame;  ///< the image that is being made
  struct Chunk;  ///< some rays of it

  void render(const Frame& frame, std::size_t first, std::size_t count, LightSink& out);
  void meet(const Frame& frame, const std::vector<std::uint32_t>& rays, LightSink& out);
  void take_means(std::size_t first, std::size_t count, LightSink& out) const;
  void make_textures(const Appearance& appearance);
  void light_block(const Frame& frame, const RayBlock& block, const std::uint32_t* rays,
                   std::uint32_t first, LightSink& out);
  void load(const Frame& frame, const RayBlock& block, std::size_t first, Chunk& chunk) const;
  void load_surfaces(const Frame& frame, const RayBlock& block, std::size_t first,
                     Chunk& chunk) const;
  void load_pictures(const Frame& frame, const RayBlock& block, std::size_t first,
                     std::pair<int, int> run, SurfaceLook& surface, Chunk& chunk) const;
  void light(const Frame& frame, Chunk& chunk) const;
  static void show_spots(const Frame& frame, Chunk& chunk);
  void light_surfaces(const Frame& frame, Chunk& chunk) const;

  ImageGeometry image_;
  int side_;
  double far_;
  PixelRays rays_;
  bool sees_all_;
  NearLimits near_;
  float pixel_angle_;        ///< rad
  Textures textures_;
  const Appearance* known_ = nullptr;  ///< whose textures are made

  // By ray, of the image that is being made.
  std::vector<Color> light_;
  std::vector<float> weight_;        ///< of what is still to be met
  std::vector<float> next_near_;     ///< where to go on behind a transparent surface; 0: nowhere, as between images
  std::vector<float> time_;
};

}  // namespace protobeam::render
