// The motion of a frame within a step of the simulation, relative to its pose at the step's end.
#pragma once

#include <array>

#include "base/clones.h"
#include "base/math.h"

namespace protobeam {

/// A rotation at constant rate within a step.
struct StepRotation {
  Vec3 axis = Vec3::UnitX();  ///< unit; the same in the frame before and after
  double angle = 0;           ///< rad, 0..pi, in the whole step
  int terms = 0;              ///< of the series of sine and cosine, enough for that angle
};

/// X_WB at the step fraction s, counted from the end of the step (-1 at its start, 0 at its end),
/// is (R_WB exp(s rotation), p_WB + s translation_W).
struct StepMotion {
  StepRotation rotation;  ///< axis in B
  Vec3 translation_W = Vec3::Zero();

  bool none() const { return rotation.angle == 0 && translation_W.isZero(0); }
};
StepMotion motion_between(const Pose& X_WB_before, const Pose& X_WB);

namespace series {
inline constexpr int kMaxTerms = 14;  ///< exact to the last bit at an angle of pi

/// first - first/(n (n + 1)) x + first/(n (n + 1) (n + 2) (n + 3)) x^2 - ...
constexpr std::array<double, kMaxTerms> alternating(double first, int n) {
  std::array<double, kMaxTerms> terms{};
  for (double& term : terms) {
    term = first;
    first /= -static_cast<double>(n * (n + 1));
    n += 2;
  }
  return terms;
}
inline constexpr auto kSine = alternating(1, 2);       ///< sin(a) / a by powers of a^2
inline constexpr auto kVersine = alternating(0.5, 3);  ///< (1 - cos(a)) / a^2
}  // namespace series

/// Rotates W vectors by the fractions `part` of the angle, each by its own.
template <int W>
PROTOBEAM_INLINE void rotate(const StepRotation& rotation, const double* part, double* x, double* y,
                             double* z) {
  const double kx = rotation.axis.x(), ky = rotation.axis.y(), kz = rotation.axis.z();
  alignas(64) double square[W];
  alignas(64) double sine[W];
  alignas(64) double versine[W];  // 1 - cosine
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    const double a = rotation.angle * part[l];
    square[l] = a * a;
    sine[l] = versine[l] = 0;
  }
  for (int term = rotation.terms - 1; term >= 0; --term) {
    const double s = series::kSine[term], c = series::kVersine[term];
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) sine[l] = sine[l] * square[l] + s;
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) versine[l] = versine[l] * square[l] + c;
  }
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    const double s = sine[l] * (rotation.angle * part[l]), c = versine[l] * square[l];
    // v + s k x v + c k x (k x v)
    const double ux = ky * z[l] - kz * y[l], uy = kz * x[l] - kx * z[l], uz = kx * y[l] - ky * x[l];
    x[l] += s * ux + c * (ky * uz - kz * uy);
    y[l] += s * uy + c * (kz * ux - kx * uz);
    z[l] += s * uz + c * (kx * uy - ky * ux);
  }
}

/// One vector.
Vec3 rotated(const StepRotation& rotation, double part, const Vec3& v);

}  // namespace protobeam
