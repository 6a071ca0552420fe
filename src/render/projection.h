// From the pixels of a camera to rays: exact for any lens, since each pixel has its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/math.h"

namespace protobeam {
class Fields;
}

namespace protobeam::render {

/// Planar: as on a plane before the camera. Cylindrical: azimuth and elevation grow evenly. Spherical:
/// a fisheye, the angle to the axis grows evenly with the distance from the middle of the image, which is
/// counted in widths and heights. All as Webots has them (its shader merge_spherical.frag).
enum class Projection { kPlanar, kCylindrical, kSpherical };
std::optional<Projection> projection_of(const std::string& name);  ///< "planar", ...

/// Webots' Lens: (x, y) from `center`, in widths and heights of the image, y up. What is seen there is
/// what a camera without it sees at
///   (x, y) - ((k1 r2 + k2 r4)(x, y) + tangential part) / (1 + 4 k1 r2 + 6 k2 r4 + 8 p1 y + 8 p2 x),
/// an inverse of Brown's model (M. Lambers, H. Sommerhoff, A. Kolb, "Realistic lens distortion
/// rendering", WSCG 2018; Webots' shader lens_distortion.frag).
struct Lens {
  Vec2 center{0.5, 0.5}, radial{0, 0}, tangential{0, 0};

  Vec2 undistorted(const Vec2& uv) const;  ///< 0..1 from the left and from below
};

/// The Lens node in the field `lens`; none for NULL.
std::optional<Lens> lens_of(const Fields& camera);

struct ImageGeometry {
  int width = 64, height = 64;
  double field_of_view = 0.7854;  ///< rad, horizontal
  Projection projection = Projection::kPlanar;
  std::optional<Lens> lens;

  /// rad; pixels are square in the middle of the image.
  double vertical_field_of_view() const;
  /// Where a place in the image looks: unit vector, +x forward, +y left, +z up. `column` and `row` from
  /// the upper left corner, in pixels; the middle of the first pixel is (0.5, 0.5).
  Vec3 direction(double column, double row) const;
};

/// Fields `fieldOfView`, `width`, `height`, `projection`, `spherical` and `lens` of Camera and RangeFinder.
/// Throws std::invalid_argument that begins with the field.
ImageGeometry image_geometry(const Fields& camera);

/// One ray, or a square of them, through each pixel, in the order in which they are cast: 16 neighbours
/// are one packet.
class PixelRays {
 public:
  /// `side` x `side` rays a pixel.
  explicit PixelRays(const ImageGeometry& image, int side = 1);

  std::size_t count() const { return pixel.size(); }

  std::vector<float> dx, dy, dz;      ///< unit directions
  std::vector<std::uint32_t> pixel;   ///< row * width + column of each ray
};

}  // namespace protobeam::render
