#include "render/lens_model.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"

namespace protobeam::render {
namespace {

constexpr double kConverged = 1e-13;
constexpr int kMostSteps = 60;

/// OpenCV's distortion of (x, y), and its Jacobian.
struct Distorted {
  Vec2 at;
  Eigen::Matrix2d slope;
};

Distorted distort(const std::array<double, 8>& k, const Vec2& p) {
  const double x = p.x(), y = p.y(), r2 = x * x + y * y;
  const double k1 = k[0], k2 = k[1], p1 = k[2], p2 = k[3], k3 = k[4];
  const double above = 1 + r2 * (k1 + r2 * (k2 + r2 * k3));
  const double below = 1 + r2 * (k[5] + r2 * (k[6] + r2 * k[7]));
  const double above_r2 = k1 + r2 * (2 * k2 + r2 * 3 * k3);  // its derivative by r2
  const double below_r2 = k[5] + r2 * (2 * k[6] + r2 * 3 * k[7]);
  const double radial = above / below;
  const double radial_r2 = (above_r2 * below - above * below_r2) / (below * below);
  Distorted out;
  out.at = {x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
            y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y};
  out.slope << radial + 2 * x * x * radial_r2 + 2 * p1 * y + 6 * p2 * x,
      2 * x * y * radial_r2 + 2 * p1 * x + 2 * p2 * y,
      2 * x * y * radial_r2 + 2 * p1 * x + 2 * p2 * y,
      radial + 2 * y * y * radial_r2 + 6 * p1 * y + 2 * p2 * x;
  return out;
}

/// Whether the slope is positive definite at all points within that distance's square: bounds of its
/// terms tell it where distortion is weak, as it mostly is.
bool never_folds(const std::array<double, 8>& k, double r2) {
  const auto size = [&k](int i) { return std::abs(k[static_cast<std::size_t>(i)]); };
  const double above = r2 * (size(0) + r2 * (size(1) + r2 * size(4)));  // differs from 1 by that
  const double below = r2 * (size(5) + r2 * (size(6) + r2 * size(7)));
  if (!(above + below < 0.5)) return false;
  // r2 times the derivatives by r2
  const double above_r2 = r2 * (size(0) + r2 * (2 * size(1) + r2 * 3 * size(4)));
  const double below_r2 = r2 * (size(5) + r2 * (2 * size(6) + r2 * 3 * size(7)));
  const double radial = (1 - above) / (1 + below);
  const double radial_r2 =
      (above_r2 * (1 + below) + (1 + above) * below_r2) / ((1 - below) * (1 - below));
  const double aside = 8 * (size(2) + size(3)) * std::sqrt(r2);
  return radial - 2 * radial_r2 - aside > 1e-3;
}

/// The point of the same branch as the middle, where the image does not fold over.
bool before_fold(const std::array<double, 8>& k, const Vec2& p) {
  if (never_folds(k, p.squaredNorm())) return true;
  constexpr int kSteps = 12;
  for (int i = 1; i <= kSteps; ++i) {
    const Eigen::Matrix2d slope = distort(k, p * (static_cast<double>(i) / kSteps)).slope;
    if (!(slope.determinant() > 0) || !(slope.trace() > 0)) return false;
  }
  return true;
}

/// Newton's method, each step halved until it helps.
std::optional<Vec2> undistorted(const std::array<double, 8>& k, const Vec2& wanted) {
  Vec2 p = wanted;
  Distorted now = distort(k, p);
  if (!(now.at - wanted).allFinite() || !(now.slope.determinant() > 0)) {
    p.setZero();
    now = distort(k, p);
  }
  for (int i = 0; i < kMostSteps; ++i) {
    const Vec2 error = now.at - wanted;
    if (error.norm() <= kConverged * (1 + wanted.norm())) break;
    const Vec2 step = now.slope.inverse() * error;
    double share = 1;
    Distorted next = distort(k, p - step);
    while (!((next.at - wanted).norm() < error.norm()) && share > 1e-6) {
      share /= 2;
      next = distort(k, p - share * step);
    }
    p -= share * step;
    now = next;
  }
  if (!((now.at - wanted).norm() <= 1e-9 * (1 + wanted.norm())) || !before_fold(k, p)) {
    return std::nullopt;
  }
  return p;
}

double fisheye_radius(const std::array<double, 8>& k, double theta) {
  const double t2 = theta * theta;
  return theta * (1 + t2 * (k[0] + t2 * (k[1] + t2 * (k[2] + t2 * k[3]))));
}

/// The smallest angle with this radius; nothing when there is none up to a whole turn's half.
std::optional<double> fisheye_angle(const std::array<double, 8>& k, double radius) {
  constexpr int kIntervals = 256;
  double low = 0;
  for (int i = 1; i <= kIntervals; ++i) {
    double high = kPi * i / kIntervals;
    if (fisheye_radius(k, high) < fisheye_radius(k, low)) return std::nullopt;  // it folds over
    if (fisheye_radius(k, high) < radius) {
      low = high;
      continue;
    }
    for (int step = 0; step < 60; ++step) {
      const double middle = (low + high) / 2;
      (fisheye_radius(k, middle) < radius ? low : high) = middle;
    }
    return (low + high) / 2;
  }
  return std::nullopt;
}

}  // namespace

const char* lens_name(LensKind kind) {
  switch (kind) {
    case LensKind::kOpencv:
      return "opencv";
    case LensKind::kFisheye:
      return "fisheye";
    case LensKind::kEucm:
      return "eucm";
    case LensKind::kDoubleSphere:
      break;
  }
  return "double_sphere";
}

std::optional<LensKind> lens_kind(const std::string& name) {
  for (const LensKind kind :
       {LensKind::kOpencv, LensKind::kFisheye, LensKind::kEucm, LensKind::kDoubleSphere}) {
    if (name == lens_name(kind)) return kind;
  }
  return std::nullopt;
}

std::span<const int> coefficient_counts(LensKind kind) {
  static constexpr int kOpencv[] = {0, 4, 5, 8}, kFisheye[] = {0, 4}, kTwo[] = {2};
  switch (kind) {
    case LensKind::kOpencv:
      return kOpencv;
    case LensKind::kFisheye:
      return kFisheye;
    default:
      return kTwo;
  }
}

std::optional<Vec3> LensModel::ray(double column, double row) const {
  const Vec2 m((column - cx) / fx, (row - cy) / fy);
  const double r2 = m.squaredNorm(), r = std::sqrt(r2);
  switch (kind) {
    case LensKind::kOpencv: {
      const auto p = undistorted(coefficients, m);
      if (!p) return std::nullopt;
      return Vec3(p->x(), p->y(), 1).normalized();
    }
    case LensKind::kFisheye: {
      if (r < 1e-12) return Vec3::UnitZ();
      const auto theta = fisheye_angle(coefficients, r);
      if (!theta) return std::nullopt;
      const double across = libm::sin(*theta) / r;
      return Vec3(across * m.x(), across * m.y(), libm::cos(*theta));
    }
    case LensKind::kEucm: {
      const double a = coefficients[0], b = coefficients[1];
      const double root = 1 - (2 * a - 1) * b * r2;
      if (root < 0) return std::nullopt;
      const double z = (1 - b * a * a * r2) / (a * std::sqrt(root) + 1 - a);
      return Vec3(m.x(), m.y(), z).normalized();
    }
    case LensKind::kDoubleSphere: {
      const double xi = coefficients[0], a = coefficients[1];
      const double root = 1 - (2 * a - 1) * r2;
      if (root < 0) return std::nullopt;
      const double z = (1 - a * a * r2) / (a * std::sqrt(root) + 1 - a);
      const double second = z * z + (1 - xi * xi) * r2;
      if (second < 0) return std::nullopt;
      const double scale = (z * xi + std::sqrt(second)) / (z * z + r2);
      return Vec3(Vec3(scale * m.x(), scale * m.y(), scale * z - xi)).normalized();
    }
  }
  return std::nullopt;
}

std::optional<Vec2> LensModel::project(const Vec3& p_C) const {
  const double x = p_C.x(), y = p_C.y(), z = p_C.z(), r = libm::hypot(x, y);
  Vec2 m = Vec2::Zero();
  switch (kind) {
    case LensKind::kOpencv: {
      if (!(z > 0)) return std::nullopt;
      const Vec2 p(x / z, y / z);
      if (!before_fold(coefficients, p)) return std::nullopt;
      m = distort(coefficients, p).at;
      break;
    }
    case LensKind::kFisheye: {
      if (r == 0 && !(z > 0)) return std::nullopt;
      const double scale = r > 0 ? fisheye_radius(coefficients, libm::atan2(r, z)) / r : 0;
      m = {scale * x, scale * y};
      break;
    }
    case LensKind::kEucm: {
      const double a = coefficients[0], b = coefficients[1];
      const double d = std::sqrt(b * r * r + z * z), below = a * d + (1 - a) * z;
      const double w = a > 0.5 ? (1 - a) / a : a / (1 - a);
      if (!(below > 0) || !(z > -w * d)) return std::nullopt;
      m = {x / below, y / below};
      break;
    }
    case LensKind::kDoubleSphere: {
      const double xi = coefficients[0], a = coefficients[1];
      const double d1 = std::sqrt(r * r + z * z), shifted = xi * d1 + z;
      const double d2 = std::sqrt(r * r + shifted * shifted);
      const double w1 = a > 0.5 ? (1 - a) / a : a / (1 - a);
      const double w2 = (w1 + xi) / std::sqrt(2 * w1 * xi + xi * xi + 1);
      const double below = a * d2 + (1 - a) * shifted;
      if (!(z > -w2 * d1) || !(below > 0)) return std::nullopt;
      m = {x / below, y / below};
      break;
    }
  }
  return Vec2(fx * m.x() + cx, fy * m.y() + cy);
}

}  // namespace protobeam::render
