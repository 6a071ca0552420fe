// Rays through the pixels of a picture and what they met. Structure of arrays, as rays are cast.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/math.h"
#include "raycast/ray_scene.h"
#include "render/camera.h"

namespace protobeam::render {

struct RasterPixel {
  int column = 0, row = 0;
};

struct PictureSamples {
  std::vector<RasterPixel> place;  ///< the pixel of each
  std::vector<float> dx, dy, dz;   ///< in the camera's frame
  /// As in RayBlock; instance kNoHit: nothing was met.
  std::vector<float> range, u, v, nx, ny, nz;
  std::vector<std::uint32_t> instance, shape, primitive;

  std::size_t count() const { return place.size(); }
  void cast(RayScene& scene, const Pose& X_WC);
};

/// The pixels on the camera's image plane.
class PictureRaster {
 public:
  PictureRaster(const Camera& camera, int width, int height, int samples);

  /// A ray through the middle of each pixel of some rows, row by row.
  PictureSamples middles(int first_row, int rows) const;
  /// samples * samples rays through each of the pixels, row by row in each.
  PictureSamples samples_of(std::span<const RasterPixel> pixels) const;
  /// Angle that a pixel covers, rad.
  double pixel_angle() const { return 2 * tan_up / height_; }

  Camera camera;
  double tan_up, tan_side;  ///< of half the fields of view

 private:
  void add(PictureSamples& samples, RasterPixel pixel, double right, double down) const;

  int width_, height_, samples_;
};

}  // namespace protobeam::render
