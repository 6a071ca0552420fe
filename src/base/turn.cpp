#include "base/turn.h"

#include <cmath>

namespace protobeam {

Eigen::AngleAxisd axis_and_angle(const Quat& R) {
  const double length = R.vec().stableNorm();
  if (length == 0) return {0, Vec3::UnitX()};
  const Vec3 axis = R.vec() / (R.w() < 0 ? -length : length);
  return {2 * libm::atan2(length, std::abs(R.w())), axis};
}

Quat slerp(const Quat& a, const Quat& b, double share) {
  const double along = a.dot(b), cosine = std::abs(along);
  double of_a = 1 - share, of_b = share;
  if (cosine < 1 - Eigen::NumTraits<double>::epsilon()) {
    const double angle = libm::acos(cosine), sine = libm::sin(angle);
    of_a = libm::sin((1 - share) * angle) / sine;
    of_b = libm::sin(share * angle) / sine;
  }
  if (along < 0) of_b = -of_b;
  return Quat(of_a * a.coeffs() + of_b * b.coeffs());
}

}  // namespace protobeam
