// From the pixels of a camera to rays: exact for any lens, since each pixel has its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/device_data.h"
#include "base/field_table.h"
#include "base/math.h"
#include "base/shared_vector.h"
#include "raycast/ray_scene.h"
#include "render/lens_model.h"

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
  std::optional<LensModel> model;  ///< instead of field of view, projection and lens

  /// rad; pixels are square in the middle of the image. Not of a lens model.
  double vertical_field_of_view() const;
  /// Where a place in the image looks: unit vector, +x forward, +y left, +z up; nothing where the
  /// lens sees nothing. `column` and `row` from the upper left corner, in pixels; the middle of the
  /// first pixel is (0.5, 0.5).
  std::optional<Vec3> direction(double column, double row) const;
  /// Where a point (same frame) is in the image, in the same pixels; nothing when it is not before
  /// the camera. With a Lens: to 1e-9 pixels, by iteration.
  std::optional<Vec2> place_of(const Vec3& p_C) const;
  /// What a calibration file says of it: property `lens`, and of a lens model `intrinsics` and
  /// `distortion`.
  Properties calibration() const;
  /// Depth is measured along the axis, as on a plane.
  bool is_planar() const;
  /// Angle between the rays through neighbouring pixels in the middle, rad.
  double pixel_angle() const;
};

/// ImageGeometry::direction() for many places: what is the same for all of them is found once.
class ImageDirections {
 public:
  /// Keeps a reference.
  explicit ImageDirections(const ImageGeometry& image);
  std::optional<Vec3> at(double column, double row) const;

 private:
  const ImageGeometry& image_;
  double width_ = 0;   ///< of a planar image, at a distance of 1
  double height_ = 0;  ///< of a cylindrical one, rad
};

/// The fields of image_geometry().
std::vector<FieldSpec> image_fields();
/// Throws std::invalid_argument that begins with the field.
ImageGeometry image_geometry(const Fields& camera);

/// 16 neighbours are one packet: squares of 4 x 4, column by column of them, or parts of a row.
enum class RayOrder { kTiles, kRows };

/// One ray, or a square of them, through each pixel that sees something, in the order in which they
/// are cast.
class PixelRays {
 public:
  /// `side` x `side` rays a pixel.
  explicit PixelRays(const ImageGeometry& image, int side = 1, RayOrder order = RayOrder::kTiles);

  std::size_t count() const { return pixel.size(); }
  /// Of kRows: rays [row_begin(r), row_begin(r + 1)) are those of row r.
  std::size_t row_begin(int row) const { return row_begin_[static_cast<std::size_t>(row)]; }
  /// All of them, cast from X_WS; those of kTiles as `scene` arranges them.
  RayBatch batch(RayScene& scene, const Pose& X_WS);

  // In common with all cameras of the same image.
  SharedVector<float> dx, dy, dz;      ///< unit directions
  SharedVector<std::uint32_t> pixel;   ///< row * width + column of each ray

 private:
  std::vector<std::size_t> row_begin_;
  int tile_rows_ = 0;  ///< squares above each other; 0: not all of them are whole
  std::shared_ptr<const BeamTiles> tiles_;
};

}  // namespace protobeam::render
