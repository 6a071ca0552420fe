#include "spherical.h"

#include <cmath>

#include "base/clones.h"
#include "base/math.h"

namespace protobeam {
namespace {

/// atan2(y, x), by the octant of the angle and the rational function of Cephes' atan (S. Moshier),
/// which serves |t| <= 0.66.
PROTOBEAM_INLINE double angle(double y, double x) {
  const double ay = std::abs(y), ax = std::abs(x);
  const double low = ay < ax ? ay : ax, high = ay < ax ? ax : ay;
  // atan(low / high) = pi/4 + atan((low - high) / (low + high)) above tan(pi/8)
  const bool steep = low > 0.41421356237309503 * high;
  const double over = steep ? low - high : low, under = steep ? low + high : high;
  const double t = over / (under > 0 ? under : 1.0);
  const double z = t * t;
  const double p = (((-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z -
                     7.500855792314704667340e1) *
                        z -
                    1.228866684490136173410e2) *
                       z -
                   6.485021904942025371773e1;
  const double q = ((((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z +
                     4.328810604912902668951e2) *
                        z +
                    4.853903996359136964868e2) *
                       z +
                   1.945506571482613964425e2;
  double a = t + t * z * p / q + (steep ? kPi / 4 : 0.0);
  a = ay > ax ? kPi / 2 - a : a;
  a = x < 0 ? kPi - a : a;
  return y < 0 ? -a : a;
}

}  // namespace

PROTOBEAM_CLONES void spherical(const float* x, const float* y, const float* z, std::size_t n,
                                float* azimuth, float* elevation) {
  for (std::size_t i = 0; i < n; ++i) azimuth[i] = static_cast<float>(angle(y[i], x[i]));
  for (std::size_t i = 0; i < n; ++i) {
    const double dx = x[i], dy = y[i];
    elevation[i] = static_cast<float>(angle(z[i], std::sqrt(dx * dx + dy * dy)));
  }
}

}  // namespace protobeam
