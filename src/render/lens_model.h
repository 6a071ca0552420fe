// Lenses as calibrations describe them: from a pixel to the ray that it sees.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "base/math.h"

namespace protobeam::render {

/// The models that calibration tools write. With x = X/Z and y = Y/Z of a point in the camera's
/// optical frame (X right, Y down, Z forward) and r2 = x2 + y2:
///   opencv         radial (1 + k1 r2 + k2 r4 + k3 r6) / (1 + k4 r2 + k5 r4 + k6 r6) and tangential
///                  p1, p2; 4, 5 or 8 coefficients k1 k2 p1 p2 k3 k4 k5 k6 (OpenCV, calib3d)
///   fisheye        theta (1 + k1 theta2 + k2 theta4 + k3 theta6 + k4 theta8), theta the angle to the
///                  axis (J. Kannala, S. Brandt, "A generic camera model and calibration method ...",
///                  PAMI 28(8), 2006; OpenCV, fisheye)
///   eucm           alpha, beta (B. Khomutenko, G. Garcia, P. Martinet, "An enhanced unified camera
///                  model", RA-L 1(1), 2016)
///   double_sphere  xi, alpha (V. Usenko, N. Demmel, D. Cremers, "The double sphere camera model", 3DV
///                  2018)
enum class LensKind { kOpencv, kFisheye, kEucm, kDoubleSphere };

struct LensModel {
  LensKind kind = LensKind::kOpencv;
  /// Focal lengths and principal point, pixels; (0, 0) is the middle of the first pixel.
  double fx = 1, fy = 1, cx = 0, cy = 0;
  std::array<double, 8> coefficients{};

  /// Unit direction of what is seen at a place of the image (pixels, as cx and cy), optical frame;
  /// nothing where the model sees nothing.
  std::optional<Vec3> ray(double column, double row) const;
  /// Where a point of the optical frame is in the image; nothing when it cannot be seen.
  std::optional<Vec2> project(const Vec3& p_C) const;
};

/// Of field `lensModel`; none for another name.
std::optional<LensKind> lens_kind(const std::string& name);
const char* lens_name(LensKind kind);
/// How many numbers `distortion` may have, each 0 when there are none.
std::span<const int> coefficient_counts(LensKind kind);

}  // namespace protobeam::render
